/* resolve.c - see resolve.h. Faults of a value that was already refused while it
 * was read are not told twice. */
#include "scenarios/format/resolve.h"

#include <math.h>
#include <string.h>

struct place {
	struct rr_reader *r;
	struct scenario *s;
	char *path; /* of the pool */
};

static void fault(const struct place *p, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void fault(const struct place *p, const char *key, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *path = key[0] == '\0' ? g_strdup(p->path) : g_strdup_printf("%s.%s", p->path, key);
	table_add_fault_at(p->r, path, "%s", what);
}

static bool given(const struct place *p, const char *key)
{
	g_autofree char *path = g_strdup_printf("%s.%s", p->path, key);
	return table_has(p->r, path);
}

/* ---------------------------------------------------------------- references */

/* Ids of one section of the catalogue, for the nearest word. */
enum section { GPUS, NODES, INSTANCES };

static const char *id_of(const struct catalogue *c, enum section section, int32_t i)
{
	return section == GPUS ? c->gpus[i].id : section == NODES ? c->nodes[i].id : c->instances[i].id;
}

static int32_t refer(const struct place *p, enum section section, const char *key, const char *id)
{
	static const char *const names[] = {"gpus", "nodes", "instances"};
	const struct catalogue *c = p->s->catalogue;
	const int32_t counts[] = {c->gpu_count, c->node_count, c->instance_count};
	g_autoptr(GPtrArray) ids = g_ptr_array_new();
	for (int32_t i = 0; i < counts[section]; i++) {
		const char *known = id_of(c, section, i);
		if (g_ascii_strcasecmp(known, id) == 0) return i;
		g_ptr_array_add(ids, (gpointer)(intptr_t)known);
	}
	g_ptr_array_add(ids, NULL);
	g_autofree char *hint = table_hint(id, (const char *const *)ids->pdata);
	fault(p, key, "'%s' is not in the catalogue%s (rackrent catalog %s lists it)", id, hint, names[section]);
	return -1;
}

/* --------------------------------------------------------------------- prices */

static void take_node(const struct place *p, struct pool_spec *pool)
{
	const struct node_type *node = &p->s->catalogue->nodes[pool->node];
	pool->gpus_per_node = node->gpu_count;
	pool->gpu = node->gpu;
	pool->node_idle_w = node->idle_w;
	pool->node_max_w = node->max_w;
	if (pool->price_micros >= 0)
		pool->price_source = g_strdup(p->s->file);
	else if (node->price_micros >= 0 && strcmp(node->currency, p->s->currency) == 0) {
		pool->price_micros = node->price_micros;
		pool->price_source = g_strdup(node->source);
	} else if (node->price_micros >= 0)
		fault(p, "node", "'%s' is priced in %s, but this scenario counts in %s; give a 'price'", node->id,
		      node->currency, p->s->currency);
}

static void take_price(const struct place *p, struct pool_spec *pool, const struct instance_type *instance)
{
	g_autoptr(GDateTime) start = g_date_time_new_from_unix_utc(p->s->start_epoch_s);
	g_autofree char *date = start == NULL ? NULL : g_date_time_format(start, "%Y-%m-%d");
	bool early = false;
	const struct instance_price *price = rr_instance_price(instance, pool->region, date, &early);
	if (price == NULL && instance->price_count > 0) {
		g_autoptr(GPtrArray) regions = g_ptr_array_new();
		for (int32_t i = 0; i < instance->price_count; i++)
			if (!g_ptr_array_find_with_equal_func(regions, instance->prices[i].region, g_str_equal, NULL))
				g_ptr_array_add(regions, instance->prices[i].region);
		g_ptr_array_add(regions, NULL);
		g_autofree char *all = g_strjoinv(", ", (char **)regions->pdata);
		g_autofree char *hint = table_hint(pool->region, (const char *const *)regions->pdata);
		fault(p, "region", "no price of %s in '%s' is known%s (known: %s); or give a 'rent'", instance->id,
		      pool->region, hint, all);
	}
	if (price == NULL) return;
	if (strcmp(price->currency, p->s->currency) != 0) {
		fault(p, "region", "%s is priced in %s there, but this scenario counts in %s; give a 'rent'",
		      instance->id, price->currency, p->s->currency);
		return;
	}
	pool->price_micros_per_hour = price->micros_per_hour;
	pool->price_source = g_strdup_printf("%s, %s, %s", price->source, price->region, price->valid_from);
	if (early)
		g_ptr_array_add(p->s->notes,
				g_strdup_printf("%s: the price of %s is of %s, later than the start of the scenario.",
						p->path, instance->id, price->valid_from));
}

static void take_instance(const struct place *p, struct pool_spec *pool)
{
	const struct catalogue *c = p->s->catalogue;
	const struct instance_type *instance = &c->instances[pool->instance];
	if (instance->gpu_count < 1 || instance->gpu_fraction < 1) {
		fault(p, "instance", "'%s' holds less than a whole GPU", instance->id);
		return;
	}
	pool->gpus_per_node = instance->gpu_count;
	pool->gpu = instance->gpu;
	/* The draw of an instance is that of the same machine, where one is known. */
	for (int32_t n = 0; n < c->node_count; n++) {
		if (c->nodes[n].gpu != instance->gpu || c->nodes[n].gpu_count != instance->gpu_count) continue;
		pool->node_idle_w = c->nodes[n].idle_w;
		pool->node_max_w = c->nodes[n].max_w;
		break;
	}
	if (instance->provider >= 0) {
		const struct cloud_provider *provider = &c->providers[instance->provider];
		if (pool->billing_step_ns < 0) pool->billing_step_ns = provider->billing_step_ns;
		if (pool->billing_minimum_ns < 0) pool->billing_minimum_ns = provider->billing_minimum_ns;
	}
	if (pool->price_micros_per_hour >= 0)
		pool->price_source = g_strdup(p->s->file);
	else
		take_price(p, pool, instance);
}

/* ---------------------------------------------------------------------- pools */

static void check_kind(const struct place *p, const struct pool_spec *pool)
{
	static const char *const physical[] = {"node", "gpus", "site", "lead_time", "price", NULL};
	static const char *const cloud[] = {"instance",     "region",          "boot", "idle", "rent",
					    "billing_step", "billing_minimum", NULL};
	bool rented = pool->kind == RR_POOL_CLOUD;
	for (const char *const *key = rented ? physical : cloud; *key != NULL; key++)
		if (given(p, *key))
			fault(p, *key, "is for %s pools, but the kind of this one is %s", rented ? "physical" : "cloud",
			      rented ? "cloud" : "physical");
}

static void find_site(const struct place *p, struct pool_spec *pool)
{
	const struct scenario *s = p->s;
	pool->site = -1;
	if (pool->site_name == NULL) {
		if (s->site_count == 1) pool->site = 0;
		return;
	}
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (int32_t i = 0; i < s->site_count; i++) {
		if (strcmp(s->sites[i].name, pool->site_name) == 0) pool->site = i;
		g_ptr_array_add(names, s->sites[i].name);
	}
	g_ptr_array_add(names, NULL);
	g_autofree char *hint = table_hint(pool->site_name, (const char *const *)names->pdata);
	if (pool->site < 0) fault(p, "site", "there is no site '%s'%s (key 'sites')", pool->site_name, hint);
}

static void resolve_physical(const struct place *p, struct pool_spec *pool)
{
	int ways = given(p, "node") + given(p, "gpus_per_node") + given(p, "gpus");
	find_site(p, pool);
	if (ways != 1)
		fault(p, "", "say what the nodes are by one of 'node' (a type), 'gpus_per_node' or 'gpus' (no nodes)%s",
		      ways > 1 ? "; several are given" : "");
	if (given(p, "gpus")) {
		if (given(p, "count")) fault(p, "count", "a pool of 'gpus' has no nodes to count");
		pool->count_min = pool->count_max = pool->flat_gpus;
	} else if (!given(p, "count"))
		fault(p, "", "key 'count' is missing: how many nodes");
	else if (pool->count_min != pool->count_max && pool->count_max > 0)
		fault(p, "count", "bought nodes do not come and go; give one number");
	if (pool->node >= 0) take_node(p, pool);
}

static void resolve_cloud(const struct place *p, struct pool_spec *pool, const struct autoscale_spec *scale)
{
	pool->site = -1;
	if (!given(p, "count")) fault(p, "", "key 'count' is missing: how many instances, or {min, max}");
	if (pool->instance_name == NULL && !given(p, "gpus_per_node"))
		fault(p, "", "say what is rented by 'instance' (a type), or by 'gpus_per_node' and 'rent'");
	if (pool->instance_name != NULL && given(p, "gpus_per_node"))
		fault(p, "gpus_per_node", "the instance type says that already");
	if (pool->instance >= 0) take_instance(p, pool);
	if (pool->billing_step_ns < 0) pool->billing_step_ns = RR_NS_PER_S;
	if (pool->billing_minimum_ns < 0) pool->billing_minimum_ns = 0;
	if (pool->idle_ns < 0) pool->idle_ns = scale->idle_ns;
	if (pool->boot.kind != RR_DIST_CONSTANT || !isnan(pool->boot.a)) return;
	pool->boot = scale->boot; /* a copy of its own: both are freed */
	pool->boot.values = g_memdup2(scale->boot.values, scale->boot.value_count * sizeof(double));
	pool->boot.file = g_strdup(scale->boot.file);
}

static void note_speed(const struct place *p, const struct pool_spec *pool)
{
	const struct catalogue *c = p->s->catalogue;
	for (int32_t w = 0; w < p->s->workload_count; w++) {
		const struct workload *work = &p->s->workloads[w];
		if (work->reference_gpu < 0 || pool->gpu < 0 || work->reference_gpu == pool->gpu || given(p, "speed"))
			continue;
		g_ptr_array_add(p->s->notes,
				g_strdup_printf("Run times of '%s', measured on %s, are used unchanged on %s (%s); "
						"'speed' changes that.",
						work->name, c->gpus[work->reference_gpu].id, c->gpus[pool->gpu].id,
						p->path));
	}
}

/* What jobs may ask about: type and memory of the GPU, CPUs and memory of the node. */
static void take_parts(const struct catalogue *c, struct pool_spec *pool)
{
	const struct node_type *node = pool->node >= 0 ? &c->nodes[pool->node] : NULL;
	const struct instance_type *instance = pool->instance >= 0 ? &c->instances[pool->instance] : NULL;
	double cpus = pool->cpus > 0     ? pool->cpus
		      : node != NULL     ? node->cpu_count
		      : instance != NULL ? instance->cpu_count
					 : 0;
	int64_t ram = node != NULL ? node->mem_bytes : instance != NULL ? instance->mem_bytes : 0;
	if (pool->gpu >= 0) pool->gpu_mem_bytes = c->gpus[pool->gpu].mem_bytes;
	pool->gpu_type = g_strdup(pool->model != NULL ? pool->model : pool->gpu >= 0 ? c->gpus[pool->gpu].id : NULL);
	pool->node_cpu_milli = cpus > 0 ? (int64_t)llround(cpus * 1000) : 0;
	if (pool->node_ram_bytes <= 0) pool->node_ram_bytes = MAX(ram, 0);
}

static void check_labels(const struct place *p, const char *key, char *const *labels)
{
	for (char *const *label = labels; label != NULL && *label != NULL; label++)
		if (strchr(*label, '=') == NULL || **label == '=')
			fault(p, key, "expected key=value such as net=ib, found '%s'", *label);
}

static void resolve_pool(const struct place *p, struct pool_spec *pool, const struct autoscale_spec *scale)
{
	pool->node = pool->instance = pool->gpu = -1;
	pool->node_idle_w = pool->node_max_w = NAN;
	pool->gpus_per_node = MAX(pool->gpus_per_node, 0);
	pool->flat_gpus = MAX(pool->flat_gpus, 0);
	check_kind(p, pool);
	if (pool->node_name != NULL) pool->node = refer(p, NODES, "node", pool->node_name);
	if (pool->instance_name != NULL) pool->instance = refer(p, INSTANCES, "instance", pool->instance_name);
	if (pool->kind == RR_POOL_PHYSICAL)
		resolve_physical(p, pool);
	else
		resolve_cloud(p, pool, scale);
	if (pool->gpu_name != NULL && pool->gpu >= 0)
		fault(p, "gpu", "the type of node or instance says that already");
	else if (pool->gpu_name != NULL)
		pool->gpu = refer(p, GPUS, "gpu", pool->gpu_name);
	check_labels(p, "labels", pool->labels);
	take_parts(p->s->catalogue, pool);
	note_speed(p, pool);
}

/* ------------------------------------------------------------------------ queues */

static int32_t find_queue(const struct place *p, const struct fleet_spec *fleet, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (int32_t i = 0; i < fleet->queue_count; i++) {
		if (strcmp(fleet->queues[i].name, name) == 0) return i;
		g_ptr_array_add(names, fleet->queues[i].name);
	}
	g_ptr_array_add(names, NULL);
	g_autofree char *hint = table_hint(name, (const char *const *)names->pdata);
	fault(p, "parent", "there is no queue '%s'%s", name, hint);
	return -1;
}

/* Longer than there are queues: it comes back to itself. */
static bool in_a_circle(const struct fleet_spec *fleet, int32_t queue)
{
	int32_t steps = 0;
	for (int32_t at = queue; at >= 0; at = fleet->queues[at].parent)
		if (steps++ > fleet->queue_count) return true;
	return false;
}

static void check_queue(const struct place *p, const struct fleet_spec *fleet, int32_t at)
{
	const struct queue_spec *q = &fleet->queues[at];
	int64_t children = 0;
	if (q->most > 0 && q->guaranteed > q->most)
		fault(p, "guaranteed", "%" G_GINT64_FORMAT " is above max %" G_GINT64_FORMAT, q->guaranteed, q->most);
	for (int32_t i = 0; i < fleet->queue_count; i++)
		if (fleet->queues[i].parent == at) children += fleet->queues[i].guaranteed;
	if (q->guaranteed > 0 && children > q->guaranteed)
		fault(p, "guaranteed",
		      "the queues below are guaranteed %" G_GINT64_FORMAT " GPUs, more than the %" G_GINT64_FORMAT
		      " of this one",
		      children, q->guaranteed);
}

static void resolve_queues(struct rr_reader *r, struct scenario *s, struct fleet_spec *fleet)
{
	for (int pass = 0; pass < 2; pass++) /* parents first: what is checked looks at all of them */
		for (int32_t i = 0; i < fleet->queue_count; i++) {
			struct queue_spec *q = &fleet->queues[i];
			g_autofree char *path = g_strdup_printf("fleets.%s.queues.%s", fleet->name, q->name);
			struct place place = {r, s, path};
			if (pass == 0)
				q->parent = q->parent_name != NULL ? find_queue(&place, fleet, q->parent_name) : -1;
			else if (in_a_circle(fleet, i)) {
				fault(&place, "parent", "the queue is its own parent, through others or by itself");
				q->parent = -1;
			} else
				check_queue(&place, fleet, i);
		}
}

/* ------------------------------------------------------------------ the whole */

/* Whole GPUs, rising, with a speed-up above 0 each. */
static void check_curve(const struct place *p, const struct numbers_spec *curve)
{
	int64_t last = 0, gpus = 0;
	for (int32_t i = 0; i < curve->count; i++) {
		if (!g_ascii_string_to_signed(curve->names[i], 10, last + 1, INT32_MAX, &gpus, NULL))
			fault(p, "elastic.speedup",
			      "'%s': expected whole numbers of GPUs, each more than the one before", curve->names[i]);
		else if (curve->values[i] <= 0)
			fault(p, "elastic.speedup", "%s: expected a speed-up above 0", curve->names[i]);
		else
			last = gpus;
	}
}

/* Some pool calls its GPU so. */
static bool is_model(const struct scenario *s, const char *name)
{
	for (int32_t f = 0; f < s->fleet_count; f++)
		for (int32_t i = 0; i < s->fleets[f].pool_count; i++)
			if (g_strcmp0(s->fleets[f].pools[i].model, name) == 0) return true;
	return false;
}

/* A type that no pool can have would leave every job waiting for ever. */
static void check_needs(const struct place *p, const struct workload *w)
{
	const struct needs_spec *needs = &w->needs;
	for (char **type = needs->gpus; type != NULL && *type != NULL; type++)
		if (!is_model(p->s, *type)) refer(p, GPUS, "needs.gpu", *type);
	check_labels(p, "needs.labels", needs->labels);
	if (needs->same_node && needs->spread)
		fault(p, "needs.spread", "GPUs in one node ('same_node') cannot stand on different ones");
	if (w->range.most > 0 && w->range.least > w->range.most)
		fault(p, "elastic.min", "%d is above max %d", w->range.least, w->range.most);
}

static void resolve_workload(const struct place *p, struct workload *w)
{
	check_curve(p, &w->range.curve);
	check_needs(p, w);
	w->kind = w->has_trace ? RR_WORKLOAD_TRACE : RR_WORKLOAD_SYNTHETIC;
	if (w->has_trace == w->has_synthetic)
		fault(p, "", "give either 'trace' or 'synthetic'%s", w->has_trace ? ", not both" : "");
	w->reference_gpu = w->reference_gpu_name == NULL ? -1 : refer(p, GPUS, "reference_gpu", w->reference_gpu_name);
	struct rr_arrivals *a = &w->synthetic.arrivals;
	if (isnan(a->burst_on_s) || isnan(a->burst_off_s)) a->burst_on_s = a->burst_off_s = 0;
	/* 1970-01-01 was a Thursday; the week of the profile begins on Monday. */
	a->start_hour = fmod((double)p->s->start_epoch_s / 3600 + 3 * 24, 168);
	bool endless = p->s->horizon_ns == 0;
	if (w->has_synthetic && endless && w->synthetic.job_limit == 0)
		fault(p, "synthetic", "without a 'horizon' the work never ends; give one, or 'jobs'");
	const char *unit = w->trace.columns.time_unit;
	if (unit != NULL && strcmp(unit, "s") != 0 && strcmp(unit, "ms") != 0 && strcmp(unit, "stamp") != 0)
		fault(p, "trace.columns.time_unit", "unknown unit '%s' (one of: s, ms, stamp)", unit);
	if (w->has_trace && endless && w->trace.repeat)
		fault(p, "trace.repeat", "without a 'horizon' the copies never end; give one");
}

static void resolve_report(struct rr_reader *r, struct scenario *s)
{
	if (s->baseline_name == NULL) return;
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	s->baseline = -1;
	for (int32_t f = 0; s->fleets != NULL && f < s->fleet_count; f++) {
		if (strcmp(s->fleets[f].name, s->baseline_name) == 0) s->baseline = f;
		g_ptr_array_add(names, s->fleets[f].name);
	}
	g_ptr_array_add(names, NULL);
	g_autofree char *hint = table_hint(s->baseline_name, (const char *const *)names->pdata);
	if (s->baseline < 0)
		table_add_fault_at(r, "report.baseline", "there is no fleet '%s'%s", s->baseline_name, hint);
}

static void load_catalogue(struct rr_reader *r, struct scenario *s)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	for (char **f = s->catalogue_names; f != NULL && *f != NULL; f++)
		g_ptr_array_add(files, g_path_is_absolute(*f) ? g_strdup(*f) : g_build_filename(r->folder, *f, NULL));
	for (const char *const *f = r->options->catalogue_files; f != NULL && *f != NULL; f++)
		g_ptr_array_add(files, g_strdup(*f));
	g_ptr_array_add(files, NULL);
	struct rr_load_options options = *r->options;
	options.catalogue_files = (const char *const *)files->pdata;
	s->catalogue = rr_catalogue_load(&options, r->faults);
}

void resolve_scenario(struct rr_reader *r, struct scenario *s)
{
	if (s->name != NULL && (strchr(s->name, '/') != NULL || s->name[0] == '.'))
		table_add_fault_at(r, "name", "names the folder of the results; it cannot hold '/' or begin with '.'");
	if (s->workloads != NULL && s->workload_count == 0) table_add_fault_at(r, "workloads", "names no work");
	if (s->fleets != NULL && s->fleet_count == 0) table_add_fault_at(r, "fleets", "names no fleet");
	load_catalogue(r, s);
	if (s->catalogue == NULL) return;
	for (int32_t w = 0; s->workloads != NULL && w < s->workload_count; w++) {
		g_autofree char *path = g_strdup_printf("workloads.%s", s->workloads[w].name);
		resolve_workload(&(struct place){r, s, path}, &s->workloads[w]);
	}
	for (int32_t f = 0; s->fleets != NULL && f < s->fleet_count; f++) {
		struct fleet_spec *fleet = &s->fleets[f];
		g_autofree char *above = g_strdup_printf("fleets.%s.pools", fleet->name);
		if (fleet->pools != NULL && fleet->pool_count == 0) table_add_fault_at(r, above, "names no pool");
		for (int32_t i = 0; fleet->pools != NULL && i < fleet->pool_count; i++) {
			g_autofree char *path = g_strdup_printf("%s.%s", above, fleet->pools[i].name);
			resolve_pool(&(struct place){r, s, path}, &fleet->pools[i], &fleet->autoscale);
		}
		resolve_queues(r, s, fleet);
	}
	resolve_report(r, s);
}
