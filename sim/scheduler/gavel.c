/* gavel.c - which job on which type of GPU for which share of the day (Narayanan et
 * al., OSDI 2020): a linear programme over the pools of a partition, each a type
 * (lp.h), carried out in rounds (rounds.h).
 *
 * The programme is solved anew when a round begins and jobs came or went since
 * the last; a round costs O(p log p) for p pairs of a job and a pool with a share,
 * the programme grows with the kinds of jobs. GPUs that no share wants are lent to
 * whoever waits, in order, until the next round. */
#include "sim/scheduler/allocates.h"
#include "sim/scheduler/lp.h"
#include "sim/scheduler/rounds.h"

#include <string.h>

/* What a partition keeps between rounds. */
struct shares {
	GArray *jobs;               /* int32_t: those of the last programme */
	struct rr_lp_answer answer; /* by place in jobs */
	double *received_s;         /* [job][pool] since then */
	sim_time since_ns;          /* the last round began */
};

static void forget(struct shares *k)
{
	if (k->jobs != NULL) g_array_unref(k->jobs);
	rr_lp_answer_done(&k->answer);
	g_free(k->received_s);
	*k = (struct shares){.jobs = NULL};
}

static void shares_free(void *memory)
{
	forget(memory);
	g_free(memory);
}

static int32_t place_of(const struct rr_partition *p, int32_t pool)
{
	for (int32_t i = 0; i < p->pool_count; i++)
		if (p->pools[i] == pool) return i;
	return -1;
}

static bool same_jobs(const GArray *a, const GArray *b)
{
	return a != NULL && a->len == b->len && memcmp(a->data, b->data, a->len * sizeof(int32_t)) == 0;
}

static bool solve(struct rr_partition *p, struct shares *k, GArray *jobs)
{
	struct rr_scheduler *s = p->scheduler;
	size_t cells = (size_t)jobs->len * (size_t)p->pool_count;
	g_autofree double *throughput = g_new0(double, MAX(cells, 1));
	g_autofree double *weights = g_new(double, MAX(jobs->len, 1)), *prices = g_new(double, (size_t)p->pool_count);
	g_autofree double *floors = g_new0(double, MAX(jobs->len, 1));
	g_autofree int32_t *gpus = g_new(int32_t, MAX(jobs->len, 1)), *capacity = g_new(int32_t, (size_t)p->pool_count);
	for (int32_t i = 0; i < p->pool_count; i++) {
		const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		capacity[i] = (int32_t)MIN(pool->serving_gpus, INT32_MAX);
		prices[i] = rr_hourly_price(pool->spec);
	}
	for (guint j = 0; j < jobs->len; j++) {
		int32_t job = g_array_index(jobs, int32_t, j);
		const struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
		gpus[j] = rr_job_gpus(s, job);
		weights[j] = s->tenants[lane->tenant].weight;
		for (int32_t i = 0; i < p->pool_count; i++) {
			if (lane->pools != NULL && !lane->pools[i]) continue;
			double speed = rr_job_speed(s->jobs, job, rr_partition_pool(p, p->pools[i])->spec, gpus[j]);
			throughput[j * (guint)p->pool_count + (guint)i] = speed;
			floors[j] = MAX(floors[j], speed);
		}
		floors[j] /= 2; /* least cost: at least half as fast as alone on the best type */
	}
	struct rr_lp_problem problem = {(int32_t)jobs->len, p->pool_count, throughput, gpus, weights, floors,
					capacity,           prices};
	forget(k);
	if (!rr_lp_solve(&problem, (enum rr_lp_policy)s->settings.allocate, &k->answer,
			 s->failure == NULL ? &s->failure : NULL))
		return false;
	k->jobs = g_array_ref(jobs);
	k->received_s = g_new0(double, MAX(cells, 1));
	return true;
}

/* The time since the last round, to the types on which jobs run. */
static void credit(const struct rr_partition *p, struct shares *k, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	for (guint j = 0; k->jobs != NULL && j < k->jobs->len; j++) {
		const struct rr_progress *g = &s->progress[g_array_index(k->jobs, int32_t, j)];
		if (g->since_ns < 0) continue;
		double span_s = (double)(now - MAX(g->since_ns, k->since_ns)) / (double)RR_NS_PER_S;
		k->received_s[j * (guint)p->pool_count + (guint)place_of(p, g->pool)] += span_s;
	}
	k->since_ns = now;
}

static void carry_out(struct rr_partition *p, const struct shares *k, const int32_t *types, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	for (guint j = 0; j < k->jobs->len; j++) {
		int32_t job = g_array_index(k->jobs, int32_t, j);
		if (s->where[job] != RR_WHERE_RUNNING) continue;
		if (types[j] >= 0 && p->pools[types[j]] == s->progress[job].pool) continue;
		rr_partition_stop(p, job, now);
		rr_partition_wait(p, job, RR_TURN_PREEMPTED, now);
	}
	for (guint j = 0; j < k->jobs->len; j++) {
		int32_t job = g_array_index(k->jobs, int32_t, j);
		if (types[j] < 0 || s->where[job] != RR_WHERE_LANE) continue;
		if (rr_quota_allows(s, p->lanes[s->lane_of_job[job]].tenant, rr_job_gpus(s, job)))
			(void)rr_partition_start_in(p, job, p->pools[types[j]], now);
	}
}

static void next_round(struct rr_partition *p, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	if (p->kept == NULL) {
		p->kept = g_new0(struct shares, 1);
		p->kept_free = shares_free;
	}
	struct shares *k = p->kept;
	credit(p, k, now);
	g_autoptr(GArray) jobs = rr_partition_jobs(p, now);
	g_array_sort(jobs, rr_by_index);
	if (jobs->len == 0 || (!same_jobs(k->jobs, jobs) && !solve(p, k, jobs))) return;
	g_autofree int32_t *gpus = g_new(int32_t, jobs->len), *capacity = g_new(int32_t, (size_t)p->pool_count),
			   *types = g_new(int32_t, jobs->len);
	for (guint j = 0; j < jobs->len; j++) gpus[j] = rr_job_gpus(s, g_array_index(jobs, int32_t, j));
	for (int32_t i = 0; i < p->pool_count; i++)
		capacity[i] = (int32_t)MIN(rr_partition_pool(p, p->pools[i])->serving_gpus, INT32_MAX);
	struct rr_round round = {(int32_t)jobs->len, p->pool_count, k->answer.share, k->received_s, gpus, capacity};
	(void)rr_rounds_next(&round, types);
	carry_out(p, k, types, now);
}

static void pass_gavel(struct rr_partition *p, sim_time now)
{
	rr_running_take_steps(p, now);
	if (p->boundary) next_round(p, now);
	rr_partition_rewind(p);
	if (p->waiting > 0) p->scheduler->backfill->pass(p, now);
}

const struct rr_preempt rr_allocate_gavel = {.pass = pass_gavel, .ranks_running = true, .moves = true};
