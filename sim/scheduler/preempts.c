/* preempts.c - who must make room.
 *
 *   order          whatever the order says should run, runs (packing.c)
 *   rounds         the same, but only when a round begins; in between whoever fits
 *                  starts. A round costs O(n log n) for orders that drift, else
 *                  what a packing costs.
 *   priority       the first in order stops running jobs of lower priority: the
 *                  lowest first, of equal ones the last to start, as few as will do
 *   quota-reclaim  the first in order, if within its tenant's guaranteed share,
 *                  stops jobs of tenants that hold more than theirs: the last to
 *                  start first. Each job that runs may be looked at: O(running).
 *
 * The last two try the placement after each job that would be stopped, and then
 * spare those without which it would still succeed, the most valuable first
 * (kube-scheduler, "Pod priority and preemption"). */
#include "sim/scheduler/allocates.h"
#include "sim/scheduler/scored.h"

static void pass_order(struct rr_partition *p, sim_time now)
{
	rr_pack(p, now);
}

/* -------------------------------------------------------------------- rounds */

static void rekey_running(struct rr_partition *p, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(int32_t));
	for (int32_t i = 0; i < p->running_count; i++) {
		const struct rr_queue *q = &p->running[i];
		for (int32_t at = rr_queue_first(q); at >= 0; at = rr_queue_after(q, s->members[at].spot))
			g_array_append_val(jobs, at);
	}
	for (guint i = 0; i < jobs->len; i++) rr_running_settle(p, g_array_index(jobs, int32_t, i), now);
}

/* What found no nodes waits like the others until the next round. */
static void release_promised(struct rr_partition *p)
{
	const struct rr_scheduler *s = p->scheduler;
	for (int32_t job = rr_queue_first(&p->promised); job >= 0; job = rr_queue_first(&p->promised))
		rr_promise_break(p, job, s->members[job].spot);
}

static void pass_rounds(struct rr_partition *p, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	if (p->boundary) {
		if (s->order->drifts) {
			rr_partition_rekey(p, now);
			rekey_running(p, now);
		}
		rr_pack(p, now);
		release_promised(p);
		rr_partition_rewind(p);
	}
	if (p->waiting > 0) s->backfill->pass(p, now);
}

/* ------------------------------------------------------------- making room */

typedef bool (*may_stop)(const struct rr_scheduler *s, int32_t victim, int32_t job);

/* Takes the victim's GPUs out of the pool's books, or puts them back in. */
static void suspend(struct rr_partition *p, int32_t victim, bool off)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_hold hold = rr_scheduler_hold(s, victim, s->progress[victim].pool);
	struct rr_tenant *tenant = &s->tenants[p->lanes[s->lane_of_job[victim]].tenant];
	const int32_t *nodes = s->calls.nodes(s->world, victim);
	rr_hold_change(s, &hold, nodes, !off);
	tenant->held += off ? -hold.gpus : hold.gpus;
}

static bool would_start(struct rr_partition *p, int32_t job)
{
	struct rr_scheduler *s = p->scheduler;
	int32_t pool = -1, count = 0;
	if (p->shares != NULL) {
		if (!rr_scored_take(p, job, -1, &pool, s->nodes, &count)) return false;
		struct rr_hold hold = rr_scheduler_hold(s, job, pool);
		rr_hold_change(s, &hold, s->nodes, false);
		return true;
	}
	for (int32_t i = 0; i < p->pool_count; i++) {
		if (!rr_partition_allows(p, i, job)) continue;
		if (s->placement->place(p, &s->pools[p->pools[i]], job, rr_job_gpus(s, job), s->nodes)) return true;
	}
	return false;
}

/* Victims until JOB would start; all are suspended on return. */
static bool gather(struct rr_partition *p, int32_t job, may_stop may, GArray *victims)
{
	const struct rr_scheduler *s = p->scheduler;
	const struct rr_queue *q = &p->running[0];
	if (p->running_count == 0) return false;
	for (int32_t at = rr_queue_first(q); at >= 0; at = rr_queue_after(q, s->members[at].spot)) {
		if (!may(s, at, job)) continue;
		suspend(p, at, true);
		g_array_append_val(victims, at);
		if (would_start(p, job)) return true;
	}
	return false;
}

static bool make_room(struct rr_partition *p, int32_t job, may_stop may, sim_time now)
{
	g_autoptr(GArray) victims = g_array_new(FALSE, FALSE, sizeof(int32_t));
	bool enough = gather(p, job, may, victims);
	for (guint i = victims->len; i-- > 0;) {
		int32_t victim = g_array_index(victims, int32_t, i);
		suspend(p, victim, false);
		if (!enough || would_start(p, job))
			g_array_remove_index(victims, i);
		else
			suspend(p, victim, true);
	}
	for (guint i = 0; i < victims->len; i++) suspend(p, g_array_index(victims, int32_t, i), false);
	for (guint i = 0; i < victims->len; i++) rr_partition_stop(p, g_array_index(victims, int32_t, i), now);
	for (guint i = 0; i < victims->len; i++)
		rr_partition_wait(p, g_array_index(victims, int32_t, i), RR_TURN_PREEMPTED, now);
	return enough;
}

/* After the backfill's pass the first in order may make others stop. One for
 * whom others save what they did is not helped twice. */
static void pass_evicting(struct rr_partition *p, may_stop may, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	for (;;) {
		rr_partition_rewind(p);
		if (p->waiting > 0) s->backfill->pass(p, now);
		int32_t head = rr_partition_first(p);
		if (head < 0 || head == p->nominated || !make_room(p, head, may, now)) return;
		p->nominated = head;
		if (!rr_partition_start(p, head, -1, now)) return;
	}
}

static bool of_lower_priority(const struct rr_scheduler *s, int32_t victim, int32_t job)
{
	return rr_job(s, victim)->priority < rr_job(s, job)->priority;
}

static void pass_priority(struct rr_partition *p, sim_time now)
{
	pass_evicting(p, of_lower_priority, now);
}

static struct rr_spot lowest_latest(struct rr_partition *p, int32_t job, sim_time now)
{
	(void)now;
	return (struct rr_spot){rr_job(p->scheduler, job)->priority, -++p->sequence};
}

static bool on_borrowed(const struct rr_scheduler *s, int32_t victim, int32_t job)
{
	const struct rr_partition *p = &s->partitions[s->partition_of_job[job]];
	int32_t owner = p->lanes[s->lane_of_job[job]].tenant, borrower = p->lanes[s->lane_of_job[victim]].tenant;
	return owner != borrower && !rr_quota_borrows(s, owner, rr_job_gpus(s, job)) &&
	       rr_quota_borrows(s, borrower, 0);
}

static void pass_reclaim(struct rr_partition *p, sim_time now)
{
	pass_evicting(p, on_borrowed, now);
}

static struct rr_spot latest(struct rr_partition *p, int32_t job, sim_time now)
{
	(void)job;
	(void)now;
	return (struct rr_spot){0, -++p->sequence};
}

/* --------------------------------------------------------------------- table */

static const struct rr_preempt none = {.pass = NULL}, order = {.pass = pass_order, .ranks_running = true},
			       rounds = {.pass = pass_rounds, .ranks_running = true},
			       priority = {.pass = pass_priority, .ranks_running = true, .spot = lowest_latest},
			       reclaim = {.pass = pass_reclaim, .ranks_running = true, .spot = latest};

#define COSTS                                                                                                          \
	{"restore",                                                                                                    \
	 "0s",                                                                                                         \
	 "a duration, or sizes such as 1:7s/8:30s/more:60s",                                                           \
	 "run time that a stopped job must make up for when it starts again",                                          \
	 RR_PARAMETER_BY_SIZE,                                                                                         \
	 offsetof(struct rr_settings, restore)},                                                                       \
	    {"save",                                                                                                   \
	     "0s",                                                                                                     \
	     "a duration, or sizes such as 1:7s/8:30s/more:60s",                                                       \
	     "how long a stopped job still holds its GPUs",                                                            \
	     RR_PARAMETER_BY_SIZE,                                                                                     \
	     offsetof(struct rr_settings, save)},                                                                      \
	{                                                                                                              \
		"min_run", "0s", "a duration", "nobody is stopped before it ran so long", RR_PARAMETER_DURATION,       \
		    offsetof(struct rr_settings, min_run_ns)                                                           \
	}

static const struct rr_parameter cost_parameters[] = {COSTS, RR_PARAMETERS_END};
static const struct rr_parameter order_parameters[] = {COSTS,
						       {"linger", "0s", "a duration",
							"how long a job holds its GPUs after its work is done",
							RR_PARAMETER_DURATION, offsetof(struct rr_settings, linger_ns)},
						       RR_PARAMETERS_END};
static const struct rr_parameter rounds_parameters[] = {COSTS,
							{"round", "6min", "a duration of 1 ms or more",
							 "the length of a round", RR_PARAMETER_SPAN,
							 offsetof(struct rr_settings, round_ns)},
							RR_PARAMETERS_END};

#define ROUND(preset)                                                                                                  \
	{                                                                                                              \
		"round", preset, "a duration", "the length of a round; 0s = whenever something changed",               \
		    RR_PARAMETER_DURATION, offsetof(struct rr_settings, round_ns)                                      \
	}

static const struct rr_parameter elastic_parameters[] = {COSTS, ROUND("0s"), RR_PARAMETERS_END};
static const struct rr_parameter goodput_parameters[] = {COSTS,
							 ROUND("1min"),
							 {"penalty", "0.1", "a number",
							  "speed-up that a resize must gain", RR_PARAMETER_NUMBER,
							  offsetof(struct rr_settings, resize_penalty)},
							 RR_PARAMETERS_END};
static const struct rr_parameter gavel_parameters[] = {
    COSTS,
    ROUND("6min"),
    {"share", "max-min", "max-min|blind|least-cost|max-total",
     "what shares are made for: the worst-off job, the same without looking at types, the bill (each job at least "
     "half as fast as alone), or the sum",
     RR_PARAMETER_CHOICE, offsetof(struct rr_settings, allocate)},
    RR_PARAMETERS_END};

const struct rr_word rr_preempts[] = {
    {"none", "a job that has started runs to its end", NULL, NULL, &none},
    {"order", "whoever the order says should run, runs", NULL, order_parameters, &order},
    {"rounds", "the same when a round begins; in between whoever fits starts", "Narayanan et al., OSDI 2020 (Gavel)",
     rounds_parameters, &rounds},
    {"priority", "the first in order stops jobs of lower priority", "Kubernetes manual, Pod priority and preemption",
     cost_parameters, &priority},
    {"quota-reclaim", "a tenant within its guaranteed share stops those that borrowed it", "Kueue manual, Preemption",
     cost_parameters, &reclaim},
    {"elastic-max", "jobs that can grow do so in order, each up to its most", NULL, elastic_parameters,
     &rr_allocate_elastic_max},
    {"goodput", "GPUs go where they add most to the sum of speed-ups", "Qiao et al., OSDI 2021 (Pollux)",
     goodput_parameters, &rr_allocate_goodput},
    {"gavel", "shares of time on each type of GPU by a linear programme, in rounds", "Narayanan et al., OSDI 2020",
     gavel_parameters, &rr_allocate_gavel},
    {NULL, NULL, NULL, NULL, NULL},
};
