/* summary.c - several replications as a mean with its interval.
 *
 * mean +/- t(0.975, n - 1) s / sqrt(n): Student's interval for the mean of n
 * independent runs (Law, Simulation Modeling and Analysis, section 4.5). */
#include "sim/accounts/parts.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static void summarise(struct result *const *results, size_t result_count, size_t index, struct metric_summary *out)
{
	double mean = 0, squares = 0;
	int32_t n = 0;
	for (size_t r = 0; r < result_count; r++) {
		double value = results[r]->metrics[index].value;
		if (isnan(value)) continue;
		double from_old = value - mean;
		mean += from_old / ++n;
		squares += from_old * (value - mean);
	}
	g_strlcpy(out->id, results[0]->metrics[index].id, sizeof out->id);
	out->unit = results[0]->metrics[index].unit;
	out->replications = n;
	out->value = n > 0 ? mean : NAN;
	double half = n > 1 ? gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(squares / (n - 1) / n) : NAN;
	out->low = mean - half;
	out->high = mean + half;
}

struct metric_summary *rr_summarise(struct result *const *results, size_t result_count, size_t *count)
{
	g_assert(result_count > 0);
	*count = results[0]->metric_count;
	struct metric_summary *summaries = g_new0(struct metric_summary, *count);
	for (size_t i = 0; i < *count; i++) summarise(results, result_count, i, &summaries[i]);
	return summaries;
}
