/* small.h - a fleet of one pool and a handful of jobs, for policies. */
#ifndef RR_TESTS_SUPPORT_SMALL_H
#define RR_TESTS_SUPPORT_SMALL_H

#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"

struct small {
	struct pool_spec pool;
	struct fleet_spec fleet;
	struct scenario scenario;
	struct job_list *jobs;
};

/* NODES of NODE_GPUS; NODE_GPUS 0: a flat pool of NODES GPUs. */
void small_init(struct small *w, int32_t nodes, int32_t node_gpus);
void small_done(struct small *w);
/* Times in seconds; ESTIMATE below 0 = none. The job, which may be changed before the run. */
struct job *small_job(struct small *w, int submit_s, int gpus, int duration_s, int estimate_s, int priority);
struct job *small_tenant_job(struct small *w, const char *tenant, int submit_s, int gpus, int duration_s);
/* SCHEDULER as on the command line. */
struct usage *small_run(struct small *w, const char *scheduler);
struct usage *small_run_spec(struct small *w, const struct scheduler_spec *spec);

#endif
