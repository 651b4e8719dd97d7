/* policy.h - what a policy is: one row in one of four tables. Private to the
 * scheduler; a new policy is one file and one row (see tests/scheduler/test_own_policy.c).
 *
 * A partition is a set of pools that take the same jobs. Its waiting jobs stand
 * in lanes: one, or one for each tenant and kind of constraint where those
 * matter, so that a search never walks over jobs that may not start. */
#ifndef RR_SIM_SCHEDULER_POLICY_H
#define RR_SIM_SCHEDULER_POLICY_H

#include "scenarios/scenarios.h"
#include "sim/engine/engine.h"
#include "sim/fleet/fleet.h"
#include "sim/progress/progress.h"
#include "sim/scheduler/queue.h"
#include "sim/scheduler/scheduler.h"
#include "sim/scheduler/scoring.h"
#include "sim/scheduler/settings.h"

struct rr_partition;

/* What happens to the key of a job while it runs. */
enum rr_course {
	RR_COURSE_STILL,    /* it stays */
	RR_COURSE_TIME,     /* it falls by the time that passes */
	RR_COURSE_GPU_TIME, /* it falls by the GPU-microseconds that pass */
	RR_COURSE_STEPS     /* it stays, and changes at times that the order names */
};
/* Why a job takes a place in the order. */
enum rr_turn { RR_TURN_ARRIVED, RR_TURN_PREEMPTED, RR_TURN_STARTED, RR_TURN_STEPPED };

/* Who is next: the smaller key goes first. */
struct rr_order {
	/* Of a job that waits or runs, as of NOW. */
	int64_t (*key)(const struct rr_scheduler *scheduler, int32_t job, sim_time now);
	enum rr_course course;
	/* The whole place, where ties do not go by submit and the file's order. */
	struct rr_spot (*spot)(struct rr_partition *partition, int32_t job, sim_time now, enum rr_turn turn);
	/* STEPS: when the key of a running job changes next, INT64_MAX = never. */
	sim_time (*step)(const struct rr_scheduler *scheduler, int32_t job, sim_time now);
	/* Keys of waiting jobs change by themselves: computed anew every so often
	 * (settings.every_ns), and at each pass when that is 0. */
	bool drifts;
	/* Keys look at the tenant (shares that fade). */
	bool by_tenant;
	/* Tenants first: the smaller of these, then the key within the tenant. */
	double (*tenant)(const struct rr_scheduler *scheduler, int32_t tenant, sim_time now);
	/* What it keeps for a run of the simulation; both NULL = nothing. */
	void *(*begin)(struct rr_scheduler *scheduler);
	void (*end)(void *memory);
	/* Before and after a pass; NULL = of no interest. */
	void (*before)(struct rr_partition *partition, sim_time now);
	void (*after)(struct rr_partition *partition, sim_time now);
	/* A job has ended; NULL = of no interest. */
	void (*ended)(struct rr_scheduler *scheduler, int32_t job, sim_time now);
};

/* Who may overtake a head that cannot start. */
struct rr_backfill {
	bool uses_ends; /* needs the running jobs by estimated end */
	bool plans;     /* keeps a plan of all reservations (plan.h) */
	void (*pass)(struct rr_partition *partition, sim_time now);
};

/* Where a job goes. Writes the nodes of POOL in the order in which GPUs are
 * taken (whole ones first, the remainder last); false when there is no room. */
struct rr_placement {
	bool (*place)(struct rr_partition *partition, const struct rr_pool *pool, int32_t job, int32_t gpus,
		      int32_t *nodes);
	bool scored; /* looks into nodes, by the score of SCORING (scored.h); PLACE is for flat pools */
	enum rr_scoring scoring;
	/* The cheaper pool is tried first; NULL = in the scenario's order. */
	double (*price)(const struct pool_spec *pool);
};

/* Who must make room. */
struct rr_preempt {
	/* Replaces the backfill's pass (and may call it); NULL = nobody must. */
	void (*pass)(struct rr_partition *partition, sim_time now);
	bool ranks_running; /* needs the running jobs in the order's own order */
	bool resizes;       /* jobs that can shrink start with their least */
	bool moves;         /* a round is worth while when somebody runs, even if nobody waits */
	/* In another order: who is stopped first. */
	struct rr_spot (*spot)(struct rr_partition *partition, int32_t job, sim_time now);
};

/* A name for one word of each table, and options. */
struct rr_preset {
	const char *order, *backfill, *placement, *preempt;
	const char *options; /* "key=value,key=value", or NULL */
};

/* The tables: rows of words whose policy is one of the structs above. */
extern const struct rr_word rr_orders[], rr_backfills[], rr_placements[], rr_preempts[], rr_presets[];

/* Who pays and whose share counts. */
struct rr_tenant {
	const struct queue_spec *spec; /* NULL = without limits */
	int32_t parent;                /* -1 = none */
	double weight;
	int64_t held, running;       /* GPUs and jobs now, those of its children included */
	int64_t promised, chosen;    /* the same of those chosen to run that have no nodes yet */
	double used;                 /* GPU-seconds, faded to as_of */
	double cpu_milli, ram_bytes; /* held */
	sim_time as_of_ns;
	int64_t waiting; /* jobs */
};

/* Waiting jobs of one tenant and one kind of constraint. */
struct rr_lane {
	struct rr_queue queue;
	int32_t tenant;
	int32_t needs;         /* as in struct job */
	int32_t kind;          /* what its jobs ask of a node (scored.h); -1 = not told apart */
	bool *pools;           /* by place in the partition's pools: allowed; NULL = all */
	double tenant_key;     /* of orders by tenant, as of the last look */
	struct rr_spot cursor; /* passed over in this pass up to here */
};

struct rr_partition {
	struct rr_scheduler *scheduler;
	const char *only_pool, *only_class, *only_tenant;
	int32_t *pools; /* indexes into the fleet's pools */
	int32_t pool_count;
	int32_t node_gpus; /* of all its pools; 0 = flat or mixed */
	struct rr_lane *lanes;
	int32_t lane_count, lane_capacity;
	int64_t waiting, waiting_gpus; /* jobs that wait, and what they ask for */
	int64_t runs;                  /* jobs that run */
	int64_t whole_nodes, *of_size; /* waiting: nodes of wide jobs; jobs and remainders by GPUs */
	bool changed;

	struct rr_queue promised; /* chosen to run, no nodes yet */
	struct rr_queue held;     /* running, may not be stopped yet */
	struct rr_queue *running; /* one, or one for each size (course GPU_TIME) */
	int32_t *running_gpus;    /* size of each */
	int32_t running_count, running_capacity;
	int64_t sequence, front; /* of places that go by who came when */
	bool boundary;           /* a round begins */
	sim_time next_round_ns;
	sim_time keyed_ns;   /* drifting keys were computed at that time */
	sim_time arrived_ns; /* of the last arrival */
	int64_t newcomers;   /* jobs that arrived then */
	GArray *arrived;     /* int32_t: for plans, jobs without a reservation */
	bool by_size;        /* those stand by GPUs, not by service (order qssf) */
	GArray *steps;       /* int32_t: running jobs whose key changes in this pass */
	sim_time wake_ns;    /* a pass is wanted then; INT64_MAX = not */
	struct rr_plan *plan;
	struct rr_shares *shares; /* placements that look into nodes; else NULL */
	struct rr_typical *typical;
	struct rr_scorer *scorer;
	int32_t widest_node;
	void *kept; /* of a pre-emption that keeps something between passes */
	void (*kept_free)(void *kept);
	struct rr_event round_timer, wake_timer;
	int32_t nominated;  /* others were stopped for this job, and save what they did; -1 = none */
	int32_t blocked_by; /* enum rr_reason of the first in order, after the last pass */
};

/* Jobs of a partition by GPUs; the last counts all that ask for so many or more. */
enum { RR_SIZES_MOST = 64 };
struct rr_sizes {
	int64_t jobs[RR_SIZES_MOST + 1], all;
};

/* Of a pool: as of so many changes; or, of shares, what a node has when it is empty
 * and the sum of how far its nodes are from that. */
struct rr_fragments {
	uint64_t changes;
	int64_t milli, empty, sum;
};

struct rr_scheduler {
	const struct job_list *jobs;
	const struct fleet_spec *fleet;
	struct rr_progress *progress; /* by job; the world changes it */
	struct rr_pool *pools;
	int32_t pool_count;
	uint64_t seed;
	const struct rr_order *order;
	const struct rr_backfill *backfill;
	const struct rr_placement *placement;
	const struct rr_preempt *preempt;
	struct rr_settings settings;
	struct rr_scheduler_calls calls;
	void *world;
	struct rr_engine timers;
	void *memory;              /* of the order */
	struct rr_member *members; /* by job: waiting, promised or ranked as running */
	struct rr_member *endings; /* by job: running, by estimated end; NULL when nobody plans */
	struct rr_queue *ends;     /* by pool */
	sim_time *estimates;       /* by job; what plans believe */
	struct rr_event *steps;    /* by job: timer of its next step, or of its first seconds */
	uint8_t *where;            /* by job: enum rr_where */
	struct rr_partition *partitions;
	int32_t partition_count;
	int32_t *partition_of_pool;
	int32_t *partition_of_job; /* -1 = none */
	int32_t *lane_of_job;
	struct rr_tenant *tenants;
	int32_t tenant_count, tenant_capacity;
	GHashTable *tenant_names;             /* text -> index + 1 */
	bool by_tenant;                       /* lanes are told apart by tenant */
	bool guarantees;                      /* some tenant has a guaranteed share */
	bool planning;                        /* those whose quota is used up have a place in plans, too */
	struct rr_sizes *sizes;               /* by partition */
	struct rr_fragments *fragments;       /* by pool */
	int32_t priority_most;                /* of all jobs */
	int64_t gpu_total;                    /* of all pools, at most */
	double cpu_total, ram_total;          /* the same; 0 = unknown */
	GHashTable *routes;                   /* texts of a job that filters look at -> partition + 2 */
	bool any_pool, any_class, any_tenant; /* some filter looks at it */
	uint32_t *masks;                      /* by job: which GPUs of its last node; NULL = whole GPUs alone */
	int32_t *nodes;                       /* of the job being placed */
	sim_time now;
	GError *failure; /* a policy cannot go on; NULL = none */
};

enum rr_where { RR_WHERE_NOWHERE, RR_WHERE_LANE, RR_WHERE_PROMISED, RR_WHERE_RUNNING, RR_WHERE_HELD };

static inline const struct job *rr_job(const struct rr_scheduler *scheduler, int32_t job)
{
	return &scheduler->jobs->jobs[job];
}

/* GPUs that JOB holds or asks for. */
static inline int32_t rr_job_gpus(const struct rr_scheduler *scheduler, int32_t job)
{
	return scheduler->progress[job].gpus;
}

/* What it asks for beside GPUs, or NULL. */
static inline const struct job_needs *rr_job_needs(const struct rr_scheduler *scheduler, int32_t job)
{
	int32_t needs = scheduler->jobs->jobs[job].needs;
	return needs > 0 ? &scheduler->jobs->needs[needs - 1] : NULL;
}

/* GPUs that it takes on each node of POOL. */
static inline int32_t rr_job_chunk(const struct rr_scheduler *scheduler, int32_t job, const struct rr_pool *pool)
{
	const struct job_needs *needs = rr_job_needs(scheduler, job);
	return needs != NULL && needs->spread ? 1 : pool->node_gpus;
}

/* ----------------------------------------------------- waiting jobs: lanes.c */

/* A lane's share of ROOM: what its tenant may still take, in pools it may use. */
struct rr_room rr_lane_room(const struct rr_partition *partition, const struct rr_lane *lane,
			    const struct rr_room *room);
/* The first job in order that its tenant's quota lets start; -1 = none. */
int32_t rr_partition_first(struct rr_partition *partition);
/* The first job after SPOT, and in its lane after the lane's cursor, that fits ROOM
 * and its tenant's quota; or -1. */
int32_t rr_partition_next(struct rr_partition *partition, struct rr_spot spot, const struct rr_room *room);
/* A pass begins: no lane has been looked at. */
void rr_partition_rewind(struct rr_partition *partition);
/* JOB was looked at and passed over: its lane goes on behind it. */
void rr_partition_pass_over(struct rr_partition *partition, int32_t job);
/* The job stands in its lane from now on, or leaves it. */
void rr_partition_wait(struct rr_partition *partition, int32_t job, enum rr_turn turn, sim_time now);
void rr_partition_leave(struct rr_partition *partition, int32_t job);
/* Lane of JOB, made when there is none yet. */
int32_t rr_lane_for(struct rr_partition *partition, int32_t job);
/* Whether the quota of JOB's tenant and those above lets it take GPUS more. */
bool rr_quota_allows(const struct rr_scheduler *scheduler, int32_t tenant, int64_t gpus);
/* GPUs that TENANT may ever hold. */
int64_t rr_quota_limit(const struct rr_scheduler *scheduler, int32_t tenant);
/* GPUs that TENANT may still take. */
int64_t rr_quota_room(const struct rr_scheduler *scheduler, int32_t tenant);
/* Whether JOB may run in the partition's pool at PLACE: constraints, and a speed
 * above 0 there. */
bool rr_partition_allows(const struct rr_partition *partition, int32_t place, int32_t job);
/* Would GPUS more put TENANT above its guaranteed share? */
bool rr_quota_borrows(const struct rr_scheduler *scheduler, int32_t tenant, int64_t gpus);
int32_t rr_tenant_of(struct rr_scheduler *scheduler, int32_t job);
/* JOB of TENANT begins (SIGN 1) or ceases (-1) to hold what it asks for. */
void rr_tenant_change(struct rr_scheduler *scheduler, int32_t job, int32_t tenant, int sign, sim_time now);
/* JOB is chosen to run (SIGN 1), or no longer: its quota is kept for it. */
void rr_tenant_promise(struct rr_scheduler *scheduler, int32_t tenant, int32_t job, int sign);
/* GPU-seconds of TENANT that have not faded, as of NOW. */
double rr_tenant_used(const struct rr_scheduler *scheduler, int32_t tenant, sim_time now);
void rr_tenants_begin(struct rr_scheduler *scheduler);
/* All keys of PARTITION's waiting jobs, as of NOW. */
void rr_partition_rekey(struct rr_partition *partition, sim_time now);
/* The same for orders that drift, when it is due. */
void rr_partition_drift(struct rr_partition *partition, sim_time now);

/* ------------------------------------------------ running jobs: running.c */

/* JOB runs from NOW on, or no longer. */
void rr_running_add(struct rr_partition *partition, int32_t job, sim_time now);
void rr_running_remove(struct rr_partition *partition, int32_t job);
/* How stored keys of class AT read at NOW. */
struct rr_lens rr_running_lens(const struct rr_partition *partition, int32_t at, sim_time now);
/* The key of JOB, which runs, has changed. */
void rr_running_step(struct rr_partition *partition, int32_t job, sim_time now);
/* JOB takes the place of one that has started. */
void rr_running_settle(struct rr_partition *partition, int32_t job, sim_time now);
/* The place of a running JOB at NOW. */
struct rr_spot rr_running_spot(const struct rr_partition *partition, int32_t job, sim_time now);

/* A timer of JOB: its key changes, or it may be stopped from then on. */
void rr_step_at(struct rr_scheduler *scheduler, int32_t job, sim_time when);
void rr_step_cancel(struct rr_scheduler *scheduler, int32_t job);

/* Running jobs whose keys changed since the last pass take their new places. */
void rr_running_take_steps(struct rr_partition *partition, sim_time now);

/* Pre-emption by order (packing.c). */
void rr_pack(struct rr_partition *partition, sim_time now);
/* A promised JOB waits like the others again, at SPOT of its lane. */
void rr_promise_break(struct rr_partition *partition, int32_t job, struct rr_spot spot);

/* ------------------------------------------------ what passes build upon */

/* The job's length as a plan sees it. */
sim_time rr_job_estimate(const struct rr_scheduler *scheduler, int32_t job);
/* The job's place in the order when it takes TURN. */
struct rr_spot rr_job_spot(struct rr_partition *partition, int32_t job, sim_time now, enum rr_turn turn);

/* Room in the partition's pools now, without a time limit. */
struct rr_room rr_partition_room(const struct rr_partition *partition);
/* Starts JOB, which waits or was promised, in the first pool with room; SKIP_POOL
 * (-1 = none) is not tried. False when it does not fit anywhere. */
bool rr_partition_start(struct rr_partition *partition, int32_t job, int32_t skip_pool, sim_time now);
bool rr_partition_start_in(struct rr_partition *partition, int32_t job, int32_t pool, sim_time now);
/* Starts jobs from the front as long as the first fits; the first that does not, or -1. */
int32_t rr_partition_start_heads(struct rr_partition *partition, sim_time now);
/* Stops a running job; it stands nowhere until it waits again. */
void rr_partition_stop(struct rr_partition *partition, int32_t job, sim_time now);
/* A pass is wanted at WHEN, too. */
void rr_partition_wake_at(struct rr_partition *partition, sim_time when);
void rr_partition_wake_cancel(struct rr_partition *partition);

/* Takes what HOLD says on NODES, or gives it back. */
void rr_hold_change(struct rr_scheduler *scheduler, const struct rr_hold *hold, const int32_t *nodes, bool take);
/* For GArrays of int32_t. */
gint rr_by_index(gconstpointer a, gconstpointer b);
/* What an hour of one GPU costs: nothing more for owned ones. */
double rr_hourly_price(const struct pool_spec *pool);

struct rr_pool *rr_partition_pool(const struct rr_partition *partition, int32_t pool);
struct rr_queue *rr_partition_ends(const struct rr_partition *partition, int32_t pool);
int64_t rr_partition_capacity(const struct rr_partition *partition); /* GPUs that serve */

#endif
