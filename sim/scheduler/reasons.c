/* reasons.c - why a job waits, and what of the free GPUs is of no use. What is asked
 * after each pass costs O(pools), and O(GPUs per node) where a node changed. */
#include "sim/scheduler/partitions.h"
#include "sim/scheduler/plan.h"
#include "sim/scheduler/scored.h"

static int64_t free_for(const struct rr_partition *p, const struct rr_lane *lane)
{
	int64_t most = 0;
	for (int32_t i = 0; i < p->pool_count; i++)
		if (lane->pools == NULL || lane->pools[i])
			most = MAX(most, rr_partition_pool(p, p->pools[i])->free_gpus);
	return most;
}

static enum rr_reason reason_of(struct rr_partition *p, int32_t job)
{
	const struct rr_scheduler *s = p->scheduler;
	const struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
	int64_t gpus = rr_job_gpus(s, job), most = 0;
	if (!rr_quota_allows(s, lane->tenant, gpus)) return RR_REASON_QUOTA;
	if (lane->kind >= 0 && rr_scorer_fits(p->scorer, lane->kind)) return RR_REASON_ORDER;
	if (gpus <= free_for(p, lane)) return RR_REASON_FRAGMENTATION;
	for (int32_t i = 0; i < p->pool_count; i++) most = MAX(most, rr_partition_pool(p, p->pools[i])->free_gpus);
	return gpus <= most ? RR_REASON_TYPE : RR_REASON_CAPACITY;
}

/* The first in order; without one whose quota lets it start, any that waits. */
static int32_t first_waiting(struct rr_partition *p)
{
	int32_t first = rr_queue_first(&p->promised);
	if (first < 0) first = rr_partition_first(p);
	for (int32_t i = 0; first < 0 && i < p->lane_count; i++) first = rr_queue_first(&p->lanes[i].queue);
	return first;
}

enum rr_reason rr_scheduler_blocked(struct rr_scheduler *s, int32_t pool)
{
	struct rr_partition *p = &s->partitions[s->partition_of_pool[pool]];
	if (p->waiting == 0 || p->pools[0] != pool) return RR_REASON_NONE;
	int32_t first = first_waiting(p);
	return first >= 0 ? reason_of(p, first) : RR_REASON_NONE;
}

bool rr_scheduler_stranded(struct rr_scheduler *s, int32_t pool)
{
	struct rr_partition *p = &s->partitions[s->partition_of_pool[pool]];
	if (p->waiting == 0 || s->pools[pool].free_gpus == 0) return false;
	struct rr_room room = rr_partition_room(p);
	rr_partition_rewind(p);
	return rr_partition_next(p, RR_SPOT_FRONT, &room) < 0;
}

static int64_t jobs_before(const struct rr_partition *p, struct rr_spot spot)
{
	int64_t count = 0;
	for (int32_t i = 0; i < p->lane_count; i++) {
		const struct rr_queue *q = &p->lanes[i].queue;
		for (int32_t at = rr_queue_first(q); at >= 0; at = rr_queue_after(q, p->scheduler->members[at].spot)) {
			if (!rr_spot_before(p->scheduler->members[at].spot, spot)) break;
			count++;
		}
	}
	return count + p->promised.count;
}

/* Could it start if it were looked at now? */
static bool would_fit(struct rr_partition *p, int32_t job)
{
	struct rr_scheduler *s = p->scheduler;
	const struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
	if (p->shares != NULL) return lane->kind >= 0 && rr_scorer_fits(p->scorer, lane->kind);
	for (int32_t i = 0; i < p->pool_count; i++) {
		if (!rr_partition_allows(p, i, job)) continue;
		if (s->placement->place(p, &s->pools[p->pools[i]], job, rr_job_gpus(s, job), s->nodes)) return true;
	}
	return false;
}

struct rr_why rr_scheduler_why(struct rr_scheduler *s, int32_t job, sim_time now)
{
	struct rr_partition *p = &s->partitions[s->partition_of_job[job]];
	const struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
	struct rr_why why = {.reason = reason_of(p, job), .first = first_waiting(p), .reserved_ns = INT64_MAX};
	if (why.reason != RR_REASON_QUOTA && would_fit(p, job)) why.reason = RR_REASON_ORDER;
	if (why.first == job) why.first = -1;
	why.before = jobs_before(p, s->members[job].spot);
	why.free_gpus = free_for(p, lane);
	why.quota_gpus = rr_quota_room(s, lane->tenant);
	if (p->plan != NULL) why.reserved_ns = rr_plan_start(p->plan, job);
	if (why.reserved_ns < now) why.reserved_ns = INT64_MAX;
	return why;
}

/* ------------------------------------------------------------------ fragments
 *
 * Of whole GPUs: a node with f free ones is of no use to jobs of its kind that ask
 * for more than f of one node, so f times their share is fragments; gangs wider
 * than a node count as one that fills it. */

void rr_fragments_begin(struct rr_scheduler *s)
{
	s->sizes = g_new0(struct rr_sizes, (size_t)s->partition_count);
	s->fragments = g_new0(struct rr_fragments, (size_t)s->pool_count);
	for (size_t i = 0; i < s->jobs->count; i++) {
		int32_t at = rr_partition_of(s, &s->jobs->jobs[i]);
		if (at < 0) continue;
		s->sizes[at].jobs[MIN(s->jobs->jobs[i].gpus, RR_SIZES_MOST)]++;
		s->sizes[at].all++;
	}
}

void rr_fragments_end(struct rr_scheduler *s)
{
	g_free(s->sizes);
	g_free(s->fragments);
}

static int64_t count_fragments(const struct rr_pool *pool, const struct rr_sizes *sizes)
{
	int64_t wider = 0, sum = 0; /* jobs that ask for more than FREE */
	int32_t most = MIN(pool->node_gpus, RR_SIZES_MOST);
	if (sizes->all == 0) return 0;
	for (int32_t gpus = most; gpus <= RR_SIZES_MOST; gpus++) wider += sizes->jobs[gpus];
	for (int32_t free = most - 1; free > 0; free--) {
		sum += wider * free * rr_pool_count_with(pool, free);
		wider += sizes->jobs[free];
	}
	return sum * RR_MILLI / sizes->all;
}

int64_t rr_scheduler_fragments(struct rr_scheduler *s, int32_t pool)
{
	const struct rr_pool *at = &s->pools[pool];
	struct rr_partition *p = &s->partitions[s->partition_of_pool[pool]];
	struct rr_fragments *f = &s->fragments[pool];
	if (at->node_gpus == 0) return 0;
	if (p->shares != NULL) return (f->sum + f->empty * at->serving_nodes) / MAX(rr_typical_weight(p->typical), 1);
	if (f->changes == at->changes) return f->milli;
	f->changes = at->changes;
	f->milli = count_fragments(at, &s->sizes[s->partition_of_pool[pool]]);
	return f->milli;
}
