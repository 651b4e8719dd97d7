/* speed.c - how fast a job runs: its pool, its type of GPU, and how many of them. */
#include "sim/progress/progress.h"

#include <string.h>

/* TYPE itself, or its family: "v100" takes in "v100-sxm2-16". */
static bool of_type(const char *type, const char *asked)
{
	size_t length = strlen(asked);
	return type != NULL && strncmp(type, asked, length) == 0 && (type[length] == '\0' || type[length] == '-');
}

static double on_type(const struct job_list *jobs, const struct job *job, const struct pool_spec *pool)
{
	if (job->speeds == 0) return 1;
	const struct job_speeds *s = &g_array_index(jobs->speeds, struct job_speeds, job->speeds - 1);
	for (int32_t i = 0; i < s->count; i++)
		if (of_type(pool->gpu_type, rr_jobs_get_text(jobs, s->gpu[i]))) return s->factor[i];
	return 1; /* not in the table: as on the reference */
}

struct rr_job_range rr_job_range(const struct job_list *jobs, int32_t index)
{
	const struct job *job = &jobs->jobs[index];
	struct rr_job_range range = {job->gpus, job->gpus, {.kind = RR_SPEEDUP_LINEAR}};
	if (job->elastic == 0) return range;
	const struct job_elastic *e = &g_array_index(jobs->elastics, struct job_elastic, job->elastic - 1);
	range = (struct rr_job_range){MIN(e->least, job->gpus), MAX(e->most, job->gpus), e->curve};
	range.curve.gpus = e->gpus;
	range.curve.speedups = e->speedups;
	return range;
}

double rr_job_speed(const struct job_list *jobs, int32_t index, const struct pool_spec *pool, int32_t gpus)
{
	const struct job *job = &jobs->jobs[index];
	double speed = pool->speed * on_type(jobs, job, pool);
	if (gpus == job->gpus) return speed;
	struct rr_job_range range = rr_job_range(jobs, index);
	return speed * rr_speedup_at(&range.curve, gpus) / rr_speedup_at(&range.curve, job->gpus);
}
