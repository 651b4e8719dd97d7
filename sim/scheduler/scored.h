/* scored.h - placements that look into nodes: shares of GPUs, CPUs and memory
 * (scoring.h), over all pools of a partition at once. Private to the scheduler. */
#ifndef RR_SIM_SCHEDULER_SCORED_H
#define RR_SIM_SCHEDULER_SCORED_H

#include "sim/scheduler/policy.h"
#include "sim/scheduler/scoring.h"

/* Makes the partition's table of nodes; nothing where a pool is flat, nodes have
 * more than 16 GPUs, there are more than 64 pools, or jobs ask for racks or to be
 * spread: then whole GPUs are placed as by best-fit. */
void rr_scored_begin(struct rr_partition *partition);
void rr_scored_end(struct rr_partition *partition);
/* The number of what JOB asks of one node; -1 = wider than a node
 * that it may use, or there is no table. */
int32_t rr_scored_kind(struct rr_partition *partition, int32_t job);
/* Chooses *POOL and NODES for JOB, in pool ONLY or in any (-1), and takes what it
 * asks; *COUNT nodes. */
bool rr_scored_take(struct rr_partition *partition, int32_t job, int32_t only, int32_t *pool, int32_t *nodes,
		    int32_t *count);
/* Takes what HOLD says on NODES again, or gives it back. */
void rr_scored_change(struct rr_partition *partition, const struct rr_hold *hold, const int32_t *nodes, bool take);

#endif
