/* pool.c - see fleet.h. */
#include "sim/fleet/fleet.h"

#include "sim/fleet/index.h"

#include <string.h>

void rr_pool_init(struct rr_pool *p, const struct pool_spec *spec)
{
	*p = (struct rr_pool){.spec = spec, .node_gpus = spec->gpus_per_node};
	if (p->node_gpus == 0) {
		p->gpu_limit = spec->count_max;
		return;
	}
	p->node_limit = spec->count_max;
	p->gpu_limit = (int64_t)p->node_limit * p->node_gpus;
	p->rack_nodes = spec->nodes_per_rack > 0 ? spec->nodes_per_rack : p->node_limit;
	p->rack_free = g_new0(int64_t, (size_t)(p->node_limit / p->rack_nodes) + 1);
	p->node_free = g_new(int32_t, (size_t)p->node_limit);
	p->by_free = g_new0(struct rr_index, (size_t)p->node_gpus + 1);
	for (int32_t f = 0; f <= p->node_gpus; f++) rr_index_init(&p->by_free[f], p->node_limit);
	p->off = g_new0(struct rr_index, 1);
	rr_index_init(p->off, p->node_limit);
	for (int32_t n = 0; n < p->node_limit; n++) {
		p->node_free[n] = -1;
		rr_index_insert(p->off, n);
	}
}

void rr_pool_done(struct rr_pool *p)
{
	if (p->node_gpus == 0) return;
	for (int32_t f = 0; f <= p->node_gpus; f++) rr_index_done(&p->by_free[f]);
	g_free(p->by_free);
	rr_index_done(p->off);
	g_free(p->off);
	g_free(p->node_free);
	g_free(p->rack_free);
}

void rr_pool_serve(struct rr_pool *p, int32_t node)
{
	if (p->node_gpus == 0) {
		p->free_gpus = p->serving_gpus = p->gpu_limit;
		p->serving_nodes = 1;
		return;
	}
	g_assert(p->node_free[node] == -1 && !rr_index_has(p->off, node));
	p->node_free[node] = p->node_gpus;
	rr_index_insert(&p->by_free[p->node_gpus], node);
	p->rack_free[node / p->rack_nodes] += p->node_gpus;
	p->free_gpus += p->node_gpus;
	p->serving_gpus += p->node_gpus;
	p->serving_nodes++;
	p->changes++;
	if (p->shares != NULL) rr_shares_serve(p->shares, p->share_from + node, true);
}

void rr_pool_retire(struct rr_pool *p, int32_t node)
{
	g_assert(p->node_gpus > 0 && p->node_free[node] == p->node_gpus);
	rr_index_remove(&p->by_free[p->node_gpus], node);
	p->node_free[node] = -1;
	rr_index_insert(p->off, node);
	p->rack_free[node / p->rack_nodes] -= p->node_gpus;
	p->free_gpus -= p->node_gpus;
	p->serving_gpus -= p->node_gpus;
	p->serving_nodes--;
	p->changes++;
	if (p->shares != NULL) rr_shares_serve(p->shares, p->share_from + node, false);
}

int32_t rr_pool_take_off(struct rr_pool *p)
{
	int32_t node = rr_index_next(p->off, 0);
	if (node >= 0) rr_index_remove(p->off, node);
	return node;
}

bool rr_pool_admits(const struct rr_pool *p, int32_t gpus)
{
	if (p->node_gpus == 0) return gpus <= p->gpu_limit;
	return rr_pool_nodes_of(p, gpus, p->node_gpus) <= p->node_limit;
}

int64_t rr_pool_widest_free(const struct rr_pool *p)
{
	if (p->node_gpus == 0) return p->free_gpus;
	for (int32_t f = p->node_gpus; f > 0; f--)
		if (p->by_free[f].count > 0) return f;
	return 0;
}

int32_t rr_pool_nodes_of(const struct rr_pool *p, int32_t gpus, int32_t chunk)
{
	return p->node_gpus == 0 ? 0 : gpus / chunk + (gpus % chunk > 0);
}

/* Moves NODE to the set of those with FREE free. */
static void refile(struct rr_pool *p, int32_t node, int32_t free)
{
	g_assert(free >= 0 && free <= p->node_gpus);
	p->changes++;
	p->rack_free[node / p->rack_nodes] += free - p->node_free[node];
	rr_index_remove(&p->by_free[p->node_free[node]], node);
	p->node_free[node] = free;
	rr_index_insert(&p->by_free[free], node);
}

void rr_pool_refile(struct rr_pool *p, int32_t node, int32_t free)
{
	p->free_gpus += free - p->node_free[node];
	refile(p, node, free);
}

void rr_pool_take(struct rr_pool *p, int32_t gpus, int32_t chunk, const int32_t *nodes)
{
	p->free_gpus -= gpus;
	g_assert(p->free_gpus >= 0);
	if (p->node_gpus == 0) return;
	for (int32_t left = gpus, k = 0; left > 0; k++) {
		int32_t here = MIN(left, chunk);
		refile(p, nodes[k], p->node_free[nodes[k]] - here);
		left -= here;
	}
}

void rr_pool_give(struct rr_pool *p, int32_t gpus, int32_t chunk, const int32_t *nodes)
{
	p->free_gpus += gpus;
	g_assert(p->free_gpus <= p->serving_gpus);
	if (p->node_gpus == 0) return;
	for (int32_t left = gpus, k = 0; left > 0; k++) {
		int32_t here = MIN(left, chunk);
		refile(p, nodes[k], p->node_free[nodes[k]] + here);
		left -= here;
	}
}

/* One of the words of LIST, parted by '|'? */
static bool among(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = list; at != NULL; at = strchr(at, '|') != NULL ? strchr(at, '|') + 1 : NULL)
		if (g_ascii_strncasecmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0'))
			return true;
	return false;
}

/* Every "key=value" of WANTED, parted by ',', stands in HAVE. */
static bool labelled(char *const *have, const char *wanted)
{
	g_auto(GStrv) labels = g_strsplit(wanted, ",", -1);
	for (char **label = labels; *label != NULL; label++)
		if (have == NULL || !g_strv_contains((const char *const *)have, g_strstrip(*label))) return false;
	return true;
}

bool rr_pool_suits(const struct rr_pool *p, const struct job_list *text, const struct job_needs *needs)
{
	const struct pool_spec *spec = p->spec;
	const char *region = spec->region != NULL ? spec->region : spec->site_name;
	if (needs->gpu_types != 0 && spec->gpu_type != NULL &&
	    !among(rr_jobs_get_text(text, needs->gpu_types), spec->gpu_type))
		return false;
	if (needs->mem_bytes > 0 && spec->gpu_mem_bytes > 0 && needs->mem_bytes > spec->gpu_mem_bytes) return false;
	if (needs->cpu_milli > 0 && spec->node_cpu_milli > 0 && needs->cpu_milli > spec->node_cpu_milli) return false;
	if (needs->ram_bytes > 0 && spec->node_ram_bytes > 0 && needs->ram_bytes > spec->node_ram_bytes) return false;
	if (needs->region != 0 && g_strcmp0(region, rr_jobs_get_text(text, needs->region)) != 0) return false;
	return needs->labels == 0 || labelled(spec->labels, rr_jobs_get_text(text, needs->labels));
}

int32_t rr_pool_node_with(const struct rr_pool *p, int32_t free, int32_t from)
{
	return rr_index_next(&p->by_free[free], from);
}

int32_t rr_pool_count_with(const struct rr_pool *p, int32_t free)
{
	return p->by_free[free].count;
}
