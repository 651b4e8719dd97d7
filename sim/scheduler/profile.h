/* profile.h - how many GPUs will be free when, by the plans: a step function.
 *
 * A treap of steps by time with range additions, whose subtrees know their least
 * and most: "when could so many run for so long" jumps from one obstacle to the
 * next, O(log n) each, and adding a span is O(log n). */
#ifndef RR_SIM_SCHEDULER_PROFILE_H
#define RR_SIM_SCHEDULER_PROFILE_H

#include "models/units/units.h"

#include <stdint.h>

struct rr_step {
	sim_time at_ns;
	int64_t free, least, most; /* from at_ns to the next step; of the subtree */
	int64_t add;               /* still to be added to the children */
	int32_t left, right;
	uint32_t rank;
};

struct rr_profile {
	struct rr_step *steps;
	int32_t root, unused, count, capacity; /* unused: list of free slots by left */
};

/* FREE GPUs from the beginning of time on. */
void rr_profile_init(struct rr_profile *profile, int64_t free);
void rr_profile_done(struct rr_profile *profile);
/* GPUS more are free in [FROM, TO); TO = INT64_MAX: for good. */
void rr_profile_add(struct rr_profile *profile, sim_time from_ns, sim_time to_ns, int64_t gpus);
/* The first time >= FROM from which GPUS are free for SPAN_NS; INT64_MAX = never. */
sim_time rr_profile_earliest(const struct rr_profile *profile, int64_t gpus, sim_time span_ns, sim_time from_ns);
int64_t rr_profile_free(const struct rr_profile *profile, sim_time at_ns);
/* Forgets the steps before NOW but the last of them. */
void rr_profile_forget(struct rr_profile *profile, sim_time now);

#endif
