/* ends.h - the running jobs of one pool by estimated end.
 *
 * A treap like the queue's, ordered by (estimated end, job), whose subtrees know
 * the sum of their GPUs: when so many GPUs will be free by the estimates is one
 * descent, O(log n). */
#ifndef RR_SIM_SCHEDULER_ENDS_H
#define RR_SIM_SCHEDULER_ENDS_H

#include "models/units/units.h"

#include <stdint.h>

struct rr_ending {
	sim_time end_ns;
	int64_t sum; /* GPUs of the subtree */
	int32_t left, right;
	uint32_t rank;
	int32_t gpus;
};

struct rr_ends {
	struct rr_ending *endings; /* by job, shared by the pools of a fleet; not owned */
	int32_t root;
};

void rr_ends_init(struct rr_ends *ends, struct rr_ending *endings);
void rr_ends_insert(struct rr_ends *ends, int32_t job, sim_time end_ns, int32_t gpus);
void rr_ends_remove(struct rr_ends *ends, int32_t job);

/* When by the estimates MISSING more GPUs (> 0) will have come free: the time,
 * and in *FREED all that is free by then. INT64_MAX when that never happens. */
sim_time rr_ends_when(const struct rr_ends *ends, int64_t missing, int64_t *freed);

#endif
