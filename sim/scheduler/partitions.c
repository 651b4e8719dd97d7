/* partitions.c - the scheduler made from its words, and the way of a job to the
 * pools that take it. */
#include "sim/scheduler/partitions.h"

#include "models/random/random.h"
#include "sim/scheduler/plan.h"
#include "sim/scheduler/scored.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ the words */

static const struct rr_word *look_up(const struct rr_word *table, const char *name, const char *what, GError **error)
{
	for (const struct rr_word *w = table; w->name != NULL; w++)
		if (strcmp(w->name, name) == 0) return w;
	g_set_error(error, RR_UNITS_ERROR, RR_UNITS_ERROR_SYNTAX, "unknown %s '%s'", what, name);
	return NULL;
}

/* The four rows, and a NULL. */
static bool find_words(const struct scheduler_spec *spec, const struct rr_word *words[5], GError **error)
{
	words[0] = look_up(rr_orders, spec->order, "order", error);
	words[1] = words[0] != NULL ? look_up(rr_backfills, spec->backfill, "backfill", error) : NULL;
	words[2] = words[1] != NULL ? look_up(rr_placements, spec->placement, "placement", error) : NULL;
	words[3] = words[2] != NULL ? look_up(rr_preempts, spec->preempt, "preempt", error) : NULL;
	words[4] = NULL;
	return words[3] != NULL;
}

bool rr_scheduler_check(const struct scheduler_spec *spec, GError **error)
{
	const struct rr_word *words[5];
	struct rr_settings settings;
	return find_words(spec, words, error) && rr_settings_read(&settings, words, spec->options, error);
}

static bool find_policies(struct rr_scheduler *s, const struct scheduler_spec *spec, GError **error)
{
	const struct rr_word *words[5];
	if (!find_words(spec, words, error) || !rr_settings_read(&s->settings, words, spec->options, error))
		return false;
	s->order = words[0]->policy;
	s->backfill = words[1]->policy;
	s->placement = words[2]->policy;
	s->preempt = words[3]->policy;
	return true;
}

/* ------------------------------------------------------------- the partitions */

static bool same_filter(const struct rr_partition *p, const struct pool_spec *spec)
{
	return g_strcmp0(p->only_pool, spec->only_pool) == 0 && g_strcmp0(p->only_class, spec->only_class) == 0 &&
	       g_strcmp0(p->only_tenant, spec->only_tenant) == 0;
}

/* The partition with the filter of SPEC, a new one when there is none yet. */
static struct rr_partition *partition_for(struct rr_scheduler *s, const struct pool_spec *spec)
{
	for (int32_t i = 0; i < s->partition_count; i++)
		if (same_filter(&s->partitions[i], spec)) return &s->partitions[i];
	struct rr_partition *p = &s->partitions[s->partition_count++];
	*p = (struct rr_partition){.scheduler = s,
				   .only_pool = spec->only_pool,
				   .only_class = spec->only_class,
				   .only_tenant = spec->only_tenant,
				   .pools = g_new0(int32_t, (size_t)s->pool_count),
				   .node_gpus = spec->gpus_per_node,
				   .steps = g_array_new(FALSE, FALSE, sizeof(int32_t)),
				   .arrived = g_array_new(FALSE, FALSE, sizeof(int32_t)),
				   .wake_ns = INT64_MAX,
				   .keyed_ns = -1,
				   .nominated = -1,
				   .arrived_ns = -1,
				   .wake_timer = RR_EVENT_NONE,
				   .round_timer = RR_EVENT_NONE};
	s->any_pool |= spec->only_pool != NULL;
	s->any_class |= spec->only_class != NULL;
	s->any_tenant |= spec->only_tenant != NULL;
	return p;
}

/* By what the placement pays for them; as few as there are, by insertion. */
static void sort_pools(const struct rr_scheduler *s, struct rr_partition *p)
{
	double (*price)(const struct pool_spec *) = s->placement->price;
	const struct rr_pool *pools = s->pools;
	for (int32_t i = 1; price != NULL && i < p->pool_count; i++)
		for (int32_t k = i; k > 0 && price(pools[p->pools[k]].spec) < price(pools[p->pools[k - 1]].spec); k--) {
			int32_t swapped = p->pools[k];
			p->pools[k] = p->pools[k - 1];
			p->pools[k - 1] = swapped;
		}
}

/* What there is in all, and the highest priority: shares are parts of these. */
static void sum_up(struct rr_scheduler *s)
{
	for (int32_t i = 0; i < s->pool_count; i++) {
		const struct rr_pool *pool = &s->pools[i];
		s->gpu_total += pool->gpu_limit;
		s->cpu_total += (double)pool->node_limit * (double)pool->spec->node_cpu_milli;
		s->ram_total += (double)pool->node_limit * (double)pool->spec->node_ram_bytes;
	}
	for (size_t i = 0; i < s->jobs->count; i++) s->priority_most = MAX(s->priority_most, s->jobs->jobs[i].priority);
}

void rr_partitions_begin(struct rr_scheduler *s)
{
	int64_t most_nodes = 1;
	s->partitions = g_new0(struct rr_partition, (size_t)s->pool_count);
	s->partition_of_pool = g_new0(int32_t, (size_t)s->pool_count);
	for (int32_t i = 0; i < s->pool_count; i++) {
		struct rr_partition *p = partition_for(s, s->pools[i].spec);
		g_assert(p->pools != NULL);
		p->pools[p->pool_count++] = i;
		if (p->node_gpus != s->pools[i].node_gpus) p->node_gpus = 0;
		s->partition_of_pool[i] = (int32_t)(p - s->partitions);
		most_nodes = MAX(most_nodes, s->pools[i].node_limit);
		rr_queue_init(&s->ends[i], s->endings, INT32_MAX);
	}
	for (int32_t i = 0; i < s->partition_count; i++) {
		struct rr_partition *p = &s->partitions[i];
		sort_pools(s, p);
		rr_queue_init(&p->promised, s->members, INT32_MAX);
		rr_queue_init(&p->held, s->members, INT32_MAX);
		p->of_size = g_new0(int64_t, (size_t)p->node_gpus + 1);
		if (s->backfill->plans || s->settings.reservations > 1)
			p->plan = rr_plan_new(s->jobs->count, i > 0 ? s->partitions[0].plan : NULL);
	}
	s->nodes = g_new0(int32_t, (size_t)most_nodes);
}

void rr_partitions_end(struct rr_scheduler *s)
{
	for (int32_t i = s->partition_count - 1; i >= 0; i--) {
		struct rr_partition *p = &s->partitions[i];
		for (int32_t l = 0; l < p->lane_count; l++) g_free(p->lanes[l].pools);
		g_free(p->lanes);
		g_free(p->pools);
		g_free(p->of_size);
		g_free(p->running);
		g_free(p->running_gpus);
		g_array_unref(p->steps);
		g_array_unref(p->arrived);
		rr_plan_free(p->plan);
		rr_scored_end(p);
		if (p->kept != NULL) p->kept_free(p->kept);
	}
	g_free(s->partitions);
	g_free(s->partition_of_pool);
}

struct rr_scheduler *rr_scheduler_new(const struct fleet_spec *fleet, const struct job_list *jobs,
				      struct rr_pool *pools, struct rr_progress *progress, uint64_t seed,
				      const struct rr_scheduler_calls *calls, void *world, GError **error)
{
	struct rr_scheduler *s = g_new0(struct rr_scheduler, 1);
	*s = (struct rr_scheduler){.jobs = jobs,
				   .fleet = fleet,
				   .progress = progress,
				   .pools = pools,
				   .pool_count = fleet->pool_count,
				   .seed = seed,
				   .calls = *calls,
				   .world = world};
	if (!find_policies(s, &fleet->scheduler, error)) {
		g_free(s);
		return NULL;
	}
	size_t count = MAX(jobs->count, 1);
	s->members = g_new0(struct rr_member, count);
	if (s->backfill->uses_ends) s->endings = g_new0(struct rr_member, count);
	s->ends = g_new0(struct rr_queue, (size_t)s->pool_count);
	s->estimates = g_new0(sim_time, count);
	s->where = g_new0(uint8_t, count);
	s->partition_of_job = g_new0(int32_t, count);
	s->lane_of_job = g_new0(int32_t, count);
	s->routes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (s->preempt->ranks_running) {
		s->steps = g_new(struct rr_event, count);
		for (size_t i = 0; i < count; i++) s->steps[i] = RR_EVENT_NONE;
	}
	rr_scheduler_timers(s);
	rr_tenants_begin(s);
	sum_up(s);
	rr_partitions_begin(s);
	rr_fragments_begin(s);
	if (s->placement->scored) s->masks = g_new0(uint32_t, count);
	for (int32_t i = 0; s->placement->scored && i < s->partition_count; i++) rr_scored_begin(&s->partitions[i]);
	if (s->order->begin != NULL) s->memory = s->order->begin(s);
	return s;
}

void rr_scheduler_free(struct rr_scheduler *s)
{
	if (s == NULL) return;
	if (s->order->end != NULL) s->order->end(s->memory);
	rr_partitions_end(s);
	rr_fragments_end(s);
	g_clear_error(&s->failure);
	rr_engine_done(&s->timers);
	g_free(s->members);
	g_free(s->endings);
	g_free(s->ends);
	g_free(s->estimates);
	g_free(s->steps);
	g_free(s->where);
	g_free(s->partition_of_job);
	g_free(s->lane_of_job);
	g_free(s->tenants);
	g_hash_table_unref(s->tenant_names);
	g_hash_table_unref(s->routes);
	g_free(s->masks);
	g_free(s->nodes);
	g_free(s);
}

/* ------------------------------------------------------------------ routing */

static bool takes(const char *only, const char *text)
{
	return only == NULL || strcmp(only, text) == 0;
}

static int32_t find_partition(const struct rr_scheduler *s, const char *pool, const char *klass, const char *tenant)
{
	for (int32_t i = 0; i < s->partition_count; i++) {
		const struct rr_partition *p = &s->partitions[i];
		if (takes(p->only_pool, pool) && takes(p->only_class, klass) && takes(p->only_tenant, tenant)) return i;
	}
	return -1;
}

/* Answers are kept by the texts that any filter looks at: a fleet has few of
 * them, a trace a million jobs. */
int32_t rr_partition_of(struct rr_scheduler *s, const struct job *job)
{
	if (!s->any_pool && !s->any_class && !s->any_tenant) return 0;
	const char *pool = s->any_pool ? rr_jobs_get_text(s->jobs, job->pool) : "";
	const char *klass = s->any_class ? rr_jobs_get_text(s->jobs, job->klass) : "";
	const char *tenant = s->any_tenant ? rr_jobs_get_text(s->jobs, job->tenant) : "";
	char key[256];
	int length = g_snprintf(key, sizeof key, "%s\n%s\n%s", pool, klass, tenant);
	if (length >= (int)sizeof key) return find_partition(s, pool, klass, tenant);
	gpointer kept = g_hash_table_lookup(s->routes, key);
	if (kept != NULL) return GPOINTER_TO_INT(kept) - 2;
	int32_t found = find_partition(s, pool, klass, tenant);
	g_hash_table_insert(s->routes, g_strdup(key), GINT_TO_POINTER(found + 2));
	return found;
}

/* Could JOB ever run in POOL, all of it empty and there? */
static bool could_hold(const struct rr_scheduler *s, const struct rr_pool *pool, int32_t job)
{
	const struct job_needs *needs = rr_job_needs(s, job);
	int32_t gpus = rr_job_gpus(s, job);
	if (!rr_pool_admits(pool, gpus) || rr_job_speed(s->jobs, job, pool->spec, gpus) <= 0) return false;
	if (needs == NULL) return true;
	if (!rr_pool_suits(pool, s->jobs, needs)) return false;
	if (pool->node_gpus == 0) return true; /* no nodes to tell apart */
	if (needs->same_node && gpus > pool->node_gpus) return false;
	if (needs->spread && gpus > pool->node_limit) return false;
	return !needs->same_rack || gpus <= pool->node_gpus * MIN(pool->rack_nodes, pool->node_limit);
}

struct rr_partition *rr_route(struct rr_scheduler *s, int32_t job)
{
	int32_t at = rr_partition_of(s, rr_job(s, job));
	if (at < 0) return NULL;
	struct rr_partition *p = &s->partitions[at];
	for (int32_t i = 0; i < p->pool_count; i++)
		if (could_hold(s, &s->pools[p->pools[i]], job)) return p;
	return NULL;
}

sim_time rr_believed(const struct rr_scheduler *s, int32_t job)
{
	const struct job *j = rr_job(s, job);
	if (s->settings.belief == RR_BELIEVE_ERROR) {
		struct rr_stream luck;
		rr_stream_init(&luck, s->seed, RR_PURPOSE_ESTIMATE, (uint64_t)job);
		double believed = (double)j->duration_ns * exp(s->settings.estimate_error * rr_stream_normal(&luck));
		return believed < 9e18 ? MAX((sim_time)llround(believed), 1) : INT64_MAX / 2;
	}
	if (s->settings.belief == RR_BELIEVE_USER && j->estimate_ns >= 0) return j->estimate_ns;
	return j->duration_ns;
}
