/* names.h - the mean length of jobs by name, and by what names have in common.
 *
 * A radix tree: a node stands for the start of names, and knows the mean of the
 * jobs of just this name and of all names that start so. Learning and asking cost
 * the length of the name; a new name adds at most two nodes. Many trees share one
 * store, so that each user may have one. */
#ifndef RR_SIM_SCHEDULER_NAMES_H
#define RR_SIM_SCHEDULER_NAMES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mean in which each value weighs DECAY times what the next one weighs. */
struct rr_recent {
	double sum, weight; /* weight 0 = nothing learnt */
};
void rr_recent_learn(struct rr_recent *recent, double value, double decay);
double rr_recent_mean(const struct rr_recent *recent); /* weight must be above 0 */

struct rr_name_node {
	struct rr_recent exact, below;
	size_t edge, edge_length;        /* text that leads here, in the store's arena */
	int32_t first_child, next_child; /* -1 = none */
};
struct rr_names {
	GArray *nodes;
	GByteArray *text;
};
void rr_names_init(struct rr_names *names);
void rr_names_done(struct rr_names *names);

/* An empty tree; its root, to be given to the others. */
int32_t rr_names_new_tree(struct rr_names *names);
void rr_names_learn(struct rr_names *names, int32_t root, const char *name, double value, double decay);

/* What is known of NAME: EXACT, the jobs of that name (NULL = none), and SIMILAR,
 * the jobs of the names that have the longest start in common with it, *SHARED bytes
 * of it. Both hold until the next rr_names_learn or rr_names_new_tree. */
void rr_names_find(const struct rr_names *names, int32_t root, const char *name, const struct rr_recent **exact,
		   const struct rr_recent **similar, size_t *shared);

#endif
