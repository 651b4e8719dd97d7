#include "tests/support/promises.h"

#include "sim/scheduler/policy.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------- what it looks at */

static const struct fleet_spec *fleet_of(const struct usage *u)
{
	return &u->scenario->fleets[u->fleet];
}

/* The words, the options and the seed: for messages. */
static const char *tell(const struct usage *u)
{
	const struct scheduler_spec *s = &fleet_of(u)->scheduler;
	static _Thread_local char text[512];
	g_autofree char *options = s->options != NULL ? g_strjoinv(",", s->options) : g_strdup("");
	g_snprintf(text, sizeof text, "%s+%s+%s+%s %s, seed %d", s->order, s->backfill, s->placement, s->preempt,
		   options, (int)u->scenario->seed);
	return text;
}

#define PROMISE(holds, u, ...)                                                                                         \
	do {                                                                                                           \
		if (!(holds)) {                                                                                        \
			g_autofree char *what_ = g_strdup_printf(__VA_ARGS__);                                         \
			ck_abort_msg("%s: %s", tell(u), what_);                                                        \
		}                                                                                                      \
	} while (0)

static const struct rr_word *row(const struct rr_word *table, const char *name)
{
	while (table->name != NULL && strcmp(table->name, name) != 0) table++;
	ck_assert_ptr_nonnull(table->name);
	return table;
}

static struct rr_settings settings_of(const struct usage *u)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	const struct scheduler_spec *s = &fleet_of(u)->scheduler;
	const struct rr_word *words[] = {row(v->orders, s->order), row(v->backfills, s->backfill),
					 row(v->placements, s->placement), row(v->preempts, s->preempt), NULL};
	struct rr_settings settings;
	ck_assert(rr_settings_read(&settings, words, s->options, NULL));
	return settings;
}

static const struct job_needs *needs_of(const struct usage *u, int32_t job)
{
	int32_t needs = u->jobs->jobs[job].needs;
	return needs > 0 ? &u->jobs->needs[needs - 1] : NULL;
}

/* Every run of every job: those cut short, and the last one. */
static GArray *runs_of(const struct usage *u)
{
	GArray *runs = g_array_new(FALSE, FALSE, sizeof(struct stop));
	g_autofree sim_time *cut_ns = g_new0(sim_time, MAX(u->jobs->count, 1));
	for (guint i = 0; i < u->stops->len; i++) {
		struct stop stop = g_array_index(u->stops, struct stop, i);
		cut_ns[stop.job] += stop.to_ns - stop.from_ns;
		g_array_append_val(runs, stop);
	}
	for (size_t j = 0; j < u->jobs->count; j++) {
		const struct job_record *r = &u->records[j];
		if (r->state != RR_JOB_COMPLETED && r->state != RR_JOB_RUNNING) continue;
		sim_time end = r->state == RR_JOB_COMPLETED ? r->end_ns : u->end_ns;
		struct stop last = {(int32_t)j, r->pool,     end - (r->run_ns - cut_ns[j]),
				    end,        r->nodes_at, r->node_count};
		g_array_append_val(runs, last);
	}
	return runs;
}

/* ------------------------------------------------------------------ conservation */

static rr_milli_gpu_ns pool_time(const struct usage *u, int32_t pool)
{
	const struct pool_usage *p = &u->pools[pool];
	rr_milli_gpu_ns sum = 0, hours[RR_USE_COUNT] = {0}, waiting = 0;
	for (size_t h = 0; h < u->hour_count; h++) {
		for (int use = 0; use < RR_USE_COUNT; use++) hours[use] += p->hours[h].use[use];
		waiting += p->hours[h].waiting;
	}
	for (int use = 0; use < RR_USE_COUNT; use++) {
		sum += p->use[use];
		PROMISE(hours[use] == p->use[use], u, "the hours of pool %d are not its whole", pool);
		PROMISE(p->use[use] >= 0, u, "pool %d was used less than not at all", pool);
	}
	PROMISE(sum == p->lifetime, u, "the uses of pool %d do not add up to its lifetime", pool);
	PROMISE(p->fragmented <= p->use[RR_USE_IDLE], u, "pool %d was fragmented longer than idle", pool);
	return waiting;
}

void promise_gpu_time_is_conserved(const struct usage *u)
{
	rr_milli_gpu_ns waiting = 0, waited = 0, busy = 0, ran = 0, draining = 0, drained = 0;
	struct rr_settings settings = settings_of(u);
	for (int32_t p = 0; p < fleet_of(u)->pool_count; p++) {
		waiting += pool_time(u, p);
		busy += u->pools[p].use[RR_USE_BUSY];
		draining += u->pools[p].use[RR_USE_DRAINING];
	}
	for (size_t j = 0; j < u->jobs->count; j++) {
		const struct job_record *r = &u->records[j];
		ran += (rr_milli_gpu_ns)u->jobs->jobs[j].gpus * 1000 * r->run_ns;
		if (r->state != RR_JOB_UNSCHEDULABLE)
			waited += (rr_milli_gpu_ns)u->jobs->jobs[j].gpus * 1000 * r->wait_ns;
	}
	for (guint i = 0; i < u->stops->len; i++) {
		const struct stop *stop = &g_array_index(u->stops, struct stop, i);
		int32_t gpus = u->jobs->jobs[stop->job].gpus;
		sim_time save_ns = MIN(rr_by_size_ns(&settings.save, gpus), u->end_ns - stop->to_ns);
		drained += (rr_milli_gpu_ns)gpus * 1000 * save_ns;
	}
	PROMISE(busy == ran, u, "busy is not what jobs held");
	PROMISE(waiting == waited, u, "waiting is not what jobs waited");
	PROMISE(draining == drained, u, "draining is not what stopped jobs saved");
}

/* ---------------------------------------------------------------------- holding */

struct change {
	sim_time at;
	int32_t where, by; /* ends before begins at one instant */
};

static gint compare_changes(gconstpointer a, gconstpointer b)
{
	const struct change *x = a, *y = b;
	if (x->at != y->at) return x->at < y->at ? -1 : 1;
	return x->by < y->by ? -1 : x->by > y->by;
}

static void hold(GArray *changes, sim_time from, sim_time to, int32_t where, int32_t by)
{
	struct change begin = {from, where, by}, over = {to, where, -by};
	if (from >= to) return; /* begun at the last instant: it holds nothing yet */
	g_array_append_val(changes, begin);
	g_array_append_val(changes, over);
}

/* The most that any of CHANGES' places held at once is at most LIMIT. */
static bool never_above(GArray *changes, int32_t places, int64_t limit)
{
	g_autofree int64_t *held = g_new0(int64_t, (size_t)places);
	g_array_sort(changes, compare_changes);
	for (guint i = 0; i < changes->len; i++) {
		const struct change *c = &g_array_index(changes, struct change, i);
		held[c->where] += c->by;
		if (held[c->where] < 0 || held[c->where] > limit) return false;
	}
	return true;
}

/* Whether NODE of POOL serves all of [FROM, TO). */
static bool serves(const struct usage *u, int32_t pool, int32_t node, sim_time from, sim_time to)
{
	for (size_t i = 0; i < u->life_count; i++) {
		const struct node_life *life = &u->lives[i];
		if (life->pool == pool && life->node == node && life->ready_ns <= from && to <= life->to_ns)
			return true;
	}
	return false;
}

/* GPUs of RUN by node, until they are saved. */
static void hold_nodes(const struct usage *u, const struct stop *run, sim_time to, GArray *changes)
{
	const struct pool_spec *pool = &fleet_of(u)->pools[run->pool];
	const struct job_needs *needs = needs_of(u, run->job);
	int32_t gpus = u->jobs->jobs[run->job].gpus, node_gpus = pool->gpus_per_node, left = gpus;
	int32_t chunk = node_gpus == 0 ? gpus : needs != NULL && needs->spread ? 1 : node_gpus;
	int32_t nodes = node_gpus == 0 ? 1 : (gpus + chunk - 1) / chunk;
	if (node_gpus > 0) PROMISE(run->node_count == nodes, u, "job %d is on %d nodes", run->job, run->node_count);
	for (int32_t k = 0; k < nodes; k++) {
		int32_t node = node_gpus > 0 ? g_array_index(u->nodes, int32_t, run->nodes_at + (uint32_t)k) : 0;
		int32_t here = MIN(left, chunk);
		PROMISE(node >= 0 && (node_gpus == 0 || node < pool->count_max), u, "node %d is not there", node);
		PROMISE(serves(u, run->pool, node, run->from_ns, to), u, "job %d holds node %d, which does not serve",
			run->job, node);
		hold(changes, run->from_ns, to, node, here);
		left -= here;
	}
}

static bool takes(const char *only, const struct usage *u, uint32_t text)
{
	return only == NULL || strcmp(only, rr_jobs_get_text(u->jobs, text)) == 0;
}

static bool filters_take(const struct usage *u, const struct pool_spec *pool, const struct job *job)
{
	return takes(pool->only_pool, u, job->pool) && takes(pool->only_class, u, job->klass) &&
	       takes(pool->only_tenant, u, job->tenant);
}

/* The pool is one that the job may have, and the nodes are as it needs them. */
static void suits(const struct usage *u, const struct stop *run)
{
	const struct pool_spec *pool = &fleet_of(u)->pools[run->pool];
	const struct job_needs *needs = needs_of(u, run->job);
	PROMISE(filters_take(u, pool, &u->jobs->jobs[run->job]), u, "pool %d does not take job %d", run->pool,
		run->job);
	if (needs == NULL) return;
	if (needs->gpu_types != 0)
		PROMISE(strcmp(rr_jobs_get_text(u->jobs, needs->gpu_types), pool->gpu_type) == 0, u,
			"job %d has GPUs of another type", run->job);
	if (pool->gpus_per_node == 0) return;
	const int32_t *nodes = &g_array_index(u->nodes, int32_t, run->nodes_at);
	for (int32_t k = 1; k < run->node_count; k++) {
		int32_t rack_nodes = pool->nodes_per_rack > 0 ? pool->nodes_per_rack : pool->count_max;
		PROMISE(!needs->same_node, u, "job %d needs one node", run->job);
		PROMISE(!needs->same_rack || nodes[k] / rack_nodes == nodes[0] / rack_nodes, u,
			"job %d is in several racks", run->job);
		for (int32_t i = 0; needs->spread && i < k; i++)
			PROMISE(nodes[i] != nodes[k], u, "job %d is twice on node %d", run->job, nodes[k]);
	}
}

void promise_nothing_is_held_twice(const struct usage *u)
{
	struct rr_settings settings = settings_of(u);
	g_autoptr(GArray) runs = runs_of(u);
	for (int32_t p = 0; p < fleet_of(u)->pool_count; p++) {
		const struct pool_spec *pool = &fleet_of(u)->pools[p];
		g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(struct change));
		for (guint i = 0; i < runs->len; i++) {
			const struct stop *run = &g_array_index(runs, struct stop, i);
			if (run->pool != p) continue;
			suits(u, run);
			sim_time save_ns = rr_by_size_ns(&settings.save, u->jobs->jobs[run->job].gpus);
			sim_time saved = i < u->stops->len ? MIN(run->to_ns + save_ns, u->end_ns) : run->to_ns;
			hold_nodes(u, run, saved, changes);
		}
		int64_t limit = pool->gpus_per_node > 0 ? pool->gpus_per_node : pool->count_max;
		PROMISE(never_above(changes, MAX(pool->count_max, 1), limit), u, "pool %d holds too much", p);
	}
}

/* ------------------------------------------------------------------------- work */

static bool pool_could_hold(const struct pool_spec *pool, const struct usage *u, const struct job *job)
{
	const struct job_needs *needs = job->needs > 0 ? &u->jobs->needs[job->needs - 1] : NULL;
	if (needs != NULL && needs->gpu_types != 0 &&
	    strcmp(rr_jobs_get_text(u->jobs, needs->gpu_types), pool->gpu_type) != 0)
		return false;
	if (pool->gpus_per_node == 0) return job->gpus <= pool->count_max;
	int32_t nodes = pool->count_max, rack = pool->nodes_per_rack > 0 ? MIN(pool->nodes_per_rack, nodes) : nodes;
	if (needs != NULL && needs->spread) return job->gpus <= nodes;
	if (needs != NULL && needs->same_node) nodes = 1;
	if (needs != NULL && needs->same_rack) nodes = MIN(nodes, rack);
	return job->gpus <= nodes * pool->gpus_per_node;
}

/* The queue of a job, or -1: by tenant, class, virtual cluster, "default". */
static int32_t queue_of(const struct usage *u, const struct job *job)
{
	const struct fleet_spec *fleet = fleet_of(u);
	const char *names[] = {rr_jobs_get_text(u->jobs, job->tenant), rr_jobs_get_text(u->jobs, job->klass),
			       rr_jobs_get_text(u->jobs, job->pool), "default"};
	for (size_t n = 0; n < G_N_ELEMENTS(names); n++)
		for (int32_t i = 0; names[n][0] != '\0' && i < fleet->queue_count; i++)
			if (strcmp(fleet->queues[i].name, names[n]) == 0) return i;
	return -1;
}

static int64_t limit_of(const struct queue_spec *queue)
{
	int64_t most = queue->most > 0 ? queue->most : INT64_MAX;
	return queue->borrow ? most : MIN(most, queue->guaranteed);
}

/* Could JOB ever run? Pools with the filter of the first that takes it are its own. */
static bool could_run(const struct usage *u, const struct job *job)
{
	const struct fleet_spec *fleet = fleet_of(u);
	const struct pool_spec *first = NULL;
	bool held = false;
	for (int32_t p = 0; p < fleet->pool_count; p++) {
		const struct pool_spec *pool = &fleet->pools[p];
		if (!filters_take(u, pool, job)) continue;
		if (first == NULL) first = pool;
		bool alike = g_strcmp0(first->only_pool, pool->only_pool) == 0 &&
			     g_strcmp0(first->only_class, pool->only_class) == 0 &&
			     g_strcmp0(first->only_tenant, pool->only_tenant) == 0;
		held |= alike && pool_could_hold(pool, u, job);
	}
	for (int32_t q = queue_of(u, job); q >= 0; q = fleet->queues[q].parent)
		held &= job->gpus <= limit_of(&fleet->queues[q]);
	return held;
}

/* What is left of the job's work after each of its stops, and when its last run ends. */
static void check_work(const struct usage *u, const struct rr_settings *settings, int32_t j, const GArray *stops)
{
	const struct job_record *r = &u->records[j];
	const struct job *job = &u->jobs->jobs[j];
	sim_time left = job->duration_ns, cost = rr_by_size_ns(&settings->restore, job->gpus), run = r->run_ns;
	int32_t count = 0;
	for (guint i = 0; i < stops->len; i++) {
		const struct stop *stop = &g_array_index(stops, struct stop, i);
		if (stop->job != j) continue;
		double speed = fleet_of(u)->pools[stop->pool].speed;
		sim_time ran = stop->to_ns - stop->from_ns;
		left = MAX(left - (speed == 1 ? ran : (sim_time)floor((double)ran * speed)), 0) + cost;
		run -= ran;
		count++;
	}
	PROMISE(r->preemptions == count, u, "job %d: %d stops, %d told", j, count, r->preemptions);
	PROMISE(r->lost == (rr_milli_gpu_ns)cost * job->gpus * 1000 * count, u, "job %d: lost is not what stops cost",
		j);
	if (r->state != RR_JOB_COMPLETED) return;
	double speed = fleet_of(u)->pools[r->pool].speed;
	sim_time need = speed == 1 ? left : (sim_time)((double)left / speed + 0.5);
	PROMISE(ABS(run - need - settings->linger_ns) <= 1, u, "job %d: its last run is %g s, not %g s", j,
		(double)run / 1e9, (double)(need + settings->linger_ns) / 1e9);
}

static void check_state(const struct usage *u, int32_t j)
{
	const struct job_record *r = &u->records[j];
	const struct job *job = &u->jobs->jobs[j];
	bool horizon = u->scenario->horizon_ns > 0, arrived = job->submit_ns <= u->end_ns;
	sim_time end = r->state == RR_JOB_COMPLETED ? r->end_ns : u->end_ns;
	if (r->state == RR_JOB_UNSCHEDULABLE || (arrived && !could_run(u, job))) {
		PROMISE(r->state == RR_JOB_UNSCHEDULABLE, u, "job %d can never run, and waits", j);
		PROMISE(!could_run(u, job), u, "job %d could run", j);
		PROMISE(r->start_ns == -1 && r->end_ns == -1 && r->wait_ns == 0 && r->run_ns == 0, u,
			"job %d can never run, and something happened to it", j);
		return;
	}
	PROMISE(horizon || r->state == RR_JOB_COMPLETED, u, "job %d is lost: %s", j,
		rr_job_state_text((enum rr_job_state)r->state));
	PROMISE(r->state == RR_JOB_COMPLETED || r->state == RR_JOB_RUNNING || r->state == RR_JOB_WAITING, u,
		"job %d is in state %d", j, r->state);
	PROMISE((r->end_ns >= 0) == (r->state == RR_JOB_COMPLETED) && r->end_ns <= u->end_ns, u, "job %d: its end", j);
	PROMISE((r->start_ns >= 0) == (r->run_ns > 0 || r->state != RR_JOB_WAITING || r->preemptions > 0), u,
		"job %d: its start", j);
	if (arrived) PROMISE(r->wait_ns + r->run_ns == end - job->submit_ns, u, "job %d: waits and runs have a gap", j);
}

void promise_every_job_gets_its_work(const struct usage *u)
{
	struct rr_settings settings = settings_of(u);
	for (size_t j = 0; j < u->jobs->count; j++) {
		check_state(u, (int32_t)j);
		if (u->records[j].state != RR_JOB_UNSCHEDULABLE) check_work(u, &settings, (int32_t)j, u->stops);
	}
}

/* ----------------------------------------------------------------------- quotas */

/* Is QUEUE that of the job, or above it? */
static bool belongs(const struct usage *u, int32_t job, int32_t queue)
{
	int32_t at = queue_of(u, &u->jobs->jobs[job]);
	while (at >= 0 && at != queue) at = fleet_of(u)->queues[at].parent;
	return at == queue;
}

void promise_quotas_hold(const struct usage *u)
{
	g_autoptr(GArray) runs = runs_of(u);
	for (int32_t q = 0; q < fleet_of(u)->queue_count; q++) {
		const struct queue_spec *queue = &fleet_of(u)->queues[q];
		g_autoptr(GArray) gpus = g_array_new(FALSE, FALSE, sizeof(struct change));
		g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(struct change));
		for (guint i = 0; i < runs->len; i++) {
			const struct stop *run = &g_array_index(runs, struct stop, i);
			if (!belongs(u, run->job, q)) continue;
			hold(gpus, run->from_ns, run->to_ns, 0, u->jobs->jobs[run->job].gpus);
			hold(jobs, run->from_ns, run->to_ns, 0, 1);
		}
		PROMISE(never_above(gpus, 1, limit_of(queue)), u, "queue %s holds too many GPUs", queue->name);
		PROMISE(queue->most_jobs == 0 || never_above(jobs, 1, queue->most_jobs), u,
			"queue %s runs too many jobs", queue->name);
	}
}

/* ------------------------------------------------------------------ the others */

void promise_min_run_is_kept(const struct usage *u)
{
	struct rr_settings settings = settings_of(u);
	for (guint i = 0; i < u->stops->len; i++) {
		const struct stop *stop = &g_array_index(u->stops, struct stop, i);
		PROMISE(stop->to_ns - stop->from_ns >= settings.min_run_ns, u, "job %d is stopped after %g s",
			stop->job, (double)(stop->to_ns - stop->from_ns) / 1e9);
	}
}

void promise_all(const struct usage *u)
{
	promise_gpu_time_is_conserved(u);
	promise_nothing_is_held_twice(u);
	promise_every_job_gets_its_work(u);
	promise_quotas_hold(u);
	promise_min_run_is_kept(u);
}

/* Empty arrays may be NULL. */
static bool same_bytes(const void *a, const void *b, size_t size)
{
	return size == 0 || memcmp(a, b, size) == 0;
}

void promise_same(const struct usage *a, const struct usage *b)
{
	PROMISE(a->end_ns == b->end_ns && a->events == b->events && a->ties == b->ties && a->passes == b->passes &&
		    a->starts == b->starts && a->nodes->len == b->nodes->len && a->life_count == b->life_count &&
		    a->stops->len == b->stops->len && a->hour_count == b->hour_count,
		a, "another count");
	PROMISE(same_bytes(a->records, b->records, a->jobs->count * sizeof *a->records), a, "other records");
	PROMISE(same_bytes(a->nodes->data, b->nodes->data, a->nodes->len * sizeof(int32_t)), a, "other nodes");
	PROMISE(same_bytes(a->stops->data, b->stops->data, a->stops->len * sizeof(struct stop)), a, "other stops");
	PROMISE(same_bytes(a->lives, b->lives, a->life_count * sizeof *a->lives), a, "other lives");
	for (int32_t p = 0; p < fleet_of(a)->pool_count; p++)
		PROMISE(same_bytes(a->pools[p].hours, b->pools[p].hours, a->hour_count * sizeof(struct hour_use)), a,
			"other hours in pool %d", p);
}
