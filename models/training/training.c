#include "models/training/training.h"

#include <math.h>

static bool valid_table(const struct rr_speedup *curve)
{
	for (size_t i = 0; i < curve->count; i++) {
		if (curve->gpus[i] < 1 || (i > 0 && curve->gpus[i] <= curve->gpus[i - 1])) return false;
		if (!(curve->speedups[i] > 0) || !isfinite(curve->speedups[i])) return false;
	}
	return curve->count > 0;
}

bool rr_speedup_valid(const struct rr_speedup *curve)
{
	switch (curve->kind) {
	case RR_SPEEDUP_LINEAR: return true;
	case RR_SPEEDUP_AMDAHL: return curve->serial >= 0 && curve->serial <= 1;
	case RR_SPEEDUP_TABLE: return valid_table(curve);
	}
	return false;
}

static double in_table(const struct rr_speedup *curve, int32_t gpus)
{
	size_t low = 0, high = curve->count; /* the first entry at or behind GPUS */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (curve->gpus[middle] < gpus)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == curve->count) return curve->speedups[low - 1];
	if (curve->gpus[low] == gpus) return curve->speedups[low];
	double left_gpus = low > 0 ? curve->gpus[low - 1] : 0, left = low > 0 ? curve->speedups[low - 1] : 0;
	return left + (curve->speedups[low] - left) * (gpus - left_gpus) / (curve->gpus[low] - left_gpus);
}

double rr_speedup_at(const struct rr_speedup *curve, int32_t gpus)
{
	if (gpus <= 0) return 0;
	if (curve->kind == RR_SPEEDUP_LINEAR) return gpus;
	if (curve->kind == RR_SPEEDUP_AMDAHL) return 1 / (curve->serial + (1 - curve->serial) / gpus);
	return in_table(curve, gpus);
}

bool rr_speedup_concave(const struct rr_speedup *curve)
{
	if (curve->kind != RR_SPEEDUP_TABLE) return true;
	double steep = INFINITY, left_gpus = 0, left = 0;
	for (size_t i = 0; i < curve->count; i++) {
		double slope = (curve->speedups[i] - left) / (curve->gpus[i] - left_gpus);
		if (slope > steep) return false;
		steep = slope;
		left_gpus = curve->gpus[i];
		left = curve->speedups[i];
	}
	return steep >= 0; /* level from here on */
}
