/* packing.c - pre-emption by order: who the order says should run, runs.
 *
 * All jobs that wait or run, in one order, are packed by GPU count into the empty
 * partition, whoever does not fit is passed over; those that run and were not
 * chosen are stopped, those that wait and were chosen start. Chosen jobs for
 * which no nodes are free stay promised: their GPUs are kept for them.
 *
 * The packing is not made anew. The last one still holds before the first place
 * that changed, and where it is broken there is a first fault: a waiting job
 * that would fit behind those chosen before it, or a chosen one that no longer
 * does. Mending the first fault makes all before it final, so each mended place
 * is a job that starts or stops: a pass costs O(sizes x log n) and O(log n) for
 * each change. Running jobs that overtake waiting ones as time passes change
 * nothing: one that did not fit before a chosen job does not fit behind it. */
#include "sim/scheduler/policy.h"

struct packing {
	struct rr_partition *p;
	sim_time now;
	int64_t capacity, chosen; /* GPUs; of those that run or are promised */
	struct rr_spot cursor;    /* all up to here is final */
	GArray *victims;          /* int32_t, in order */
	struct rr_spot *tails;    /* scratch, by class: how far back the walk came */
};

/* GPUs of the chosen that stand before SPOT. */
static int64_t chosen_before(const struct packing *k, struct rr_spot spot)
{
	const struct rr_partition *p = k->p;
	int64_t gpus = p->held.gpus + rr_queue_gpus_before(&p->promised, spot, NULL);
	for (int32_t i = 0; i < p->running_count; i++) {
		if (p->running[i].count == 0) continue;
		struct rr_lens lens = rr_running_lens(p, i, k->now);
		gpus += rr_queue_gpus_before(&p->running[i], spot, &lens);
	}
	return gpus;
}

/* The first waiting job behind the cursor that fits behind those chosen before
 * it, or -1. Each try that fails lowers the room below the size that failed. */
static int32_t first_that_fits(const struct packing *k)
{
	const struct rr_scheduler *s = k->p->scheduler;
	struct rr_spot spot = k->cursor;
	int64_t room = k->capacity - (spot.key == INT64_MIN ? k->p->held.gpus : chosen_before(k, spot));
	while (room > 0) {
		struct rr_room most = {room, room, INT64_MAX, INT64_MAX, true};
		int32_t job = rr_partition_next(k->p, spot, &most);
		if (job < 0) return -1;
		spot = s->members[job].spot;
		room = MIN(room, k->capacity - chosen_before(k, spot));
		if (rr_job_gpus(s, job) <= room) return job;
	}
	return -1;
}

/* The chosen job of class AT (-1: promised) that stands last before the tail, as of now. */
static int32_t last_before(const struct packing *k, int32_t at, struct rr_spot *seen)
{
	const struct rr_partition *p = k->p;
	const struct rr_queue *q = at < 0 ? &p->promised : &p->running[at];
	int32_t job = rr_queue_before(q, k->tails[at + 1]);
	if (job < 0) return -1;
	*seen = at < 0 ? p->scheduler->members[job].spot : rr_running_spot(p, job, k->now);
	return job;
}

/* The first chosen job in order with which the chosen are too many, from the
 * back: those behind it hold less than what is too much. -1 = there is none. */
static int32_t first_too_many(const struct packing *k, struct rr_spot *spot)
{
	const struct rr_partition *p = k->p;
	int64_t behind = 0;
	int32_t found = -1;
	for (int32_t i = 0; i <= p->running_count; i++) k->tails[i] = RR_SPOT_BACK;
	while (k->chosen - behind > k->capacity) {
		int32_t last = -1, from = -1;
		for (int32_t i = -1; i < p->running_count; i++) {
			struct rr_spot seen;
			int32_t job = last_before(k, i, &seen);
			if (job < 0 || (last >= 0 && rr_spot_before(seen, *spot))) continue;
			last = job;
			from = i;
			*spot = seen;
		}
		if (last < 0) return found; /* the rest may not be stopped */
		k->tails[from + 1] = p->scheduler->members[last].spot;
		behind += rr_job_gpus(p->scheduler, last);
		found = last;
	}
	return found;
}

static void choose(struct packing *k, int32_t job)
{
	struct rr_scheduler *s = k->p->scheduler;
	struct rr_lane *lane = &k->p->lanes[s->lane_of_job[job]];
	struct rr_spot spot = s->members[job].spot;
	rr_queue_remove(&lane->queue, job);
	rr_queue_insert(&k->p->promised, job, spot, rr_job_gpus(s, job), rr_job_estimate(s, job));
	s->where[job] = RR_WHERE_PROMISED;
	rr_tenant_promise(s, lane->tenant, job, 1);
	k->chosen += rr_job_gpus(s, job);
	k->cursor = spot;
}

void rr_promise_break(struct rr_partition *p, int32_t job, struct rr_spot spot)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
	rr_queue_remove(&p->promised, job);
	rr_queue_insert(&lane->queue, job, spot, rr_job_gpus(s, job), rr_job_estimate(s, job));
	rr_tenant_promise(s, lane->tenant, job, -1);
	s->where[job] = RR_WHERE_LANE;
}

/* Back to its lane, or to those who will be stopped. */
static void refuse(struct packing *k, int32_t job, struct rr_spot spot)
{
	struct rr_partition *p = k->p;
	struct rr_scheduler *s = p->scheduler;
	k->chosen -= rr_job_gpus(s, job);
	k->cursor = spot;
	if (s->where[job] != RR_WHERE_PROMISED) {
		rr_running_remove(p, job);
		s->where[job] = RR_WHERE_NOWHERE;
		g_array_append_val(k->victims, job);
		return;
	}
	rr_promise_break(p, job, spot);
}

static void mend(struct packing *k)
{
	const struct rr_scheduler *s = k->p->scheduler;
	int32_t fits = first_that_fits(k);
	for (;;) {
		struct rr_spot spot = RR_SPOT_FRONT;
		int32_t too_many = first_too_many(k, &spot);
		if (too_many >= 0 && (fits < 0 || rr_spot_before(spot, s->members[fits].spot)))
			refuse(k, too_many, spot);
		else if (fits >= 0)
			choose(k, fits);
		else
			return;
		fits = first_that_fits(k);
	}
}

/* In the order in which they stood; from the back, since orders may put each of
 * them to the front of those that wait. */
static void stop_victims(struct packing *k)
{
	for (guint i = 0; i < k->victims->len; i++)
		rr_partition_stop(k->p, g_array_index(k->victims, int32_t, i), k->now);
	bool forward = k->p->scheduler->settings.ties == RR_TIES_WAITING_FIRST;
	for (guint i = 0; i < k->victims->len; i++) {
		guint at = forward ? i : k->victims->len - 1 - i;
		rr_partition_wait(k->p, g_array_index(k->victims, int32_t, at), RR_TURN_PREEMPTED, k->now);
	}
}

static void start_promised(struct rr_partition *p, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	for (int32_t job = rr_queue_first(&p->promised); job >= 0;) {
		struct rr_spot spot = s->members[job].spot;
		(void)rr_partition_start(p, job, -1, now);
		job = rr_queue_after(&p->promised, spot);
	}
}

void rr_pack(struct rr_partition *p, sim_time now)
{
	struct packing k = {.p = p,
			    .now = now,
			    .capacity = rr_partition_capacity(p),
			    .chosen = p->promised.gpus + p->held.gpus,
			    .cursor = RR_SPOT_FRONT,
			    .victims = g_array_new(FALSE, FALSE, sizeof(int32_t))};
	rr_partition_rewind(p);
	k.tails = g_new0(struct rr_spot, (size_t)p->running_count + 1);
	for (int32_t i = 0; i < p->running_count; i++) k.chosen += p->running[i].gpus;
	mend(&k);
	stop_victims(&k);
	start_promised(p, now);
	g_array_unref(k.victims);
	g_free(k.tails);
}
