/* placements.c - where a job goes.
 *
 *   best-fit   one node when it fits into one: the node with the fewest free GPUs
 *              that holds it; more: wholly free nodes, and the remainder on the
 *              next node in the order most free first, which must hold it (Hu et
 *              al., SC 2021, "consolidate"). Lowest index on ties. O(GPUs per
 *              node + nodes of the job).
 *   first-fit  the lowest-numbered node that holds the job, or as above for more
 *              than one node. The same cost.
 *
 * Flat pools have no nodes to choose. */
#include "sim/scheduler/policy.h"

/* Whole nodes and the remainder of a job wider than a node. */
static bool place_wide(const struct rr_pool *p, int32_t gpus, int32_t *nodes)
{
	int32_t whole = gpus / p->node_gpus, rest = gpus % p->node_gpus;
	if (rr_pool_count_with(p, p->node_gpus) < whole) return false;
	int32_t node = -1, placed = 0;
	while (placed < whole) {
		node = rr_pool_node_with(p, p->node_gpus, node + 1);
		nodes[placed++] = node;
	}
	if (rest == 0) return true;
	node = rr_pool_node_with(p, p->node_gpus, node + 1);
	for (int32_t free = p->node_gpus - 1; node < 0 && free >= rest; free--) node = rr_pool_node_with(p, free, 0);
	nodes[placed] = node;
	return node >= 0;
}

static bool best_fit(const struct rr_pool *p, int32_t gpus, int32_t *nodes)
{
	if (gpus > p->free_gpus) return false;
	if (p->node_gpus == 0) return true;
	if (gpus > p->node_gpus) return place_wide(p, gpus, nodes);
	for (int32_t free = gpus; free <= p->node_gpus; free++) {
		nodes[0] = rr_pool_node_with(p, free, 0);
		if (nodes[0] >= 0) return true;
	}
	return false;
}

static bool first_fit(const struct rr_pool *p, int32_t gpus, int32_t *nodes)
{
	if (gpus > p->free_gpus) return false;
	if (p->node_gpus == 0) return true;
	if (gpus > p->node_gpus) return place_wide(p, gpus, nodes);
	nodes[0] = -1;
	for (int32_t free = gpus; free <= p->node_gpus; free++) {
		int32_t node = rr_pool_node_with(p, free, 0);
		if (node >= 0 && (nodes[0] < 0 || node < nodes[0])) nodes[0] = node;
	}
	return nodes[0] >= 0;
}

static const struct rr_placement best = {best_fit}, first = {first_fit};

const struct rr_word rr_placements[] = {
    {"best-fit", "the fullest node that holds the job; wholly free nodes for more", "Hu et al., SC 2021 (consolidate)",
     NULL, &best},
    {"first-fit", "the first node that holds the job; wholly free nodes for more", NULL, NULL, &first},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct rr_word rr_preempts[] = {
    {"none", "a job that has started runs to its end", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
