/* append.c - jobs on their way into the list of all workloads. */
#include "scenarios/workload/parts.h"

static uint32_t carry(struct job_list *to, const struct job_list *from, uint32_t at)
{
	return at == 0 ? 0 : rr_jobs_text(to, rr_jobs_get_text(from, at), true);
}

static int32_t carry_needs(struct job_list *to, const struct job_list *from, int32_t at)
{
	if (at == 0) return 0;
	struct job_needs needs = from->needs[at - 1];
	needs.gpu_types = carry(to, from, needs.gpu_types);
	needs.region = carry(to, from, needs.region);
	needs.labels = carry(to, from, needs.labels);
	return rr_jobs_needs(to, &needs);
}

static int32_t carry_speeds(struct job_list *to, const struct job_list *from, int32_t at)
{
	if (at == 0) return 0;
	struct job_speeds speeds = g_array_index(from->speeds, struct job_speeds, at - 1);
	for (int32_t i = 0; i < speeds.count; i++) speeds.gpu[i] = carry(to, from, speeds.gpu[i]);
	return rr_jobs_speeds(to, &speeds);
}

static int32_t carry_elastic(struct job_list *to, const struct job_list *from, int32_t at)
{
	return at == 0 ? 0 : rr_jobs_elastic(to, &g_array_index(from->elastics, struct job_elastic, at - 1));
}

static uint32_t joined(struct job_list *list, char **texts, const char *by)
{
	g_autofree char *all = texts != NULL ? g_strjoinv(by, texts) : NULL;
	return rr_jobs_text(list, all, true);
}

static int32_t needs_of(struct job_list *list, const struct needs_spec *spec)
{
	struct job_needs needs = {.mem_bytes = spec->mem_bytes,
				  .cpu_milli = (int64_t)(spec->cpus * 1000),
				  .ram_bytes = spec->ram_bytes,
				  .gpu_types = joined(list, spec->gpus, "|"),
				  .region = rr_jobs_text(list, spec->region, true),
				  .labels = joined(list, spec->labels, ","),
				  .same_node = spec->same_node,
				  .same_rack = spec->same_rack,
				  .spread = spec->spread};
	return rr_jobs_needs(list, &needs);
}

static int32_t speeds_of(struct job_list *list, const struct numbers_spec *spec)
{
	struct job_speeds speeds = {.count = spec->count};
	if (spec->count == 0) return 0;
	for (int32_t i = 0; i < spec->count; i++) {
		speeds.gpu[i] = rr_jobs_text(list, spec->names[i], true);
		speeds.factor[i] = spec->values[i];
	}
	return rr_jobs_speeds(list, &speeds);
}

static int32_t range_of(struct job_list *list, const struct range_spec *spec)
{
	struct job_elastic elastic = {
	    .least = spec->least, .most = spec->most, .curve = {.kind = RR_SPEEDUP_AMDAHL, .serial = spec->serial}};
	for (int32_t i = 0; i < spec->curve.count; i++) {
		elastic.gpus[i] = (int32_t)g_ascii_strtoll(spec->curve.names[i], NULL, 10);
		elastic.speedups[i] = spec->curve.values[i];
	}
	if (spec->curve.count > 0)
		elastic.curve = (struct rr_speedup){.kind = RR_SPEEDUP_TABLE, .count = (size_t)spec->curve.count};
	return rr_jobs_elastic(list, &elastic);
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
	out.needs = carry_needs(list, from, job->needs);
	out.speeds = carry_speeds(list, from, job->speeds);
	out.elastic = carry_elastic(list, from, job->elastic);
	if (out.needs == 0) out.needs = needs_of(list, &w->needs);
	if (out.speeds == 0) out.speeds = speeds_of(list, &w->speed);
	if (out.elastic == 0 && w->range.most > 0) out.elastic = range_of(list, &w->range);
	if (out.deadline_ns == 0 && w->deadline_ns > 0 &&
	    __builtin_add_overflow(out.submit_ns, w->deadline_ns, &out.deadline_ns))
		out.deadline_ns = INT64_MAX;
	out.workload = target->index;
	rr_jobs_append(list, &out);
}
