/* append.c - jobs on their way into the list of all workloads. */
#include "scenarios/workload/parts.h"

static uint32_t carry(struct job_list *to, const struct job_list *from, uint32_t at)
{
	return at == 0 ? 0 : rr_jobs_text(to, rr_jobs_get_text(from, at), true);
}

void work_append(const struct work_target *target, const struct job_list *from, const struct job *job, const char *id)
{
	const struct workload *w = target->workload;
	struct job_list *list = target->list;
	struct job out = *job;
	g_autofree char *full = target->name_workload ? g_strdup_printf("%s/%s", w->name, id) : NULL;
	out.id = rr_jobs_text(list, full != NULL ? full : id, false);
	out.name = carry(list, from, job->name);
	out.pool = carry(list, from, job->pool);
	out.tenant = job->tenant != 0 ? carry(list, from, job->tenant) : rr_jobs_text(list, w->tenant, true);
	out.klass = job->klass != 0 ? carry(list, from, job->klass) : rr_jobs_text(list, w->klass, true);
	out.priority = (int32_t)CLAMP((int64_t)job->priority + w->priority, INT32_MIN, INT32_MAX);
	out.workload = target->index;
	rr_jobs_append(list, &out);
}
