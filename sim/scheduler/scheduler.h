/* scheduler.h - queue order x backfill x placement x pre-emption.
 *
 * Four small tables of policies that combine; presets name a combination. A
 * policy is one file and one row (see policy.h); the words of the rows go up to
 * the scenario format as a vocabulary.
 *
 * Pools that take the same jobs form a partition with one queue; its pools are
 * tried in the scenario's order. One pass per instant is made over the
 * partitions in which something changed, after all that happens at that
 * instant; its cost stands in the header of each policy. */
#ifndef RR_SIM_SCHEDULER_H
#define RR_SIM_SCHEDULER_H

#include "scenarios/scenarios.h"
#include "sim/fleet/fleet.h"
#include "sim/meter/meter.h"
#include "sim/progress/progress.h"

/* All words of the tables; constant. */
const struct rr_vocabulary *rr_scheduler_vocabulary(void);

/* Fills SPEC's four words from TEXT: a preset ("easy") with options after
 * commas ("tiresias,wake=late"). False and ERROR with the nearest word. */
bool rr_scheduler_parse(const char *text, struct scheduler_spec *spec, GError **error);

/* Whether SPEC's words are in the tables and its options among their parameters. */
bool rr_scheduler_check(const struct scheduler_spec *spec, GError **error);

struct rr_scheduler;

/* What the world does when the scheduler decides. */
struct rr_scheduler_calls {
	/* JOB starts in POOL on NODES, its GPUs already taken: the world begins its
	 * run (progress). NODES belong to the scheduler and hold until the next start. */
	void (*start)(void *world, int32_t job, int32_t pool, const int32_t *nodes, int32_t node_count);
	/* JOB stops: the world ends its run with COST_NS more work and gives its GPUs
	 * back after SAVE_NS, with a wake when that is not at once. */
	void (*stop)(void *world, int32_t job, sim_time cost_ns, sim_time save_ns);
	/* JOB, which waits, asks for GPUS from now on. */
	void (*resize)(void *world, int32_t job, int32_t gpus);
	/* The nodes of a running JOB, in the order in which its GPUs were taken. */
	const int32_t *(*nodes)(void *world, int32_t job);
};

/* POOLS (those of FLEET, in order) and PROGRESS (by job) must outlive the
 * scheduler. NULL and ERROR when a word of the fleet's scheduler is not in the
 * tables, or an option is not one of its parameters. */
struct rr_scheduler *rr_scheduler_new(const struct fleet_spec *fleet, const struct job_list *jobs,
				      struct rr_pool *pools, struct rr_progress *progress, uint64_t seed,
				      const struct rr_scheduler_calls *calls, void *world, GError **error);
void rr_scheduler_free(struct rr_scheduler *scheduler);

/* JOB arrives. False when no pool takes it, or none could ever hold it, or its
 * tenant may never hold so much: it is unschedulable and does not wait. */
bool rr_scheduler_arrive(struct rr_scheduler *scheduler, int32_t job, sim_time now);
/* JOB, which ran in POOL, has ended; its GPUs are given back already. */
void rr_scheduler_ended(struct rr_scheduler *scheduler, int32_t job, int32_t pool, sim_time now);
/* What a running job holds in a pool. */
struct rr_hold {
	int32_t job, pool, gpus, chunk; /* chunk: GPUs on each node at most */
	int64_t milli;                  /* thousandths of a GPU, in all */
	uint32_t mask;                  /* which GPUs of its (last) node, where shares are given out */
};
struct rr_hold rr_scheduler_hold(const struct rr_scheduler *scheduler, int32_t job, int32_t pool);
/* Gives HOLD on NODES back to the fleet. */
void rr_scheduler_give(struct rr_scheduler *scheduler, const struct rr_hold *hold, const int32_t *nodes);
/* Thousandths of a GPU that JOB holds or would hold. */
int64_t rr_scheduler_milli(const struct rr_scheduler *scheduler, int32_t job);
/* Whether the fleet's placement gives out shares of GPUs. */
bool rr_scheduler_shares(const struct scheduler_spec *spec);
/* When the scheduler wants to look again by itself; INT64_MAX = not. */
sim_time rr_scheduler_next(const struct rr_scheduler *scheduler);
/* Why a policy cannot go on; NULL = it can. Owned by the scheduler. */
const GError *rr_scheduler_failure(const struct rr_scheduler *scheduler);
/* How long a job holds its GPUs after its work is done (a quirk of some presets). */
sim_time rr_scheduler_linger(const struct rr_scheduler *scheduler);
/* Room appeared in POOL (a node serves). */
void rr_scheduler_wake(struct rr_scheduler *scheduler, int32_t pool);
/* One pass over what changed; at the clock's NOW. Returns partitions looked at. */
int32_t rr_scheduler_pass(struct rr_scheduler *scheduler, sim_time now);

/* What waits in the partition of POOL. */
struct rr_demand {
	int64_t jobs, gpus;
	int64_t whole_nodes;    /* nodes of NODE_GPUS that wide jobs fill */
	const int64_t *by_size; /* [1 .. node_gpus]: narrow jobs and remainders of wide ones */
	int32_t node_gpus;      /* size of the partition's nodes; 0 = flat or mixed */
	int32_t head_gpus;      /* of the first in order; 0 = nobody waits */
	int32_t first_pool;     /* the partition's first pool */
};
/* Why JOB, which waits, does not start now. */
struct rr_why {
	enum rr_reason reason;
	int64_t before;       /* jobs that wait before it in the order */
	int64_t free_gpus;    /* in the pools that it may use */
	int64_t quota_gpus;   /* that its tenant may still take; INT64_MAX = no limit */
	int32_t first;        /* the first in order, -1 = itself */
	sim_time reserved_ns; /* the start that is kept for it; INT64_MAX = none */
};
struct rr_why rr_scheduler_why(struct rr_scheduler *scheduler, int32_t job, sim_time now);
/* Why the first in order of POOL's queue does not start, after a pass. */
enum rr_reason rr_scheduler_blocked(struct rr_scheduler *scheduler, int32_t pool);
/* Whether jobs wait for POOL of which none could start now. */
bool rr_scheduler_stranded(struct rr_scheduler *scheduler, int32_t pool);
/* Free thousandths of a GPU in POOL that are of no use to the typical job. */
int64_t rr_scheduler_fragments(struct rr_scheduler *scheduler, int32_t pool);
struct rr_demand rr_scheduler_demand(const struct rr_scheduler *scheduler, int32_t pool);
/* The pool that counts the waiting of JOB's partition, or -1. */
int32_t rr_scheduler_home(const struct rr_scheduler *scheduler, int32_t job);

#endif
