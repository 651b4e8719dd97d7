/* scored.c - see scored.h. Fragmentation is measured for the typical jobs of all that
 * the partition takes. A job wider than a node takes wholly free nodes, and the
 * remainder on the fullest node that has enough. */
#include "sim/scheduler/scored.h"

#include "sim/scheduler/partitions.h"

static uint64_t allowed_pools(const struct rr_partition *p, int32_t job)
{
	const struct rr_scheduler *s = p->scheduler;
	const struct job_needs *needs = rr_job_needs(s, job);
	uint64_t pools = 0;
	for (int32_t i = 0; i < p->pool_count; i++) {
		const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		bool suits = needs == NULL || rr_pool_suits(pool, s->jobs, needs);
		bool too_wide = needs != NULL && needs->same_node && rr_job_gpus(s, job) > pool->node_gpus;
		bool runs =
		    rr_job(s, job)->speeds == 0 || rr_job_speed(s->jobs, job, pool->spec, rr_job_gpus(s, job)) > 0;
		if (suits && !too_wide && runs) pools |= UINT64_C(1) << i;
	}
	return pools;
}

static struct rr_ask ask_of(const struct rr_partition *p, int32_t job)
{
	const struct rr_scheduler *s = p->scheduler;
	const struct job_needs *needs = rr_job_needs(s, job);
	return (struct rr_ask){.cpu_milli = needs != NULL ? needs->cpu_milli : 0,
			       .ram_bytes = needs != NULL ? needs->ram_bytes : 0,
			       .gpus = rr_job_gpus(s, job),
			       .gpu_milli = MIN(rr_job(s, job)->gpu_milli, RR_WHOLE_GPU),
			       .pools = allowed_pools(p, job)};
}

/* Jobs that ask where their nodes are among each other: masks of several nodes. */
static bool asks_for_places(const struct rr_partition *p)
{
	struct rr_scheduler *s = p->scheduler;
	for (size_t i = 0; i < s->jobs->count; i++) {
		const struct job_needs *needs = rr_job_needs(s, (int32_t)i);
		if (needs == NULL || (!needs->spread && !needs->same_rack)) continue;
		if (rr_partition_of(s, &s->jobs->jobs[i]) == p - s->partitions) return true;
	}
	return false;
}

static struct rr_typical *typical_of(const struct rr_partition *p)
{
	struct rr_scheduler *s = p->scheduler;
	g_autoptr(GArray) asks = g_array_new(FALSE, FALSE, sizeof(struct rr_ask));
	for (size_t i = 0; i < s->jobs->count; i++) {
		if (rr_partition_of(s, &s->jobs->jobs[i]) != p - s->partitions) continue;
		struct rr_ask ask = ask_of(p, (int32_t)i);
		g_array_append_val(asks, ask);
	}
	return rr_typical_new((const struct rr_ask *)(const void *)asks->data, asks->len);
}

void rr_scored_begin(struct rr_partition *p)
{
	struct rr_scheduler *s = p->scheduler;
	int32_t nodes = 0;
	if (p->pool_count > 64 || asks_for_places(p)) return;
	for (int32_t i = 0; i < p->pool_count; i++) {
		const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		if (pool->node_gpus == 0 || pool->node_gpus > RR_SHARE_GPUS_MOST) return;
		p->widest_node = MAX(p->widest_node, pool->node_gpus);
		nodes += pool->node_limit;
	}
	p->shares = g_new0(struct rr_shares, 1);
	rr_shares_init(p->shares, nodes);
	for (int32_t i = 0, from = 0; i < p->pool_count; i++) {
		struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		const struct pool_spec *spec = pool->spec;
		pool->shares = p->shares;
		pool->share_from = from;
		for (int32_t n = 0; n < pool->node_limit; n++)
			rr_shares_set(p->shares, from + n, i, pool->node_gpus,
				      spec->node_cpu_milli > 0 ? spec->node_cpu_milli : INT64_MAX,
				      spec->node_ram_bytes > 0 ? spec->node_ram_bytes : INT64_MAX);
		from += pool->node_limit;
	}
	p->typical = typical_of(p);
	for (int32_t i = 0; i < p->pool_count; i++) {
		const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		if (pool->node_limit > 0)
			s->fragments[p->pools[i]].empty =
			    rr_fragmentation(p->typical, &p->shares->nodes[pool->share_from]);
	}
	p->scorer = rr_scorer_new(p->shares, s->placement->scoring, p->typical, s->seed);
}

void rr_scored_end(struct rr_partition *p)
{
	if (p->shares == NULL) return;
	rr_scorer_free(p->scorer);
	rr_typical_free(p->typical);
	rr_shares_done(p->shares);
	g_free(p->shares);
}

/* Wider than the nodes of some pool that it may use. */
static bool wide_somewhere(const struct rr_partition *p, const struct rr_ask *ask)
{
	for (int32_t i = 0; i < p->pool_count; i++)
		if ((ask->pools >> i & 1) == 1 && ask->gpus > rr_partition_pool(p, p->pools[i])->node_gpus) return true;
	return false;
}

int32_t rr_scored_kind(struct rr_partition *p, int32_t job)
{
	if (p->scorer == NULL) return -1;
	struct rr_ask ask = ask_of(p, job);
	return wide_somewhere(p, &ask) ? -1 : rr_scorer_kind(p->scorer, &ask);
}

/* ------------------------------------------------------------- taking and giving */

static int32_t wholly_free(const struct rr_share_node *n)
{
	int32_t free = 0;
	for (int32_t i = 0; i < n->gpus; i++) free += n->left[i] == RR_WHOLE_GPU;
	return free;
}

static void change_node(struct rr_partition *p, struct rr_pool *pool, int32_t node, const struct rr_ask *ask,
			uint32_t mask, bool take)
{
	int32_t at = pool->share_from + node;
	const struct rr_share_node *n = &p->shares->nodes[at];
	int64_t *sum = &p->scheduler->fragments[pool - p->scheduler->pools].sum;
	*sum -= rr_fragmentation(p->typical, n);
	(take ? rr_shares_take : rr_shares_give)(p->shares, at, ask, mask);
	*sum += rr_fragmentation(p->typical, n);
	rr_pool_refile(pool, node, wholly_free(n));
}

void rr_scored_change(struct rr_partition *p, const struct rr_hold *hold, const int32_t *nodes, bool take)
{
	struct rr_pool *pool = rr_partition_pool(p, hold->pool);
	struct rr_ask ask = ask_of(p, hold->job);
	int32_t left = hold->gpus, k = 0;
	for (; left > pool->node_gpus; left -= pool->node_gpus, k++) {
		ask.gpus = pool->node_gpus;
		change_node(p, pool, nodes[k], &ask, (UINT32_C(1) << pool->node_gpus) - 1, take);
	}
	ask.gpus = left;
	change_node(p, pool, nodes[k], &ask, hold->mask, take);
}

/* Wholly free nodes that also have the CPUs and memory, in the order of the pool. */
static bool take_wide(struct rr_partition *p, int32_t job, int32_t at, int32_t *nodes, int32_t *count)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_pool *pool = rr_partition_pool(p, at);
	struct rr_ask ask = ask_of(p, job);
	int32_t left = ask.gpus, node = -1;
	*count = 0;
	while (left > 0) {
		ask.gpus = MIN(left, pool->node_gpus);
		for (node = rr_pool_node_with(pool, pool->node_gpus, node + 1); node >= 0;
		     node = rr_pool_node_with(pool, pool->node_gpus, node + 1))
			if (rr_share_fits(&p->shares->nodes[pool->share_from + node], &ask)) break;
		if (node < 0) return false;
		nodes[(*count)++] = node;
		left -= ask.gpus;
	}
	s->masks[job] = (UINT32_C(1) << ask.gpus) - 1;
	struct rr_hold hold = rr_scheduler_hold(s, job, at);
	rr_scored_change(p, &hold, nodes, true);
	return true;
}

bool rr_scored_take(struct rr_partition *p, int32_t job, int32_t only, int32_t *pool, int32_t *nodes, int32_t *count)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_ask ask = ask_of(p, job);
	struct rr_pick pick;
	for (int32_t i = 0; only >= 0 && i < p->pool_count; i++)
		if (p->pools[i] != only) ask.pools &= ~(UINT64_C(1) << i);
	if (ask.gpus > p->widest_node || !rr_scorer_pick(p->scorer, rr_scorer_kind(p->scorer, &ask), &pick)) {
		for (int32_t i = 0; i < p->pool_count; i++) {
			*pool = p->pools[i];
			if ((ask.pools >> i & 1) == 0 || ask.gpus <= rr_partition_pool(p, *pool)->node_gpus) continue;
			if (take_wide(p, job, *pool, nodes, count)) return true;
		}
		return false;
	}
	*pool = p->pools[p->shares->nodes[pick.node].pool];
	nodes[0] = pick.node - rr_partition_pool(p, *pool)->share_from;
	*count = 1;
	s->masks[job] = pick.mask;
	change_node(p, rr_partition_pool(p, *pool), nodes[0], &ask, pick.mask, true);
	return true;
}

/* ------------------------------------------------------------------ what is held */

struct rr_hold rr_scheduler_hold(const struct rr_scheduler *s, int32_t job, int32_t pool)
{
	return (struct rr_hold){.job = job,
				.pool = pool,
				.gpus = rr_job_gpus(s, job),
				.chunk = rr_job_chunk(s, job, &s->pools[pool]),
				.milli = rr_scheduler_milli(s, job),
				.mask = s->masks != NULL ? s->masks[job] : 0};
}

void rr_hold_change(struct rr_scheduler *s, const struct rr_hold *hold, const int32_t *nodes, bool take)
{
	struct rr_partition *p = &s->partitions[s->partition_of_pool[hold->pool]];
	if (p->shares != NULL)
		rr_scored_change(p, hold, nodes, take);
	else
		(take ? rr_pool_take : rr_pool_give)(&s->pools[hold->pool], hold->gpus, hold->chunk, nodes);
}

void rr_scheduler_give(struct rr_scheduler *s, const struct rr_hold *hold, const int32_t *nodes)
{
	rr_hold_change(s, hold, nodes, false);
}

int64_t rr_scheduler_milli(const struct rr_scheduler *s, int32_t job)
{
	const struct rr_partition *p = &s->partitions[s->partition_of_job[job]];
	int64_t each = p->shares != NULL ? MIN(rr_job(s, job)->gpu_milli, RR_WHOLE_GPU) : RR_WHOLE_GPU;
	return each * rr_job_gpus(s, job);
}

bool rr_scheduler_shares(const struct scheduler_spec *spec)
{
	for (const struct rr_word *w = rr_placements; w->name != NULL; w++)
		if (g_strcmp0(w->name, spec->placement) == 0) return ((const struct rr_placement *)w->policy)->scored;
	return false;
}
