/* replay.c - a trace on a fleet, through the same doors as the program. */
#include "scenarios/format/format.h"
#include "scenarios/workload/workload.h"
#include "sim/scheduler/scheduler.h"
#include "tests/verify/verify.h"

#include <string.h>

struct verify_replay *verify_replay_run(const char *trace, const char *pools, const char *scheduler)
{
	return verify_replay_edited(trace, pools, scheduler, NULL);
}

struct verify_replay *verify_replay_edited(const char *trace, const char *pools, const char *scheduler,
					   void (*edit)(struct job_list *jobs))
{
	g_autofree char *yaml = g_strdup_printf("rackrent: 1\nname: verify\nworkloads: {trace: {trace: %s}}\n"
						"fleets: {fleet: {pools: %s, scheduler: \"%s\"}}\n",
						trace, pools, scheduler);
	struct verify_replay *r = g_new0(struct verify_replay, 1);
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	bool shared = false;
	r->scenario = rr_scenario_load_bytes(yaml, strlen(yaml), "verify", ".", &options, &faults);
	if (r->scenario != NULL) r->work = rr_work_open(r->scenario, notes, &faults);
	if (r->work != NULL) r->jobs = rr_work_jobs(r->work, 0, &shared);
	if (r->jobs != NULL && edit != NULL) edit(r->jobs);
	if (r->jobs != NULL) r->usage = rr_sim_run(r->scenario, 0, r->jobs, 0, &error);
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	if (error != NULL) fprintf(stderr, "verify: %s\n", error->message);
	if (r->usage != NULL) {
		if (!shared) g_error("verify: a trace must be shared by all replications");
		return r;
	}
	verify_replay_free(r);
	return NULL;
}

void verify_replay_free(struct verify_replay *r)
{
	if (r == NULL) return;
	rr_usage_free(r->usage);
	rr_work_free(r->work);
	rr_scenario_free(r->scenario);
	g_free(r);
}
