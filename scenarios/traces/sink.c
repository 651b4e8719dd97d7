/* sink.c - counts every row, keeps jobs, applies the rules that all formats share. */
#include "scenarios/traces/reading.h"

#include <math.h>
#include <string.h>

const char *rr_trace_reason_text(enum rr_trace_reason reason)
{
	static const char *const texts[RR_TRACE_REASON_COUNT] = {
	    [RR_TRACE_NO_RESOURCES] = "asks for no GPU",
	    [RR_TRACE_RUN_MISSING] = "no run time",
	    [RR_TRACE_RUN_ZERO] = "a run time of 0",
	    [RR_TRACE_RUN_NEGATIVE] = "a negative run time",
	    [RR_TRACE_SUBMIT_MISSING] = "no submit time",
	    [RR_TRACE_CANCELLED] = "cancelled before it started",
	    [RR_TRACE_BAD_FIELD] = "a field that cannot be read",
	    [RR_TRACE_DUPLICATE_ID] = "an identifier that stood before",
	    [RR_TRACE_NOT_SORTED] = "earlier than the row before (kept, sorted)",
	};
	return texts[reason];
}

void trace_fault(const struct trace_reading *r, long line, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	rr_faults_add(r->faults, r->file, line, 0, "%s", what);
}

void trace_skip(struct trace_reading *r, enum rr_trace_reason reason, long line, const char *detail)
{
	int64_t nth = r->report->counts[reason]++;
	if (nth < (int64_t)G_N_ELEMENTS(r->report->lines[reason])) r->report->lines[reason][nth] = line;
	if (!r->spec->strict || reason == RR_TRACE_NOT_SORTED || reason == RR_TRACE_NO_RESOURCES) return;
	if (detail == NULL)
		trace_fault(r, line, "cannot be used: %s", rr_trace_reason_text(reason));
	else
		trace_fault(r, line, "cannot be used: %s (%s)", rr_trace_reason_text(reason), detail);
}

/* -------------------------------------------------------- identifiers seen so far */

/* Open addressing over offsets into the jobs' texts: 8 bytes an identifier. */
struct id_set {
	uint32_t *slots; /* offset of the text, 0 = empty */
	uint32_t size, count;
};

static uint32_t slot_of(const struct id_set *set, const struct job_list *jobs, const char *id)
{
	uint32_t at = g_str_hash(id) * 0x9e3779b9u & (set->size - 1);
	while (set->slots[at] != 0 && strcmp(rr_jobs_get_text(jobs, set->slots[at]), id) != 0)
		at = (at + 1) & (set->size - 1);
	return at;
}

static void grow(struct id_set *set, const struct job_list *jobs)
{
	struct id_set larger = {.size = set->size * 2, .count = set->count};
	larger.slots = g_new0(uint32_t, larger.size);
	for (uint32_t i = 0; i < set->size; i++)
		if (set->slots[i] != 0)
			larger.slots[slot_of(&larger, jobs, rr_jobs_get_text(jobs, set->slots[i]))] = set->slots[i];
	g_free(set->slots);
	*set = larger;
}

/* ------------------------------------------------------------------------ totals */

void trace_sink_begin(struct trace_reading *r)
{
	struct trace_totals *t = &r->report->totals;
	t->first_submit = t->last_submit = NAN;
	t->max_res = 0;
	t->unit = "gpu";
	t->time_base = "none";
	t->states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	r->runs = g_array_new(FALSE, FALSE, sizeof(double));
	r->runs_with_resources = g_array_new(FALSE, FALSE, sizeof(double));
	r->ids = g_new0(struct id_set, 1);
	r->ids->size = 1024;
	r->ids->slots = g_new0(uint32_t, r->ids->size);
	r->last_submit_ns = INT64_MIN;
}

static void count_state(struct trace_totals *t, const char *state)
{
	gpointer key = NULL, value = NULL;
	if (state == NULL || state[0] == '\0') return;
	if (g_hash_table_lookup_extended(t->states, state, &key, &value))
		g_hash_table_replace(t->states, g_strdup(state), (gpointer)((intptr_t)value + 1));
	else if (g_utf8_validate(state, -1, NULL))
		g_hash_table_insert(t->states, g_strdup(state), (gpointer)(intptr_t)1);
}

static void count_run(struct trace_reading *r, const struct trace_raw *raw)
{
	struct trace_totals *t = &r->report->totals;
	double run_s = (double)raw->run_ns / (double)RR_NS_PER_S;
	if (!raw->has_run)
		t->run_missing++;
	else if (raw->run_ns < 0)
		t->run_negative++;
	else {
		t->run_known++;
		t->run_zero += raw->run_ns == 0;
		t->res_seconds += raw->resources * run_s;
		g_array_append_val(r->runs, run_s);
		if (raw->resources > 0) g_array_append_val(r->runs_with_resources, run_s);
	}
}

static void count_submit(struct trace_reading *r, const struct trace_raw *raw)
{
	struct trace_totals *t = &r->report->totals;
	double submit_s = ((double)raw->submit_ns + (double)r->base_ns) / (double)RR_NS_PER_S;
	if (!(submit_s >= t->first_submit)) t->first_submit = submit_s;
	if (!(submit_s <= t->last_submit)) t->last_submit = submit_s;
	if (raw->submit_ns < r->last_submit_ns) trace_skip(r, RR_TRACE_NOT_SORTED, raw->line, NULL);
	r->last_submit_ns = raw->submit_ns;
}

/* ---------------------------------------------------------------------------- jobs */

static bool sound_text(const char *text)
{
	return text == NULL || g_utf8_validate(text, -1, NULL);
}

/* Why a counted row is not used; RR_TRACE_REASON_COUNT = it is. */
static enum rr_trace_reason why_not(const struct trace_raw *raw)
{
	if (raw->gpus <= 0) return RR_TRACE_NO_RESOURCES;
	if (!raw->has_submit) return RR_TRACE_SUBMIT_MISSING;
	if (raw->submit_ns < 0) return RR_TRACE_BAD_FIELD; /* before the clock began, or before 1970 */
	if (raw->cancelled) return RR_TRACE_CANCELLED;
	if (!raw->has_run) return RR_TRACE_RUN_MISSING;
	if (raw->run_ns < 0) return RR_TRACE_RUN_NEGATIVE;
	if (raw->run_ns == 0) return RR_TRACE_RUN_ZERO;
	if (!sound_text(raw->id) || !sound_text(raw->name) || !sound_text(raw->tenant) || !sound_text(raw->klass) ||
	    !sound_text(raw->pool) || !sound_text(raw->gpu_types))
		return RR_TRACE_BAD_FIELD;
	return RR_TRACE_REASON_COUNT;
}

static int32_t needs_of(struct trace_reading *r, const struct trace_raw *raw)
{
	struct job_needs needs = {.cpu_milli = raw->cpu_milli,
				  .ram_bytes = raw->ram_bytes,
				  .gpu_types = rr_jobs_text(r->jobs, raw->gpu_types, true)};
	return rr_jobs_needs(r->jobs, &needs);
}

static void keep_job(struct trace_reading *r, const struct trace_raw *raw)
{
	char number[24];
	const char *id = raw->id;
	uint32_t slot = 0;
	if (id == NULL || id[0] == '\0') {
		g_snprintf(number, sizeof number, "%" G_GINT64_FORMAT, r->report->totals.rows);
		id = number;
	} else {
		if (r->ids->count * 2 >= r->ids->size) grow(r->ids, r->jobs);
		slot = slot_of(r->ids, r->jobs, id);
		if (r->ids->slots[slot] != 0) {
			trace_skip(r, RR_TRACE_DUPLICATE_ID, raw->line, id);
			return;
		}
	}
	struct job job = {.submit_ns = raw->submit_ns,
			  .duration_ns = raw->run_ns,
			  .estimate_ns = raw->has_estimate ? raw->estimate_ns : -1,
			  .mem_bytes = raw->mem_bytes,
			  .gpus = raw->gpus,
			  .gpu_milli = raw->gpu_milli,
			  .priority = raw->priority,
			  .speeds = raw->speeds,
			  .deadline_ns = raw->deadline_ns,
			  .needs = needs_of(r, raw),
			  .id = rr_jobs_text(r->jobs, id, false),
			  .name = rr_jobs_text(r->jobs, raw->name, true),
			  .tenant = rr_jobs_text(r->jobs, raw->tenant, true),
			  .klass = rr_jobs_text(r->jobs, raw->klass, true),
			  .pool = rr_jobs_text(r->jobs, raw->pool, true)};
	if (id != number) {
		r->ids->slots[slot] = job.id;
		r->ids->count++;
	}
	rr_jobs_append(r->jobs, &job);
}

void trace_sink(struct trace_reading *r, const struct trace_raw *raw)
{
	struct trace_totals *t = &r->report->totals;
	t->rows++;
	t->jobs_res_gt0 += raw->resources > 0;
	t->max_res = MAX(t->max_res, raw->resources);
	count_state(t, raw->state);
	count_run(r, raw);
	if (raw->has_submit) count_submit(r, raw);
	enum rr_trace_reason reason = why_not(raw);
	if (reason != RR_TRACE_REASON_COUNT)
		trace_skip(r, reason, raw->line, raw->id);
	else
		keep_job(r, raw);
}

/* ------------------------------------------------------------------------- the end */

static int compare(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static void centre(GArray *values, double *mean, double *median)
{
	guint n = values->len;
	*mean = *median = NAN;
	if (n == 0) return;
	double sum = 0;
	for (guint i = 0; i < n; i++) sum += g_array_index(values, double, i);
	g_array_sort(values, compare);
	*mean = sum / n;
	*median = (g_array_index(values, double, (n - 1) / 2) + g_array_index(values, double, n / 2)) / 2;
}

static sim_time scaled(sim_time ns, double factor)
{
	if (factor == 1 || factor == 0) return ns;
	return (sim_time)llround(CLAMP((double)ns * factor, -9e18, 9e18));
}

/* A deadline so long after a submit; 0 would mean none. */
static sim_time later(sim_time submit_ns, sim_time slack_ns)
{
	sim_time sum_ns = 0;
	return __builtin_add_overflow(submit_ns, slack_ns, &sum_ns) ? INT64_MAX : MAX(sum_ns, 1);
}

/* Jobs of the window only, with the spec's scales. */
static void shape_jobs(struct trace_reading *r)
{
	const struct trace_spec *spec = r->spec;
	size_t kept = 0;
	for (size_t i = 0; i < r->jobs->count; i++) {
		struct job job = r->jobs->jobs[i];
		if (job.submit_ns < spec->skip_ns && spec->skip_ns > 0) continue;
		if (spec->window_ns > 0 && job.submit_ns - spec->skip_ns >= spec->window_ns) continue;
		sim_time slack_ns = job.deadline_ns - job.submit_ns;
		job.submit_ns = scaled(job.submit_ns, spec->time_scale);
		if (job.deadline_ns > 0) /* it grows with the work, not with the gaps between jobs */
			job.deadline_ns = later(job.submit_ns, scaled(slack_ns, spec->duration_scale));
		job.duration_ns = MAX(scaled(job.duration_ns, spec->duration_scale), 1);
		if (job.estimate_ns >= 0) job.estimate_ns = scaled(job.estimate_ns, spec->duration_scale);
		if (spec->size_scale != 1 && spec->size_scale > 0)
			job.gpus = (int32_t)CLAMP(llround(job.gpus * spec->size_scale), 1, INT32_MAX / 2);
		r->jobs->jobs[kept++] = job;
	}
	r->jobs->count = kept;
}

void trace_sink_end(struct trace_reading *r)
{
	struct trace_totals *t = &r->report->totals;
	centre(r->runs, &t->mean_run_s, &t->median_run_s);
	centre(r->runs_with_resources, &t->mean_run_res_s, &t->median_run_res_s);
	if (!isnan(t->first_submit)) t->time_base = r->epoch || r->base_ns != 0 ? "epoch" : "relative";
	rr_jobs_seal(r->jobs);
	if (r->epoch && r->jobs->count > 0) {
		/* Civil and epoch times: the first submit of a usable job is 0. */
		int64_t first_ns = r->jobs->jobs[0].submit_ns;
		for (size_t i = 0; i < r->jobs->count; i++) {
			struct job *job = &r->jobs->jobs[i];
			job->submit_ns -= first_ns;
			if (job->deadline_ns > 0) job->deadline_ns = MAX(job->deadline_ns - first_ns, 1);
		}
		r->jobs->epoch_ns = first_ns;
	} else if (r->base_ns != 0)
		r->jobs->epoch_ns = r->base_ns;
	shape_jobs(r);
	r->report->used = (int64_t)r->jobs->count;
	g_array_unref(r->runs);
	g_array_unref(r->runs_with_resources);
	g_free(r->ids->slots);
	g_free(r->ids);
}
