/* queue.c - see queue.h. */
#include "sim/scheduler/queue.h"

#include <glib.h>

void rr_queue_init(struct rr_queue *q, struct rr_waiting *waiting, int32_t node_gpus)
{
	*q = (struct rr_queue){.waiting = waiting, .root = -1, .node_gpus = node_gpus};
}

static inline bool before(const struct rr_waiting *w, int32_t a, int32_t b)
{
	return w[a].key < w[b].key || (w[a].key == w[b].key && a < b);
}

/* A fixed hash: the shape of the tree is the same in every run. */
static uint32_t rank_of(int32_t job)
{
	uint32_t x = (uint32_t)job * 0x9e3779b9u;
	x ^= x >> 16;
	x *= 0x85ebca6bu;
	x ^= x >> 13;
	x *= 0xc2b2ae35u;
	return x ^ (x >> 16);
}

static void sum_up(const struct rr_queue *q, int32_t job)
{
	struct rr_waiting *w = q->waiting, *n = &w[job];
	n->fewest = n->gpus;
	n->fewest_wide = n->gpus > q->node_gpus ? n->gpus : INT32_MAX;
	n->shortest_ns = n->estimate_ns;
	const int32_t children[] = {n->left, n->right};
	for (size_t i = 0; i < G_N_ELEMENTS(children); i++) {
		if (children[i] < 0) continue;
		const struct rr_waiting *c = &w[children[i]];
		n->fewest = MIN(n->fewest, c->fewest);
		n->fewest_wide = MIN(n->fewest_wide, c->fewest_wide);
		n->shortest_ns = MIN(n->shortest_ns, c->shortest_ns);
	}
}

/* Splits TREE into the jobs before PIVOT and the others. */
static void split(const struct rr_queue *q, int32_t tree, int32_t pivot, int32_t *low, int32_t *high)
{
	if (tree < 0) {
		*low = *high = -1;
		return;
	}
	struct rr_waiting *w = q->waiting;
	if (before(w, tree, pivot)) {
		split(q, w[tree].right, pivot, &w[tree].right, high);
		*low = tree;
	} else {
		split(q, w[tree].left, pivot, low, &w[tree].left);
		*high = tree;
	}
	sum_up(q, tree);
}

static int32_t insert(const struct rr_queue *q, int32_t tree, int32_t job)
{
	struct rr_waiting *w = q->waiting;
	if (tree < 0 || w[job].rank > w[tree].rank) {
		split(q, tree, job, &w[job].left, &w[job].right);
		sum_up(q, job);
		return job;
	}
	if (before(w, job, tree))
		w[tree].left = insert(q, w[tree].left, job);
	else
		w[tree].right = insert(q, w[tree].right, job);
	sum_up(q, tree);
	return tree;
}

static int32_t merge(const struct rr_queue *q, int32_t low, int32_t high)
{
	if (low < 0) return high;
	if (high < 0) return low;
	struct rr_waiting *w = q->waiting;
	if (w[low].rank > w[high].rank) {
		w[low].right = merge(q, w[low].right, high);
		sum_up(q, low);
		return low;
	}
	w[high].left = merge(q, low, w[high].left);
	sum_up(q, high);
	return high;
}

static int32_t without(const struct rr_queue *q, int32_t tree, int32_t job)
{
	g_assert(tree >= 0);
	struct rr_waiting *w = q->waiting;
	if (tree == job) return merge(q, w[job].left, w[job].right);
	if (before(w, job, tree))
		w[tree].left = without(q, w[tree].left, job);
	else
		w[tree].right = without(q, w[tree].right, job);
	sum_up(q, tree);
	return tree;
}

void rr_queue_insert(struct rr_queue *q, int32_t job, int64_t key, int32_t gpus, sim_time estimate_ns)
{
	q->waiting[job] = (struct rr_waiting){
	    .key = key, .estimate_ns = estimate_ns, .left = -1, .right = -1, .rank = rank_of(job), .gpus = gpus};
	q->root = insert(q, q->root, job);
	q->count++;
	q->gpus += gpus;
}

void rr_queue_remove(struct rr_queue *q, int32_t job)
{
	q->root = without(q, q->root, job);
	q->count--;
	q->gpus -= q->waiting[job].gpus;
}

int32_t rr_queue_first(const struct rr_queue *q)
{
	int32_t at = q->root;
	while (at >= 0 && q->waiting[at].left >= 0) at = q->waiting[at].left;
	return at;
}

static inline bool may_hold(const struct rr_waiting *n, const struct rr_room *room)
{
	return (n->fewest <= room->narrow || n->fewest_wide <= room->wide) &&
	       (n->shortest_ns <= room->limit_ns || n->fewest <= room->extra);
}

static inline bool fits(const struct rr_queue *q, const struct rr_waiting *n, const struct rr_room *room)
{
	int64_t most = n->gpus > q->node_gpus ? room->wide : room->narrow;
	return n->gpus <= most && (n->estimate_ns <= room->limit_ns || n->gpus <= room->extra);
}

/* The first of TREE after AFTER (-1 = any) that fits. */
static int32_t find(const struct rr_queue *q, int32_t tree, int32_t after, const struct rr_room *room)
{
	const struct rr_waiting *w = q->waiting;
	while (tree >= 0 && may_hold(&w[tree], room)) {
		if (after >= 0 && !before(w, after, tree)) {
			tree = w[tree].right; /* TREE and all left of it are not after */
			continue;
		}
		int32_t found = find(q, w[tree].left, after, room);
		if (found >= 0) return found;
		if (fits(q, &w[tree], room)) return tree;
		tree = w[tree].right;
		after = -1;
	}
	return -1;
}

int32_t rr_queue_next(const struct rr_queue *q, int32_t after, const struct rr_room *room)
{
	return find(q, q->root, after, room);
}
