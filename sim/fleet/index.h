/* index.h - a set of small integers that finds its lowest member at once.
 *
 * A bitset under levels of summary words: bit k of a level says whether word k
 * below has any bit. Insert, remove and lowest-at-or-after cost one word a
 * level: four levels hold 16 million members. */
#ifndef RR_SIM_FLEET_INDEX_H
#define RR_SIM_FLEET_INDEX_H

#include <stdbool.h>
#include <stdint.h>

enum { RR_INDEX_LEVELS = 5 };

struct rr_index {
	uint64_t *words;                 /* all levels, lowest first */
	uint32_t first[RR_INDEX_LEVELS]; /* where each level begins */
	int32_t levels;
	int32_t size;  /* members are 0 .. size-1 */
	int32_t count; /* members now */
};

void rr_index_init(struct rr_index *index, int32_t size);
void rr_index_done(struct rr_index *index);
void rr_index_insert(struct rr_index *index, int32_t member); /* must not be in */
void rr_index_remove(struct rr_index *index, int32_t member); /* must be in */
bool rr_index_has(const struct rr_index *index, int32_t member);
/* The lowest member >= FROM, or -1. */
int32_t rr_index_next(const struct rr_index *index, int32_t from);

#endif
