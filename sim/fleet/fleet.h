/* fleet.h - pools of GPUs: who holds what, and where there is room.
 *
 * A pool is a set of nodes of one size, or one flat number of GPUs. Nodes that
 * serve are filed by how many of their GPUs are free, so that the best fit is
 * found in O(GPUs per node) whatever the size of the fleet. */
#ifndef RR_SIM_FLEET_H
#define RR_SIM_FLEET_H

#include "scenarios/scenarios.h"
#include "sim/shares/shares.h"

#include <stdbool.h>
#include <stdint.h>

struct rr_index;

struct rr_pool {
	const struct pool_spec *spec;
	int32_t node_gpus;  /* GPUs of a node; 0 = flat */
	int32_t node_limit; /* nodes at most; flat: 0 */
	int64_t gpu_limit;  /* GPUs at most */
	int64_t free_gpus;  /* of nodes that serve */
	int64_t serving_gpus;
	int32_t serving_nodes;
	int32_t *node_free;       /* free GPUs by node; -1 = does not serve */
	struct rr_index *by_free; /* [0 .. node_gpus]: serving nodes with so many free */
	struct rr_index *off;     /* nodes that are not there */
	int32_t rack_nodes;       /* nodes of a rack; all of them when racks are not known */
	int64_t *rack_free;       /* free GPUs by rack */
	struct rr_shares *shares; /* its nodes from share_from on stand there, too; NULL = none does */
	int32_t share_from;
	uint64_t changes; /* of the free GPUs of some node */
};

void rr_pool_init(struct rr_pool *pool, const struct pool_spec *spec);
void rr_pool_done(struct rr_pool *pool);

/* A node begins or ceases to serve. It must be off (and is taken from the off
 * set by rr_pool_take_off) or wholly free. Flat pools: all GPUs at once, NODE 0. */
void rr_pool_serve(struct rr_pool *pool, int32_t node);
void rr_pool_retire(struct rr_pool *pool, int32_t node);
/* The lowest node that is off, now reserved for booting; -1 when none is. */
int32_t rr_pool_take_off(struct rr_pool *pool);

/* Could a job of GPUS ever run here, all nodes empty and there? */
bool rr_pool_admits(const struct rr_pool *pool, int32_t gpus);

/* Most GPUs that a job within one node could get now (flat: any job). */
int64_t rr_pool_widest_free(const struct rr_pool *pool);

/* Whether GPU type, memory, CPUs, region and labels are what NEEDS asks for; what is
 * not known of the pool is not refused. TEXT is the job list's. */
bool rr_pool_suits(const struct rr_pool *pool, const struct job_list *text, const struct job_needs *needs);

/* How many nodes a job of GPUS holds, with at most CHUNK on each; 0 in a flat pool. */
int32_t rr_pool_nodes_of(const struct rr_pool *pool, int32_t gpus, int32_t chunk);

/* Takes or gives back GPUS on NODES (as chosen by a placement): CHUNK on each
 * node and the remainder on the last one. */
void rr_pool_take(struct rr_pool *pool, int32_t gpus, int32_t chunk, const int32_t *nodes);
void rr_pool_give(struct rr_pool *pool, int32_t gpus, int32_t chunk, const int32_t *nodes);

/* NODE, whose GPUs are given out in shares, has FREE wholly free ones now. */
void rr_pool_refile(struct rr_pool *pool, int32_t node, int32_t free);

/* Lowest serving node >= FROM with exactly FREE GPUs free, or -1. */
int32_t rr_pool_node_with(const struct rr_pool *pool, int32_t free, int32_t from);
int32_t rr_pool_count_with(const struct rr_pool *pool, int32_t free);

#endif
