#include "tests/support/small.h"

#include "tests/support/test.h"

void small_init(struct small *w, int32_t nodes, int32_t node_gpus)
{
	*w = (struct small){.jobs = rr_jobs_new()};
	w->pool = (struct pool_spec){.name = (char *)(intptr_t) "p",
				     .gpus_per_node = node_gpus,
				     .count_min = nodes,
				     .count_max = nodes,
				     .speed = 1};
	w->fleet = (struct fleet_spec){.name = (char *)(intptr_t) "f", .pools = &w->pool, .pool_count = 1};
	w->scenario = (struct scenario){.fleets = &w->fleet, .fleet_count = 1, .seed = 1, .replications = 1};
}

void small_done(struct small *w)
{
	rr_scheduler_spec_done(&w->fleet.scheduler);
	rr_jobs_free(w->jobs);
}

struct job *small_job(struct small *w, int submit_s, int gpus, int duration_s, int estimate_s, int priority)
{
	struct job job = {.submit_ns = submit_s * RR_NS_PER_S,
			  .duration_ns = duration_s * RR_NS_PER_S,
			  .estimate_ns = estimate_s < 0 ? -1 : estimate_s * RR_NS_PER_S,
			  .gpus = gpus,
			  .gpu_milli = 1000,
			  .priority = priority};
	rr_jobs_append(w->jobs, &job);
	return &w->jobs->jobs[w->jobs->count - 1];
}

struct job *small_tenant_job(struct small *w, const char *tenant, int submit_s, int gpus, int duration_s)
{
	struct job *job = small_job(w, submit_s, gpus, duration_s, -1, 0);
	job->tenant = rr_jobs_text(w->jobs, tenant, true);
	return job;
}

struct usage *small_run(struct small *w, const char *scheduler)
{
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(&w->fleet.scheduler);
	ck_assert_msg(rr_scheduler_parse(scheduler, &w->fleet.scheduler, &error), "%s",
		      error != NULL ? error->message : "");
	if (w->jobs->interned != NULL) rr_jobs_seal(w->jobs);
	struct usage *usage = rr_sim_run(&w->scenario, 0, w->jobs, 0, &error);
	ck_assert_ptr_nonnull(usage);
	return usage;
}

struct usage *small_run_spec(struct small *w, const struct scheduler_spec *spec)
{
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(&w->fleet.scheduler);
	w->fleet.scheduler = *spec;
	if (w->jobs->interned != NULL) rr_jobs_seal(w->jobs);
	struct usage *usage = rr_sim_run(&w->scenario, 0, w->jobs, 0, &error);
	ck_assert_msg(usage != NULL, "%s", error != NULL ? error->message : "");
	return usage;
}
