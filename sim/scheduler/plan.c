/* plan.c - conservative backfill, and EASY with several reservations.
 *
 * conservative  a reservation at arrival, kept; when a job ends before its
 *               estimate, all that wait are taken in order, lifted out and put
 *               back at their earliest place, which is never later (Mu'alem and
 *               Feitelson, IEEE TPDS 12(6), 2001, section 2). An arrival costs
 *               O(log n) for each obstacle before its place; an early end costs
 *               that for each job that waits.
 * reserving     the first k that cannot start get a reservation for this pass;
 *               whoever disturbs none of them may start. O(log n) for each start
 *               and each job that is looked at. */
#include "sim/scheduler/plan.h"

#include "sim/scheduler/profile.h"

struct reserved {
	sim_time from_ns, to_ns; /* from INT64_MAX = nothing is reserved */
	bool queued;             /* stands in starts */
};

struct rr_plan {
	struct rr_profile profile;
	struct reserved *reserved; /* by job; shared by the plans of a scheduler */
	bool owner;                /* of what is shared */
	int64_t capacity;          /* GPUs that the profile counts on */
	bool freed;                /* somebody ended early, or there are more GPUs */
	struct rr_member *planned; /* by job: waiting, by reserved start; shared, too */
	struct rr_queue starts;
};

struct rr_plan *rr_plan_new(size_t jobs, const struct rr_plan *shared)
{
	struct rr_plan *plan = g_new0(struct rr_plan, 1);
	rr_profile_init(&plan->profile, 0);
	plan->owner = shared == NULL;
	plan->reserved = plan->owner ? g_new(struct reserved, MAX(jobs, 1)) : shared->reserved;
	plan->planned = plan->owner ? g_new(struct rr_member, MAX(jobs, 1)) : shared->planned;
	for (size_t i = 0; plan->owner && i < jobs; i++)
		plan->reserved[i] = (struct reserved){INT64_MAX, INT64_MAX, false};
	rr_queue_init(&plan->starts, plan->planned, INT32_MAX);
	return plan;
}

void rr_plan_free(struct rr_plan *plan)
{
	if (plan == NULL) return;
	rr_profile_done(&plan->profile);
	if (plan->owner) {
		g_free(plan->reserved);
		g_free(plan->planned);
	}
	g_free(plan);
}

sim_time rr_plan_start(const struct rr_plan *plan, int32_t job)
{
	return plan->reserved[job].from_ns;
}

static sim_time later(sim_time at, sim_time span)
{
	sim_time end = 0;
	return __builtin_add_overflow(at, span, &end) ? INT64_MAX - 1 : end;
}

/* Gives JOB's span from FROM on back, and forgets it. */
static void lift(struct rr_partition *p, int32_t job, sim_time from)
{
	struct reserved *r = &p->plan->reserved[job];
	if (r->from_ns == INT64_MAX) return;
	rr_profile_add(&p->plan->profile, MAX(r->from_ns, from), r->to_ns, rr_job_gpus(p->scheduler, job));
	*r = (struct reserved){INT64_MAX, INT64_MAX, false};
}

static void put(struct rr_partition *p, int32_t job, sim_time at)
{
	int32_t gpus = rr_job_gpus(p->scheduler, job);
	struct reserved *r = &p->plan->reserved[job];
	*r = (struct reserved){at, later(at, rr_job_estimate(p->scheduler, job)), false};
	rr_profile_add(&p->plan->profile, r->from_ns, r->to_ns, -gpus);
}

static void unqueue(struct rr_plan *plan, int32_t job)
{
	if (plan->reserved[job].queued) rr_queue_remove(&plan->starts, job);
	plan->reserved[job].queued = false;
}

void rr_plan_started(struct rr_partition *p, int32_t job, sim_time now)
{
	unqueue(p->plan, job);
	if (p->plan->reserved[job].from_ns == now) return; /* as planned */
	lift(p, job, now);
	put(p, job, now);
}

void rr_plan_ended(struct rr_partition *p, int32_t job, sim_time now)
{
	p->plan->freed |= p->plan->reserved[job].to_ns > now;
	lift(p, job, now);
}

/* Nodes came or went: the profile counts on those that serve. */
static void count_gpus(struct rr_partition *p, sim_time now)
{
	int64_t serving = rr_partition_capacity(p);
	rr_profile_add(&p->plan->profile, INT64_MIN, INT64_MAX, serving - p->plan->capacity);
	p->plan->freed |= serving != p->plan->capacity;
	p->plan->capacity = serving;
	rr_profile_forget(&p->plan->profile, now);
}

/* ----------------------------------------------------------------- conservative */

static void plan_start(struct rr_partition *p, int32_t job, sim_time now)
{
	struct rr_plan *plan = p->plan;
	unqueue(plan, job);
	lift(p, job, now);
	sim_time at = rr_profile_earliest(&plan->profile, rr_job_gpus(p->scheduler, job),
					  rr_job_estimate(p->scheduler, job), now);
	if (at == INT64_MAX) return;
	put(p, job, at);
	rr_queue_insert(&plan->starts, job, (struct rr_spot){at, job}, rr_job_gpus(p->scheduler, job), 0);
	plan->reserved[job].queued = true;
}

/* All that wait when ALL, else those without a reservation and those whose time
 * has passed without nodes for them. */
static void plan_waiting(struct rr_partition *p, bool all, sim_time now)
{
	static const struct rr_room any = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, true};
	g_autoptr(GArray) due = g_array_new(FALSE, FALSE, sizeof(int32_t));
	rr_partition_rewind(p);
	p->scheduler->planning = true;
	if (all)
		for (int32_t job = -1; (job = rr_partition_next(p, RR_SPOT_FRONT, &any)) >= 0;) {
			plan_start(p, job, now);
			rr_partition_pass_over(p, job);
		}
	else {
		for (int32_t job = rr_queue_first(&p->plan->starts); job >= 0 && p->plan->reserved[job].from_ns < now;
		     job = rr_queue_after(&p->plan->starts, p->plan->planned[job].spot))
			g_array_append_val(due, job);
		for (guint i = 0; i < due->len; i++) plan_start(p, g_array_index(due, int32_t, i), now);
		for (guint i = 0; i < p->arrived->len; i++) {
			int32_t job = g_array_index(p->arrived, int32_t, i);
			/* One that pre-emption has started meanwhile needs no reservation. */
			if (p->scheduler->where[job] == RR_WHERE_LANE) plan_start(p, job, now);
		}
	}
	p->scheduler->planning = false;
	g_array_set_size(p->arrived, 0);
	rr_partition_rewind(p);
}

void rr_pass_conservative(struct rr_partition *p, sim_time now)
{
	struct rr_plan *plan = p->plan;
	count_gpus(p, now);
	plan_waiting(p, plan->freed, now);
	plan->freed = false;
	for (int32_t job = rr_queue_first(&plan->starts); job >= 0;) {
		struct rr_spot spot = plan->planned[job].spot;
		if (spot.key > now) {
			rr_partition_wake_at(p, spot.key);
			break;
		}
		const struct rr_lane *lane = &p->lanes[p->scheduler->lane_of_job[job]];
		if (rr_quota_allows(p->scheduler, lane->tenant, rr_job_gpus(p->scheduler, job)))
			(void)rr_partition_start(p, job, -1, now);
		job = rr_queue_after(&plan->starts, spot);
	}
}

/* -------------------------------------------------------------------- reserving */

void rr_pass_reserving(struct rr_partition *p, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	g_autoptr(GArray) reserved = g_array_new(FALSE, FALSE, sizeof(int32_t));
	sim_time soonest = INT64_MAX;
	count_gpus(p, now);
	(void)rr_partition_start_heads(p, now);
	/* Reservations only keep others from starting: without anybody who could, none is needed. */
	struct rr_room free = rr_partition_room(p);
	if (rr_partition_next(p, RR_SPOT_FRONT, &free) < 0) return;
	struct rr_room room = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, true};
	for (int32_t job = -1; (job = rr_partition_next(p, RR_SPOT_FRONT, &room)) >= 0;) {
		rr_partition_pass_over(p, job);
		sim_time at = rr_profile_earliest(&p->plan->profile, rr_job_gpus(s, job), rr_job_estimate(s, job), now);
		bool started = at == now && rr_partition_start(p, job, -1, now);
		if (!started && at != INT64_MAX && (int32_t)reserved->len < s->settings.reservations) {
			put(p, job, at);
			g_array_append_val(reserved, job);
			soonest = MIN(soonest, MAX(at, now + 1));
		}
		if ((int32_t)reserved->len < s->settings.reservations) continue;
		/* Who runs into the first reserved start must fit beside it. */
		room = rr_partition_room(p);
		room.limit_ns = soonest - now;
		room.extra = rr_profile_free(&p->plan->profile, soonest);
	}
	for (guint i = 0; i < reserved->len; i++) lift(p, g_array_index(reserved, int32_t, i), now);
	p->plan->freed = false;
}
