/* plan.h - reservations of a partition by the estimates. Private to the scheduler.
 *
 * A plan counts GPUs, of all pools of the partition; nodes are chosen at the
 * start. A job that runs longer than it was thought to holds nothing in the plan
 * any more: what it blocks then is found out at the start, and planned anew. */
#ifndef RR_SIM_SCHEDULER_PLAN_H
#define RR_SIM_SCHEDULER_PLAN_H

#include "sim/scheduler/policy.h"

/* Plans of one scheduler share what they keep by job: SHARED is one of them, or
 * NULL for the first, which must be freed last. */
struct rr_plan *rr_plan_new(size_t jobs, const struct rr_plan *shared);
void rr_plan_free(struct rr_plan *plan);
/* JOB has started at NOW, or has ended. */
void rr_plan_started(struct rr_partition *partition, int32_t job, sim_time now);
void rr_plan_ended(struct rr_partition *partition, int32_t job, sim_time now);
/* The start that is reserved for JOB; INT64_MAX = none. */
sim_time rr_plan_start(const struct rr_plan *plan, int32_t job);

void rr_pass_conservative(struct rr_partition *partition, sim_time now);
/* EASY with settings.reservations > 1. */
void rr_pass_reserving(struct rr_partition *partition, sim_time now);

#endif
