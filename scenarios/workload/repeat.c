/* repeat.c - a trace repeated to fill the horizon, with growth.
 *
 * Copy k stands k periods later.  When it is to hold more jobs than the trace,
 * each job comes so many whole times, and the rest are as many jobs drawn without
 * replacement (D. E. Knuth, The Art of Computer Programming 2, 3.4.2, algorithm
 * S): counts are exact, only which jobs is luck.  An added job is submitted
 * between its original and the next one: the hours of the week stay as recorded
 * and no tie is made that the trace did not have. */
#include "scenarios/workload/parts.h"

#include <math.h>

sim_time work_period_ns(const struct trace_spec *spec, const struct job_list *trace)
{
	if (spec->window_ns > 0) return (sim_time)llround((double)spec->window_ns * spec->time_scale);
	if (trace->count < 2) return 0;
	sim_time span = trace->jobs[trace->count - 1].submit_ns - trace->jobs[0].submit_ns;
	sim_time period = span + span / (sim_time)(trace->count - 1);
	if (span >= 7 * RR_NS_PER_DAY) period = (period + RR_NS_PER_DAY - 1) / RR_NS_PER_DAY * RR_NS_PER_DAY;
	return period;
}

int64_t work_copy_count(int64_t count, double growth_per_year, sim_time period_ns, int64_t copy)
{
	double years = (double)copy * (double)period_ns / (double)RR_NS_PER_YEAR;
	return (int64_t)llround((double)count * pow(1 + growth_per_year, years));
}

/* Puts one job of the trace TIMES times, spread over the GAP_NS to the next. */
static void put(const struct work_target *target, const struct job_list *trace, const struct job *job, int64_t copy,
		sim_time shift_ns, sim_time gap_ns, int64_t times, sim_time horizon_ns)
{
	const char *id = rr_jobs_get_text(trace, job->id);
	for (int64_t t = 0; t < times; t++) {
		struct job out = *job;
		out.submit_ns += shift_ns + (sim_time)((double)gap_ns * (double)t / (double)times);
		if (horizon_ns > 0 && out.submit_ns >= horizon_ns) return;
		if (out.deadline_ns > 0 &&
		    __builtin_add_overflow(out.deadline_ns, out.submit_ns - job->submit_ns, &out.deadline_ns))
			out.deadline_ns = INT64_MAX;
		g_autofree char *later =
		    copy == 0 ? NULL
		    : t == 0  ? g_strdup_printf("%s#%" G_GINT64_FORMAT, id, copy + 1)
			      : g_strdup_printf("%s#%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, id, copy + 1, t + 1);
		work_append(target, trace, &out, later != NULL ? later : id);
	}
}

static void put_copy(const struct work_target *target, const struct job_list *trace, uint64_t seed, int64_t copy,
		     sim_time period_ns, sim_time horizon_ns)
{
	int64_t count = (int64_t)trace->count;
	int64_t wanted = work_copy_count(count, target->workload->trace.growth_per_year, period_ns, copy);
	int64_t whole = wanted / count, extra = wanted % count;
	struct rr_stream stream;
	rr_stream_init(&stream, seed, RR_PURPOSE_JOB, RR_JOB_ENTITY(target->index, copy));
	for (int64_t i = 0; i < count; i++) {
		bool chosen = extra > 0 && rr_stream_unit(&stream) * (double)(count - i) < (double)extra;
		if (chosen) extra--;
		const struct job *job = &trace->jobs[i];
		sim_time next = i + 1 < count ? job[1].submit_ns : trace->jobs[0].submit_ns + period_ns;
		put(target, trace, job, copy, copy * period_ns, MAX(next - job->submit_ns, 0), whole + chosen,
		    horizon_ns);
	}
}

void work_repeat(const struct work_target *target, const struct job_list *trace, uint64_t seed, sim_time horizon_ns,
		 sim_time period_ns)
{
	if (trace->count == 0) return;
	if (!target->workload->trace.repeat || horizon_ns == 0) {
		put_copy(target, trace, seed, 0, 0, horizon_ns);
		return;
	}
	g_assert(period_ns > 0);
	sim_time first_ns = trace->jobs[0].submit_ns;
	for (int64_t copy = 0; copy <= (horizon_ns - first_ns) / period_ns && first_ns < horizon_ns; copy++)
		put_copy(target, trace, seed, copy, period_ns, horizon_ns);
}
