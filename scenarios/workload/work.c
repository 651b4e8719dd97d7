/* work.c - all workloads of a scenario, merged for each replication. */
#include "scenarios/workload/parts.h"
#include "scenarios/workload/workload.h"

struct rr_work *work_new(const struct scenario *scenario)
{
	struct rr_work *work = g_new0(struct rr_work, 1);
	work->scenario = scenario;
	work->traces = g_new0(struct job_list *, (gsize)scenario->workload_count);
	work->periods_ns = g_new0(sim_time, (gsize)scenario->workload_count);
	return work;
}

static void fill(const struct rr_work *work, struct job_list *list, uint64_t replication_seed)
{
	const struct scenario *s = work->scenario;
	for (int32_t i = 0; i < s->workload_count; i++) {
		struct work_target target = {list, &s->workloads[i], i, s->workload_count > 1};
		if (work->traces[i] == NULL)
			work_draw(&target, replication_seed, s->horizon_ns);
		else
			/* By the scenario's own seed: a trace is the same in every replication. */
			work_repeat(&target, work->traces[i], s->seed, s->horizon_ns, work->periods_ns[i]);
	}
	bool one_trace = s->workload_count == 1 && work->traces[0] != NULL;
	list->epoch_ns = one_trace ? work->traces[0]->epoch_ns : s->start_epoch_s * RR_NS_PER_S;
	rr_jobs_seal(list);
}

static bool asks_for_more(const struct needs_spec *needs)
{
	return needs->gpus != NULL || needs->mem_bytes > 0 || needs->cpus > 0 || needs->ram_bytes > 0 ||
	       needs->region != NULL || needs->labels != NULL || needs->same_node || needs->same_rack || needs->spread;
}

/* Whether the jobs of the one workload are those of its trace, as they stand. */
static bool is_plain_trace(const struct scenario *s)
{
	const struct workload *w = &s->workloads[0];
	return s->workload_count == 1 && s->horizon_ns == 0 && w->klass == NULL && w->tenant == NULL &&
	       w->priority == 0 && w->deadline_ns <= 0 && w->range.most <= 0 && w->speed.count == 0 &&
	       !asks_for_more(&w->needs);
}

void work_complete(struct rr_work *work)
{
	for (int32_t i = 0; i < work->scenario->workload_count; i++)
		if (work->traces[i] == NULL) return;
	if (is_plain_trace(work->scenario)) {
		work->fixed = g_steal_pointer(&work->traces[0]);
		return;
	}
	work->fixed = rr_jobs_new();
	fill(work, work->fixed, 0);
	/* Never looked at again; a long trace need not be held twice. */
	for (int32_t i = 0; i < work->scenario->workload_count; i++) g_clear_pointer(&work->traces[i], rr_jobs_free);
}

struct job_list *rr_work_jobs(struct rr_work *work, int replication, bool *shared)
{
	*shared = work->fixed != NULL;
	if (*shared) return work->fixed;
	struct job_list *list = rr_jobs_new();
	fill(work, list, rr_replication_seed(work->scenario->seed, replication));
	return list;
}

void rr_work_free(struct rr_work *work)
{
	if (work == NULL) return;
	for (int32_t i = 0; i < work->scenario->workload_count; i++) rr_jobs_free(work->traces[i]);
	rr_jobs_free(work->fixed);
	g_free(work->traces);
	g_free(work->periods_ns);
	g_free(work);
}
