/* synthetic.c - work drawn from distributions.
 *
 * Submits are a Poisson process by hour of the week (models/random); each job then
 * has a stream of its own for its size and its run time, in this order. */
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
