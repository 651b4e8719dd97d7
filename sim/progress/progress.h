/* progress.h - how much of each job is done, and what it got so far.
 *
 * The world starts and stops runs; orders that look at remaining or attained
 * service read the same numbers. Work is run time at speed 1: a run at speed 2
 * does two seconds of it in one. */
#ifndef RR_SIM_PROGRESS_H
#define RR_SIM_PROGRESS_H

#include "scenarios/scenarios.h"

struct rr_progress {
	sim_time left_ns;     /* work still to do, as of since_ns */
	sim_time attained_ns; /* time spent holding GPUs, as of since_ns */
	int64_t attained_us;  /* the same in GPU-microseconds */
	sim_time since_ns;    /* this run began or was last changed; -1 = it does not run */
	sim_time queued_ns;   /* it began to wait (again) */
	double speed;         /* of this run */
	int32_t gpus;         /* that it holds, or asks for */
	int32_t pool;         /* where it runs; -1 = it does not */
	int32_t runs;         /* started so often */
};

/* How many times as fast JOB runs on GPUS of POOL as on the GPUs it asks for, of the
 * reference type; 0 = it cannot run there. */
double rr_job_speed(const struct job_list *jobs, int32_t job, const struct pool_spec *pool, int32_t gpus);
/* What more GPUs are worth to JOB: fewest and most that it accepts, and the curve. */
struct rr_job_range {
	int32_t least, most;
	struct rr_speedup curve;
};
struct rr_job_range rr_job_range(const struct job_list *jobs, int32_t job);

/* A run on GPUS of POOL at SPEED begins at NOW. */
void rr_progress_start(struct rr_progress *progress, int32_t pool, int32_t gpus, double speed, sim_time now);
/* The run ends at NOW, and COST_NS of work is added to what is left. */
void rr_progress_stop(struct rr_progress *progress, sim_time cost_ns, sim_time now);

/* Work left at NOW, never below 0. */
sim_time rr_progress_left(const struct rr_progress *progress, sim_time now);
/* When the run will have done all its work; false when that is beyond the clock. */
bool rr_progress_end(const struct rr_progress *progress, sim_time *end_ns);
/* Time, and GPU-microseconds, that it has held GPUs until NOW. */
sim_time rr_progress_attained(const struct rr_progress *progress, sim_time now);
int64_t rr_progress_attained_us(const struct rr_progress *progress, sim_time now);

#endif
