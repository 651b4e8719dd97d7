/* service.c - orders by the service that a job has left or has had.
 *
 * srtf and srsf cost O(log n) a change: keys of running jobs fall by themselves
 * (see running.c). las and 2d-las put jobs into levels by attained service; a
 * running job comes to the next level at a time known in advance, one timer each,
 * O(log n). Within a level those that run stand before those that wait, both in
 * the order in which they came, so that nobody stops another of its own level
 * (Gu et al., NSDI 2019, section 3.3). */
#include "sim/scheduler/gittins.h"
#include "sim/scheduler/orders.h"

#include <math.h>

static int64_t time_left(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	return rr_progress_left(&s->progress[job], now);
}

static int64_t service_left(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	return rr_gpu_us(rr_progress_left(&s->progress[job], now), rr_job_gpus(s, job));
}

const struct rr_order rr_order_srtf = {.key = time_left, .course = RR_COURSE_TIME},
		      rr_order_srsf = {.key = service_left, .course = RR_COURSE_GPU_TIME};

const struct rr_parameter rr_srtf_parameters[] = {{"ties", "submit", "submit|waiting-first",
						   "equal ones: by submit, or those that wait before those that run",
						   RR_PARAMETER_CHOICE, offsetof(struct rr_settings, ties)},
						  RR_PARAMETERS_END};

/* -------------------------------------------------------------------- levels */

/* By job: attained service when it last entered level 0, and its place by level,
 * which is not where it stands while it may not be stopped, nor where it runs
 * when others than the order say who is stopped. */
struct levels {
	int64_t *base_us;
	struct rr_spot *places;
};

static void *begin_levels(struct rr_scheduler *s)
{
	struct levels *l = g_new0(struct levels, 1);
	l->base_us = g_new0(int64_t, s->jobs->count);
	l->places = g_new0(struct rr_spot, s->jobs->count);
	return l;
}

static void end_levels(void *memory)
{
	struct levels *l = memory;
	g_free(l->base_us);
	g_free(l->places);
	g_free(l);
}

static struct rr_spot *place_of(const struct rr_scheduler *s, int32_t job)
{
	return &((const struct levels *)s->memory)->places[job];
}

static bool by_time(const struct rr_scheduler *s)
{
	return s->settings.level_count == 0; /* las: levels of one quantum each */
}

static int64_t attained_us(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	const struct rr_progress *p = &s->progress[job];
	return by_time(s) ? rr_progress_attained(p, now) / 1000 : rr_progress_attained_us(p, now);
}

static int64_t since_level_0(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	return attained_us(s, job, now) - ((const struct levels *)s->memory)->base_us[job];
}

/* Where LEVEL ends; INT64_MAX = never. */
static int64_t limit_us(const struct rr_scheduler *s, int64_t level)
{
	if (by_time(s)) return (level + 1) * (s->settings.quantum_ns / 1000);
	return level < s->settings.level_count ? s->settings.levels_us[level] : INT64_MAX;
}

/* Keys: twice the level, and 1 more for those that wait or have just come down. */
static int64_t level_of(const struct rr_scheduler *s, int32_t job)
{
	return place_of(s, job)->key / 2;
}

static int64_t level_key(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)now;
	return place_of(s, job)->key;
}

/* One that starves goes back to level 0 when it has waited PROMOTE times as long
 * as it has run (Gu et al., NSDI 2019, section 3.3, PROMOTEKNOB). */
static void arm_promotion(struct rr_scheduler *s, int32_t job, sim_time now)
{
	double wait_ns = s->settings.promote * (double)rr_progress_attained(&s->progress[job], now);
	if (s->settings.promote > 0 && level_of(s, job) > 0 && wait_ns < 4e18)
		rr_step_at(s, job, now + MAX((sim_time)wait_ns, 1));
}

static struct rr_spot next_place(struct rr_partition *p, int32_t job, sim_time now, enum rr_turn turn)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_spot old = *place_of(s, job);
	bool runs = s->progress[job].since_ns >= 0;
	switch (turn) {
	case RR_TURN_ARRIVED: return (struct rr_spot){1, ++p->sequence};
	case RR_TURN_STARTED: return (struct rr_spot){old.key / 2 * 2, ++p->sequence};
	case RR_TURN_PREEMPTED:
		arm_promotion(s, job, now);
		if (old.key % 2 == 1) return old; /* it had just come down: it stands at the end already */
		return (struct rr_spot){old.key + 1, --p->front};
	case RR_TURN_STEPPED:
		if (runs) return (struct rr_spot){(old.key / 2 + 1) * 2 + 1, ++p->sequence};
		((struct levels *)s->memory)->base_us[job] = attained_us(s, job, now);
		return (struct rr_spot){1, ++p->sequence};
	}
	return old;
}

static struct rr_spot level_spot(struct rr_partition *p, int32_t job, sim_time now, enum rr_turn turn)
{
	return *place_of(p->scheduler, job) = next_place(p, job, now, turn);
}

static sim_time level_step(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	int64_t limit = limit_us(s, level_of(s, job)), had = since_level_0(s, job, now), gpus = rr_job_gpus(s, job);
	if (limit == INT64_MAX || s->settings.wake == RR_WAKE_LATE) return INT64_MAX;
	if (by_time(s)) gpus = 1;
	rr_milli_gpu_ns ns = limit > had ? ((rr_milli_gpu_ns)(limit - had) * 1000 + gpus - 1) / gpus : 0;
	return ns < INT64_MAX - now ? now + (sim_time)ns : INT64_MAX;
}

/* ---------------------------------------------- the late wake of the artifact */

static bool wakes_late(const struct rr_partition *p)
{
	const struct rr_scheduler *s = p->scheduler;
	return s->settings.wake == RR_WAKE_LATE && p->running_count > 0 && s->preempt->spot == NULL;
}

static int64_t executed_s(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	return rr_progress_attained(&s->progress[job], now) / RR_NS_PER_S;
}

/* The artifact looks at all running jobs at each event: those past their limit
 * come down, one level at most. */
static void find_steps(struct rr_partition *p, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	if (!wakes_late(p)) return;
	const struct rr_queue *q = &p->running[0];
	for (int32_t job = rr_queue_first(q); job >= 0; job = rr_queue_after(q, s->members[job].spot))
		if (since_level_0(s, job, now) >= limit_us(s, level_of(s, job))) g_array_append_val(p->steps, job);
}

/* Its next look is due (limit - executed seconds) / GPUs from now, rounded down:
 * later than the true crossing when a job has several GPUs, since the limit is
 * in GPU-seconds and the executed time is not. */
static void wake_late(struct rr_partition *p, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	const struct rr_queue *q = &p->running[0];
	sim_time soonest = INT64_MAX;
	for (int32_t job = rr_queue_first(q); job >= 0; job = rr_queue_after(q, s->members[job].spot)) {
		int64_t limit = limit_us(s, level_of(s, job));
		if (limit == INT64_MAX) break; /* the last level: all behind are in it, too */
		int64_t wait_s = (limit / (RR_NS_PER_S / 1000) - executed_s(s, job, now)) / rr_job_gpus(s, job);
		soonest = MIN(soonest, now + MAX(wait_s, 0) * RR_NS_PER_S);
	}
	if (soonest == INT64_MAX || soonest <= now) return;
	rr_partition_wake_cancel(p);
	rr_partition_wake_at(p, soonest);
}

/* Those that came down and still run go behind the running ones of their level. */
static void settle(struct rr_partition *p, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	for (guint i = 0; i < p->steps->len; i++) {
		int32_t job = g_array_index(p->steps, int32_t, i);
		if (s->where[job] == RR_WHERE_RUNNING) rr_running_settle(p, job, now);
	}
	if (wakes_late(p)) wake_late(p, now);
}

const struct rr_order rr_order_las = {.key = level_key,
				      .course = RR_COURSE_STEPS,
				      .spot = level_spot,
				      .step = level_step,
				      .after = settle,
				      .begin = begin_levels,
				      .end = end_levels},
		      rr_order_2d_las = {.key = level_key,
					 .course = RR_COURSE_STEPS,
					 .spot = level_spot,
					 .step = level_step,
					 .before = find_steps,
					 .after = settle,
					 .begin = begin_levels,
					 .end = end_levels};

const struct rr_parameter rr_las_parameters[] = {{"quantum", "1h", "a duration of 1 ms or more",
						  "run time of one level", RR_PARAMETER_SPAN,
						  offsetof(struct rr_settings, quantum_ns)},
						 RR_PARAMETERS_END};
const struct rr_parameter rr_2d_las_parameters[] = {
    {"limits", "3250s/7200s", "durations of one GPU, rising", "where one queue ends and the next begins, in GPU time",
     RR_PARAMETER_LEVELS, 0},
    {"wake", "exact", "exact|late", "jobs come down when they reach a limit, or as late as in the Tiresias artifact",
     RR_PARAMETER_CHOICE, offsetof(struct rr_settings, wake)},
    {"promote", "0", "a number", "back to the first queue after waiting so many times the run time; 0 = never",
     RR_PARAMETER_NUMBER, offsetof(struct rr_settings, promote)},
    RR_PARAMETERS_END};

/* ------------------------------------------------------------------- gittins
 *
 * The distribution of service is that of all jobs of the run, in groups of about
 * the square root of their number, 32 at most. Between two corners of the index a job keeps
 * the index of the first. */

enum { GROUPS_MOST = 32 }; /* each job is looked at anew so often at most */

static void *begin_gittins(struct rr_scheduler *s)
{
	struct rr_gittins *g = g_new0(struct rr_gittins, 1);
	g_autofree double *service = g_new(double, MAX(s->jobs->count, 1));
	for (size_t i = 0; i < s->jobs->count; i++)
		service[i] = (double)s->jobs->jobs[i].duration_ns / (double)RR_NS_PER_S * s->jobs->jobs[i].gpus;
	double groups = MIN(ceil(sqrt((double)s->jobs->count)), GROUPS_MOST);
	rr_gittins_init(g, service, s->jobs->count, (size_t)groups);
	return g;
}

static void end_gittins(void *memory)
{
	rr_gittins_done(memory);
	g_free(memory);
}

static double attained_gpu_s(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	return (double)rr_progress_attained_us(&s->progress[job], now) / 1e6;
}

static int64_t gittins_key(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	return -rr_key_of(rr_gittins_index(s->memory, attained_gpu_s(s, job, now)));
}

static sim_time gittins_step(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	const struct rr_gittins *g = s->memory;
	double attained = attained_gpu_s(s, job, now);
	size_t low = 0, high = g->count; /* the first row behind */
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (g->rows[middle].attained > attained)
			high = middle;
		else
			low = middle + 1;
	}
	double next = low < g->count ? g->rows[low].attained : g->most;
	double wait_ns = ceil((next - attained) * 1e9 / rr_job_gpus(s, job));
	return next <= attained || wait_ns > 4e18 ? INT64_MAX : now + MAX((sim_time)wait_ns, 1000);
}

const struct rr_order rr_order_gittins = {
    .key = gittins_key, .course = RR_COURSE_STEPS, .step = gittins_step, .begin = begin_gittins, .end = end_gittins};
