/* elastic.h - how many GPUs each job that can shrink and grow should have.
 *
 * Jobs are admitted in the order given, each with its least number of GPUs, and
 * what is left is handed out:
 *
 * goodput  to make the sum of speed-ups the largest, where a running job that changes
 *          its size loses RESIZE_PENALTY (the speed-up it loses while it restarts,
 *          as a mean over the time until the next decision). Always the step with
 *          the largest gain per GPU, of whoever's it is.
 *          With concave curves and no penalty each step is one GPU, and that is the
 *          optimum (an exchange argument: every gain handed out is at least every
 *          gain left). Where a curve is not concave, or the penalty makes it so, a
 *          step goes to the next corner of the upper hull of what the job may yet
 *          get. That is optimal as long as every step fits what is left; a step
 *          that does not is shortened, and from there on the sum may fall short of
 *          the optimum by less than the gain of that one step.
 * max      in the order given, each up to its most.
 *
 * Leaves out: where the GPUs are, that jobs of a later order may be worth more. */
#ifndef RR_SIM_SCHEDULER_ELASTIC_H
#define RR_SIM_SCHEDULER_ELASTIC_H

#include "models/training/training.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rr_elastic {
	int32_t min, max; /* GPUs; 1 <= min <= max */
	int32_t current;  /* GPUs it runs on; 0 = does not run */
	const struct rr_speedup *curve;
};

/* Writes to GPUS, by job, what it should have; 0 = not admitted. A job whose least
 * does not fit ends the admission, or is passed over with OVERTAKE. Return the GPUs
 * handed out. O((jobs + capacity) log jobs) with concave curves and no penalty; else
 * a step costs the width of the job's range. */
int64_t rr_elastic_goodput(const struct rr_elastic *jobs, size_t count, int64_t capacity, double resize_penalty,
			   bool overtake, int32_t *gpus);
int64_t rr_elastic_max(const struct rr_elastic *jobs, size_t count, int64_t capacity, bool overtake, int32_t *gpus);

#endif
