/* fragmentation.h - how much of what is free the typical job cannot use (Weng et
 * al., USENIX ATC 2023, section 3).
 *
 *   F(node) = sum over typical kinds k of  p_k * F_k(node)
 *
 * F_k is all that is left of the node's GPUs when kind k cannot run there (it wants
 * no GPU, another type, more CPU, or more GPUs than have enough left), else what is
 * left on those GPUs that have less than it wants of each. */
#ifndef RR_SIM_SCHEDULER_FRAGMENTATION_H
#define RR_SIM_SCHEDULER_FRAGMENTATION_H

#include "sim/shares/shares.h"

#include <stddef.h>

struct rr_typical;

/* Kinds of COUNT asks, equal in all but memory: the most frequent ones until they
 * make up 95 % of all, by their weight among those. */
struct rr_typical *rr_typical_new(const struct rr_ask *asks, size_t count);
void rr_typical_free(struct rr_typical *typical);
int32_t rr_typical_kinds(const struct rr_typical *typical);
double rr_typical_share(const struct rr_typical *typical); /* of all asks that the kinds make up */

/* F of a node in thousandths of a GPU, times rr_typical_weight(): a whole number.
 * O(kinds of GPU demand x GPUs). */
int64_t rr_fragmentation(const struct rr_typical *typical, const struct rr_share_node *node);
int64_t rr_typical_weight(const struct rr_typical *typical);

#endif
