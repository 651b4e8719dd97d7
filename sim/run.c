/* run.c - the world: what happens at each instant, in its fixed order.
 *
 * Finishes, then failures, repairs and nodes that come or go, then arrivals, then
 * one scheduling pass over what changed, then requests for nodes. A node that
 * boots in no time serves within the same instant, after the pass that asked for
 * it, and a further pass follows. */
#include "sim/sim.h"

#include "sim/engine/engine.h"
#include "sim/fleet/fleet.h"
#include "sim/meter/meter.h"
#include "sim/progress/progress.h"
#include "sim/scheduler/scheduler.h"
#include "sim/supply/supply.h"
#include "sim/watch.h"

struct world {
	const struct fleet_spec *fleet;
	const struct job_list *jobs;
	struct usage *usage;
	struct rr_engine engine;
	struct rr_pool *pools;
	struct rr_supply *supplies;
	struct rr_scheduler *scheduler;
	struct rr_meter *meter;
	struct rr_progress *progress; /* by job */
	struct rr_event *finishes;    /* by job: the end of its run */
	GArray *drains;               /* struct drain; those that are over are used again */
	struct rr_story *story;       /* NULL = no job is watched */
	size_t next_arrival;
	size_t unfinished; /* jobs that arrived or will, and have not ended */
	bool overflow;     /* a time beyond the clock's range */
};

/* GPUs of a stopped job that saves what it did. */
struct drain {
	struct rr_hold hold;
	uint32_t nodes_at; /* into usage.nodes */
	int32_t node_count;
	bool over;
};

static const int32_t *nodes_of(const struct world *w, uint32_t nodes_at)
{
	return w->usage->nodes->len > nodes_at ? &g_array_index(w->usage->nodes, int32_t, nodes_at) : NULL;
}

static void give_back(struct world *w, const struct drain *d, enum rr_gpu_use use, sim_time now)
{
	const int32_t *nodes = nodes_of(w, d->nodes_at);
	int32_t pool = d->hold.pool;
	rr_scheduler_give(w->scheduler, &d->hold, nodes);
	rr_meter_change(w->meter, pool, use, -d->hold.milli, now);
	rr_meter_change(w->meter, pool, RR_USE_IDLE, d->hold.milli, now);
	rr_supply_left(&w->supplies[pool], nodes, d->node_count, now);
}

static struct drain held_by(const struct world *w, size_t job)
{
	const struct job_record *r = &w->usage->records[job];
	return (struct drain){rr_scheduler_hold(w->scheduler, (int32_t)job, r->pool), r->nodes_at, r->node_count,
			      false};
}

static void on_finish(void *data, sim_time now, uint64_t argument)
{
	struct world *w = data;
	struct job_record *r = &w->usage->records[argument];
	struct drain held = held_by(w, argument);
	give_back(w, &held, RR_USE_BUSY, now);
	r->run_ns += now - w->progress[argument].since_ns;
	rr_progress_stop(&w->progress[argument], 0, now);
	rr_scheduler_ended(w->scheduler, (int32_t)argument, r->pool, now);
	if (w->story != NULL) rr_story_ended(w->story, (int32_t)argument, now);
	r->end_ns = now;
	r->state = RR_JOB_COMPLETED;
	w->unfinished--;
}

/* What a stopped job did is saved: its GPUs are free. */
static void on_saved(void *data, sim_time now, uint64_t argument)
{
	struct world *w = data;
	struct drain *d = &g_array_index(w->drains, struct drain, argument);
	give_back(w, d, RR_USE_DRAINING, now);
	d->over = true;
	rr_scheduler_wake(w->scheduler, d->hold.pool);
}

static void on_ready(void *data, sim_time now, uint64_t argument)
{
	struct world *w = data;
	int32_t pool = (int32_t)(argument >> 32);
	rr_supply_ready(&w->supplies[pool], (int32_t)(uint32_t)argument, now);
	rr_scheduler_wake(w->scheduler, pool);
}

static void on_idle(void *data, sim_time now, uint64_t argument)
{
	struct world *w = data;
	int32_t pool = (int32_t)(argument >> 32);
	int32_t head_gpus = rr_scheduler_demand(w->scheduler, pool).head_gpus;
	rr_supply_idle(&w->supplies[pool], (int32_t)(uint32_t)argument, head_gpus, now);
}

enum { ON_FINISH, ON_READY, ON_IDLE, ON_SAVED };
static const rr_handler handlers[] = {
    [ON_FINISH] = on_finish, [ON_READY] = on_ready, [ON_IDLE] = on_idle, [ON_SAVED] = on_saved};

static void record_start(struct world *w, int32_t index, int32_t pool, const int32_t *nodes, int32_t node_count)
{
	struct job_record *r = &w->usage->records[index];
	struct rr_progress *p = &w->progress[index];
	sim_time now = w->engine.now;
	if (r->start_ns < 0) r->start_ns = now;
	r->wait_ns += now - p->queued_ns;
	r->pool = pool;
	r->node_count = node_count;
	r->nodes_at = w->usage->nodes->len;
	r->state = RR_JOB_RUNNING;
	if (node_count > 0) g_array_append_vals(w->usage->nodes, nodes, (guint)node_count);
	w->usage->starts++;
}

static void on_start(void *data, int32_t index, int32_t pool, const int32_t *nodes, int32_t node_count)
{
	struct world *w = data;
	struct rr_progress *p = &w->progress[index];
	sim_time now = w->engine.now, end = 0;
	record_start(w, index, pool, nodes, node_count);
	rr_progress_start(p, pool, p->gpus, rr_job_speed(w->jobs, index, &w->fleet->pools[pool], p->gpus), now);
	int64_t milli = rr_scheduler_milli(w->scheduler, index);
	rr_meter_waiting(w->meter, rr_scheduler_home(w->scheduler, index), -milli, now);
	rr_meter_change(w->meter, pool, RR_USE_IDLE, -milli, now);
	rr_meter_change(w->meter, pool, RR_USE_BUSY, milli, now);
	rr_supply_taken(&w->supplies[pool], nodes, node_count);
	if (w->story != NULL)
		rr_story_started(w->story, w->jobs, index, &w->fleet->pools[pool], node_count > 0 ? nodes[0] : -1,
				 p->gpus, w->usage->records[index].wait_ns, now);
	if (!rr_progress_end(p, &end) || __builtin_add_overflow(end, rr_scheduler_linger(w->scheduler), &end)) {
		w->overflow = true;
		return;
	}
	w->finishes[index] = rr_engine_at(&w->engine, end, RR_PHASE_FINISH, ON_FINISH, (uint64_t)index);
}

static void drain(struct world *w, const struct drain *held, sim_time save_ns, sim_time now)
{
	guint at = 0;
	while (at < w->drains->len && !g_array_index(w->drains, struct drain, at).over) at++;
	if (at == w->drains->len) g_array_set_size(w->drains, at + 1);
	g_array_index(w->drains, struct drain, at) = *held;
	rr_meter_change(w->meter, held->hold.pool, RR_USE_BUSY, -held->hold.milli, now);
	rr_meter_change(w->meter, held->hold.pool, RR_USE_DRAINING, held->hold.milli, now);
	(void)rr_engine_at(&w->engine, now + save_ns, RR_PHASE_REPAIR, ON_SAVED, at);
}

static void on_stop(void *data, int32_t index, sim_time cost_ns, sim_time save_ns)
{
	struct world *w = data;
	struct job_record *r = &w->usage->records[index];
	struct rr_progress *p = &w->progress[index];
	sim_time now = w->engine.now;
	struct drain held = held_by(w, (size_t)index);
	struct stop stop = {index, r->pool, p->since_ns, now, r->nodes_at, r->node_count};
	g_array_append_val(w->usage->stops, stop);
	(void)rr_engine_cancel(&w->engine, w->finishes[index]);
	r->run_ns += now - p->since_ns;
	r->lost += (rr_milli_gpu_ns)cost_ns * held.hold.milli;
	r->preemptions++;
	if (w->story != NULL) rr_story_stopped(w->story, index, now);
	r->state = RR_JOB_WAITING;
	rr_progress_stop(p, cost_ns, now);
	rr_meter_waiting(w->meter, rr_scheduler_home(w->scheduler, index), held.hold.milli, now);
	if (save_ns > 0)
		drain(w, &held, save_ns, now);
	else
		give_back(w, &held, RR_USE_BUSY, now);
}

static void on_resize(void *data, int32_t index, int32_t gpus)
{
	struct world *w = data;
	struct rr_progress *p = &w->progress[index];
	bool counted = w->usage->records[index].pool >= 0; /* else it is just arriving */
	int64_t before = counted ? rr_scheduler_milli(w->scheduler, index) : 0;
	p->gpus = gpus;
	if (counted)
		rr_meter_waiting(w->meter, rr_scheduler_home(w->scheduler, index),
				 rr_scheduler_milli(w->scheduler, index) - before, w->engine.now);
}

static const int32_t *on_nodes(void *data, int32_t index)
{
	struct world *w = data;
	return nodes_of(w, w->usage->records[index].nodes_at);
}

static const struct rr_scheduler_calls calls = {on_start, on_stop, on_resize, on_nodes};

static void arrive(struct world *w, sim_time now)
{
	int32_t index = (int32_t)w->next_arrival++;
	bool taken = rr_scheduler_arrive(w->scheduler, index, now);
	if (w->story != NULL) rr_story_arrived(w->story, w->jobs, index, taken, now);
	if (!taken) {
		w->usage->records[index].state = RR_JOB_UNSCHEDULABLE;
		w->unfinished--;
		return;
	}
	int32_t home = rr_scheduler_home(w->scheduler, index);
	w->usage->records[index].pool = home;
	rr_meter_waiting(w->meter, home, rr_scheduler_milli(w->scheduler, index), now);
}

/* Nodes for what still waits, and whether idle GPUs would have been enough. */
static void after_pass(struct world *w, sim_time now)
{
	int32_t booting = 0, last_first = -1;
	for (int32_t p = 0; p < w->fleet->pool_count; p++) {
		struct rr_demand demand = rr_scheduler_demand(w->scheduler, p);
		struct rr_pool_state state = {.blocked = rr_scheduler_blocked(w->scheduler, p),
					      .fragmented =
						  demand.head_gpus > 0 && demand.head_gpus <= w->pools[p].free_gpus,
					      .stranded = rr_scheduler_stranded(w->scheduler, p),
					      .fragments = rr_scheduler_fragments(w->scheduler, p)};
		rr_meter_state(w->meter, p, &state, now);
		if (w->fleet->pools[p].kind != RR_POOL_CLOUD) continue;
		if (demand.first_pool != last_first) booting = 0;
		last_first = demand.first_pool;
		rr_supply_release(&w->supplies[p], demand.head_gpus, now);
		rr_supply_request(&w->supplies[p], &demand, booting + w->supplies[p].booting, now);
		booting += w->supplies[p].booting;
	}
}

/* Everything of one instant; false when nothing is left to happen. */
static bool instant(struct world *w, sim_time horizon)
{
	sim_time event = rr_engine_peek(&w->engine);
	sim_time arrival = w->next_arrival < w->jobs->count ? w->jobs->jobs[w->next_arrival].submit_ns : INT64_MAX;
	sim_time now = MIN(MIN(event, arrival), rr_scheduler_next(w->scheduler));
	if (now == INT64_MAX || now > horizon) return false;
	uint64_t before = w->engine.events + w->next_arrival;
	w->engine.now = now;
	while (rr_engine_peek(&w->engine) == now) rr_engine_step(&w->engine, w);
	while (w->next_arrival < w->jobs->count && w->jobs->jobs[w->next_arrival].submit_ns == now) arrive(w, now);
	uint64_t happened = w->engine.events + w->next_arrival - before;
	w->usage->ties += happened > 0 ? (int64_t)happened - 1 : 0;
	int32_t passes = rr_scheduler_pass(w->scheduler, now);
	w->usage->passes += passes;
	if (passes > 0) after_pass(w, now);
	if (passes > 0 && w->story != NULL) rr_story_look(w->story, w->scheduler, w->jobs, now);
	return !w->overflow && rr_scheduler_failure(w->scheduler) == NULL;
}

static void world_done(struct world *w)
{
	for (int32_t p = 0; p < w->fleet->pool_count; p++) {
		rr_pool_done(&w->pools[p]);
		rr_supply_done(&w->supplies[p]);
	}
	g_free(w->pools);
	g_free(w->supplies);
	g_free(w->progress);
	g_free(w->finishes);
	g_array_unref(w->drains);
	rr_scheduler_free(w->scheduler);
	rr_engine_done(&w->engine);
}

static void world_begin(struct world *w, uint64_t seed)
{
	size_t pools = (size_t)w->fleet->pool_count;
	w->meter = rr_meter_new(w->usage);
	w->drains = g_array_new(FALSE, FALSE, sizeof(struct drain));
	w->supplies = g_new0(struct rr_supply, pools);
	rr_engine_init(&w->engine, handlers, 1024);
	for (int32_t p = 0; p < w->fleet->pool_count; p++) {
		w->supplies[p] = (struct rr_supply){.pool = &w->pools[p],
						    .index = p,
						    .engine = &w->engine,
						    .meter = w->meter,
						    .handlers = {ON_READY, ON_IDLE},
						    .seed = seed};
		rr_supply_begin(&w->supplies[p]);
	}
}

/* Nobody has done anything yet. */
static void make_progress(struct world *w)
{
	size_t count = MAX(w->jobs->count, 1);
	w->progress = g_new0(struct rr_progress, count);
	w->finishes = g_new0(struct rr_event, count);
	for (size_t i = 0; i < w->jobs->count; i++) {
		const struct job *job = &w->jobs->jobs[i];
		w->progress[i] = (struct rr_progress){.left_ns = job->duration_ns,
						      .since_ns = -1,
						      .queued_ns = job->submit_ns,
						      .speed = 1,
						      .gpus = job->gpus,
						      .pool = -1};
	}
}

/* What is still under way when the run ends. */
static void close_records(struct world *w, sim_time end)
{
	for (size_t i = 0; i < w->jobs->count; i++) {
		struct job_record *r = &w->usage->records[i];
		if (r->state == RR_JOB_RUNNING) r->run_ns += end - w->progress[i].since_ns;
		if (r->state == RR_JOB_WAITING) r->wait_ns += MAX(end - w->progress[i].queued_ns, 0);
	}
}

struct usage *rr_sim_run(const struct scenario *scenario, int32_t fleet, const struct job_list *jobs,
			 int32_t replication, GError **error)
{
	return rr_sim_watch(scenario, fleet, jobs, replication, NULL, error);
}

struct usage *rr_sim_watch(const struct scenario *scenario, int32_t fleet, const struct job_list *jobs,
			   int32_t replication, const struct rr_watch *watch, GError **error)
{
	struct rr_story story;
	struct world w = {.fleet = &scenario->fleets[fleet], .jobs = jobs, .unfinished = jobs->count};
	w.pools = g_new0(struct rr_pool, (size_t)w.fleet->pool_count);
	for (int32_t p = 0; p < w.fleet->pool_count; p++) rr_pool_init(&w.pools[p], &w.fleet->pools[p]);
	uint64_t seed = rr_replication_seed(scenario->seed, replication);
	make_progress(&w);
	w.scheduler = rr_scheduler_new(w.fleet, jobs, w.pools, w.progress, seed, &calls, &w, error);
	if (w.scheduler == NULL) {
		for (int32_t p = 0; p < w.fleet->pool_count; p++) rr_pool_done(&w.pools[p]);
		g_free(w.pools);
		g_free(w.progress);
		g_free(w.finishes);
		return NULL;
	}
	w.usage = g_new0(struct usage, 1);
	*w.usage = (struct usage){.scenario = scenario, .jobs = jobs, .fleet = fleet, .replication = replication};
	world_begin(&w, seed);
	if (watch != NULL) {
		rr_story_begin(&story, watch);
		w.story = &story;
	}
	sim_time horizon = scenario->horizon_ns > 0 ? scenario->horizon_ns : INT64_MAX - 1;
	while ((scenario->horizon_ns > 0 || w.unfinished > 0) && instant(&w, horizon)) {
	}
	w.usage->events = (int64_t)w.engine.events + (int64_t)w.next_arrival;
	sim_time end = scenario->horizon_ns > 0 ? scenario->horizon_ns : w.engine.now;
	close_records(&w, end);
	rr_meter_close(w.meter, end);
	if (w.story != NULL) rr_story_end(w.story);
	bool failed = rr_scheduler_failure(w.scheduler) != NULL;
	if (failed && error != NULL) *error = g_error_copy(rr_scheduler_failure(w.scheduler));
	world_done(&w);
	if (!w.overflow && !failed) return w.usage;
	if (failed) {
		rr_usage_free(w.usage);
		return NULL;
	}
	g_set_error(
	    error, RR_UNITS_ERROR, RR_UNITS_ERROR_RANGE,
	    "fleet '%s': a job would end more than 292 years after the start; the trace's times are not plausible",
	    w.fleet->name);
	rr_usage_free(w.usage);
	return NULL;
}
