/* shares.h - nodes of any mix whose GPUs are given out in thousandths, with their
 * CPUs and memory. Beside pools (fleet.h), for placements that look into nodes.
 *
 * Every change is written down in a log of nodes, so that whoever keeps something
 * about nodes needs to look only at those that changed since. */
#ifndef RR_SIM_SHARES_H
#define RR_SIM_SHARES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { RR_SHARE_GPUS_MOST = 16, RR_WHOLE_GPU = 1000 };

/* What a job asks of one node. */
struct rr_ask {
	int64_t cpu_milli, ram_bytes;
	int32_t gpus, gpu_milli; /* so many thousandths of each of so many GPUs; 0 GPUs = CPUs only */
	uint64_t pools;          /* bit by pool: allowed */
};

struct rr_share_node {
	int64_t cpu_milli, ram_bytes; /* left; INT64_MAX = without limit */
	int32_t milli_left;           /* of all its GPUs */
	int16_t left[RR_SHARE_GPUS_MOST];
	int16_t holds[RR_SHARE_GPUS_MOST + 1]; /* jobs by whole GPUs; 0 = shares of one */
	int8_t gpus, kinds;                    /* kinds: how many of holds are above 0 */
	uint8_t pool;
	bool serves;
};

struct rr_shares {
	struct rr_share_node *nodes;
	int32_t count;
	int32_t *place_of, *node_at; /* the order in which equals are taken: place of a node, node at a place */
	GArray *log;                 /* int32_t: nodes that changed, in time */
	uint64_t log_from;           /* changes before were forgotten: the log begins with this number */
	uint64_t *changed;           /* by node: number of its last change */
};

/* COUNT nodes, none of which serves, in the order of their numbers. */
void rr_shares_init(struct rr_shares *shares, int32_t count);
void rr_shares_done(struct rr_shares *shares);
/* Node NODE of POOL with all that it has. */
void rr_shares_set(struct rr_shares *shares, int32_t node, int32_t pool, int32_t gpus, int64_t cpu_milli,
		   int64_t ram_bytes);
void rr_shares_serve(struct rr_shares *shares, int32_t node, bool serves);
/* The order of equals: NODE_AT[place], a permutation. */
void rr_shares_order(struct rr_shares *shares, const int32_t *node_at);

/* Could NODE take ASK now? */
bool rr_share_fits(const struct rr_share_node *node, const struct rr_ask *ask);
/* Takes ASK on NODE, on the GPUs of the bits of MASK, or gives it back. */
void rr_shares_take(struct rr_shares *shares, int32_t node, const struct rr_ask *ask, uint32_t mask);
void rr_shares_give(struct rr_shares *shares, int32_t node, const struct rr_ask *ask, uint32_t mask);
/* The lowest GPUs of NODE with room for ASK. */
uint32_t rr_share_lowest(const struct rr_share_node *node, const struct rr_ask *ask);
/* The number that the next change will have. */
uint64_t rr_shares_now(const struct rr_shares *shares);

#endif
