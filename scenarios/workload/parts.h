/* parts.h - how the jobs of workloads come about; private to this folder.
 *
 * Pure: no file is read here.  Jobs are appended to a list that the caller seals. */
#ifndef RR_SCENARIOS_WORKLOAD_PARTS_H
#define RR_SCENARIOS_WORKLOAD_PARTS_H

#include "scenarios/scenarios.h"

/* Entity of the stream of job NUMBER (0, 1, ...) of workload WORKLOAD. */
#define RR_JOB_ENTITY(workload, number) ((uint64_t)(workload) << 40 | (uint64_t)(number))

struct rr_work {
	const struct scenario *scenario;
	struct job_list **traces; /* one per workload, owned; NULL = synthetic */
	sim_time *periods_ns;     /* of a copy, for repeated traces */
	struct job_list *fixed;   /* what all replications share, or NULL */
};
/* Work without its traces; free with rr_work_free(). */
struct rr_work *work_new(const struct scenario *scenario);
/* To be called once the traces are there.  When all workloads are traces they are
 * merged here and given up. */
void work_complete(struct rr_work *work);

/* Where jobs are put, and what is added to them on the way. */
struct work_target {
	struct job_list *list;
	const struct workload *workload;
	int32_t index;      /* of the workload */
	bool name_workload; /* ids become "workload/id" */
};

/* Appends JOB, whose texts stand in FROM (ID replaces its id), with the
 * workload's class, tenant and priority. */
void work_append(const struct work_target *target, const struct job_list *from, const struct job *job, const char *id);

/* Draws the jobs of a synthetic workload: submits from the stream (SEED,
 * arrival, workload), all of one job's luck from the stream (SEED, job, workload
 * and number), so that other jobs never notice a changed table of sizes.  Stops
 * at HORIZON_NS (0 = none) or the workload's limit, whichever comes first. */
void work_draw(const struct work_target *target, uint64_t seed, sim_time horizon_ns);

/* Length of one copy of a repeated trace: its window as scaled, or from its
 * first submit to its last and one mean gap more, rounded up to whole days from
 * a week on so that nights stay nights.  0 when it cannot be told. */
sim_time work_period_ns(const struct trace_spec *spec, const struct job_list *trace);

/* Jobs in copy COPY (0 = the trace itself) of COUNT jobs that grow by
 * GROWTH_PER_YEAR: COUNT x (1 + growth)^(COPY x period / year), rounded. */
int64_t work_copy_count(int64_t count, double growth_per_year, sim_time period_ns, int64_t copy);

/* Appends copies of TRACE until HORIZON_NS (0: the trace itself, once; never
 * with PERIOD_NS 0 and a repetition).  Which jobs a grown or shrunk copy has is
 * drawn from the stream (SEED, job, workload and copy). */
void work_repeat(const struct work_target *target, const struct job_list *trace, uint64_t seed, sim_time horizon_ns,
		 sim_time period_ns);

#endif
