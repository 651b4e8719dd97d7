/* elastics.c - jobs that shrink and grow (allocation, elastic.h).
 *
 *   elastic-max  in order every job gets its least, then in order up to its most
 *   goodput      every job gets its least in order, then each GPU goes where it
 *                adds most to the sum of speed-ups (Qiao et al., OSDI 2021, Pollux;
 *                Jayaram Subramanya et al., SOSP 2023, Sia, without their choice of
 *                batch size)
 *
 * Decided when a round begins, or whenever something changed with round 0s; in
 * between those that wait start with their least where there is room. A resize
 * stops the job and starts it again: it costs what a pre-emption costs (restore).
 * A decision costs O((jobs + GPUs) log jobs), whatever changed. */
#include "sim/scheduler/allocates.h"
#include "sim/scheduler/elastic.h"

GArray *rr_partition_jobs(struct rr_partition *p, sim_time now)
{
	static const struct rr_room any = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, true};
	const struct rr_scheduler *s = p->scheduler;
	GArray *waiting = g_array_new(FALSE, FALSE, sizeof(int32_t)), *all = g_array_new(FALSE, FALSE, sizeof(int32_t));
	rr_partition_rewind(p);
	for (int32_t job = -1; (job = rr_partition_next(p, RR_SPOT_FRONT, &any)) >= 0;) {
		g_array_append_val(waiting, job);
		rr_partition_pass_over(p, job);
	}
	rr_partition_rewind(p);
	/* Running jobs stand in one queue of keys as of now, or in one for each size. */
	g_autoptr(GArray) tails = g_array_new(FALSE, FALSE, sizeof(int32_t));
	for (int32_t i = 0; i < p->running_count; i++) {
		int32_t first = rr_queue_first(&p->running[i]);
		g_array_append_val(tails, first);
	}
	for (guint w = 0;;) {
		int32_t best = w < waiting->len ? g_array_index(waiting, int32_t, w) : -1, from = -1;
		struct rr_spot spot = best >= 0 ? s->members[best].spot : RR_SPOT_BACK;
		for (guint i = 0; i < tails->len; i++) {
			int32_t job = g_array_index(tails, int32_t, i);
			if (job < 0) continue;
			struct rr_spot seen = rr_running_spot(p, job, now);
			if (best >= 0 && !rr_spot_before(seen, spot)) continue;
			best = job;
			from = (int32_t)i;
			spot = seen;
		}
		if (best < 0) break;
		g_array_append_val(all, best);
		if (from >= 0)
			g_array_index(tails, int32_t, from) = rr_queue_after(&p->running[from], s->members[best].spot);
		else
			w++;
	}
	g_array_unref(waiting);
	return all;
}

void rr_partition_resize(struct rr_partition *p, int32_t job, int32_t gpus, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	if (rr_job_gpus(s, job) == gpus) return;
	rr_partition_leave(p, job);
	s->calls.resize(s->world, job, gpus);
	rr_partition_wait(p, job, RR_TURN_STEPPED, now);
}

/* What each of JOBS should have. */
static int32_t *decide(const struct rr_partition *p, const GArray *jobs, bool goodput)
{
	const struct rr_scheduler *s = p->scheduler;
	g_autofree struct rr_elastic *elastics = g_new(struct rr_elastic, MAX(jobs->len, 1));
	g_autofree struct rr_job_range *ranges = g_new(struct rr_job_range, MAX(jobs->len, 1));
	int32_t *gpus = g_new0(int32_t, MAX(jobs->len, 1));
	int64_t capacity = rr_partition_capacity(p) - p->held.gpus;
	for (guint i = 0; i < jobs->len; i++) {
		int32_t job = g_array_index(jobs, int32_t, i);
		ranges[i] = rr_job_range(s->jobs, job);
		bool runs = s->where[job] == RR_WHERE_RUNNING;
		elastics[i] = (struct rr_elastic){ranges[i].least, ranges[i].most, runs ? rr_job_gpus(s, job) : 0,
						  &ranges[i].curve};
	}
	if (goodput)
		(void)rr_elastic_goodput(elastics, jobs->len, capacity, s->settings.resize_penalty, true, gpus);
	else
		(void)rr_elastic_max(elastics, jobs->len, capacity, true, gpus);
	return gpus;
}

/* Stops those that get another number, then starts what can start, in order. */
static void carry_out(struct rr_partition *p, const GArray *jobs, const int32_t *gpus, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	for (guint i = 0; i < jobs->len; i++) {
		int32_t job = g_array_index(jobs, int32_t, i);
		if (s->where[job] != RR_WHERE_RUNNING || rr_job_gpus(s, job) == gpus[i]) continue;
		rr_partition_stop(p, job, now);
		rr_partition_wait(p, job, RR_TURN_PREEMPTED, now);
	}
	for (guint i = 0; i < jobs->len; i++) {
		int32_t job = g_array_index(jobs, int32_t, i);
		if (s->where[job] != RR_WHERE_LANE) continue;
		int32_t least = rr_job_range(s->jobs, job).least;
		rr_partition_resize(p, job, gpus[i] > 0 ? gpus[i] : least, now);
		if (gpus[i] == 0 || !rr_quota_allows(s, p->lanes[s->lane_of_job[job]].tenant, gpus[i])) continue;
		/* What finds no nodes of that size asks for its least again. */
		if (!rr_partition_start(p, job, -1, now)) rr_partition_resize(p, job, least, now);
	}
}

/* GPUs of stopped jobs that still save what they did. */
static int64_t draining(const struct rr_partition *p)
{
	int64_t gpus = rr_partition_capacity(p) - p->held.gpus;
	for (int32_t i = 0; i < p->pool_count; i++) gpus -= rr_partition_pool(p, p->pools[i])->free_gpus;
	for (int32_t i = 0; i < p->running_count; i++) gpus -= p->running[i].gpus;
	return gpus;
}

/* Whoever was not chosen does not start beside a decision, and nobody starts while
 * GPUs drain: such a job would be stopped again, and drain, at the next event. */
static void pass(struct rr_partition *p, bool goodput, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	rr_running_take_steps(p, now);
	if (draining(p) > 0) return;
	if (p->boundary || s->settings.round_ns == 0) {
		g_autoptr(GArray) jobs = rr_partition_jobs(p, now);
		g_autofree int32_t *gpus = decide(p, jobs, goodput);
		carry_out(p, jobs, gpus, now);
	} else if (p->waiting > 0)
		s->backfill->pass(p, now);
}

static void pass_max(struct rr_partition *p, sim_time now)
{
	pass(p, false, now);
}

static void pass_goodput(struct rr_partition *p, sim_time now)
{
	pass(p, true, now);
}

const struct rr_preempt rr_allocate_elastic_max = {.pass = pass_max,
						   .ranks_running = true,
						   .resizes = true,
						   .moves = true},
			rr_allocate_goodput = {
			    .pass = pass_goodput, .ranks_running = true, .resizes = true, .moves = true};
