#include "sim/scheduler/drf.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

double rr_drf_dominant_share(const double *held, const double *capacity, size_t resources)
{
	double dominant = 0;
	for (size_t r = 0; r < resources; r++)
		if (held[r] > 0) dominant = fmax(dominant, held[r] / capacity[r]);
	return dominant;
}

static bool fits(const double *demand, const double *left, size_t resources)
{
	bool any = false;
	for (size_t r = 0; r < resources; r++) {
		any |= demand[r] > 0;
		if (demand[r] > 0 && demand[r] > left[r]) return false;
	}
	return any;
}

int32_t rr_drf_next(const struct rr_drf *drf)
{
	g_autofree double *left = g_new(double, drf->resources + 1);
	for (size_t r = 0; r < drf->resources; r++) {
		left[r] = drf->capacity[r];
		for (size_t u = 0; u < drf->users; u++) left[r] -= drf->held[u * drf->resources + r];
	}
	int32_t best = -1;
	double least = INFINITY;
	for (size_t u = 0; u < drf->users; u++) {
		size_t row = u * drf->resources;
		double share = rr_drf_dominant_share(&drf->held[row], drf->capacity, drf->resources);
		if (drf->weights != NULL) share /= drf->weights[u];
		if ((best >= 0 && share >= least) || !fits(&drf->demand[row], left, drf->resources)) continue;
		best = (int32_t)u;
		least = share;
	}
	return best;
}
