/* allocates.h - how many GPUs of which type, decided for all jobs at once. Rows of
 * the table of pre-emption, since they say who is stopped. Private to the scheduler. */
#ifndef RR_SIM_SCHEDULER_ALLOCATES_H
#define RR_SIM_SCHEDULER_ALLOCATES_H

#include "sim/scheduler/policy.h"

extern const struct rr_preempt rr_allocate_elastic_max, rr_allocate_goodput, rr_allocate_gavel;

/* The jobs of PARTITION that wait or run, in the order's order: int32_t. */
GArray *rr_partition_jobs(struct rr_partition *partition, sim_time now);
/* JOB, which waits, asks for GPUS from now on. */
void rr_partition_resize(struct rr_partition *partition, int32_t job, int32_t gpus, sim_time now);

#endif
