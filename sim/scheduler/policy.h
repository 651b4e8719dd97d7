/* policy.h - what a policy is: one row in one of four tables. Private to the
 * scheduler; a new policy needs no other file to change but its table. */
#ifndef RR_SIM_SCHEDULER_POLICY_H
#define RR_SIM_SCHEDULER_POLICY_H

#include "scenarios/scenarios.h"
#include "sim/fleet/fleet.h"
#include "sim/scheduler/ends.h"
#include "sim/scheduler/queue.h"

struct rr_partition;

/* Who is next: the smaller key; ties by submit, then by order in the file. */
struct rr_order {
	int64_t (*key)(const struct job *job);
};

/* Who may overtake a head that cannot start. */
struct rr_backfill {
	bool uses_ends; /* needs the running jobs by estimated end */
	void (*pass)(struct rr_partition *partition, sim_time now);
};

/* Where a job goes. Writes the nodes of POOL in the order in which GPUs are
 * taken (whole ones first, the remainder last); false when there is no room. */
struct rr_placement {
	bool (*place)(const struct rr_pool *pool, int32_t gpus, int32_t *nodes);
};

/* A name for one word of each table. */
struct rr_preset {
	const char *order, *backfill, *placement, *preempt;
};

/* The tables: rows of words whose policy is one of the structs above. Who must
 * make room (pre-emption) has no row yet but "none", whose policy is NULL. */
extern const struct rr_word rr_orders[], rr_backfills[], rr_placements[], rr_preempts[], rr_presets[];

/* Pools that take the same jobs, and who waits for them. */
struct rr_partition {
	struct rr_scheduler *scheduler;
	const char *only_pool, *only_class, *only_tenant;
	int32_t *pools; /* indexes into the fleet's pools */
	int32_t pool_count;
	int32_t node_gpus; /* of all its pools; 0 = flat or mixed */
	struct rr_queue queue;
	int64_t whole_nodes, *by_size;
	bool changed;
};

/* The job's length as a plan sees it: the user's estimate, else the truth. */
sim_time rr_job_estimate(const struct job *job);

/* Room in the partition's pools now, without a time limit. */
struct rr_room rr_partition_room(const struct rr_partition *partition);
/* Starts JOB in the first pool with room; SKIP_POOL (-1 = none) is not tried.
 * False when it does not fit anywhere. */
bool rr_partition_start(struct rr_partition *partition, int32_t job, int32_t skip_pool, sim_time now);
bool rr_partition_start_in(struct rr_partition *partition, int32_t job, int32_t pool, sim_time now);
/* Starts jobs from the front as long as the first fits; the first that does not, or -1. */
int32_t rr_partition_start_heads(struct rr_partition *partition, sim_time now);

struct rr_pool *rr_partition_pool(const struct rr_partition *partition, int32_t pool);
struct rr_ends *rr_partition_ends(const struct rr_partition *partition, int32_t pool);

#endif
