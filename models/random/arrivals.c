/* arrivals.c - a Poisson process whose rate follows the week, bursts and growth.
 *
 * Exact by time change: with E exponential of mean 1, the next arrival stands
 * where the integral of the rate since the last one reaches E. Within an hour the
 * rate is
 *   r(t) = rate x weight[hour] x boost x e^(k t),   k = ln(1 + growth) / 1 year
 * whose integral and inverse are closed, so no step is approximated or thrown
 * away. (E. Cinlar, Introduction to Stochastic Processes, 1975, section 4.7.)
 * With bursts arrivals come in the on phases only, boosted by (on + off) / on. */
#include "models/random/random.h"
#include "models/units/units.h"

#include <math.h>

#define SECONDS_PER_HOUR ((double)(RR_NS_PER_HOUR / RR_NS_PER_S))
#define SECONDS_PER_YEAR ((double)(RR_NS_PER_YEAR / RR_NS_PER_S))
#define END_OF_TIME_S    ((double)INT64_MAX / (double)RR_NS_PER_S) /* of sim_time */
#define HOURS_PER_WEEK   168

static bool has_bursts(const struct rr_arrivals *a)
{
	return a->burst_on_s > 0 && a->burst_off_s > 0;
}

static double exponential(struct rr_stream *stream, double mean)
{
	return -mean * log(rr_stream_unit(stream));
}

void rr_arrivals_begin(const struct rr_arrivals *a, struct rr_stream *stream, struct rr_arrival_state *state)
{
	*state = (struct rr_arrival_state){.on = true, .phase_ends_s = INFINITY, .stream = stream};
	if (!has_bursts(a)) return;
	/* The phase found at a random instant; what is left of it has no memory. */
	state->on = rr_stream_unit(stream) < a->burst_on_s / (a->burst_on_s + a->burst_off_s);
	state->phase_ends_s = exponential(stream, state->on ? a->burst_on_s : a->burst_off_s);
}

/* Integral of e^(k x) over [0, span], and the span that gives an integral. */
static double growth_integral(double k, double span)
{
	return k == 0 ? span : expm1(k * span) / k;
}

static double growth_span(double k, double integral)
{
	return k == 0 ? integral : log1p(k * integral) / k;
}

static void next_phase(const struct rr_arrivals *a, struct rr_arrival_state *state)
{
	state->on = !state->on;
	state->phase_ends_s += exponential(state->stream, state->on ? a->burst_on_s : a->burst_off_s);
}

double rr_arrivals_next(const struct rr_arrivals *a, struct rr_arrival_state *state)
{
	double boost = has_bursts(a) ? (a->burst_on_s + a->burst_off_s) / a->burst_on_s : 1;
	double k = log1p(a->growth_per_year) / SECONDS_PER_YEAR;
	double need = exponential(state->stream, 1);
	double at_s = state->at_s;
	/* Counted up, not computed anew from at_s: at a limit of two hours rounding
	 * could find the hour that just ended, again and again. */
	double hour = floor(at_s / SECONDS_PER_HOUR + a->start_hour);
	while (a->rate_per_s > 0 && a->growth_per_year > -1 && at_s < END_OF_TIME_S) {
		double hour_ends_s = (hour + 1 - a->start_hour) * SECONDS_PER_HOUR;
		double end_s = MIN(hour_ends_s, state->phase_ends_s), span_s = MAX(end_s - at_s, 0);
		int of_week = (int)fmod(hour, HOURS_PER_WEEK);
		double rate = state->on ? a->rate_per_s * a->weights[of_week] * boost * exp(k * at_s) : 0;
		double covered = rate * growth_integral(k, span_s);
		if (covered > need) {
			state->at_s = at_s + growth_span(k, need / rate);
			return state->at_s;
		}
		need -= covered;
		at_s = MAX(at_s, end_s);
		if (end_s == state->phase_ends_s) next_phase(a, state);
		if (end_s == hour_ends_s) hour++;
	}
	state->at_s = INFINITY;
	return INFINITY;
}
