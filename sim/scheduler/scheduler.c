/* scheduler.c - partitions, routing, and the pass. */
#include "sim/scheduler/scheduler.h"

#include "sim/scheduler/policy.h"

#include <string.h>

struct rr_scheduler {
	const struct job_list *jobs;
	struct rr_pool *pools;
	int32_t pool_count;
	const struct rr_order *order;
	const struct rr_backfill *backfill;
	const struct rr_placement *placement;
	rr_start start;
	void *world;
	struct rr_waiting *waiting; /* by job */
	struct rr_ending *endings;  /* by job; NULL when the backfill does not plan */
	struct rr_ends *ends;       /* by pool */
	struct rr_partition *partitions;
	int32_t partition_count;
	int32_t *partition_of_pool;
	int32_t *partition_of_job;            /* -1 = none */
	GHashTable *routes;                   /* texts of a job that filters look at -> partition + 1 */
	bool any_pool, any_class, any_tenant; /* some filter looks at it */
	int32_t *nodes;                       /* of the job being placed */
};

static const void *look_up(const struct rr_word *table, const char *name, const char *what, GError **error)
{
	for (const struct rr_word *w = table; w->name != NULL; w++)
		if (strcmp(w->name, name) == 0) return w;
	g_set_error(error, RR_UNITS_ERROR, RR_UNITS_ERROR_SYNTAX, "unknown %s '%s'", what, name);
	return NULL;
}

static bool find_policies(struct rr_scheduler *s, const struct scheduler_spec *spec, GError **error)
{
	const struct rr_word *order = look_up(rr_orders, spec->order, "order", error);
	const struct rr_word *backfill = order ? look_up(rr_backfills, spec->backfill, "backfill", error) : NULL;
	const struct rr_word *placement = backfill ? look_up(rr_placements, spec->placement, "placement", error) : NULL;
	if (placement == NULL || look_up(rr_preempts, spec->preempt, "preempt", error) == NULL) return false;
	s->order = order->policy;
	s->backfill = backfill->policy;
	s->placement = placement->policy;
	return true;
}

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
				   .node_gpus = spec->gpus_per_node};
	s->any_pool |= spec->only_pool != NULL;
	s->any_class |= spec->only_class != NULL;
	s->any_tenant |= spec->only_tenant != NULL;
	return p;
}

static void make_partitions(struct rr_scheduler *s)
{
	int64_t most_nodes = 1;
	s->partitions = g_new0(struct rr_partition, (size_t)s->pool_count);
	s->partition_of_pool = g_new0(int32_t, (size_t)s->pool_count);
	for (int32_t i = 0; i < s->pool_count; i++) {
		struct rr_partition *p = partition_for(s, s->pools[i].spec);
		p->pools[p->pool_count++] = i;
		if (p->node_gpus != s->pools[i].node_gpus) p->node_gpus = 0;
		s->partition_of_pool[i] = (int32_t)(p - s->partitions);
		most_nodes = MAX(most_nodes, s->pools[i].node_limit);
		rr_ends_init(&s->ends[i], s->endings);
	}
	for (int32_t i = 0; i < s->partition_count; i++) {
		struct rr_partition *p = &s->partitions[i];
		rr_queue_init(&p->queue, s->waiting, p->node_gpus > 0 ? p->node_gpus : INT32_MAX);
		p->by_size = g_new0(int64_t, (size_t)p->node_gpus + 1);
	}
	s->nodes = g_new0(int32_t, (size_t)most_nodes);
}

struct rr_scheduler *rr_scheduler_new(const struct fleet_spec *fleet, const struct job_list *jobs,
				      struct rr_pool *pools, rr_start start, void *world, GError **error)
{
	struct rr_scheduler *s = g_new0(struct rr_scheduler, 1);
	*s = (struct rr_scheduler){
	    .jobs = jobs, .pools = pools, .pool_count = fleet->pool_count, .start = start, .world = world};
	if (!find_policies(s, &fleet->scheduler, error)) {
		g_free(s);
		return NULL;
	}
	s->waiting = g_new0(struct rr_waiting, jobs->count);
	if (s->backfill->uses_ends) s->endings = g_new0(struct rr_ending, jobs->count);
	s->ends = g_new0(struct rr_ends, (size_t)s->pool_count);
	s->partition_of_job = g_new(int32_t, jobs->count);
	s->routes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	make_partitions(s);
	return s;
}

void rr_scheduler_free(struct rr_scheduler *s)
{
	if (s == NULL) return;
	for (int32_t i = 0; i < s->partition_count; i++) {
		g_free(s->partitions[i].pools);
		g_free(s->partitions[i].by_size);
	}
	g_free(s->partitions);
	g_free(s->partition_of_pool);
	g_free(s->partition_of_job);
	g_free(s->waiting);
	g_free(s->endings);
	g_free(s->ends);
	g_free(s->nodes);
	g_hash_table_unref(s->routes);
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

/* The first partition that takes JOB. Answers are kept by the texts that any
 * filter looks at: a fleet has few of them, a trace a million jobs. */
static int32_t route(struct rr_scheduler *s, const struct job *job)
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

static bool admits(const struct rr_scheduler *s, const struct rr_partition *p, int32_t gpus)
{
	for (int32_t i = 0; i < p->pool_count; i++)
		if (rr_pool_admits(&s->pools[p->pools[i]], gpus)) return true;
	return false;
}

sim_time rr_job_estimate(const struct job *job)
{
	return job->estimate_ns >= 0 ? job->estimate_ns : job->duration_ns;
}

/* Keeps the count of waiting jobs by size, for whoever provisions nodes. */
static void count_waiting(struct rr_partition *p, int32_t gpus, int64_t by)
{
	if (p->node_gpus == 0) return;
	p->whole_nodes += by * (gpus / p->node_gpus);
	int32_t rest = gpus % p->node_gpus;
	if (rest > 0) p->by_size[rest] += by;
}

bool rr_scheduler_arrive(struct rr_scheduler *s, int32_t index)
{
	const struct job *job = &s->jobs->jobs[index];
	int32_t at = route(s, job);
	s->partition_of_job[index] = at;
	if (at < 0) return false;
	struct rr_partition *p = &s->partitions[at];
	if (!admits(s, p, job->gpus)) {
		s->partition_of_job[index] = -1;
		return false;
	}
	rr_queue_insert(&p->queue, index, s->order->key(job), job->gpus, rr_job_estimate(job));
	count_waiting(p, job->gpus, 1);
	p->changed = true;
	return true;
}

void rr_scheduler_ended(struct rr_scheduler *s, int32_t job, int32_t pool)
{
	if (s->endings != NULL) rr_ends_remove(&s->ends[pool], job);
	s->partitions[s->partition_of_pool[pool]].changed = true;
}

void rr_scheduler_wake(struct rr_scheduler *s, int32_t pool)
{
	s->partitions[s->partition_of_pool[pool]].changed = true;
}

int32_t rr_scheduler_pass(struct rr_scheduler *s, sim_time now)
{
	int32_t looked_at = 0;
	for (int32_t i = 0; i < s->partition_count; i++) {
		struct rr_partition *p = &s->partitions[i];
		if (!p->changed) continue;
		p->changed = false;
		looked_at++;
		if (p->queue.count > 0) s->backfill->pass(p, now);
	}
	return looked_at;
}

struct rr_demand rr_scheduler_demand(const struct rr_scheduler *s, int32_t pool)
{
	const struct rr_partition *p = &s->partitions[s->partition_of_pool[pool]];
	int32_t head = rr_queue_first(&p->queue);
	return (struct rr_demand){.jobs = p->queue.count,
				  .gpus = p->queue.gpus,
				  .whole_nodes = p->whole_nodes,
				  .by_size = p->by_size,
				  .node_gpus = p->node_gpus,
				  .head_gpus = head >= 0 ? s->jobs->jobs[head].gpus : 0,
				  .first_pool = p->pools[0]};
}

int32_t rr_scheduler_home(const struct rr_scheduler *s, int32_t job)
{
	int32_t at = s->partition_of_job[job];
	return at < 0 ? -1 : s->partitions[at].pools[0];
}

/* ------------------------------------------------- what backfills build upon */

struct rr_pool *rr_partition_pool(const struct rr_partition *p, int32_t pool)
{
	return &p->scheduler->pools[pool];
}

struct rr_ends *rr_partition_ends(const struct rr_partition *p, int32_t pool)
{
	return &p->scheduler->ends[pool];
}

struct rr_room rr_partition_room(const struct rr_partition *p)
{
	struct rr_room room = {.limit_ns = INT64_MAX, .extra = INT64_MAX};
	for (int32_t i = 0; i < p->pool_count; i++) {
		const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		room.narrow = MAX(room.narrow, p->node_gpus > 0 ? rr_pool_widest_free(pool) : pool->free_gpus);
		room.wide = MAX(room.wide, pool->free_gpus);
	}
	return room;
}

bool rr_partition_start_in(struct rr_partition *p, int32_t job, int32_t at, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_pool *pool = &s->pools[at];
	int32_t gpus = s->jobs->jobs[job].gpus;
	if (!s->placement->place(pool, gpus, s->nodes)) return false;
	rr_pool_take(pool, gpus, s->nodes);
	rr_queue_remove(&p->queue, job);
	count_waiting(p, gpus, -1);
	if (s->endings != NULL) {
		sim_time end = 0, estimate = rr_job_estimate(&s->jobs->jobs[job]);
		if (__builtin_add_overflow(now, estimate, &end)) end = INT64_MAX - 1;
		rr_ends_insert(&s->ends[at], job, end, gpus);
	}
	s->start(s->world, job, at, s->nodes, rr_pool_nodes_of(pool, gpus));
	return true;
}

bool rr_partition_start(struct rr_partition *p, int32_t job, int32_t skip_pool, sim_time now)
{
	for (int32_t i = 0; i < p->pool_count; i++)
		if (p->pools[i] != skip_pool && rr_partition_start_in(p, job, p->pools[i], now)) return true;
	return false;
}

int32_t rr_partition_start_heads(struct rr_partition *p, sim_time now)
{
	for (;;) {
		int32_t head = rr_queue_first(&p->queue);
		if (head < 0 || !rr_partition_start(p, head, -1, now)) return head;
	}
}
