/* index.c - see index.h. */
#include "sim/fleet/index.h"

#include <glib.h>

void rr_index_init(struct rr_index *x, int32_t size)
{
	*x = (struct rr_index){.size = size};
	uint32_t at = 0, words = MAX(((uint32_t)size + 63) / 64, 1);
	for (;;) {
		g_assert(x->levels < RR_INDEX_LEVELS);
		x->first[x->levels++] = at;
		at += words;
		if (words == 1) break;
		words = (words + 63) / 64;
	}
	x->words = g_new0(uint64_t, at);
}

void rr_index_done(struct rr_index *x)
{
	g_free(x->words);
}

void rr_index_insert(struct rr_index *x, int32_t member)
{
	uint32_t bit = (uint32_t)member;
	for (int32_t level = 0; level < x->levels; level++) {
		uint64_t *word = &x->words[x->first[level] + bit / 64];
		bool was_empty = *word == 0;
		*word |= UINT64_C(1) << (bit % 64);
		if (!was_empty) break;
		bit /= 64;
	}
	x->count++;
}

void rr_index_remove(struct rr_index *x, int32_t member)
{
	uint32_t bit = (uint32_t)member;
	for (int32_t level = 0; level < x->levels; level++) {
		uint64_t *word = &x->words[x->first[level] + bit / 64];
		*word &= ~(UINT64_C(1) << (bit % 64));
		if (*word != 0) break;
		bit /= 64;
	}
	x->count--;
}

bool rr_index_has(const struct rr_index *x, int32_t member)
{
	return (x->words[(uint32_t)member / 64] >> ((uint32_t)member % 64) & 1) == 1;
}

/* The lowest member of the subtree under bit BIT of LEVEL. */
static int32_t descend(const struct rr_index *x, int32_t level, uint32_t bit)
{
	while (level-- > 0) bit = bit * 64 + (uint32_t)__builtin_ctzll(x->words[x->first[level] + bit]);
	return (int32_t)bit;
}

int32_t rr_index_next(const struct rr_index *x, int32_t from)
{
	if (x->count == 0 || from >= x->size) return -1;
	uint32_t bit = (uint32_t)from;
	for (int32_t level = 0; level < x->levels; level++) {
		uint32_t words = level + 1 < x->levels ? x->first[level + 1] - x->first[level] : 1;
		if (bit / 64 >= words) return -1;
		uint64_t word = x->words[x->first[level] + bit / 64] & (UINT64_MAX << (bit % 64));
		if (word != 0) return descend(x, level, bit / 64 * 64 + (uint32_t)__builtin_ctzll(word));
		bit = bit / 64 + 1; /* nothing here: the next word, by its summary */
	}
	return -1;
}
