#include "tests/support/scan.h"

#include <glib.h>
#include <string.h>

static bool scan_wide(const int32_t *given, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes)
{
	g_autofree int32_t *free = g_memdup2(given, (size_t)count * sizeof *given);
	int32_t placed = 0;
	for (int32_t left = gpus; left > 0;) {
		int32_t want = MIN(left, node_gpus), best = -1;
		for (int32_t n = 0; n < count; n++) {
			bool better = best < 0 || free[n] > free[best];
			if (want == node_gpus ? free[n] == node_gpus && best < 0 : better) best = n;
		}
		if (best < 0 || free[best] < want) return false;
		nodes[placed++] = best;
		free[best] = -1; /* taken, however much of it */
		left -= want;
	}
	return true;
}

bool rr_scan_best(const int32_t *free, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes)
{
	if (gpus > node_gpus) return scan_wide(free, count, node_gpus, gpus, nodes);
	nodes[0] = -1;
	for (int32_t n = 0; n < count; n++)
		if (free[n] >= gpus && (nodes[0] < 0 || free[n] < free[nodes[0]])) nodes[0] = n;
	return nodes[0] >= 0;
}

bool rr_scan_first(const int32_t *free, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes)
{
	if (gpus > node_gpus) return scan_wide(free, count, node_gpus, gpus, nodes);
	for (int32_t n = 0; n < count; n++) {
		if (free[n] < gpus) continue;
		nodes[0] = n;
		return true;
	}
	return false;
}
