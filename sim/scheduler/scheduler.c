/* scheduler.c - arrivals, ends, timers and the pass. */
#include "sim/scheduler/scheduler.h"

#include "sim/scheduler/partitions.h"
#include "sim/scheduler/plan.h"
#include "sim/scheduler/scored.h"

#include <string.h>

/* ------------------------------------------------------------------- timers */

enum { TIMER_WAKE, TIMER_ROUND, TIMER_STEP };

static void on_wake(void *data, sim_time now, uint64_t argument)
{
	struct rr_scheduler *s = data;
	struct rr_partition *p = &s->partitions[argument];
	(void)now;
	p->changed = true;
	p->wake_ns = INT64_MAX;
	p->wake_timer = RR_EVENT_NONE;
}

static void on_round(void *data, sim_time now, uint64_t argument)
{
	struct rr_scheduler *s = data;
	struct rr_partition *p = &s->partitions[argument];
	(void)now;
	p->boundary = p->changed = true;
	p->round_timer = RR_EVENT_NONE;
}

/* A running job's key changes, or the time in which it may not be stopped is over. */
static void on_step(void *data, sim_time now, uint64_t argument)
{
	struct rr_scheduler *s = data;
	int32_t job = (int32_t)argument;
	struct rr_partition *p = &s->partitions[s->partition_of_job[job]];
	s->steps[job] = RR_EVENT_NONE;
	p->changed = true;
	switch ((enum rr_where)s->where[job]) {
	case RR_WHERE_RUNNING: g_array_append_val(p->steps, job); break;
	case RR_WHERE_HELD: rr_running_settle(p, job, now); break;
	default: /* it waits */ rr_partition_leave(p, job); rr_partition_wait(p, job, RR_TURN_STEPPED, now);
	}
}

static const rr_handler timer_handlers[] = {[TIMER_WAKE] = on_wake, [TIMER_ROUND] = on_round, [TIMER_STEP] = on_step};

void rr_scheduler_timers(struct rr_scheduler *s)
{
	rr_engine_init(&s->timers, timer_handlers, 64);
}

void rr_partition_wake_at(struct rr_partition *p, sim_time when)
{
	struct rr_scheduler *s = p->scheduler;
	if (when >= p->wake_ns) return;
	if (p->wake_ns != INT64_MAX)
		(void)rr_engine_move(&s->timers, p->wake_timer, when, RR_PHASE_LAST);
	else
		p->wake_timer =
		    rr_engine_at(&s->timers, when, RR_PHASE_LAST, TIMER_WAKE, (uint64_t)(p - s->partitions));
	p->wake_ns = when;
}

void rr_partition_wake_cancel(struct rr_partition *p)
{
	if (p->wake_ns == INT64_MAX) return;
	(void)rr_engine_cancel(&p->scheduler->timers, p->wake_timer);
	p->wake_ns = INT64_MAX;
}

void rr_step_at(struct rr_scheduler *s, int32_t job, sim_time when)
{
	s->steps[job] = rr_engine_at(&s->timers, when, RR_PHASE_LAST, TIMER_STEP, (uint64_t)job);
}

void rr_step_cancel(struct rr_scheduler *s, int32_t job)
{
	if (s->steps == NULL || s->steps[job].slot == UINT32_MAX) return;
	(void)rr_engine_cancel(&s->timers, s->steps[job]);
	s->steps[job] = RR_EVENT_NONE;
}

/* Rounds begin at whole multiples of their length while somebody waits and
 * somebody runs: else nothing could change by itself. */
static void arm_round(struct rr_partition *p, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	if (s->settings.round_ns <= 0 || (p->waiting == 0 && !s->preempt->moves) || p->runs == 0) return;
	if (p->round_timer.slot != UINT32_MAX) return;
	p->next_round_ns = (now / s->settings.round_ns + 1) * s->settings.round_ns;
	p->round_timer =
	    rr_engine_at(&s->timers, p->next_round_ns, RR_PHASE_LAST, TIMER_ROUND, (uint64_t)(p - s->partitions));
}

sim_time rr_scheduler_next(const struct rr_scheduler *s)
{
	return rr_engine_peek(&s->timers);
}

const GError *rr_scheduler_failure(const struct rr_scheduler *s)
{
	return s->failure;
}

sim_time rr_scheduler_linger(const struct rr_scheduler *s)
{
	return s->settings.linger_ns;
}

/* ------------------------------------------------------- arrivals and ends */

struct rr_spot rr_job_spot(struct rr_partition *p, int32_t job, sim_time now, enum rr_turn turn)
{
	const struct rr_scheduler *s = p->scheduler;
	if (s->order->spot != NULL) return s->order->spot(p, job, now, turn);
	int64_t tie = job;
	if (s->settings.ties == RR_TIES_WAITING_FIRST) {
		/* who came first to the queue, and all of those before the running ones */
		enum { RUNNING = 62 };
		tie = ++p->sequence + (turn == RR_TURN_STARTED ? INT64_C(1) << RUNNING : 0);
	}
	return (struct rr_spot){s->order->key(s, job, now), tie};
}

sim_time rr_job_estimate(const struct rr_scheduler *s, int32_t job)
{
	return s->estimates[job];
}

bool rr_scheduler_arrive(struct rr_scheduler *s, int32_t job, sim_time now)
{
	struct rr_partition *p = rr_route(s, job);
	if (p != NULL && rr_job_gpus(s, job) > rr_quota_limit(s, rr_tenant_of(s, job))) p = NULL;
	s->partition_of_job[job] = p != NULL ? (int32_t)(p - s->partitions) : -1;
	if (p == NULL) return false;
	s->now = now;
	s->estimates[job] = rr_believed(s, job);
	s->lane_of_job[job] = rr_lane_for(p, job);
	if (s->preempt->resizes && rr_job(s, job)->elastic > 0)
		s->calls.resize(s->world, job, rr_job_range(s->jobs, job).least);
	if (p->arrived_ns != now) p->newcomers = 0;
	p->arrived_ns = now;
	p->newcomers++;
	rr_partition_wait(p, job, RR_TURN_ARRIVED, now);
	p->changed = true;
	return true;
}

/* Quotas hold over all partitions: what one gives back another may take. */
static void quota_freed(struct rr_scheduler *s)
{
	for (int32_t i = 0; s->fleet->queue_count > 0 && i < s->partition_count; i++)
		s->partitions[i].changed |= s->partitions[i].waiting > 0;
}

static void leave_node(struct rr_partition *p, int32_t job, int32_t pool)
{
	struct rr_scheduler *s = p->scheduler;
	if (s->endings != NULL) rr_queue_remove(&s->ends[pool], job);
	if (p->plan != NULL) rr_plan_ended(p, job, s->now);
	p->runs--;
	if (s->where[job] == RR_WHERE_RUNNING || s->where[job] == RR_WHERE_HELD) rr_running_remove(p, job);
	rr_tenant_change(s, job, p->lanes[s->lane_of_job[job]].tenant, -1, s->now);
	s->where[job] = RR_WHERE_NOWHERE;
	quota_freed(s);
}

void rr_scheduler_ended(struct rr_scheduler *s, int32_t job, int32_t pool, sim_time now)
{
	struct rr_partition *p = &s->partitions[s->partition_of_job[job]];
	s->now = now;
	leave_node(p, job, pool);
	if (s->order->ended != NULL) s->order->ended(s, job, now);
	s->partitions[s->partition_of_pool[pool]].changed = true;
}

void rr_scheduler_wake(struct rr_scheduler *s, int32_t pool)
{
	s->partitions[s->partition_of_pool[pool]].changed = true;
}

/* ------------------------------------------------------------------ the pass */

static void pass(struct rr_partition *p, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	if (s->order->drifts) rr_partition_drift(p, now);
	if (s->order->before != NULL) s->order->before(p, now);
	rr_running_take_steps(p, now); /* whatever the pass is: else the same step is due again at once */
	rr_partition_rewind(p);
	if (s->preempt->pass != NULL)
		s->preempt->pass(p, now);
	else if (p->waiting > 0)
		s->backfill->pass(p, now);
	if (s->order->after != NULL) s->order->after(p, now);
	g_array_set_size(p->steps, 0);
	p->boundary = false;
}

int32_t rr_scheduler_pass(struct rr_scheduler *s, sim_time now)
{
	int32_t looked_at = 0;
	s->now = now;
	while (rr_engine_peek(&s->timers) <= now) rr_engine_step(&s->timers, s);
	for (int32_t i = 0; i < s->partition_count; i++) {
		struct rr_partition *p = &s->partitions[i];
		if (!p->changed) continue;
		p->changed = false;
		looked_at++;
		pass(p, now);
		arm_round(p, now);
	}
	return looked_at;
}

struct rr_demand rr_scheduler_demand(const struct rr_scheduler *s, int32_t pool)
{
	struct rr_partition *p = &s->partitions[s->partition_of_pool[pool]];
	int32_t head = rr_queue_first(&p->promised);
	if (head < 0) head = rr_partition_first(p);
	return (struct rr_demand){.jobs = p->waiting,
				  .gpus = p->waiting_gpus,
				  .whole_nodes = p->whole_nodes,
				  .by_size = p->of_size,
				  .node_gpus = p->node_gpus,
				  .head_gpus = head >= 0 ? rr_job_gpus(s, head) : 0,
				  .first_pool = p->pools[0]};
}

int32_t rr_scheduler_home(const struct rr_scheduler *s, int32_t job)
{
	int32_t at = s->partition_of_job[job];
	return at < 0 ? -1 : s->partitions[at].pools[0];
}

/* -------------------------------------------------- what passes build upon */

struct rr_pool *rr_partition_pool(const struct rr_partition *p, int32_t pool)
{
	return &p->scheduler->pools[pool];
}

struct rr_queue *rr_partition_ends(const struct rr_partition *p, int32_t pool)
{
	return &p->scheduler->ends[pool];
}

int64_t rr_partition_capacity(const struct rr_partition *p)
{
	int64_t gpus = 0;
	for (int32_t i = 0; i < p->pool_count; i++) gpus += rr_partition_pool(p, p->pools[i])->serving_gpus;
	return gpus;
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

/* JOB has taken its GPUs on the scheduler's nodes of pool AT: it runs. */
static void begin_run(struct rr_partition *p, int32_t job, int32_t at, int32_t node_count, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	rr_partition_leave(p, job);
	p->runs++;
	rr_tenant_change(s, job, p->lanes[s->lane_of_job[job]].tenant, 1, now);
	s->calls.start(s->world, job, at, s->nodes, node_count);
	if (s->endings != NULL) {
		sim_time end = 0;
		if (__builtin_add_overflow(now, rr_job_estimate(s, job), &end)) end = INT64_MAX - 1;
		rr_queue_insert(&s->ends[at], job, (struct rr_spot){end, job}, rr_job_gpus(s, job), 0);
	}
	if (p->plan != NULL) rr_plan_started(p, job, now);
	if (s->preempt->ranks_running) rr_running_add(p, job, now);
}

static bool start_scored(struct rr_partition *p, int32_t job, int32_t only, sim_time now)
{
	int32_t pool = -1, count = 0;
	if (!rr_scored_take(p, job, only, &pool, p->scheduler->nodes, &count)) return false;
	begin_run(p, job, pool, count, now);
	return true;
}

bool rr_partition_start_in(struct rr_partition *p, int32_t job, int32_t at, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_pool *pool = &s->pools[at];
	int32_t gpus = rr_job_gpus(s, job);
	if (p->shares != NULL) return start_scored(p, job, at, now);
	if (!s->placement->place(p, pool, job, gpus, s->nodes)) return false;
	int32_t chunk = rr_job_chunk(s, job, pool);
	rr_pool_take(pool, gpus, chunk, s->nodes);
	begin_run(p, job, at, rr_pool_nodes_of(pool, gpus, chunk), now);
	return true;
}

bool rr_partition_start(struct rr_partition *p, int32_t job, int32_t skip_pool, sim_time now)
{
	if (p->shares != NULL && skip_pool < 0) return start_scored(p, job, -1, now);
	for (int32_t i = 0; i < p->pool_count; i++) {
		if (p->pools[i] == skip_pool || !rr_partition_allows(p, i, job)) continue;
		if (rr_partition_start_in(p, job, p->pools[i], now)) return true;
	}
	return false;
}

int32_t rr_partition_start_heads(struct rr_partition *p, sim_time now)
{
	for (;;) {
		int32_t head = rr_partition_first(p);
		if (head < 0 || !rr_partition_start(p, head, -1, now)) return head;
	}
}

void rr_partition_stop(struct rr_partition *p, int32_t job, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	int32_t gpus = rr_job_gpus(s, job), pool = s->progress[job].pool;
	s->now = now;
	leave_node(p, job, pool);
	s->calls.stop(s->world, job, rr_by_size_ns(&s->settings.restore, gpus), rr_by_size_ns(&s->settings.save, gpus));
}
