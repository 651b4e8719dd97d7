/* profile.c - see profile.h. */
#include "sim/scheduler/profile.h"

#include <glib.h>
#include <stdbool.h>

static inline int64_t least_of(const struct rr_profile *f, int32_t at)
{
	return at < 0 ? INT64_MAX : f->steps[at].least;
}

static inline int64_t most_of(const struct rr_profile *f, int32_t at)
{
	return at < 0 ? INT64_MIN : f->steps[at].most;
}

static void sum_up(const struct rr_profile *f, int32_t at)
{
	struct rr_step *n = &f->steps[at];
	n->least = MIN(n->free, MIN(least_of(f, n->left), least_of(f, n->right)));
	n->most = MAX(n->free, MAX(most_of(f, n->left), most_of(f, n->right)));
}

static void lift(const struct rr_profile *f, int32_t at, int64_t by)
{
	if (at < 0) return;
	struct rr_step *n = &f->steps[at];
	n->free += by;
	n->least += by;
	n->most += by;
	n->add += by;
}

static void hand_down(const struct rr_profile *f, int32_t at)
{
	struct rr_step *n = &f->steps[at];
	if (n->add == 0) return;
	lift(f, n->left, n->add);
	lift(f, n->right, n->add);
	n->add = 0;
}

/* Steps before TIME, and the others. */
static void split(const struct rr_profile *f, int32_t tree, sim_time time, int32_t *low, int32_t *high)
{
	if (tree < 0) {
		*low = *high = -1;
		return;
	}
	hand_down(f, tree);
	if (f->steps[tree].at_ns < time) {
		split(f, f->steps[tree].right, time, &f->steps[tree].right, high);
		*low = tree;
	} else {
		split(f, f->steps[tree].left, time, low, &f->steps[tree].left);
		*high = tree;
	}
	sum_up(f, tree);
}

static int32_t merge(const struct rr_profile *f, int32_t low, int32_t high)
{
	if (low < 0) return high;
	if (high < 0) return low;
	if (f->steps[low].rank > f->steps[high].rank) {
		hand_down(f, low);
		f->steps[low].right = merge(f, f->steps[low].right, high);
		sum_up(f, low);
		return low;
	}
	hand_down(f, high);
	f->steps[high].left = merge(f, low, f->steps[high].left);
	sum_up(f, high);
	return high;
}

static int32_t new_step(struct rr_profile *f, sim_time at, int64_t free)
{
	int32_t slot = f->unused;
	if (slot >= 0)
		f->unused = f->steps[slot].left;
	else {
		if (f->count == f->capacity) {
			f->capacity = MAX(2 * f->capacity, 64);
			f->steps = g_renew(struct rr_step, f->steps, f->capacity);
		}
		slot = f->count++;
	}
	uint32_t rank = (uint32_t)slot * 0x9e3779b9u ^ (uint32_t)((uint64_t)at >> 7);
	rank ^= rank >> 16;
	rank *= 0x85ebca6bu;
	rank ^= rank >> 13;
	f->steps[slot] = (struct rr_step){at, free, free, free, 0, -1, -1, rank};
	return slot;
}

static void drop_step(struct rr_profile *f, int32_t slot)
{
	f->steps[slot].left = f->unused;
	f->unused = slot;
}

void rr_profile_init(struct rr_profile *f, int64_t free)
{
	*f = (struct rr_profile){.root = -1, .unused = -1};
	f->root = new_step(f, INT64_MIN, free);
}

void rr_profile_done(struct rr_profile *f)
{
	g_free(f->steps);
}

static int32_t last_of(const struct rr_profile *f, int32_t tree)
{
	for (;;) {
		hand_down(f, tree);
		if (f->steps[tree].right < 0) return tree;
		tree = f->steps[tree].right;
	}
}

static int32_t first_of(const struct rr_profile *f, int32_t tree)
{
	for (;;) {
		hand_down(f, tree);
		if (f->steps[tree].left < 0) return tree;
		tree = f->steps[tree].left;
	}
}

/* A step at the beginning of HIGH, which begins at AT: made when it is not there. */
static int32_t begin_at(struct rr_profile *f, int32_t low, int32_t high, sim_time at)
{
	if (high >= 0 && f->steps[first_of(f, high)].at_ns == at) return high;
	int32_t step = new_step(f, at, f->steps[last_of(f, low)].free);
	return merge(f, step, high);
}

/* HIGH without its first step when that is as high as the end of LOW. */
static int32_t smooth(struct rr_profile *f, int32_t low, int32_t high)
{
	if (low < 0 || high < 0) return high;
	int32_t first = first_of(f, high), rest = -1, dropped = -1;
	if (f->steps[first].free != f->steps[last_of(f, low)].free) return high;
	split(f, high, f->steps[first].at_ns + 1, &dropped, &rest);
	drop_step(f, dropped);
	return rest;
}

void rr_profile_add(struct rr_profile *f, sim_time from, sim_time to, int64_t gpus)
{
	int32_t low = -1, span = -1, high = -1;
	if (from >= to || gpus == 0) return;
	split(f, f->root, from, &low, &span);
	if (from != INT64_MIN) span = begin_at(f, low, span, from);
	if (to != INT64_MAX) {
		int32_t all = span;
		split(f, all, to, &span, &high);
		high = begin_at(f, span, high, to);
	}
	lift(f, span, gpus);
	span = smooth(f, low, span);
	int32_t before = span >= 0 ? span : low;
	high = smooth(f, before, high);
	f->root = merge(f, merge(f, low, span), high);
}

int64_t rr_profile_free(const struct rr_profile *f, sim_time at)
{
	int64_t free = 0;
	for (int32_t n = f->root; n >= 0;) {
		hand_down(f, n);
		bool passed = f->steps[n].at_ns <= at;
		if (passed) free = f->steps[n].free;
		n = passed ? f->steps[n].right : f->steps[n].left;
	}
	return free;
}

/* The first step after TIME with fewer than GPUS free (BELOW) or at least so many; -1. */
static int32_t next_step(const struct rr_profile *f, int32_t tree, sim_time time, int64_t gpus, bool below)
{
	if (tree < 0 || (below ? f->steps[tree].least >= gpus : f->steps[tree].most < gpus)) return -1;
	hand_down(f, tree);
	const struct rr_step *n = &f->steps[tree];
	if (n->at_ns <= time) return next_step(f, n->right, time, gpus, below);
	int32_t found = next_step(f, n->left, time, gpus, below);
	if (found >= 0) return found;
	if ((n->free < gpus) == below) return tree;
	return next_step(f, n->right, time, gpus, below);
}

sim_time rr_profile_earliest(const struct rr_profile *f, int64_t gpus, sim_time span_ns, sim_time from)
{
	sim_time at = from;
	if (rr_profile_free(f, at) < gpus) {
		int32_t step = next_step(f, f->root, at, gpus, false);
		if (step < 0) return INT64_MAX;
		at = f->steps[step].at_ns;
	}
	for (;;) {
		int32_t obstacle = next_step(f, f->root, at, gpus, true);
		if (obstacle < 0 || f->steps[obstacle].at_ns - at >= span_ns) return at;
		int32_t step = next_step(f, f->root, f->steps[obstacle].at_ns, gpus, false);
		if (step < 0) return INT64_MAX;
		at = f->steps[step].at_ns;
	}
}

void rr_profile_forget(struct rr_profile *f, sim_time now)
{
	for (;;) {
		int32_t low = -1, high = -1, first = -1, rest = -1;
		split(f, f->root, now + 1, &low, &high);
		int32_t step = first_of(f, low), last = last_of(f, low);
		if (step == last) {
			f->root = merge(f, low, high);
			return;
		}
		split(f, low, f->steps[step].at_ns + 1, &first, &rest);
		drop_step(f, first);
		f->root = merge(f, rest, high);
	}
}
