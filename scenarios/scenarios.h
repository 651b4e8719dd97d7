/* scenarios.h - what the user asked: work, fleets, sites, money.
 *
 * Built by scenarios/format (from YAML) and never changed afterwards. Times are
 * nanoseconds from the scenario's start, money is micros of the scenario's one
 * currency. Ids are indexes into the arrays next to them; -1 = none. */
#ifndef RR_SCENARIOS_H
#define RR_SCENARIOS_H

#include "models/hardware/hardware.h"
#include "models/random/random.h"
#include "models/training/training.h"
#include "models/units/units.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ------------------------------------------------------------------- words */

/* A word that a scenario may use where a table higher up gives the meaning
 * (scheduler policies). Rows end with a NULL name. */
struct rr_parameter {
	const char *name;
	const char *preset; /* the default, as text */
	const char *shape;  /* how a value looks: "a duration", "user, perfect or error" */
	const char *about;
	int kind;  /* how it is read and where it goes, known only to the room that gave it */
	size_t at; /* the same */
};
struct rr_word {
	const char *name;
	const char *about;                     /* one line */
	const char *cite;                      /* paper or manual, may be NULL */
	const struct rr_parameter *parameters; /* ends with a NULL name; NULL = none */
	const void *policy;                    /* what the word stands for, known only to the room that gave it */
};
struct scheduler_spec;
struct rr_vocabulary {
	const struct rr_word *orders, *backfills, *placements, *preempts, *presets;
	/* Fills a specification from "easy" or "tiresias,wake=late". */
	bool (*parse)(const char *text, struct scheduler_spec *spec, GError **error);
	/* Is each option one of the words' parameters, with a value that can be read? */
	bool (*check)(const struct scheduler_spec *spec, GError **error);
};

/* ------------------------------------------------------------------- faults */

/* All faults of one or more inputs, in reading order. */
struct rr_faults {
	GPtrArray *texts; /* "file:line:column: what is wrong; what to do" */
	GArray *places;   /* of each text: line and column, for sorting */
	int64_t dropped;  /* beyond the first 100 */
};
void rr_faults_init(struct rr_faults *faults);
void rr_faults_done(struct rr_faults *faults);
/* LINE and COLUMN 1-based; 0 = left out. */
void rr_faults_add(struct rr_faults *faults, const char *file, long line, long column, const char *format, ...)
    G_GNUC_PRINTF(5, 6);
bool rr_faults_any(const struct rr_faults *faults);
/* Puts the faults from index FROM on into the order of reading: by line and column,
 * those without a place last, equal ones as they came. */
void rr_faults_sort(struct rr_faults *faults, guint from);
/* Prints one a line, and a last line with the count when there are several. */
void rr_faults_print(const struct rr_faults *faults, FILE *to);

/* -------------------------------------------------------------------- jobs */

/* Rows of small tables: speeds by type, speed-ups by GPUs. */
enum { RR_SPEEDS_MOST = 8 };

/* One job; 88 bytes. Texts are offsets into the list's arena, 0 = none. */
struct job {
	sim_time submit_ns;
	sim_time duration_ns; /* on the reference GPU */
	sim_time estimate_ns; /* the user's; -1 = none */
	int64_t mem_bytes;    /* per GPU; 0 = any */
	int32_t gpus;
	int32_t gpu_milli; /* of each GPU, 1000 = whole */
	uint32_t id, name, tenant, klass;
	uint32_t pool;        /* virtual cluster or partition that the job names */
	int32_t priority;     /* higher goes first */
	int32_t workload;     /* index into the scenario's workloads */
	int32_t needs;        /* index into the list's needs plus 1; 0 = none */
	int32_t speeds;       /* index into the list's speeds plus 1; 0 = the same on every GPU */
	int32_t elastic;      /* index into the list's elastics plus 1; 0 = its GPUs, no more and no less */
	sim_time deadline_ns; /* should have ended by then; 0 = none */
};

/* What a job needs beside GPUs. Few jobs of a trace differ in it: kept once. */
struct job_needs {
	int64_t mem_bytes;  /* of each GPU; 0 = any */
	int64_t cpu_milli;  /* of the job on each node; 0 = any */
	int64_t ram_bytes;  /* the same */
	uint32_t gpu_types; /* text: types joined by '|'; 0 = any */
	uint32_t region;    /* text; 0 = any */
	uint32_t labels;    /* text: "key=value,key=value"; 0 = any */
	bool same_node, same_rack, spread;
};

/* How fast a job runs on types of GPU, where it is not the pool's own speed alone. */
struct job_speeds {
	int32_t count;
	uint32_t gpu[RR_SPEEDS_MOST];  /* text: a type ("v100-sxm2-16") or its family ("v100") */
	double factor[RR_SPEEDS_MOST]; /* times the reference GPU; 0 = it cannot run there */
};

/* GPUs that a job accepts, and what they are worth to it; its duration is that on
 * job.gpus of them. */
struct job_elastic {
	int32_t least, most;
	struct rr_speedup curve;         /* a table's arrays are the two below, whatever it points to */
	int32_t gpus[RR_SPEEDS_MOST];    /* table: ascending */
	double speedups[RR_SPEEDS_MOST]; /* table */
};

/* Jobs sorted by (submit_ns, order in the file). */
struct job_list {
	struct job *jobs;
	size_t count, capacity;
	GByteArray *text;     /* arena: offset 0 holds "" */
	GHashTable *interned; /* text -> offset, for texts that repeat; NULL once sealed */
	struct job_needs *needs;
	int32_t needs_count, needs_capacity;
	GArray *speeds, *elastics; /* struct job_speeds, struct job_elastic; NULL = none */
	int64_t epoch_ns;          /* civil time of submit 0 (ns since 1970), INT64_MIN = none */
};
struct job_list *rr_jobs_new(void);
uint32_t rr_jobs_text(struct job_list *list, const char *text, bool repeats); /* NULL, "" -> 0 */
const char *rr_jobs_get_text(const struct job_list *list, uint32_t at);
int32_t rr_jobs_needs(struct job_list *list, const struct job_needs *needs);       /* for job.needs */
int32_t rr_jobs_speeds(struct job_list *list, const struct job_speeds *speeds);    /* for job.speeds */
int32_t rr_jobs_elastic(struct job_list *list, const struct job_elastic *elastic); /* for job.elastic */
void rr_jobs_append(struct job_list *list, const struct job *job);
void rr_jobs_seal(struct job_list *list); /* stable sort by submit, drop the hash table */
void rr_jobs_free(struct job_list *list);

/* ---------------------------------------------------------------- workloads */

/* Names of the columns of a trace in format csv; NULL = by its usual names. */
struct csv_columns {
	char *id, *submit, *gpus, *duration, *estimate, *pool, *tenant, *klass, *priority, *name, *mem;
	char *deadline, *cpus, *memory, *gpu_types;
	char *time_unit; /* s (default), ms, stamp */
};

struct trace_spec {
	char *file;   /* as given, relative to the scenario's folder already resolved */
	char *format; /* NULL = detect */
	struct csv_columns columns;
	char *throughputs; /* gavel: JSON of steps per second; NULL = none */
	bool strict;
	sim_time skip_ns, window_ns; /* take jobs with skip <= submit < skip + window; window 0 = to the end */
	double time_scale;           /* submits and gaps times this, 1 = as recorded */
	double size_scale;           /* GPUs times this, rounded, at least 1 */
	double duration_scale;
	bool repeat;            /* fill the horizon with copies */
	double growth_per_year; /* of the number of jobs, in repeated copies */
};

struct size_share {
	int32_t gpus;
	double share; /* as given; normalised by whoever draws */
	bool has_duration;
	struct rr_distribution duration; /* seconds; of this size, else the block's */
};

/* One of several tenants or priorities, with its share of the jobs. */
struct label_share {
	char *label;
	int32_t number; /* priorities: the label as a number */
	double share;   /* as given; normalised by whoever draws */
};
struct label_shares {
	struct label_share *rows;
	int32_t count; /* 0 = none given */
};

struct synthetic_spec {
	struct rr_arrivals arrivals;
	struct size_share *sizes;
	int32_t size_count;
	struct label_shares tenants, priorities;
	struct rr_distribution duration;       /* seconds */
	double duration_min_s, duration_max_s; /* draws outside are clamped; max 0 = none */
	int64_t job_limit;                     /* 0 = until the horizon */
	double estimate_factor;                /* user's estimate = duration times this; 0 = no estimate */
};

/* What each job of a workload needs beside GPUs, as written. */
struct needs_spec {
	char **gpus;       /* types, NULL = any */
	int64_t mem_bytes; /* of each GPU; 0 = any */
	double cpus;       /* of the job on each node */
	int64_t ram_bytes;
	char *region;
	char **labels;
	bool same_node, same_rack, spread;
};

/* Numbers by name, as written. */
struct numbers_spec {
	int32_t count; /* at most RR_SPEEDS_MOST */
	char *names[RR_SPEEDS_MOST];
	double values[RR_SPEEDS_MOST];
};

/* GPUs that each job accepts; most 0 = its own number. */
struct range_spec {
	int32_t least, most;
	double serial;             /* Amdahl's part that does not spread */
	struct numbers_spec curve; /* measured speed-ups by GPUs, rising; none = Amdahl */
};

enum rr_workload_kind { RR_WORKLOAD_TRACE, RR_WORKLOAD_SYNTHETIC };

struct workload {
	char *name;
	enum rr_workload_kind kind;
	bool has_trace, has_synthetic; /* which of the two was written */
	struct trace_spec trace;
	struct synthetic_spec synthetic;
	char *reference_gpu_name; /* as written, or NULL */
	int32_t reference_gpu;    /* -1 = not said */
	char *klass, *tenant;     /* of jobs that have none of their own; NULL = none */
	int32_t priority;
	sim_time deadline_ns;      /* after submit; 0 = none */
	struct needs_spec needs;   /* of jobs that have none of their own */
	struct range_spec range;   /* the same */
	struct numbers_spec speed; /* by type of GPU, times the reference; the same */
};

/* ------------------------------------------------------------------- fleets */

enum rr_pool_kind { RR_POOL_PHYSICAL, RR_POOL_CLOUD };

struct pool_spec {
	char *name;
	enum rr_pool_kind kind;
	char *node_name, *instance_name, *gpu_name, *site_name; /* as written, or NULL */
	int32_t flat_gpus;                                      /* as written; 0 = nodes */
	int32_t node;                               /* physical: node type, or -1 for nodes of no known type */
	int32_t instance;                           /* cloud: instance type, or -1 */
	char *region;                               /* cloud; NULL = the first listed */
	int32_t gpu;                                /* resolved GPU type, or -1 */
	int32_t gpus_per_node;                      /* resolved; 0 = flat: one pool of count_max GPUs without nodes */
	int32_t count_min, count_max;               /* nodes (flat: GPUs); physical: both the same */
	int32_t site;                               /* physical: index into the sites, or -1 */
	double speed;                               /* job runs duration / speed here; 1 = as the reference GPU */
	char *only_pool, *only_class, *only_tenant; /* takes only such jobs; NULL = any */
	int32_t nodes_per_rack;                     /* 0 = not known: all in one */
	char **labels;                              /* "key=value", which jobs may ask for; may be NULL */
	char *model;                                /* what jobs call its GPU, as written; NULL = the catalogue's id */
	char *gpu_type;                             /* resolved: the catalogue's id, or as written; NULL = unknown */
	int64_t gpu_mem_bytes;                      /* resolved; 0 = unknown */
	double cpus;                                /* of a node, as written; 0 = the catalogue's */
	int64_t node_cpu_milli, node_ram_bytes;     /* of a node; 0 = unknown, nothing is checked */
	/* cloud */
	struct rr_distribution boot; /* seconds from request to ready */
	sim_time idle_ns;            /* an instance idle for so long is given back */
	/* money */
	int64_t price_micros;          /* physical: to buy one node (flat: one GPU); -1 = unknown */
	int64_t price_micros_per_hour; /* cloud: one instance; -1 = unknown */
	sim_time billing_step_ns, billing_minimum_ns;
	double node_idle_w, node_max_w; /* resolved; NAN = unknown */
	char *price_source;             /* where the price stands */
	sim_time lead_time_ns;          /* physical: nodes come at this time (a fact) */
};

struct scheduler_spec {
	char *text;                                   /* as the user wrote it: names the fleet in a replay */
	char *preset;                                 /* "easy", or NULL when built from the four below */
	char *order, *backfill, *placement, *preempt; /* resolved words, never NULL */
	char **options;                               /* "key=value", NULL-terminated; may be NULL */
};

/* Frees what SPEC holds, not SPEC. */
void rr_scheduler_spec_done(struct scheduler_spec *spec);

/* How a fleet's rented pools grow, for pools that do not say it themselves. */
struct autoscale_spec {
	int32_t by;                  /* 0 = what waits */
	struct rr_distribution boot; /* seconds */
	sim_time idle_ns;
};

/* A tenant's share of a fleet. Jobs belong to the queue named as their tenant,
 * else their class, else their virtual cluster, else to "default". */
struct queue_spec {
	char *name;
	char *parent_name;  /* as written, or NULL */
	int32_t parent;     /* index, -1 = none */
	double weight;      /* of a fair share */
	int64_t guaranteed; /* GPUs; 0 = none */
	int64_t most;       /* GPUs; 0 = no limit */
	int32_t most_jobs;  /* running at once; 0 = no limit */
	bool borrow;        /* may hold more than guaranteed while that is free */
};

struct fleet_spec {
	char *name;
	char *extends; /* the fleet that it was laid over, or NULL */
	struct autoscale_spec autoscale;
	struct pool_spec *pools;
	int32_t pool_count;
	struct scheduler_spec scheduler;
	struct queue_spec *queues;
	int32_t queue_count;
};

/* -------------------------------------------------------------------- money */

struct site {
	char *name;
	double pue;
	int64_t electricity_micros_per_kwh;
};

struct finance {
	int32_t years;                 /* of the outlook; 3 */
	double wacc;                   /* per year, for net present value */
	double maintenance;            /* of the purchase price, per year */
	double installation;           /* of the purchase price, once */
	int64_t staff_per_gpus;        /* one post for so many GPUs */
	int64_t staff_micros_per_year; /* of one post */
};

struct scenario {
	char *file;      /* "-" = built in or from flags */
	int64_t version; /* of the format */
	char *name, *question;
	int64_t start_epoch_s; /* civil start, seconds since 1970 UTC */
	sim_time horizon_ns;   /* 0 = until the last job ends */
	char *currency_text;   /* as written */
	char currency[4];
	char **catalogue_names; /* the user's own files, as written; may be NULL */
	uint64_t seed;
	int32_t replications;
	struct workload *workloads;
	struct fleet_spec *fleets;
	struct site *sites;
	int32_t workload_count, fleet_count, site_count;
	struct finance finance;
	char *baseline_name;         /* as written, or NULL */
	int32_t baseline;            /* fleet that others are compared with */
	struct catalogue *catalogue; /* owned */
	char digest[65];             /* SHA-256 of the file's bytes and the overrides, hexadecimal */
	GPtrArray *notes;            /* char *: what was assumed and must be told in every report */
};
void rr_scenario_free(struct scenario *s);

#endif
