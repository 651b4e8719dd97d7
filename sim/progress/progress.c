/* progress.c - see progress.h. Whole nanoseconds at speed 1; other speeds round
 * the work done down and the end up, so that no work is lost to rounding. */
#include "sim/progress/progress.h"

#include <glib.h>
#include <math.h>

static sim_time work_done(const struct rr_progress *p, sim_time now)
{
	sim_time ran = now - p->since_ns;
	return p->speed == 1 ? ran : (sim_time)floor((double)ran * p->speed);
}

static int64_t gpu_us(sim_time ns, int32_t gpus)
{
	rr_milli_gpu_ns us = (rr_milli_gpu_ns)ns * gpus / 1000;
	return us > INT64_MAX ? INT64_MAX : (int64_t)us;
}

void rr_progress_start(struct rr_progress *p, int32_t pool, int32_t gpus, double speed, sim_time now)
{
	p->since_ns = now;
	p->pool = pool;
	p->gpus = gpus;
	p->speed = speed;
	p->runs++;
}

void rr_progress_stop(struct rr_progress *p, sim_time cost_ns, sim_time now)
{
	sim_time left = rr_progress_left(p, now);
	p->attained_us = rr_progress_attained_us(p, now);
	p->attained_ns = rr_progress_attained(p, now);
	if (__builtin_add_overflow(left, cost_ns, &p->left_ns)) p->left_ns = INT64_MAX;
	p->since_ns = -1;
	p->pool = -1;
	p->queued_ns = now;
}

sim_time rr_progress_left(const struct rr_progress *p, sim_time now)
{
	if (p->since_ns < 0) return p->left_ns;
	return MAX(p->left_ns - work_done(p, now), 0);
}

bool rr_progress_end(const struct rr_progress *p, sim_time *end_ns)
{
	double run = p->speed == 1 ? 0 : ceil((double)p->left_ns / p->speed);
	if (run > 9e18) return false;
	sim_time run_ns = p->speed == 1 ? p->left_ns : MAX((sim_time)run, p->left_ns > 0 ? 1 : 0);
	return !__builtin_add_overflow(p->since_ns, run_ns, end_ns);
}

sim_time rr_progress_attained(const struct rr_progress *p, sim_time now)
{
	return p->attained_ns + (p->since_ns < 0 ? 0 : now - p->since_ns);
}

int64_t rr_progress_attained_us(const struct rr_progress *p, sim_time now)
{
	int64_t sum = 0;
	if (p->since_ns < 0) return p->attained_us;
	return __builtin_add_overflow(p->attained_us, gpu_us(now - p->since_ns, p->gpus), &sum) ? INT64_MAX : sum;
}
