/* ends.c - see ends.h. */
#include "sim/scheduler/ends.h"

#include <glib.h>
#include <stdbool.h>

void rr_ends_init(struct rr_ends *ends, struct rr_ending *endings)
{
	*ends = (struct rr_ends){.endings = endings, .root = -1};
}

static inline bool before(const struct rr_ending *e, int32_t a, int32_t b)
{
	return e[a].end_ns < e[b].end_ns || (e[a].end_ns == e[b].end_ns && a < b);
}

static inline int64_t sum_of(const struct rr_ending *e, int32_t tree)
{
	return tree < 0 ? 0 : e[tree].sum;
}

static inline void sum_up(struct rr_ending *e, int32_t at)
{
	e[at].sum = e[at].gpus + sum_of(e, e[at].left) + sum_of(e, e[at].right);
}

static void split(struct rr_ending *e, int32_t tree, int32_t pivot, int32_t *low, int32_t *high)
{
	if (tree < 0) {
		*low = *high = -1;
		return;
	}
	if (before(e, tree, pivot)) {
		split(e, e[tree].right, pivot, &e[tree].right, high);
		*low = tree;
	} else {
		split(e, e[tree].left, pivot, low, &e[tree].left);
		*high = tree;
	}
	sum_up(e, tree);
}

static int32_t insert(struct rr_ending *e, int32_t tree, int32_t job)
{
	if (tree < 0 || e[job].rank > e[tree].rank) {
		split(e, tree, job, &e[job].left, &e[job].right);
		sum_up(e, job);
		return job;
	}
	if (before(e, job, tree))
		e[tree].left = insert(e, e[tree].left, job);
	else
		e[tree].right = insert(e, e[tree].right, job);
	sum_up(e, tree);
	return tree;
}

static int32_t merge(struct rr_ending *e, int32_t low, int32_t high)
{
	if (low < 0) return high;
	if (high < 0) return low;
	if (e[low].rank > e[high].rank) {
		e[low].right = merge(e, e[low].right, high);
		sum_up(e, low);
		return low;
	}
	e[high].left = merge(e, low, e[high].left);
	sum_up(e, high);
	return high;
}

static int32_t without(struct rr_ending *e, int32_t tree, int32_t job)
{
	g_assert(tree >= 0);
	if (tree == job) return merge(e, e[job].left, e[job].right);
	if (before(e, job, tree))
		e[tree].left = without(e, e[tree].left, job);
	else
		e[tree].right = without(e, e[tree].right, job);
	sum_up(e, tree);
	return tree;
}

void rr_ends_insert(struct rr_ends *ends, int32_t job, sim_time end_ns, int32_t gpus)
{
	uint32_t rank = (uint32_t)job * 0x85ebca6bu;
	rank ^= rank >> 15;
	rank *= 0x2c1b3c6du;
	rank ^= rank >> 13;
	ends->endings[job] =
	    (struct rr_ending){.end_ns = end_ns, .left = -1, .right = -1, .rank = rank, .gpus = gpus, .sum = gpus};
	ends->root = insert(ends->endings, ends->root, job);
}

void rr_ends_remove(struct rr_ends *ends, int32_t job)
{
	ends->root = without(ends->endings, ends->root, job);
}

/* GPUs of all that end not after END_NS. */
static int64_t freed_by(const struct rr_ends *ends, sim_time end_ns)
{
	const struct rr_ending *e = ends->endings;
	int64_t sum = 0;
	for (int32_t at = ends->root; at >= 0;) {
		if (e[at].end_ns <= end_ns) {
			sum += sum_of(e, e[at].left) + e[at].gpus;
			at = e[at].right;
		} else
			at = e[at].left;
	}
	return sum;
}

sim_time rr_ends_when(const struct rr_ends *ends, int64_t missing, int64_t *freed)
{
	const struct rr_ending *e = ends->endings;
	*freed = 0;
	if (sum_of(e, ends->root) < missing) return INT64_MAX;
	int32_t at = ends->root;
	for (;;) {
		int64_t left = sum_of(e, e[at].left);
		if (left >= missing)
			at = e[at].left;
		else if (left + e[at].gpus >= missing)
			break;
		else {
			missing -= left + e[at].gpus;
			at = e[at].right;
		}
	}
	*freed = freed_by(ends, e[at].end_ns);
	return e[at].end_ns;
}
