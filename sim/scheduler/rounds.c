#include "sim/scheduler/rounds.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

struct pair {
	double priority, share;
	int32_t job, type;
};

static int by_priority(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	if (x->priority != y->priority) return x->priority > y->priority ? -1 : 1;
	if (x->share != y->share) return x->share > y->share ? -1 : 1;
	if (x->job != y->job) return x->job < y->job ? -1 : 1;
	return (x->type > y->type) - (x->type < y->type);
}

/* The time so far is the same for all pairs, so X / f orders as X / received. */
static struct pair *pairs_in_order(const struct rr_round *round, size_t *count)
{
	size_t types = (size_t)round->type_count;
	struct pair *pairs = g_new(struct pair, (size_t)round->job_count * types + 1);
	*count = 0;
	for (int32_t i = 0; i < round->job_count; i++)
		for (int32_t j = 0; j < round->type_count; j++) {
			double share = round->share[(size_t)i * types + (size_t)j];
			double received_s = round->received_s[(size_t)i * types + (size_t)j];
			if (!(share > 0)) continue;
			double priority = received_s > 0 ? share / received_s : INFINITY;
			pairs[(*count)++] = (struct pair){priority, share, i, j};
		}
	qsort(pairs, *count, sizeof *pairs, by_priority);
	return pairs;
}

int32_t rr_rounds_next(const struct rr_round *round, int32_t *types)
{
	size_t count;
	g_autofree struct pair *pairs = pairs_in_order(round, &count);
	g_autofree int32_t *left = g_new(int32_t, (size_t)round->type_count + 1);
	int32_t running = 0;
	for (int32_t j = 0; j < round->type_count; j++) left[j] = round->capacity[j];
	for (int32_t i = 0; i < round->job_count; i++) types[i] = -1;
	for (size_t p = 0; p < count; p++) {
		int32_t job = pairs[p].job, type = pairs[p].type;
		if (types[job] >= 0 || round->gpus[job] > left[type]) continue;
		types[job] = type;
		left[type] -= round->gpus[job];
		running++;
	}
	return running;
}
