/* distribution.c - distributions on a stream, drawn and inverted by GSL. */
#include "models/random/random.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

static const struct rr_distribution_row rows[] = {
    {"constant", RR_DIST_CONSTANT, "value", "always the same"},
    {"uniform", RR_DIST_UNIFORM, "min, max", "all values between two limits alike"},
    {"exponential", RR_DIST_EXPONENTIAL, "mean", "without memory: gaps between independent events"},
    {"weibull", RR_DIST_WEIBULL, "scale, shape", "times to failure; shape below 1 fails early, above 1 wears out"},
    {"lognormal", RR_DIST_LOGNORMAL, "median, sigma", "run times: a long tail; sigma is that of the logarithm"},
    {"gamma", RR_DIST_GAMMA, "shape, scale", "sums of exponential times"},
    {"pareto", RR_DIST_PARETO, "min, shape", "a tail by power law; no mean for a shape of 1 or less"},
    {"erlang", RR_DIST_ERLANG, "phases, mean", "so many exponential phases one after another"},
    {"empirical", RR_DIST_EMPIRICAL, "file", "values of a file, each as likely as the next"},
};

const struct rr_distribution_row *rr_distribution_rows(size_t *count)
{
	*count = G_N_ELEMENTS(rows);
	return rows;
}

double rr_distribution_draw(const struct rr_distribution *d, struct rr_stream *stream)
{
	gsl_rng rng;
	rr_stream_gsl(stream, &rng);
	switch (d->kind) {
	case RR_DIST_CONSTANT: return d->a;
	case RR_DIST_UNIFORM: return gsl_ran_flat(&rng, d->a, d->b);
	case RR_DIST_EXPONENTIAL: return gsl_ran_exponential(&rng, d->a);
	case RR_DIST_WEIBULL: return gsl_ran_weibull(&rng, d->a, d->b);
	case RR_DIST_LOGNORMAL: return gsl_ran_lognormal(&rng, log(d->a), d->b);
	case RR_DIST_GAMMA: return gsl_ran_gamma(&rng, d->a, d->b);
	case RR_DIST_PARETO: return gsl_ran_pareto(&rng, d->b, d->a);
	case RR_DIST_ERLANG: return gsl_ran_gamma(&rng, d->a, d->b / d->a);
	case RR_DIST_EMPIRICAL: return rr_distribution_quantile(d, rr_stream_unit(stream));
	}
	g_assert_not_reached();
}

static double empirical_mean(const struct rr_distribution *d)
{
	double mean = 0;
	for (size_t i = 0; i < d->value_count; i++) mean += (d->values[i] - mean) / (double)(i + 1);
	return mean;
}

double rr_distribution_mean(const struct rr_distribution *d)
{
	switch (d->kind) {
	case RR_DIST_CONSTANT: return d->a;
	case RR_DIST_UNIFORM: return d->a + (d->b - d->a) / 2;
	case RR_DIST_EXPONENTIAL: return d->a;
	case RR_DIST_WEIBULL: return d->a * tgamma(1 + 1 / d->b);
	case RR_DIST_LOGNORMAL: return d->a * exp(d->b * d->b / 2);
	case RR_DIST_GAMMA: return d->a * d->b;
	case RR_DIST_PARETO: return d->b > 1 ? d->a * d->b / (d->b - 1) : INFINITY;
	case RR_DIST_ERLANG: return d->b;
	case RR_DIST_EMPIRICAL: return empirical_mean(d);
	}
	g_assert_not_reached();
}

/* The smallest value with at least a share P of all values at or below it. */
static double empirical_quantile(const struct rr_distribution *d, double p)
{
	g_assert(d->value_count > 0);
	double rank = ceil(p * (double)d->value_count);
	size_t at = rank < 1 ? 0 : (size_t)rank - 1;
	return d->values[MIN(at, d->value_count - 1)];
}

/* Wilson and Hilferty, PNAS 17 (1931) 684: the cube root is nearly normal; for
 * shapes above LARGE_SHAPE the relative error is below 1e-8. */
static double large_gamma_quantile(double p, double shape)
{
	double z = gsl_cdf_ugaussian_Pinv(p);
	return shape * pow(1 - 1 / (9 * shape) + z / (3 * sqrt(shape)), 3);
}

/* GSL's own inverse stops the program where its iteration does not settle (small
 * shapes), and its distribution function does where both arguments are large;
 * halving always settles. */
static double gamma_quantile(double p, double shape, double scale)
{
	enum { LARGE_SHAPE = 100000 };
	if (p <= 0) return 0;
	if (p >= 1) return INFINITY;
	if (shape > LARGE_SHAPE) return scale * large_gamma_quantile(p, shape);
	/* No double below 1 stands for a share beyond ten deviations above the mean. */
	double low = 0, high = shape + 10 * sqrt(shape) + 50;
	while (true) {
		/* Halve the exponent while it matters, then the interval. */
		double middle = low == 0 && high > DBL_MIN ? high / 16 : low + (high - low) / 2;
		if (middle <= low || middle >= high) return high * scale;
		if (gsl_cdf_gamma_P(middle, shape, 1) < p)
			low = middle;
		else
			high = middle;
	}
}

double rr_distribution_quantile(const struct rr_distribution *d, double p)
{
	g_assert(p >= 0 && p <= 1);
	switch (d->kind) {
	case RR_DIST_CONSTANT: return d->a;
	case RR_DIST_UNIFORM: return gsl_cdf_flat_Pinv(p, d->a, d->b);
	case RR_DIST_EXPONENTIAL: return gsl_cdf_exponential_Pinv(p, d->a);
	case RR_DIST_WEIBULL: return gsl_cdf_weibull_Pinv(p, d->a, d->b);
	case RR_DIST_LOGNORMAL: return gsl_cdf_lognormal_Pinv(p, log(d->a), d->b);
	case RR_DIST_GAMMA: return gamma_quantile(p, d->a, d->b);
	case RR_DIST_PARETO: return gsl_cdf_pareto_Pinv(p, d->b, d->a);
	case RR_DIST_ERLANG: return gamma_quantile(p, d->a, d->b / d->a);
	case RR_DIST_EMPIRICAL: return empirical_quantile(d, p);
	}
	g_assert_not_reached();
}

void rr_distribution_done(struct rr_distribution *d)
{
	g_clear_pointer(&d->values, g_free);
	g_clear_pointer(&d->file, g_free);
	d->value_count = 0;
}

struct rr_distribution rr_lognormal_from_median_p95(double median, double p95)
{
	double sigma = log(p95 / median) / gsl_cdf_ugaussian_Pinv(0.95);
	return (struct rr_distribution){.kind = RR_DIST_LOGNORMAL, .a = median, .b = sigma};
}
