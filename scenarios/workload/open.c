/* open.c - reads the traces of a scenario, and says what was left out. */
#include "scenarios/traces/traces.h"
#include "scenarios/workload/parts.h"
#include "scenarios/workload/workload.h"

#include <math.h>

/* Jobs that one workload may come to, some 10 GB; beyond that a rate or the horizon
 * is a slip. */
#define MOST_JOBS 1e8

static void add_note(GPtrArray *notes, const struct workload *w, char *text)
{
	g_ptr_array_add(notes, g_strdup_printf("workload '%s': %s", w->name, text));
	g_free(text);
}

static void note_rows(GPtrArray *notes, const struct workload *w, const struct trace_report *report)
{
	for (int reason = 0; reason < RR_TRACE_REASON_COUNT; reason++) {
		int64_t n = report->counts[reason];
		if (n == 0) continue;
		g_autofree char *count = rr_text_count((double)n);
		g_autofree char *line =
		    report->lines[reason][0] <= 0
			? g_strdup("")
			: g_strdup_printf(" (first at line %" G_GINT64_FORMAT ")", report->lines[reason][0]);
		add_note(notes, w,
			 g_strdup_printf("%s row%s of %s%s: %s%s", count, n == 1 ? "" : "s", w->trace.file,
					 reason == RR_TRACE_NOT_SORTED ? "" : " left out",
					 rr_trace_reason_text((enum rr_trace_reason)reason), line));
	}
}

/* Jobs of the trace from the horizon on never arrive: said, not hidden. */
static void note_late(GPtrArray *notes, const struct workload *w, const struct job_list *trace, sim_time horizon_ns)
{
	size_t late = 0;
	while (late < trace->count && trace->jobs[trace->count - 1 - late].submit_ns >= horizon_ns) late++;
	if (horizon_ns == 0 || late == 0 || w->trace.repeat) return;
	g_autofree char *count = rr_text_count((double)late);
	add_note(notes, w,
		 g_strdup_printf("%s job%s left out: submitted after the horizon", count, late == 1 ? "" : "s"));
}

/* What a rate may grow to within the horizon, 1 = not at all. */
static double most_growth(double growth_per_year, sim_time horizon_ns)
{
	return pow(1 + MAX(growth_per_year, 0), (double)horizon_ns / (double)RR_NS_PER_YEAR);
}

static bool find_period(struct rr_work *work, int32_t index, GPtrArray *notes, struct rr_faults *faults)
{
	const struct workload *w = &work->scenario->workloads[index];
	const struct job_list *trace = work->traces[index];
	sim_time horizon_ns = work->scenario->horizon_ns;
	if (!w->trace.repeat || horizon_ns == 0) return true;
	sim_time period_ns = work_period_ns(&w->trace, trace);
	work->periods_ns[index] = period_ns;
	if (period_ns <= 0) {
		rr_faults_add(faults, w->trace.file, 0, 0,
			      "cannot be repeated: all jobs are submitted at one instant; give a 'window' such as 30d");
		return false;
	}
	double copies = ceil((double)horizon_ns / (double)period_ns);
	if (copies * most_growth(w->trace.growth_per_year, horizon_ns) * (double)trace->count > MOST_JOBS) {
		rr_faults_add(
		    faults, w->trace.file, 0, 0,
		    "repeated to the horizon it has more than %.0f jobs; expected a shorter 'horizon' or less "
		    "'growth'",
		    MOST_JOBS);
		return false;
	}
	if (copies > 1) {
		g_autofree char *length = rr_text_duration((double)period_ns / (double)RR_NS_PER_S);
		add_note(notes, w, g_strdup_printf("the trace is repeated every %s", length));
	}
	return true;
}

/* The reader keeps the trace's clock; the scenario's begins where the skipped part
 * ends, or the horizon would start with hours of no work. */
static void begin_after_skip(GPtrArray *notes, const struct workload *w, struct job_list *trace)
{
	if (w->trace.skip_ns <= 0) return;
	sim_time shift_ns = (sim_time)llround((double)w->trace.skip_ns * w->trace.time_scale);
	for (size_t i = 0; i < trace->count; i++) {
		struct job *job = &trace->jobs[i];
		job->submit_ns = MAX(job->submit_ns - shift_ns, 0);
		if (job->deadline_ns > 0) job->deadline_ns = MAX(job->deadline_ns - shift_ns, 1);
	}
	if (trace->epoch_ns != INT64_MIN) trace->epoch_ns += w->trace.skip_ns;
	g_autofree char *skipped = rr_text_duration((double)w->trace.skip_ns / (double)RR_NS_PER_S);
	add_note(notes, w, g_strdup_printf("the start of the trace is skipped; its times count from %s on", skipped));
}

static bool read_trace(struct rr_work *work, int32_t index, GPtrArray *notes, struct rr_faults *faults)
{
	const struct workload *w = &work->scenario->workloads[index];
	struct trace_report *report = NULL;
	struct job_list *trace = rr_trace_read(&w->trace, &report, faults);
	work->traces[index] = trace;
	if (report != NULL && trace != NULL) note_rows(notes, w, report);
	if (report != NULL) rr_trace_report_free(report);
	if (trace == NULL) return false;
	begin_after_skip(notes, w, trace);
	note_late(notes, w, trace, work->scenario->horizon_ns);
	return find_period(work, index, notes, faults);
}

static bool check_drawn(const struct scenario *s, const struct workload *w, struct rr_faults *faults)
{
	const struct rr_arrivals *a = &w->synthetic.arrivals;
	double jobs = a->rate_per_s * ((double)s->horizon_ns / (double)RR_NS_PER_S) *
		      most_growth(a->growth_per_year, s->horizon_ns);
	if (w->synthetic.job_limit > 0 || jobs <= MOST_JOBS) return true;
	rr_faults_add(
	    faults, s->file, 0, 0,
	    "workloads.%s.synthetic: more than %.0f jobs until the horizon; expected a lower 'rate', a shorter "
	    "'horizon', or 'jobs'",
	    w->name, MOST_JOBS);
	return false;
}

struct rr_work *rr_work_open(const struct scenario *scenario, GPtrArray *notes, struct rr_faults *faults)
{
	struct rr_work *work = work_new(scenario);
	bool sound = true;
	for (int32_t i = 0; i < scenario->workload_count; i++) {
		const struct workload *w = &scenario->workloads[i];
		bool good = w->kind == RR_WORKLOAD_TRACE ? read_trace(work, i, notes, faults)
							 : check_drawn(scenario, w, faults);
		sound = sound && good;
	}
	if (!sound) {
		rr_work_free(work);
		return NULL;
	}
	work_complete(work);
	return work;
}
