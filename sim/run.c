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
#include "sim/scheduler/scheduler.h"
#include "sim/supply/supply.h"

#include <math.h>

struct world {
	const struct fleet_spec *fleet;
	const struct job_list *jobs;
	struct usage *usage;
	struct rr_engine engine;
	struct rr_pool *pools;
	struct rr_supply *supplies;
	struct rr_scheduler *scheduler;
	struct rr_meter *meter;
	size_t next_arrival;
	size_t unfinished; /* jobs that arrived or will, and have not ended */
	bool overflow;     /* a time beyond the clock's range */
};

static void on_finish(void *data, sim_time now, uint64_t argument)
{
	struct world *w = data;
	const struct job *job = &w->jobs->jobs[argument];
	struct job_record *r = &w->usage->records[argument];
	const int32_t *nodes = &g_array_index(w->usage->nodes, int32_t, r->nodes_at);
	rr_pool_give(&w->pools[r->pool], job->gpus, nodes);
	rr_meter_change(w->meter, r->pool, RR_USE_BUSY, -job->gpus, now);
	rr_meter_change(w->meter, r->pool, RR_USE_IDLE, job->gpus, now);
	rr_supply_left(&w->supplies[r->pool], nodes, r->node_count, now);
	rr_scheduler_ended(w->scheduler, (int32_t)argument, r->pool);
	r->end_ns = now;
	r->run_ns = now - r->start_ns;
	r->state = RR_JOB_COMPLETED;
	w->unfinished--;
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

enum { ON_FINISH, ON_READY, ON_IDLE };
static const rr_handler handlers[] = {[ON_FINISH] = on_finish, [ON_READY] = on_ready, [ON_IDLE] = on_idle};

static void on_start(void *data, int32_t index, int32_t pool, const int32_t *nodes, int32_t node_count)
{
	struct world *w = data;
	const struct job *job = &w->jobs->jobs[index];
	struct job_record *r = &w->usage->records[index];
	sim_time now = w->engine.now, duration = job->duration_ns, end = 0;
	double speed = w->fleet->pools[pool].speed;
	if (speed != 1) duration = MAX((sim_time)llround((double)duration / speed), 1);
	rr_meter_waiting(w->meter, rr_scheduler_home(w->scheduler, index), -job->gpus, now);
	rr_meter_change(w->meter, pool, RR_USE_IDLE, -job->gpus, now);
	rr_meter_change(w->meter, pool, RR_USE_BUSY, job->gpus, now);
	rr_supply_taken(&w->supplies[pool], nodes, node_count);
	r->start_ns = now;
	r->wait_ns = now - job->submit_ns;
	r->pool = pool;
	r->node_count = node_count;
	r->nodes_at = w->usage->nodes->len;
	r->state = RR_JOB_RUNNING;
	if (node_count > 0) g_array_append_vals(w->usage->nodes, nodes, (guint)node_count);
	w->usage->starts++;
	if (__builtin_add_overflow(now, duration, &end)) {
		w->overflow = true;
		return;
	}
	(void)rr_engine_at(&w->engine, end, RR_PHASE_FINISH, ON_FINISH, (uint64_t)index);
}

static void arrive(struct world *w, sim_time now)
{
	int32_t index = (int32_t)w->next_arrival++;
	const struct job *job = &w->jobs->jobs[index];
	if (!rr_scheduler_arrive(w->scheduler, index)) {
		w->usage->records[index].state = RR_JOB_UNSCHEDULABLE;
		w->unfinished--;
		return;
	}
	int32_t home = rr_scheduler_home(w->scheduler, index);
	w->usage->records[index].pool = home;
	rr_meter_waiting(w->meter, home, job->gpus, now);
}

/* Nodes for what still waits, and whether idle GPUs would have been enough. */
static void after_pass(struct world *w, sim_time now)
{
	int32_t booting = 0, last_first = -1;
	for (int32_t p = 0; p < w->fleet->pool_count; p++) {
		struct rr_demand demand = rr_scheduler_demand(w->scheduler, p);
		bool fragmented = demand.head_gpus > 0 && demand.head_gpus <= w->pools[p].free_gpus;
		rr_meter_fragmented(w->meter, p, fragmented, now);
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
	sim_time now = MIN(event, arrival);
	if (now == INT64_MAX || now > horizon) return false;
	uint64_t before = w->engine.events + w->next_arrival;
	while (rr_engine_peek(&w->engine) == now) rr_engine_step(&w->engine, w);
	w->engine.now = now;
	while (w->next_arrival < w->jobs->count && w->jobs->jobs[w->next_arrival].submit_ns == now) arrive(w, now);
	w->usage->ties += (int64_t)(w->engine.events + w->next_arrival - before) - 1;
	int32_t passes = rr_scheduler_pass(w->scheduler, now);
	w->usage->passes += passes;
	if (passes > 0) after_pass(w, now);
	return !w->overflow;
}

static void world_done(struct world *w)
{
	for (int32_t p = 0; p < w->fleet->pool_count; p++) {
		rr_pool_done(&w->pools[p]);
		rr_supply_done(&w->supplies[p]);
	}
	g_free(w->pools);
	g_free(w->supplies);
	rr_scheduler_free(w->scheduler);
	rr_engine_done(&w->engine);
}

static void world_begin(struct world *w, uint64_t seed)
{
	size_t pools = (size_t)w->fleet->pool_count;
	w->meter = rr_meter_new(w->usage);
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

/* What is still under way when the run ends. */
static void close_records(struct world *w, sim_time end)
{
	for (size_t i = 0; i < w->jobs->count; i++) {
		struct job_record *r = &w->usage->records[i];
		if (r->state == RR_JOB_RUNNING) r->run_ns = end - r->start_ns;
		if (r->state == RR_JOB_WAITING) r->wait_ns = MAX(end - w->jobs->jobs[i].submit_ns, 0);
	}
}

struct usage *rr_sim_run(const struct scenario *scenario, int32_t fleet, const struct job_list *jobs,
			 int32_t replication, GError **error)
{
	struct world w = {.fleet = &scenario->fleets[fleet], .jobs = jobs, .unfinished = jobs->count};
	w.pools = g_new0(struct rr_pool, (size_t)w.fleet->pool_count);
	for (int32_t p = 0; p < w.fleet->pool_count; p++) rr_pool_init(&w.pools[p], &w.fleet->pools[p]);
	w.scheduler = rr_scheduler_new(w.fleet, jobs, w.pools, on_start, &w, error);
	if (w.scheduler == NULL) {
		for (int32_t p = 0; p < w.fleet->pool_count; p++) rr_pool_done(&w.pools[p]);
		g_free(w.pools);
		return NULL;
	}
	w.usage = g_new0(struct usage, 1);
	*w.usage = (struct usage){.scenario = scenario, .jobs = jobs, .fleet = fleet, .replication = replication};
	world_begin(&w, rr_replication_seed(scenario->seed, replication));
	sim_time horizon = scenario->horizon_ns > 0 ? scenario->horizon_ns : INT64_MAX - 1;
	while ((scenario->horizon_ns > 0 || w.unfinished > 0) && instant(&w, horizon)) {
	}
	w.usage->events = (int64_t)w.engine.events + (int64_t)w.next_arrival;
	sim_time end = scenario->horizon_ns > 0 ? scenario->horizon_ns : w.engine.now;
	close_records(&w, end);
	rr_meter_close(w.meter, end);
	world_done(&w);
	if (!w.overflow) return w.usage;
	g_set_error(
	    error, RR_UNITS_ERROR, RR_UNITS_ERROR_RANGE,
	    "fleet '%s': a job would end more than 292 years after the start; the trace's times are not plausible",
	    w.fleet->name);
	rr_usage_free(w.usage);
	return NULL;
}
