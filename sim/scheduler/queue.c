/* queue.c - see queue.h. */
#include "sim/scheduler/queue.h"

#include <glib.h>

int64_t rr_gpu_us(sim_time ns, int64_t gpus)
{
	rr_milli_gpu_ns product = (rr_milli_gpu_ns)ns * gpus / 1000;
	if (product > INT64_MAX) return INT64_MAX;
	return product < -INT64_MAX ? -INT64_MAX : (int64_t)product;
}

int64_t rr_lens_read(const struct rr_lens *lens, int64_t key)
{
	int64_t seen = key - lens->since_ns;
	return lens->gpus > 0 ? rr_gpu_us(seen, lens->gpus) : seen;
}

void rr_queue_init(struct rr_queue *q, struct rr_member *members, int32_t node_gpus)
{
	*q = (struct rr_queue){.members = members, .root = -1, .node_gpus = node_gpus};
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

static inline void add_child(struct rr_member *n, const struct rr_member *c)
{
	n->fewest = MIN(n->fewest, c->fewest);
	n->fewest_wide = MIN(n->fewest_wide, c->fewest_wide);
	n->shortest_ns = MIN(n->shortest_ns, c->shortest_ns);
	n->sum += c->sum;
}

static void sum_up(const struct rr_queue *q, int32_t job)
{
	struct rr_member *m = q->members, *n = &m[job];
	n->fewest = n->gpus;
	n->fewest_wide = n->gpus > q->node_gpus ? n->gpus : INT32_MAX;
	n->shortest_ns = n->estimate_ns;
	n->sum = n->gpus;
	if (n->left >= 0) add_child(n, &m[n->left]);
	if (n->right >= 0) add_child(n, &m[n->right]);
}

/* Splits TREE into the jobs before PIVOT and the others. */
static void split(const struct rr_queue *q, int32_t tree, struct rr_spot pivot, int32_t *low, int32_t *high)
{
	if (tree < 0) {
		*low = *high = -1;
		return;
	}
	struct rr_member *m = q->members;
	if (rr_spot_before(m[tree].spot, pivot)) {
		split(q, m[tree].right, pivot, &m[tree].right, high);
		*low = tree;
	} else {
		split(q, m[tree].left, pivot, low, &m[tree].left);
		*high = tree;
	}
	sum_up(q, tree);
}

static int32_t insert(const struct rr_queue *q, int32_t tree, int32_t job)
{
	struct rr_member *m = q->members;
	if (tree < 0 || m[job].rank > m[tree].rank) {
		split(q, tree, m[job].spot, &m[job].left, &m[job].right);
		sum_up(q, job);
		return job;
	}
	if (rr_spot_before(m[job].spot, m[tree].spot))
		m[tree].left = insert(q, m[tree].left, job);
	else
		m[tree].right = insert(q, m[tree].right, job);
	sum_up(q, tree);
	return tree;
}

static int32_t merge(const struct rr_queue *q, int32_t low, int32_t high)
{
	if (low < 0) return high;
	if (high < 0) return low;
	struct rr_member *m = q->members;
	if (m[low].rank > m[high].rank) {
		m[low].right = merge(q, m[low].right, high);
		sum_up(q, low);
		return low;
	}
	m[high].left = merge(q, low, m[high].left);
	sum_up(q, high);
	return high;
}

static int32_t without(const struct rr_queue *q, int32_t tree, int32_t job)
{
	g_assert(tree >= 0);
	struct rr_member *m = q->members;
	if (tree == job) return merge(q, m[job].left, m[job].right);
	if (rr_spot_before(m[job].spot, m[tree].spot))
		m[tree].left = without(q, m[tree].left, job);
	else
		m[tree].right = without(q, m[tree].right, job);
	sum_up(q, tree);
	return tree;
}

void rr_queue_insert(struct rr_queue *q, int32_t job, struct rr_spot spot, int32_t gpus, sim_time estimate_ns)
{
	q->members[job] = (struct rr_member){
	    .spot = spot, .estimate_ns = estimate_ns, .left = -1, .right = -1, .rank = rank_of(job), .gpus = gpus};
	q->root = insert(q, q->root, job);
	q->count++;
	q->gpus += gpus;
}

void rr_queue_remove(struct rr_queue *q, int32_t job)
{
	q->root = without(q, q->root, job);
	q->count--;
	q->gpus -= q->members[job].gpus;
}

int32_t rr_queue_first(const struct rr_queue *q)
{
	int32_t at = q->root;
	while (at >= 0 && q->members[at].left >= 0) at = q->members[at].left;
	return at;
}

int32_t rr_queue_last(const struct rr_queue *q)
{
	int32_t at = q->root;
	while (at >= 0 && q->members[at].right >= 0) at = q->members[at].right;
	return at;
}

int32_t rr_queue_after(const struct rr_queue *q, struct rr_spot spot)
{
	int32_t found = -1;
	for (int32_t at = q->root; at >= 0;) {
		bool later = rr_spot_before(spot, q->members[at].spot);
		if (later) found = at;
		at = later ? q->members[at].left : q->members[at].right;
	}
	return found;
}

int32_t rr_queue_before(const struct rr_queue *q, struct rr_spot spot)
{
	int32_t found = -1;
	for (int32_t at = q->root; at >= 0;) {
		bool earlier = rr_spot_before(q->members[at].spot, spot);
		if (earlier) found = at;
		at = earlier ? q->members[at].right : q->members[at].left;
	}
	return found;
}

static inline bool may_hold(const struct rr_member *n, const struct rr_room *room)
{
	return (n->fewest <= room->narrow || n->fewest_wide <= room->wide) &&
	       (n->shortest_ns <= room->limit_ns || n->fewest <= room->extra);
}

static inline bool fits(const struct rr_queue *q, const struct rr_member *n, const struct rr_room *room)
{
	int64_t most = n->gpus > q->node_gpus ? room->wide : room->narrow;
	return n->gpus <= most && (n->estimate_ns <= room->limit_ns || n->gpus <= room->extra);
}

/* The first of TREE that fits. */
static int32_t find_any(const struct rr_queue *q, int32_t tree, const struct rr_room *room)
{
	const struct rr_member *m = q->members;
	while (tree >= 0 && may_hold(&m[tree], room)) {
		int32_t found = find_any(q, m[tree].left, room);
		if (found >= 0) return found;
		if (fits(q, &m[tree], room)) return tree;
		tree = m[tree].right;
	}
	return -1;
}

/* The first of TREE after AFTER that fits. */
static int32_t find(const struct rr_queue *q, int32_t tree, struct rr_spot after, const struct rr_room *room)
{
	const struct rr_member *m = q->members;
	while (tree >= 0 && may_hold(&m[tree], room)) {
		if (!rr_spot_before(after, m[tree].spot)) {
			tree = m[tree].right; /* TREE and all left of it are not after */
			continue;
		}
		int32_t found = find(q, m[tree].left, after, room);
		if (found >= 0) return found;
		return fits(q, &m[tree], room) ? tree : find_any(q, m[tree].right, room);
	}
	return -1;
}

int32_t rr_queue_next(const struct rr_queue *q, struct rr_spot spot, const struct rr_room *room)
{
	return find(q, q->root, spot, room);
}

static inline int64_t sum_of(const struct rr_member *m, int32_t tree)
{
	return tree < 0 ? 0 : m[tree].sum;
}

int64_t rr_queue_gpus_before(const struct rr_queue *q, struct rr_spot spot, const struct rr_lens *lens)
{
	const struct rr_member *m = q->members;
	int64_t sum = 0;
	for (int32_t at = q->root; at >= 0;) {
		struct rr_spot seen = m[at].spot;
		if (lens != NULL) seen.key = rr_lens_read(lens, seen.key);
		if (rr_spot_before(seen, spot)) {
			sum += sum_of(m, m[at].left) + m[at].gpus;
			at = m[at].right;
		} else
			at = m[at].left;
	}
	return sum;
}

sim_time rr_queue_when(const struct rr_queue *q, int64_t missing, int64_t *freed)
{
	const struct rr_member *m = q->members;
	*freed = 0;
	if (sum_of(m, q->root) < missing) return INT64_MAX;
	int32_t at = q->root;
	for (;;) {
		int64_t left = sum_of(m, m[at].left);
		if (left >= missing)
			at = m[at].left;
		else if (left + m[at].gpus >= missing)
			break;
		else {
			missing -= left + m[at].gpus;
			at = m[at].right;
		}
	}
	sim_time when = m[at].spot.key;
	*freed = rr_queue_gpus_before(q, (struct rr_spot){when, INT64_MAX}, NULL);
	return when;
}
