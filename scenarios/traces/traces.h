/* traces.h - readers of recorded work, one file per format behind one table.
 *
 * Readers stream: memory is what the jobs need, never the file's text. Plain or
 * compressed (gz, zst, xz, zip) alike. What a row lacks is decided by the
 * format's documented rules, counted and reported: never dropped in silence. */
#ifndef RR_SCENARIOS_TRACES_H
#define RR_SCENARIOS_TRACES_H

#include "scenarios/scenarios.h"

/* Why a row did not become a job, or became one that needs a word. */
enum rr_trace_reason {
	RR_TRACE_NO_RESOURCES, /* asks for no GPU: not a GPU job */
	RR_TRACE_RUN_MISSING,  /* no run time recorded */
	RR_TRACE_RUN_ZERO,
	RR_TRACE_RUN_NEGATIVE,
	RR_TRACE_SUBMIT_MISSING,
	RR_TRACE_CANCELLED, /* cancelled before it started */
	RR_TRACE_BAD_FIELD, /* not a number, out of range, wrong number of fields */
	RR_TRACE_DUPLICATE_ID,
	RR_TRACE_NOT_SORTED, /* kept; sorted by us */
	RR_TRACE_REASON_COUNT
};
const char *rr_trace_reason_text(enum rr_trace_reason reason);

/* Totals over raw rows, before any is skipped; the columns of the project's
 * golden tables. NAN = not applicable. */
struct trace_totals {
	int64_t rows, jobs_res_gt0;
	double first_submit, last_submit; /* seconds on the file's own clock */
	int64_t run_known, run_missing, run_zero, run_negative;
	double mean_run_s, median_run_s, mean_run_res_s, median_run_res_s;
	double res_seconds, max_res;
	const char *unit;      /* "gpu" or "proc" */
	const char *time_base; /* "epoch", "relative", "none" */
	GHashTable *states;    /* char * -> int64 count in a pointer-sized cell; may be empty */
};

struct trace_report {
	const char *format;
	struct trace_totals totals;
	int64_t used; /* rows that became jobs */
	int64_t counts[RR_TRACE_REASON_COUNT];
	int64_t lines[RR_TRACE_REASON_COUNT][5]; /* first lines of each kind, 0 = none */
};
void rr_trace_report_free(struct trace_report *report);

/* Reads SPEC->file whole into jobs sorted by submit. Window and scales of SPEC
 * are applied, repetition and growth are not (see scenarios/workload). Faults:
 * those of the whole file always; with SPEC->strict every unusable row too.
 * NULL when there was a fault. REPORT may be NULL; free what it gets. */
struct job_list *rr_trace_read(const struct trace_spec *spec, struct trace_report **report, struct rr_faults *faults);

/* The same, but a file with not one usable job is no fault: its totals and counts
 * are what is wanted, and its list is empty. */
struct job_list *rr_trace_survey_jobs(const struct trace_spec *spec, struct trace_report **report,
				      struct rr_faults *faults);

/* A list of nodes (openb node lists, or columns vc,nodes[,gpus_per_node]) as
 * pools. */
struct trace_pool {
	char *name; /* virtual cluster, or GPU model and size such as "T4-2" */
	char *gpu;  /* model as written, or NULL */
	int32_t nodes, gpus_per_node;
	int64_t cpu_milli, ram_bytes; /* of a node; 0 = not told */
};
struct trace_pools {
	struct trace_pool *pools;
	int32_t count;
	const char *format;
	int64_t rows, rows_without_gpu, gpus;
};
bool rr_trace_is_node_list(const char *path);
struct trace_pools *rr_trace_read_pools(const char *path, struct rr_faults *faults);
void rr_trace_pools_free(struct trace_pools *pools);

/* Writes our own csv: id,submit_s,gpus,duration_s and those of the optional
 * columns that any job uses; read back without loss. False on a write error. */
bool rr_trace_write_csv(const struct job_list *jobs, FILE *to);

/* One row per format, for the catalogue and the reference page. */
struct rr_trace_format {
	const char *name, *about, *rows_policy, *source;
};
/* Row INDEX (0, 1, ...), NULL behind the last. */
const struct rr_trace_format *rr_trace_format_row(size_t index);

#endif
