#include "tests/support/scan.h"

#include <glib.h>
#include <string.h>

/* The lowest of the fullest, of the emptiest, or of all nodes with room for WANT. */
enum rule { FULLEST, EMPTIEST, LOWEST };

/* Which node holds what is less than a node, alone or beside whole nodes. */
static const struct {
	const char *word;
	enum rule alone, rest;
} rules[] = {{"best-fit", FULLEST, FULLEST},    {"consolidate", FULLEST, EMPTIEST}, {"first-fit", LOWEST, LOWEST},
	     {"worst-fit", EMPTIEST, EMPTIEST}, {"topology", FULLEST, FULLEST},     {"coolest", FULLEST, FULLEST},
	     {"cheapest", FULLEST, FULLEST}};

static int rule_of(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (strcmp(rules[i].word, word) == 0) return (int)i;
	return -1;
}

bool rr_scan_knows(const char *word)
{
	return rule_of(word) >= 0;
}

static int32_t choose(const int32_t *free, int32_t count, int32_t want, enum rule rule)
{
	int32_t best = -1;
	for (int32_t n = 0; n < count; n++) {
		if (free[n] < want) continue;
		bool better =
		    best < 0 || (rule == FULLEST && free[n] < free[best]) || (rule == EMPTIEST && free[n] > free[best]);
		if (better) best = n;
	}
	return best;
}

bool rr_scan(const char *word, const int32_t *given, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes)
{
	g_autofree int32_t *free = g_memdup2(given, (size_t)count * sizeof *given);
	int at = rule_of(word);
	int32_t placed = 0;
	for (int32_t left = gpus; left > 0;) {
		int32_t want = MIN(left, node_gpus);
		enum rule rule = want == node_gpus ? LOWEST : gpus > node_gpus ? rules[at].rest : rules[at].alone;
		int32_t node = choose(free, count, want, rule);
		if (node < 0) return false;
		nodes[placed++] = node;
		free[node] = -1; /* taken, however much of it */
		left -= want;
	}
	return true;
}
