/* partitions.h - which pools take a job. Private to the scheduler. */
#ifndef RR_SIM_SCHEDULER_PARTITIONS_H
#define RR_SIM_SCHEDULER_PARTITIONS_H

#include "sim/scheduler/policy.h"

void rr_partitions_begin(struct rr_scheduler *scheduler);
void rr_partitions_end(struct rr_scheduler *scheduler);
/* The first partition that takes JOB and could ever hold it, or NULL. */
struct rr_partition *rr_route(struct rr_scheduler *scheduler, int32_t job);
/* The partition whose filter takes JOB; -1 = none. */
int32_t rr_partition_of(struct rr_scheduler *scheduler, const struct job *job);
/* The run time of JOB that plans believe in. */
sim_time rr_believed(const struct rr_scheduler *scheduler, int32_t job);
/* What fragments are reckoned with. */
void rr_fragments_begin(struct rr_scheduler *scheduler);
void rr_fragments_end(struct rr_scheduler *scheduler);
/* Makes the scheduler's timers. */
void rr_scheduler_timers(struct rr_scheduler *scheduler);

#endif
