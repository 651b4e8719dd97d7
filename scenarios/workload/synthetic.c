/* synthetic.c - work drawn from distributions.
 *
 * Submits are a Poisson process by hour of the week (models/random); each job then
 * has a stream of its own for its size and its run time, in this order, and one for
 * its tenant and its priority: these change nothing of the work itself. */
#include "scenarios/workload/parts.h"

#include <math.h>

/* Longest run time, about 146 years: half of what a time can hold, so that a
 * submit, a wait and a run still add up. */
#define LONGEST_NS (INT64_MAX / 2)

static const struct size_share *draw_size(const struct synthetic_spec *spec, double total, struct rr_stream *stream)
{
	double left = rr_stream_unit(stream) * total;
	for (int32_t i = 0; i < spec->size_count; i++) {
		left -= spec->sizes[i].share;
		if (left < 0) return &spec->sizes[i];
	}
	/* The shares were added in the same order; only rounding leads here. */
	for (int32_t i = spec->size_count - 1; i > 0; i--)
		if (spec->sizes[i].share > 0) return &spec->sizes[i];
	return &spec->sizes[0];
}

/* NULL when no shares are given; one draw in any case. */
static const struct label_share *draw_label(const struct label_shares *shares, struct rr_stream *stream)
{
	double total = 0, unit = rr_stream_unit(stream);
	const struct label_share *last = NULL;
	for (int32_t i = 0; i < shares->count; i++) total += shares->rows[i].share;
	double left = unit * total;
	for (int32_t i = 0; i < shares->count; i++) {
		if (shares->rows[i].share <= 0) continue;
		last = &shares->rows[i];
		left -= last->share;
		if (left < 0) break;
	}
	return last;
}

static void draw_labels(const struct work_target *target, uint64_t seed, int64_t number, struct job *job)
{
	const struct synthetic_spec *spec = &target->workload->synthetic;
	struct rr_stream stream;
	if (spec->tenants.count == 0 && spec->priorities.count == 0) return;
	rr_stream_init(&stream, seed, RR_PURPOSE_LABEL, RR_JOB_ENTITY(target->index, number));
	const struct label_share *tenant = draw_label(&spec->tenants, &stream);
	const struct label_share *priority = draw_label(&spec->priorities, &stream);
	if (tenant != NULL) job->tenant = rr_jobs_text(target->list, tenant->label, true);
	if (priority != NULL) job->priority = priority->number;
}

static sim_time to_ns(double seconds)
{
	double ns = seconds * (double)RR_NS_PER_S;
	if (!(ns < (double)LONGEST_NS)) return LONGEST_NS;
	return MAX((sim_time)llround(ns), 1);
}

static double draw_duration_s(const struct synthetic_spec *spec, const struct size_share *size,
			      struct rr_stream *stream)
{
	double seconds = rr_distribution_draw(size->has_duration ? &size->duration : &spec->duration, stream);
	if (spec->duration_max_s > 0) seconds = MIN(seconds, spec->duration_max_s);
	return MAX(seconds, spec->duration_min_s);
}

static void draw_job(const struct work_target *target, uint64_t seed, int64_t number, double total, sim_time submit_ns)
{
	const struct synthetic_spec *spec = &target->workload->synthetic;
	struct rr_stream stream;
	rr_stream_init(&stream, seed, RR_PURPOSE_JOB, RR_JOB_ENTITY(target->index, number));
	const struct size_share *size = draw_size(spec, total, &stream);
	double duration_s = draw_duration_s(spec, size, &stream);
	struct job job = {.submit_ns = submit_ns,
			  .duration_ns = to_ns(duration_s),
			  .estimate_ns = spec->estimate_factor > 0 ? to_ns(duration_s * spec->estimate_factor) : -1,
			  .gpus = size->gpus,
			  .gpu_milli = 1000};
	draw_labels(target, seed, number, &job);
	char id[24];
	g_snprintf(id, sizeof id, "%" G_GINT64_FORMAT, number + 1);
	work_append(target, target->list, &job, id);
}

void work_draw(const struct work_target *target, uint64_t seed, sim_time horizon_ns)
{
	const struct synthetic_spec *spec = &target->workload->synthetic;
	g_assert(horizon_ns > 0 || spec->job_limit > 0);
	double total = 0;
	for (int32_t i = 0; i < spec->size_count; i++) total += spec->sizes[i].share;
	struct rr_stream stream;
	rr_stream_init(&stream, seed, RR_PURPOSE_ARRIVAL, (uint64_t)target->index);
	struct rr_arrival_state state;
	rr_arrivals_begin(&spec->arrivals, &stream, &state);
	for (int64_t number = 0; spec->job_limit == 0 || number < spec->job_limit; number++) {
		double ns = rr_arrivals_next(&spec->arrivals, &state) * (double)RR_NS_PER_S;
		if (!(ns < (double)LONGEST_NS)) break;
		sim_time submit_ns = (sim_time)llround(ns);
		if (horizon_ns > 0 && submit_ns >= horizon_ns) break;
		draw_job(target, seed, number, total, submit_ns);
	}
}
