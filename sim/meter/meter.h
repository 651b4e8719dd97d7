/* meter.h - what happened: physical facts only, never a price.
 *
 * sim_run() fills a struct usage; sim/accounts turns it into energy, money and
 * metrics; reporters read both. All integrals are exact: thousandths of a GPU
 * times nanoseconds. */
#ifndef RR_SIM_METER_H
#define RR_SIM_METER_H

#include "scenarios/scenarios.h"

enum rr_job_state {
	RR_JOB_COMPLETED,
	RR_JOB_FAILED,
	RR_JOB_RUNNING,       /* at the horizon */
	RR_JOB_WAITING,       /* at the horizon */
	RR_JOB_UNSCHEDULABLE, /* wider than its pool or its quota, or no pool takes it */
	RR_JOB_STATE_COUNT
};
const char *rr_job_state_text(enum rr_job_state state);

/* One per job, same index as the job list. Times -1 = never. */
struct job_record {
	sim_time start_ns; /* first start */
	sim_time end_ns;
	sim_time wait_ns;     /* all time in the queue */
	sim_time run_ns;      /* all time holding GPUs */
	rr_milli_gpu_ns lost; /* held for work that was lost */
	int32_t pool;         /* of the last start, or where it waits; -1 = none */
	uint32_t nodes_at;    /* into usage.nodes: the nodes of the last start */
	int32_t node_count;
	int32_t preemptions, restarts, migrations;
	uint8_t state; /* enum rr_job_state */
};

/* Why the first in order does not start. */
enum rr_reason {
	RR_REASON_NONE,          /* nobody waits */
	RR_REASON_CAPACITY,      /* fewer GPUs are free than it asks for */
	RR_REASON_TYPE,          /* enough are free, but not of a kind that it may use */
	RR_REASON_FRAGMENTATION, /* enough are free, but not on nodes that would do */
	RR_REASON_QUOTA,         /* its tenant may not hold more */
	RR_REASON_ORDER,         /* it could start, but others come first: the head, reservations, a round */
	RR_REASON_COUNT
};
const char *rr_reason_text(enum rr_reason reason);

/* What a GPU can be doing; law 1 says that these add up to its lifetime. */
enum rr_gpu_use { RR_USE_BUSY, RR_USE_IDLE, RR_USE_BOOTING, RR_USE_DOWN, RR_USE_DRAINING, RR_USE_COUNT };

/* One life of a node or instance: [from, ready) booting, [ready, to) serving.
 * Alive at the end of the run: to = the end of the run. */
struct node_life {
	sim_time from_ns, ready_ns, to_ns;
	int32_t pool, node; /* node: index within the pool, used again after it was given back */
};

/* Integrals of one pool over one hour (bins from time 0). */
struct hour_use {
	rr_milli_gpu_ns use[RR_USE_COUNT];
	rr_milli_gpu_ns
	    waiting; /* asked for by waiting jobs; those of the queue that feeds the pool, counted in its first pool */
	rr_milli_gpu_ns stranded, fragments; /* as in struct pool_usage */
};

struct pool_usage {
	rr_milli_gpu_ns use[RR_USE_COUNT];
	rr_milli_gpu_ns lifetime;   /* measured by itself, from node lives */
	rr_milli_gpu_ns fragmented; /* idle while the head of the queue asks for no more than is idle in the pool */
	rr_milli_gpu_ns stranded;   /* idle while jobs wait of which none could start there */
	rr_milli_gpu_ns fragments;  /* free, but of no use to the typical job (fragmentation.h) */
	sim_time blocked_ns[RR_REASON_COUNT]; /* of the queue that feeds it: how long its first did not start for this
					       reason; counted in its first pool */
	struct hour_use *hours;               /* usage.hour_count of them */
	int32_t nodes_peak;                   /* most at once */
};

/* A run that was cut short: JOB held its GPUs in [from, to). */
struct stop {
	int32_t job, pool;
	sim_time from_ns, to_ns;
	uint32_t nodes_at; /* into usage.nodes */
	int32_t node_count;
};

struct usage {
	const struct scenario *scenario;
	const struct job_list *jobs;
	int32_t fleet;
	int32_t replication;
	sim_time end_ns;            /* the horizon, or when the last job ended */
	struct job_record *records; /* jobs->count */
	GArray *nodes;              /* int32_t: node indexes within a pool */
	GArray *stops;              /* struct stop, as they came */
	struct pool_usage *pools;   /* one per pool of the fleet */
	struct node_life *lives;
	size_t life_count;
	size_t hour_count; /* bins of one hour that cover [0, end) */
	int64_t events;    /* events run by the engine */
	int64_t ties;      /* events that shared their instant with the one before */
	int64_t passes;    /* scheduling passes */
	int64_t starts;
};
void rr_usage_free(struct usage *usage);

/* ---------------------------------------------------------- while it happens */

/* What each pool's GPUs do now, in thousandths of a GPU, integrated exactly
 * whenever that changes. */
enum { RR_MILLI = 1000 };
struct rr_meter;
/* USAGE has its scenario, fleet and jobs set; the meter makes its pools, hours
 * and records. */
struct rr_meter *rr_meter_new(struct usage *usage);
void rr_meter_change(struct rr_meter *meter, int32_t pool, enum rr_gpu_use use, int64_t milli, sim_time now);
void rr_meter_waiting(struct rr_meter *meter, int32_t pool, int64_t milli, sim_time now);
/* What else holds of a pool from NOW on. */
struct rr_pool_state {
	enum rr_reason blocked;
	bool fragmented, stranded;
	int64_t fragments; /* thousandths of a GPU */
};
void rr_meter_state(struct rr_meter *meter, int32_t pool, const struct rr_pool_state *state, sim_time now);
/* A life of NODE begins (booting or serving); the index of its row. */
int32_t rr_meter_life(struct rr_meter *meter, int32_t pool, int32_t node, sim_time now);
struct node_life *rr_meter_life_row(struct rr_meter *meter, int32_t life);
/* The run has ended at NOW: fills what is left of USAGE and frees the meter. */
void rr_meter_close(struct rr_meter *meter, sim_time now);

/* "a100-7" (nodes count from 1), or the pool's own name for a flat pool. */
char *rr_node_name(const struct usage *usage, int32_t pool, int32_t node);

#endif
