/* fragmentation.c - see fragmentation.h. Kinds that differ in CPU alone are one
 * group: what counts is how many of them the node's CPUs would do for. */
#include "sim/scheduler/fragmentation.h"

#include <string.h>

struct kind {
	struct rr_ask ask;
	int64_t count;
	size_t first; /* where it came first: settles ties */
};

struct group {
	int32_t gpus, gpu_milli;
	uint64_t pools;
	int64_t weight;      /* of all its kinds */
	int32_t from, count; /* its rows of cpu and below */
};

struct rr_typical {
	struct group *groups;
	int32_t group_count, kind_count;
	int64_t *cpu, *below; /* rising CPU demands, and the weight of those up to each */
	int64_t weight, cpu_only;
	double share;
};

enum { TYPICAL_PERCENT = 95 };

static guint hash_ask(gconstpointer data)
{
	const struct rr_ask *a = data;
	uint64_t x = (uint64_t)a->cpu_milli * 0x9e3779b97f4a7c15u + (uint64_t)a->gpus * 1000003u +
		     (uint64_t)a->gpu_milli * 8191u + a->pools * 0xc2b2ae3d27d4eb4fu;
	return (guint)(x ^ x >> 32);
}

static gboolean same_ask(gconstpointer a, gconstpointer b)
{
	const struct rr_ask *x = a, *y = b;
	return x->cpu_milli == y->cpu_milli && x->gpus == y->gpus && x->gpu_milli == y->gpu_milli &&
	       x->pools == y->pools;
}

static gint more_frequent(gconstpointer a, gconstpointer b)
{
	const struct kind *x = a, *y = b;
	if (x->count != y->count) return x->count > y->count ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static GArray *count_kinds(const struct rr_ask *asks, size_t count)
{
	GArray *kinds = g_array_new(FALSE, FALSE, sizeof(struct kind));
	g_autoptr(GHashTable) places = g_hash_table_new(hash_ask, same_ask);
	for (size_t i = 0; i < count; i++) {
		gpointer at = g_hash_table_lookup(places, &asks[i]);
		if (at != NULL) {
			g_array_index(kinds, struct kind, GPOINTER_TO_UINT(at) - 1).count++;
			continue;
		}
		struct kind kind = {asks[i], 1, i};
		g_array_append_val(kinds, kind);
		g_hash_table_insert(places, (gpointer)(intptr_t)&asks[i], GUINT_TO_POINTER(kinds->len));
	}
	g_array_sort(kinds, more_frequent);
	return kinds;
}

/* By group, then by CPU. */
static gint by_group(gconstpointer a, gconstpointer b)
{
	const struct rr_ask *x = &((const struct kind *)a)->ask, *y = &((const struct kind *)b)->ask;
	if (x->gpus != y->gpus) return x->gpus < y->gpus ? -1 : 1;
	if (x->gpu_milli != y->gpu_milli) return x->gpu_milli < y->gpu_milli ? -1 : 1;
	if (x->pools != y->pools) return x->pools < y->pools ? -1 : 1;
	return x->cpu_milli < y->cpu_milli ? -1 : x->cpu_milli > y->cpu_milli;
}

static bool of_group(const struct group *g, const struct rr_ask *ask)
{
	return g->gpus == ask->gpus && g->gpu_milli == ask->gpu_milli && g->pools == ask->pools;
}

static void make_groups(struct rr_typical *t, const GArray *kinds)
{
	t->groups = g_new0(struct group, MAX(kinds->len, 1));
	t->cpu = g_new(int64_t, MAX(kinds->len, 1));
	t->below = g_new(int64_t, MAX(kinds->len, 1));
	for (guint i = 0; i < kinds->len; i++) {
		const struct kind *kind = &g_array_index(kinds, struct kind, i);
		t->weight += kind->count;
		if (kind->ask.gpus == 0) t->cpu_only += kind->count;
		struct group *g = t->group_count > 0 ? &t->groups[t->group_count - 1] : NULL;
		if (g == NULL || !of_group(g, &kind->ask)) {
			g = &t->groups[t->group_count++];
			*g = (struct group){kind->ask.gpus, kind->ask.gpu_milli, kind->ask.pools, 0, (int32_t)i, 0};
		}
		g->weight += kind->count;
		g->count++;
		t->cpu[i] = kind->ask.cpu_milli;
		t->below[i] = g->weight;
	}
}

struct rr_typical *rr_typical_new(const struct rr_ask *asks, size_t count)
{
	struct rr_typical *t = g_new0(struct rr_typical, 1);
	g_autoptr(GArray) kinds = count_kinds(asks, count);
	int64_t taken = 0;
	guint keep = 0;
	while (keep < kinds->len && taken * 100 < (int64_t)count * TYPICAL_PERCENT)
		taken += g_array_index(kinds, struct kind, keep++).count;
	g_array_set_size(kinds, keep);
	g_array_sort(kinds, by_group);
	make_groups(t, kinds);
	t->kind_count = (int32_t)keep;
	t->share = count > 0 ? (double)taken / (double)count : 0;
	return t;
}

void rr_typical_free(struct rr_typical *t)
{
	if (t == NULL) return;
	g_free(t->groups);
	g_free(t->cpu);
	g_free(t->below);
	g_free(t);
}

int32_t rr_typical_kinds(const struct rr_typical *t)
{
	return t->kind_count;
}

double rr_typical_share(const struct rr_typical *t)
{
	return t->share;
}

int64_t rr_typical_weight(const struct rr_typical *t)
{
	return t->weight;
}

/* Weight of those kinds of G for which CPU would do. */
static int64_t weight_within(const struct rr_typical *t, const struct group *g, int64_t cpu)
{
	int32_t low = 0, high = g->count;
	while (low < high) {
		int32_t middle = (low + high) / 2;
		if (t->cpu[g->from + middle] <= cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? t->below[g->from + low - 1] : 0;
}

int64_t rr_fragmentation(const struct rr_typical *t, const struct rr_share_node *n)
{
	int64_t sum = 0, all = n->milli_left;
	if (all == 0) return 0;
	for (int32_t i = 0; i < t->group_count; i++) {
		const struct group *g = &t->groups[i];
		int64_t able = 0, small = 0;
		int32_t enough = 0;
		if (g->gpus > 0 && (g->pools >> n->pool & 1) == 1) {
			for (int32_t k = 0; k < n->gpus; k++) {
				bool fits = n->left[k] >= g->gpu_milli;
				enough += fits;
				small += fits ? 0 : n->left[k];
			}
			if (enough >= g->gpus) able = weight_within(t, g, n->cpu_milli);
		}
		sum += (g->weight - able) * all + able * small;
	}
	return sum;
}
