/* fit_duration.c - one distribution for many run times.
 *
 * Lognormal by maximum likelihood: median = e^(mean of logs), sigma = standard
 * deviation of the logs.  It stands if two things hold.
 *   Shape: the Kolmogorov-Smirnov distance is at most ENOUGH, or not above what
 *   chance alone gives with parameters taken from the same data (H. W. Lilliefors,
 *   JASA 62 (1967) 399, table 1: 1.031 / sqrt(n) at 1 %).
 *   Work: with draws cut at the longest recorded run time its mean agrees with the
 *   recorded mean within MEAN_ENOUGH or three standard errors: a tail that looks
 *   right in shape can still hold twice the work. */
#include "scenarios/workload/fit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define ENOUGH      0.03
#define MEAN_ENOUGH 0.1
#define LILLIEFORS  1.031

static double lognormal_cdf(double x, double median, double sigma)
{
	if (sigma <= 0) return x < median ? 0 : 1;
	return gsl_cdf_ugaussian_P(log(x / median) / sigma);
}

static double lognormal_distance(const double *sorted, size_t count, double median, double sigma)
{
	double most = 0;
	for (size_t i = 0; i < count;) {
		size_t end = i;
		while (end < count && sorted[end] <= sorted[i]) end++;
		double p = lognormal_cdf(sorted[i], median, sigma);
		most = fmax(most, fmax(p - (double)i / (double)count, (double)end / (double)count - p));
		i = end;
	}
	return most;
}

/* Mean of the lognormal with draws above MOST counted as MOST. */
static double limited_mean(double median, double sigma, double most)
{
	double z = log(most / median) / sigma;
	double below = median * exp(sigma * sigma / 2) * gsl_cdf_ugaussian_P(z - sigma);
	return below + most * gsl_cdf_ugaussian_Q(z);
}

static bool lognormal_stands(const struct fit_duration *d, double median, double sigma, double mean_error)
{
	if (sigma <= 0) return false;
	double chance = LILLIEFORS / sqrt((double)d->jobs);
	if (d->lognormal_distance > fmax(ENOUGH, chance)) return false;
	double off = fabs(limited_mean(median, sigma, d->max_s) - d->mean_s);
	return off <= fmax(MEAN_ENOUGH * d->mean_s, 3 * mean_error);
}

/* Equal shares of the sorted values, each as its mean. */
static struct rr_distribution shares(const double *sorted, size_t count, size_t most)
{
	size_t n = MIN(count, most);
	struct rr_distribution d = {.kind = RR_DIST_EMPIRICAL, .values = g_new(double, n), .value_count = n};
	for (size_t k = 0; k < n; k++) {
		size_t from = k * count / n, to = (k + 1) * count / n;
		double mean = 0;
		for (size_t i = from; i < to; i++) mean += (sorted[i] - mean) / (double)(i - from + 1);
		d.values[k] = mean;
	}
	return d;
}

static double empirical_distance(const double *sorted, size_t count, const struct rr_distribution *d)
{
	double most = 0, values = (double)d->value_count;
	size_t below = 0;
	for (size_t k = 0; k < d->value_count;) {
		size_t next = k;
		while (next < d->value_count && d->values[next] <= d->values[k]) next++;
		while (below < count && sorted[below] < d->values[k]) below++;
		size_t to = below;
		while (to < count && sorted[to] <= d->values[k]) to++;
		most = fmax(most, fabs((double)below / (double)count - (double)k / values));
		most = fmax(most, fabs((double)to / (double)count - (double)next / values));
		k = next;
	}
	return most;
}

void fit_duration(const double *sorted_s, size_t count, int values, struct fit_duration *out)
{
	g_assert(count > 0 && values > 0);
	double log_mean = 0, log_square = 0, mean = 0, square = 0;
	for (size_t i = 0; i < count; i++) {
		double n = (double)(i + 1), l = log(sorted_s[i]), dl = l - log_mean, d = sorted_s[i] - mean;
		log_mean += dl / n;
		log_square += dl * (l - log_mean);
		mean += d / n;
		square += d * (sorted_s[i] - mean);
	}
	double n = (double)count, median = exp(log_mean), sigma = sqrt(log_square / n);
	size_t middle = count / 2;
	double recorded = count % 2 == 1 ? sorted_s[middle] : (sorted_s[middle - 1] + sorted_s[middle]) / 2;
	*out = (struct fit_duration){
	    .jobs = (int64_t)count, .median_s = recorded, .mean_s = mean, .max_s = sorted_s[count - 1]};
	out->lognormal_distance = lognormal_distance(sorted_s, count, median, sigma);
	if (lognormal_stands(out, median, sigma, sqrt(square) / n)) {
		out->fitted = (struct rr_distribution){.kind = RR_DIST_LOGNORMAL, .a = median, .b = sigma};
		out->distance = out->lognormal_distance;
		return;
	}
	out->fitted = shares(sorted_s, count, (size_t)values);
	out->distance = empirical_distance(sorted_s, count, &out->fitted);
}
