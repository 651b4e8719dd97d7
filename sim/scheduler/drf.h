/* drf.h - dominant resource fairness (Ghodsi et al., NSDI 2011, section 4.1).
 *
 * A user's dominant share is the largest part that it holds of any one resource:
 *   max over r of  held_r / capacity_r,   over the weight where users have one.
 * Whoever has the smallest and whose next task fits gets it. */
#ifndef RR_SIM_SCHEDULER_DRF_H
#define RR_SIM_SCHEDULER_DRF_H

#include <stddef.h>
#include <stdint.h>

/* HELD and CAPACITY by resource, each resource in its own unit. A resource with
 * capacity 0 that somebody holds gives INFINITY. */
double rr_drf_dominant_share(const double *held, const double *capacity, size_t resources);

struct rr_drf {
	size_t users, resources;
	const double *held;     /* [user][resource] */
	const double *demand;   /* [user][resource] of the user's next task; all 0 = has none */
	const double *weights;  /* by user; NULL = 1 */
	const double *capacity; /* by resource */
};

/* Who gets the next task: of those with one that fits what nobody holds, the one with
 * the smallest dominant share over weight, the first of equals; -1 = nobody. O(users x
 * resources). */
int32_t rr_drf_next(const struct rr_drf *drf);

#endif
