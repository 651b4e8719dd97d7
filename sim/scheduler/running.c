/* running.c - running jobs in the order's own order, for those who pre-empt.
 *
 * Keys are stored so that they need not change while time passes: a remaining
 * time as the time at which it will be 0, which reads as what is left. GPU time
 * passes at another pace for each size, so those stand in a queue for each size;
 * the order within one never changes. A change costs O(log n). */
#include "sim/scheduler/partitions.h"

static bool by_order(const struct rr_scheduler *s)
{
	return s->preempt->spot == NULL;
}

static int32_t class_of(struct rr_partition *p, int32_t job)
{
	const struct rr_scheduler *s = p->scheduler;
	bool sizes = by_order(s) && s->order->course == RR_COURSE_GPU_TIME;
	int32_t gpus = sizes ? rr_job_gpus(s, job) : 0, at = 0;
	while (at < p->running_count && p->running_gpus[at] != gpus) at++;
	if (at < p->running_count) return at;
	if (at == p->running_capacity) {
		p->running_capacity = MAX(2 * p->running_capacity, 4);
		p->running = g_renew(struct rr_queue, p->running, p->running_capacity);
		p->running_gpus = g_renew(int32_t, p->running_gpus, p->running_capacity);
	}
	p->running_gpus[at] = gpus;
	rr_queue_init(&p->running[at], p->scheduler->members, INT32_MAX);
	return p->running_count++;
}

static bool falls(const struct rr_scheduler *s)
{
	return by_order(s) && (s->order->course == RR_COURSE_TIME || s->order->course == RR_COURSE_GPU_TIME);
}

struct rr_lens rr_running_lens(const struct rr_partition *p, int32_t at, sim_time now)
{
	return (struct rr_lens){falls(p->scheduler) ? now : 0, p->running_gpus[at]};
}

struct rr_spot rr_running_spot(const struct rr_partition *p, int32_t job, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	struct rr_spot spot = s->members[job].spot;
	if (!falls(s)) return spot;
	struct rr_lens lens = {now, s->order->course == RR_COURSE_GPU_TIME ? rr_job_gpus(s, job) : 0};
	spot.key = rr_lens_read(&lens, spot.key);
	return spot;
}

/* Time at which nothing is left: what a falling key is stored as. */
static int64_t stored_key(const struct rr_scheduler *s, int32_t job, int64_t key)
{
	sim_time end = 0;
	if (!falls(s)) return key;
	return rr_progress_end(&s->progress[job], &end) ? end : INT64_MAX / 2;
}

static bool protect(struct rr_partition *p, int32_t job, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	sim_time until = s->progress[job].since_ns + s->settings.min_run_ns;
	if (s->settings.min_run_ns <= 0 || until <= now) return false;
	rr_queue_insert(&p->held, job, (struct rr_spot){until, job}, rr_job_gpus(s, job), 0);
	s->where[job] = RR_WHERE_HELD;
	rr_step_at(s, job, until);
	return true;
}

static void rank(struct rr_partition *p, int32_t job, sim_time now, enum rr_turn turn)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_spot spot = by_order(s) ? rr_job_spot(p, job, now, turn) : s->preempt->spot(p, job, now);
	spot.key = stored_key(s, job, spot.key);
	int32_t at = class_of(p, job); /* may move p->running */
	rr_queue_insert(&p->running[at], job, spot, rr_job_gpus(s, job), 0);
	s->where[job] = RR_WHERE_RUNNING;
	if (!by_order(s) || s->order->course != RR_COURSE_STEPS) return;
	sim_time step = s->order->step(s, job, now);
	if (step != INT64_MAX) rr_step_at(s, job, step);
}

void rr_running_add(struct rr_partition *p, int32_t job, sim_time now)
{
	if (!protect(p, job, now)) rank(p, job, now, RR_TURN_STARTED);
}

static void unrank(struct rr_partition *p, int32_t job)
{
	struct rr_scheduler *s = p->scheduler;
	rr_queue_remove(s->where[job] == RR_WHERE_HELD ? &p->held : &p->running[class_of(p, job)], job);
	rr_step_cancel(s, job);
}

void rr_running_step(struct rr_partition *p, int32_t job, sim_time now)
{
	unrank(p, job);
	rank(p, job, now, RR_TURN_STEPPED);
}

void rr_running_settle(struct rr_partition *p, int32_t job, sim_time now)
{
	unrank(p, job);
	rank(p, job, now, RR_TURN_STARTED);
}

void rr_running_remove(struct rr_partition *p, int32_t job)
{
	unrank(p, job);
	for (guint i = 0; i < p->steps->len; i++)
		if (g_array_index(p->steps, int32_t, i) == job) g_array_remove_index(p->steps, i--);
}

gint rr_by_index(gconstpointer a, gconstpointer b)
{
	return *(const int32_t *)a < *(const int32_t *)b ? -1 : *(const int32_t *)a > *(const int32_t *)b;
}

void rr_running_take_steps(struct rr_partition *p, sim_time now)
{
	g_array_sort(p->steps, rr_by_index);
	for (guint i = 0; i < p->steps->len; i++) rr_running_step(p, g_array_index(p->steps, int32_t, i), now);
}
