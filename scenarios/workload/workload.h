/* workload.h - from what a scenario says of its work to the jobs of one replication.
 *
 * Traces are read once; synthetic work is drawn from streams keyed by (seed of
 * the replication, workload, job), so that every fleet sees the same jobs. */
#ifndef RR_SCENARIOS_WORKLOAD_H
#define RR_SCENARIOS_WORKLOAD_H

#include "scenarios/scenarios.h"

struct rr_work;

/* Reads all traces of SCENARIO. NULL and a fault when one cannot be used.
 * Notes (rows skipped and why, assumptions) are added to NOTES as texts. */
struct rr_work *rr_work_open(const struct scenario *scenario, GPtrArray *notes, struct rr_faults *faults);

/* The jobs of replication R, all workloads merged and sorted by submit; with
 * one workload ids are the trace's own, with several they are
 * "workload/id"; later copies of a repeated trace get "#2", "#3". Without
 * synthetic work every replication gives the same jobs and *SHARED is set: the
 * list then belongs to WORK, otherwise to the caller. */
struct job_list *rr_work_jobs(struct rr_work *work, int replication, bool *shared);
void rr_work_free(struct rr_work *work);

/* A synthetic block fitted to JOBS (at least one): arrivals by hour of week, sizes,
 * run times by size (lognormal where it fits, else VALUES equal shares of the
 * jobs, each as its mean), with comments that say how well. START_EPOCH_S gives
 * the weekday of time 0. YAML that a scenario can hold; caller frees. */
char *rr_work_fit_yaml(const struct job_list *jobs, int64_t start_epoch_s, int values);
enum { RR_FIT_VALUES = 100 }; /* usual VALUES: 1 % each */

#endif
