/* scores.c - the formulas of scoring.h, on one node. */
#include "sim/scheduler/scoring.h"

#include <math.h>

/* The largest node of the artifact: scores are parts of it. */
static const double cpu_most = 128000, gpu_most = 8000;

static double cpu_left(const struct rr_share_node *n, const struct rr_ask *ask)
{
	/* Nodes of unknown CPUs count as if the job took all: GPUs alone decide. */
	return n->cpu_milli == INT64_MAX ? 0 : (double)(n->cpu_milli - ask->cpu_milli);
}

static int64_t asked_milli(const struct rr_ask *ask)
{
	return (int64_t)ask->gpus * ask->gpu_milli;
}

/* The fullest GPU with room for a share. */
static uint32_t fullest_gpu(const struct rr_share_node *n, const struct rr_ask *ask)
{
	int32_t best = -1;
	for (int32_t i = 0; i < n->gpus; i++)
		if (n->left[i] >= ask->gpu_milli && (best < 0 || n->left[i] < n->left[best])) best = i;
	return best < 0 ? 0 : UINT32_C(1) << best;
}

static uint32_t usual_gpus(const struct rr_share_node *n, const struct rr_ask *ask)
{
	return ask->gpu_milli < RR_WHOLE_GPU ? fullest_gpu(n, ask) : rr_share_lowest(n, ask);
}

static int32_t best_fit(const struct rr_share_node *n, const struct rr_ask *ask)
{
	double left = cpu_left(n, ask) / cpu_most * 0.5 + (double)(n->milli_left - asked_milli(ask)) / gpu_most * 0.5;
	return (int32_t)((1 - left) * 100);
}

static int32_t dot_product(const struct rr_share_node *n, const struct rr_ask *ask)
{
	double cpu = n->cpu_milli == INT64_MAX ? 0 : (double)n->cpu_milli / cpu_most;
	double product = cpu * ((double)ask->cpu_milli / cpu_most) +
			 (double)n->milli_left / gpu_most * ((double)asked_milli(ask) / gpu_most);
	return (int32_t)(100 * (1 - product / 2));
}

static int32_t gpu_cluster(const struct rr_share_node *n, const struct rr_ask *ask)
{
	if (ask->gpus == 0) return 0;
	bool same = n->holds[ask->gpu_milli < RR_WHOLE_GPU ? 0 : ask->gpus] > 0;
	int32_t quarter = same ? (n->kinds == 1 ? 3 : 2) : (n->kinds == 0 ? 1 : 0);
	return 25 * quarter + 25 * ((int32_t)gpu_most - n->milli_left) / (int32_t)gpu_most;
}

static int32_t pack(const struct rr_share_node *n, const struct rr_ask *ask)
{
	int32_t free = 0, free_to_use = 0, missing = ask->gpus, spare_percent = 0;
	uint32_t used = 0;
	if (ask->gpus == 0) return 0;
	for (int32_t i = 0; i < n->gpus; i++) free += n->left[i] == RR_WHOLE_GPU;
	if (free == n->gpus) return MAX(33 - free, free);
	for (; missing > 0; missing--) { /* those with the least left first */
		int32_t best = -1;
		for (int32_t i = 0; i < n->gpus; i++) {
			if ((used >> i & 1) == 1 || n->left[i] < ask->gpu_milli) continue;
			if (best < 0 || n->left[i] < n->left[best]) best = i;
		}
		if (best < 0) break;
		used |= UINT32_C(1) << best;
		free_to_use += n->left[best] == RR_WHOLE_GPU;
		spare_percent += n->left[best] * 100 / RR_WHOLE_GPU;
	}
	if (free_to_use > 0) return MAX(50 - free_to_use, 33);
	return MAX(100 - spare_percent / 10, 50);
}

static struct rr_share_node without(const struct rr_share_node *n, const struct rr_ask *ask, uint32_t mask)
{
	struct rr_share_node rest = *n;
	if (rest.cpu_milli != INT64_MAX) rest.cpu_milli -= ask->cpu_milli;
	for (int32_t i = 0; i < n->gpus; i++) {
		if ((mask >> i & 1) == 0) continue;
		rest.left[i] = (int16_t)(rest.left[i] - ask->gpu_milli);
		rest.milli_left -= ask->gpu_milli;
	}
	return rest;
}

static int32_t fgd_score(const struct rr_typical *t, int64_t before, const struct rr_share_node *n,
			 const struct rr_ask *ask, uint32_t mask)
{
	struct rr_share_node rest = without(n, ask, mask);
	double less = (double)(before - rr_fragmentation(t, &rest)) / (double)rr_typical_weight(t) / RR_WHOLE_GPU;
	return (int32_t)(100 / (1 + exp(-less)));
}

/* A share tries each GPU with room, those with equally much left once. */
static int32_t fgd(const struct rr_typical *t, const struct rr_share_node *n, const struct rr_ask *ask, uint32_t *mask)
{
	int64_t before = rr_fragmentation(t, n);
	if (ask->gpus != 1 || ask->gpu_milli >= RR_WHOLE_GPU) {
		*mask = rr_share_lowest(n, ask);
		return fgd_score(t, before, n, ask, *mask);
	}
	int32_t best = -1;
	for (int32_t i = 0; i < n->gpus; i++) {
		bool seen = false;
		for (int32_t k = 0; k < i && !seen; k++) seen = n->left[k] == n->left[i];
		if (seen || n->left[i] < ask->gpu_milli) continue;
		int32_t score = fgd_score(t, before, n, ask, UINT32_C(1) << i);
		if (score <= best) continue;
		best = score;
		*mask = UINT32_C(1) << i;
	}
	return best;
}

int32_t rr_score(enum rr_scoring scoring, const struct rr_typical *t, const struct rr_share_node *n,
		 const struct rr_ask *ask, uint32_t *mask)
{
	if (scoring != RR_SCORE_FGD) *mask = usual_gpus(n, ask);
	switch (scoring) {
	case RR_SCORE_FGD: return fgd(t, n, ask, mask);
	case RR_SCORE_BEST_FIT: return best_fit(n, ask);
	case RR_SCORE_WORST_FIT: return 100 - best_fit(n, ask);
	case RR_SCORE_PACK: return pack(n, ask);
	case RR_SCORE_GPU_CLUSTER: return gpu_cluster(n, ask);
	case RR_SCORE_DOT_PRODUCT: return dot_product(n, ask);
	case RR_SCORE_RANDOM: return 0;
	}
	return 0;
}
