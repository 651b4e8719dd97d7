/* placements.c - where a job of whole GPUs goes.
 *
 *   best-fit     one node when it fits into one: the node with the fewest free GPUs
 *                that holds it. More: wholly free nodes, and the remainder on the
 *                fullest node that holds it.
 *   consolidate  the same, but the remainder goes to the next node in the order
 *                "most free first", which must hold it (Hu et al., SC 2021).
 *   first-fit    the lowest node that holds the job or its remainder.
 *   worst-fit    the node with the most free GPUs (spread).
 *   topology     as few racks as can be: the fullest rack that holds the job,
 *                best-fit within it; over several racks, the emptiest first.
 *   coolest      the rack with the most free GPUs, best-fit within it.
 *   cheapest     best-fit, the pools in the order of what an hour costs: owned ones
 *                first, since they cost the same whether used or not.
 *
 * The others look into nodes: scoring.h.
 *
 * Lowest index on ties. O(GPUs per node + nodes of the job); topology, coolest and
 * jobs that must stay in one rack also look at each rack and its free nodes.
 * Flat pools have no nodes to choose. */
#include "sim/scheduler/policy.h"

enum choice { FULLEST, EMPTIEST, LOWEST };

/* One node of [FROM, TO) with GPUS to MOST free: the fullest, the emptiest or the
 * lowest of them; -1. */
static int32_t node_in(const struct rr_pool *p, int32_t gpus, int32_t most, int32_t from, int32_t to,
		       enum choice choice)
{
	int32_t lowest = -1;
	for (int32_t i = 0; i <= most - gpus; i++) {
		int32_t node = rr_pool_node_with(p, choice == EMPTIEST ? most - i : gpus + i, from);
		if (node < 0 || node >= to) continue;
		if (choice != LOWEST) return node;
		if (lowest < 0 || node < lowest) lowest = node;
	}
	return lowest;
}

/* GPUS within the nodes [FROM, TO): wholly free ones for whole nodes, and one more
 * for the remainder, or for all of a job that is less than a node. */
static bool place_in(const struct rr_pool *p, int32_t gpus, int32_t from, int32_t to, enum choice choice,
		     int32_t *nodes)
{
	int32_t all = p->node_gpus, whole = gpus > all ? gpus / all : 0, rest = gpus - whole * all;
	int32_t last = from - 1, placed = 0;
	while (placed < whole) {
		last = rr_pool_node_with(p, all, last + 1);
		if (last < 0 || last >= to) return false;
		nodes[placed++] = last;
	}
	if (rest == 0) return true;
	if (placed == 0) return (nodes[0] = node_in(p, rest, all, from, to, choice)) >= 0;
	int32_t used = node_in(p, rest, all - 1, from, to, choice);
	int32_t empty = node_in(p, all, all, last + 1, to, LOWEST); /* those before are taken */
	bool prefer_empty = choice == EMPTIEST || used < 0 || (choice == LOWEST && empty < used);
	nodes[placed] = prefer_empty && empty >= 0 ? empty : used;
	return nodes[placed] >= 0;
}

/* One GPU on each of as many nodes, the emptiest first. */
static bool place_spread(const struct rr_pool *p, int32_t gpus, int32_t *nodes)
{
	int32_t placed = 0;
	for (int32_t free = p->node_gpus; free > 0 && placed < gpus; free--)
		for (int32_t node = rr_pool_node_with(p, free, 0); node >= 0 && placed < gpus;
		     node = rr_pool_node_with(p, free, node + 1))
			nodes[placed++] = node;
	return placed == gpus;
}

/* The rack that holds GPUS and has the fewest (or the most) free, or -1. */
static bool place_in_rack(const struct rr_pool *p, int32_t gpus, bool fewest, int32_t *nodes)
{
	int32_t racks = (p->node_limit + p->rack_nodes - 1) / p->rack_nodes;
	int64_t past = -1; /* racks with as many free were tried */
	int32_t past_rack = -1;
	for (;;) {
		int32_t rack = -1;
		for (int32_t r = 0; r < racks; r++) {
			int64_t free = p->rack_free[r];
			if (free < gpus) continue;
			if (past >= 0 && (fewest ? free < past : free > past)) continue;
			if (past >= 0 && free == past && r <= past_rack) continue;
			if (rack < 0 || (fewest ? free < p->rack_free[rack] : free > p->rack_free[rack])) rack = r;
		}
		if (rack < 0) return false;
		int32_t from = rack * p->rack_nodes, to = MIN(from + p->rack_nodes, p->node_limit);
		if (place_in(p, gpus, from, to, FULLEST, nodes)) return true;
		past = p->rack_free[rack];
		past_rack = rack;
	}
}

/* Wholly free nodes of one rack after the other, the rack with the most free first. */
static bool place_over_racks(const struct rr_pool *p, int32_t gpus, int32_t *nodes)
{
	int32_t racks = (p->node_limit + p->rack_nodes - 1) / p->rack_nodes,
		left = rr_pool_nodes_of(p, gpus, p->node_gpus);
	g_autofree bool *tried = g_new0(bool, (size_t)racks);
	int32_t placed = 0;
	while (left > 0) {
		int32_t rack = -1;
		for (int32_t r = 0; r < racks; r++)
			if (!tried[r] && (rack < 0 || p->rack_free[r] > p->rack_free[rack])) rack = r;
		if (rack < 0) return false;
		tried[rack] = true;
		int32_t to = MIN((rack + 1) * p->rack_nodes, p->node_limit);
		for (int32_t node = rr_pool_node_with(p, p->node_gpus, rack * p->rack_nodes);
		     node >= 0 && node < to && left > 0; node = rr_pool_node_with(p, p->node_gpus, node + 1), left--)
			nodes[placed++] = node;
	}
	return true;
}

/* What holds for all placements: flat pools, and what the job itself demands. */
static bool demanded(const struct rr_partition *q, const struct rr_pool *p, int32_t job, int32_t gpus, int32_t *nodes,
		     bool *placed)
{
	const struct job_needs *needs = rr_job_needs(q->scheduler, job);
	*placed = false;
	if (gpus > p->free_gpus) return true;
	if (p->node_gpus == 0) return *placed = true;
	if (needs == NULL) return false;
	if (needs->same_node && gpus > p->node_gpus) return true;
	if (needs->spread)
		*placed = place_spread(p, gpus, nodes);
	else if (needs->same_rack)
		*placed = place_in_rack(p, gpus, true, nodes);
	return needs->spread || needs->same_rack;
}

static bool best_fit(struct rr_partition *q, const struct rr_pool *p, int32_t job, int32_t gpus, int32_t *nodes)
{
	bool placed;
	if (demanded(q, p, job, gpus, nodes, &placed)) return placed;
	return place_in(p, gpus, 0, p->node_limit, FULLEST, nodes);
}

static bool consolidate(struct rr_partition *q, const struct rr_pool *p, int32_t job, int32_t gpus, int32_t *nodes)
{
	bool placed;
	if (demanded(q, p, job, gpus, nodes, &placed)) return placed;
	return place_in(p, gpus, 0, p->node_limit, gpus > p->node_gpus ? EMPTIEST : FULLEST, nodes);
}

static bool first_fit(struct rr_partition *q, const struct rr_pool *p, int32_t job, int32_t gpus, int32_t *nodes)
{
	bool placed;
	if (demanded(q, p, job, gpus, nodes, &placed)) return placed;
	return place_in(p, gpus, 0, p->node_limit, LOWEST, nodes);
}

static bool worst_fit(struct rr_partition *q, const struct rr_pool *p, int32_t job, int32_t gpus, int32_t *nodes)
{
	bool placed;
	if (demanded(q, p, job, gpus, nodes, &placed)) return placed;
	return place_in(p, gpus, 0, p->node_limit, EMPTIEST, nodes);
}

static bool topology(struct rr_partition *q, const struct rr_pool *p, int32_t job, int32_t gpus, int32_t *nodes)
{
	bool placed;
	if (demanded(q, p, job, gpus, nodes, &placed)) return placed;
	if (place_in_rack(p, gpus, true, nodes)) return true;
	return gpus > p->node_gpus && place_over_racks(p, gpus, nodes);
}

static bool coolest(struct rr_partition *q, const struct rr_pool *p, int32_t job, int32_t gpus, int32_t *nodes)
{
	bool placed;
	if (demanded(q, p, job, gpus, nodes, &placed)) return placed;
	if (place_in_rack(p, gpus, false, nodes)) return true;
	return gpus > p->node_gpus && place_over_racks(p, gpus, nodes);
}

double rr_hourly_price(const struct pool_spec *pool)
{
	if (pool->kind == RR_POOL_PHYSICAL) return 0;
	return (double)pool->price_micros_per_hour / MAX(pool->gpus_per_node, 1) / MAX(pool->speed, 1e-9);
}

static const struct rr_placement best = {.place = best_fit}, consolidated = {.place = consolidate},
				 first = {.place = first_fit}, worst = {.place = worst_fit}, near = {.place = topology},
				 cool = {.place = coolest}, fgd = {best_fit, true, RR_SCORE_FGD, NULL},
				 pack = {best_fit, true, RR_SCORE_PACK, NULL},
				 cluster = {best_fit, true, RR_SCORE_GPU_CLUSTER, NULL},
				 dot = {best_fit, true, RR_SCORE_DOT_PRODUCT, NULL},
				 any = {best_fit, true, RR_SCORE_RANDOM, NULL},
				 tight = {best_fit, true, RR_SCORE_BEST_FIT, NULL},
				 cheap = {.place = best_fit, .price = rr_hourly_price};

const struct rr_word rr_placements[] = {
    {"best-fit", "the fullest node that holds the job; wholly free nodes for more", NULL, NULL, &best},
    {"consolidate", "best-fit; the remainder of a wide job must fit on the emptiest node", "Hu et al., SC 2021", NULL,
     &consolidated},
    {"first-fit", "the first node that holds the job; wholly free nodes for more", NULL, NULL, &first},
    {"worst-fit", "the emptiest node (spread)", NULL, NULL, &worst},
    {"topology", "as few racks as can be", NULL, NULL, &near},
    {"cheapest", "best-fit, owned pools first, then by the price of an hour", NULL, NULL, &cheap},
    {"coolest", "best-fit in the rack with the most free GPUs", "Moore et al., USENIX ATC 2005", NULL, &cool},
    {"fgd", "least growth of fragmentation; shares of GPUs, CPUs, memory", "Weng et al., USENIX ATC 2023", NULL, &fgd},
    {"pack", "GPUs in use first, then nodes in use; shares of GPUs, CPUs, memory", "Weng et al., USENIX ATC 2023", NULL,
     &pack},
    {"gpu-cluster", "nodes that hold jobs of the same size; shares of GPUs, CPUs, memory",
     "Weng et al., USENIX ATC 2023", NULL, &cluster},
    {"dot-product", "least product of what is free and what is asked; shares of GPUs, CPUs, memory",
     "Grandl et al., SIGCOMM 2014 (Tetris)", NULL, &dot},
    {"tightest", "least CPU and GPU left over; shares of GPUs, CPUs, memory", "Weng et al., USENIX ATC 2023 (BestFit)",
     NULL, &tight},
    {"random", "any node, any GPU; shares of GPUs, CPUs, memory", NULL, NULL, &any},
    {NULL, NULL, NULL, NULL, NULL},
};
