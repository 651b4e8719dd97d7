/* The laws of the house, each on thousands of random scenarios: pools bought and
 * rented, flat and of nodes, filters, policies, horizons, speeds, boots. */
#include "models/random/random.h"
#include "sim/accounts/accounts.h"
#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"
#include "tests/support/test.h"

#include <string.h>

enum { CASES = 2500, POOLS_MOST = 4 };

struct world {
	struct pool_spec pools[POOLS_MOST];
	struct fleet_spec fleet;
	struct scenario scenario;
	struct job_list *jobs;
	struct rr_stream luck;
};

static uint32_t below(struct world *w, uint32_t limit)
{
	return rr_stream_u32(&w->luck) % limit;
}

static const char *const classes[] = {"", "a", "b"};

static void random_pool(struct world *w, struct pool_spec *pool, char *name)
{
	bool cloud = below(w, 2) == 0;
	int32_t count = 1 + (int32_t)below(w, 5);
	*pool = (struct pool_spec){.name = name,
				   .kind = cloud ? RR_POOL_CLOUD : RR_POOL_PHYSICAL,
				   .gpus_per_node = cloud || below(w, 3) > 0 ? 1 + (int32_t)below(w, 8) : 0,
				   .count_min = count,
				   .count_max = count,
				   .speed = below(w, 4) == 0 ? 1.5 : 1,
				   .site = -1,
				   .node = -1,
				   .instance = -1,
				   .gpu = -1,
				   .price_micros = -1,
				   .price_micros_per_hour = (int64_t)below(w, 50000000),
				   .billing_step_ns = RR_NS_PER_S,
				   .billing_minimum_ns = 60 * RR_NS_PER_S,
				   .lead_time_ns = below(w, 4) == 0 ? below(w, 500) * RR_NS_PER_S : 0,
				   .idle_ns = (sim_time)below(w, 300) * RR_NS_PER_S};
	if (below(w, 3) == 0) pool->only_class = (char *)(intptr_t)classes[1 + below(w, 2)];
	if (!cloud) return;
	pool->count_min = (int32_t)below(w, (uint32_t)count + 1);
	pool->boot = (struct rr_distribution){.kind = RR_DIST_EXPONENTIAL, .a = 1 + below(w, 120)};
	if (below(w, 4) == 0) pool->boot = (struct rr_distribution){.kind = RR_DIST_CONSTANT, .a = 0};
}

static void random_jobs(struct world *w)
{
	int count = (int)below(w, 120), span = 1 + (int)below(w, 4000);
	w->jobs = rr_jobs_new();
	for (int i = 0; i < count; i++) {
		struct job job = {.submit_ns = (sim_time)below(w, (uint32_t)span) * RR_NS_PER_S + below(w, 3),
				  .duration_ns = 1 + (sim_time)(rr_stream_unit(&w->luck) * 800e9),
				  .estimate_ns = -1,
				  .gpus = 1 + (int32_t)below(w, below(w, 4) == 0 ? 40 : 6),
				  .gpu_milli = 1000,
				  .priority = (int32_t)below(w, 3),
				  .klass = rr_jobs_text(w->jobs, classes[below(w, 3)], true)};
		if (below(w, 2) == 0) job.estimate_ns = (sim_time)(rr_stream_unit(&w->luck) * 1000e9);
		rr_jobs_append(w->jobs, &job);
	}
	rr_jobs_seal(w->jobs);
}

static const char *pick(struct world *w, const struct rr_word *words)
{
	uint32_t count = 0;
	while (words[count].name != NULL) count++;
	return words[below(w, count)].name;
}

static void world_init(struct world *w, uint64_t seed)
{
	static const char *const names[POOLS_MOST] = {"p", "q", "r", "s"};
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	memset(w, 0, sizeof *w);
	rr_stream_init(&w->luck, seed, RR_PURPOSE_TEST, 5);
	w->fleet.name = (char *)(intptr_t) "f";
	w->fleet.pools = w->pools;
	w->fleet.pool_count = 1 + (int32_t)below(w, POOLS_MOST);
	for (int32_t p = 0; p < w->fleet.pool_count; p++) random_pool(w, &w->pools[p], (char *)(intptr_t)names[p]);
	w->fleet.scheduler = (struct scheduler_spec){.order = g_strdup(pick(w, v->orders)),
						     .backfill = g_strdup(pick(w, v->backfills)),
						     .placement = g_strdup(pick(w, v->placements)),
						     .preempt = g_strdup("none")};
	w->scenario = (struct scenario){.fleets = &w->fleet, .fleet_count = 1, .seed = seed, .replications = 1};
	w->scenario.finance = (struct finance){.years = 3, .wacc = 0.08, .staff_per_gpus = 200};
	memcpy(w->scenario.currency, "USD", 4);
	if (below(w, 2) == 0) w->scenario.horizon_ns = (1 + (sim_time)below(w, 6000)) * RR_NS_PER_S;
	random_jobs(w);
}

static void world_done(struct world *w)
{
	rr_scheduler_spec_done(&w->fleet.scheduler);
	rr_jobs_free(w->jobs);
}

static struct usage *run(struct world *w)
{
	g_autoptr(GError) error = NULL;
	struct usage *usage = rr_sim_run(&w->scenario, 0, w->jobs, 0, &error);
	ck_assert_msg(usage != NULL, "%s", error != NULL ? error->message : "");
	return usage;
}

/* Calls CHECK on so many random scenarios and their usage. */
static void for_all(void (*check)(struct world *w, const struct usage *usage))
{
	for (uint64_t seed = 1; seed <= CASES; seed++) {
		struct world w;
		world_init(&w, seed);
		struct usage *usage = run(&w);
		check(&w, usage);
		rr_usage_free(usage);
		world_done(&w);
	}
}

/* ------------------------------------------------------------------------ law 1 */

static void check_conservation(struct world *w, const struct usage *u)
{
	rr_milli_gpu_ns waiting = 0, waited = 0, busy = 0, ran = 0;
	for (int32_t p = 0; p < w->fleet.pool_count; p++) {
		rr_milli_gpu_ns sum = 0, hours[RR_USE_COUNT] = {0};
		for (size_t h = 0; h < u->hour_count; h++) {
			for (int use = 0; use < RR_USE_COUNT; use++) hours[use] += u->pools[p].hours[h].use[use];
			waiting += u->pools[p].hours[h].waiting;
		}
		for (int use = 0; use < RR_USE_COUNT; use++) {
			sum += u->pools[p].use[use];
			ck_assert(hours[use] == u->pools[p].use[use]);
		}
		busy += u->pools[p].use[RR_USE_BUSY];
		ck_assert(sum == u->pools[p].lifetime);
		ck_assert(u->pools[p].fragmented <= u->pools[p].use[RR_USE_IDLE]);
	}
	/* What jobs held and waited for is what pools measured. */
	for (size_t j = 0; j < w->jobs->count; j++) {
		const struct job_record *r = &u->records[j];
		ran += (rr_milli_gpu_ns)w->jobs->jobs[j].gpus * 1000 * r->run_ns;
		if (r->state != RR_JOB_UNSCHEDULABLE)
			waited += (rr_milli_gpu_ns)w->jobs->jobs[j].gpus * 1000 * r->wait_ns;
	}
	ck_assert(busy == ran);
	ck_assert(waiting == waited);
}

START_TEST(law_1_gpu_time_is_conserved_to_the_nanosecond)
{
	for_all(check_conservation);
}
END_TEST

/* ------------------------------------------------------------------------ law 2 */

struct change {
	sim_time at;
	int32_t node, gpus; /* ends before begins at one instant */
};

static gint compare_changes(gconstpointer a, gconstpointer b)
{
	const struct change *x = a, *y = b;
	if (x->at != y->at) return x->at < y->at ? -1 : 1;
	return x->gpus < y->gpus ? -1 : x->gpus > y->gpus;
}

static void add_changes(GArray *changes, const struct usage *u, size_t j, int32_t node_gpus)
{
	const struct job_record *r = &u->records[j];
	sim_time end = r->end_ns >= 0 ? r->end_ns : u->end_ns;
	int32_t left = r->start_ns < end ? u->jobs->jobs[j].gpus : 0; /* one begun at the horizon holds nothing yet */
	for (int32_t k = 0; left > 0; k++) {
		int32_t here = node_gpus > 0 ? MIN(left, node_gpus) : left;
		int32_t node = node_gpus > 0 ? g_array_index(u->nodes, int32_t, r->nodes_at + (uint32_t)k) : 0;
		struct change begin = {r->start_ns, node, here}, over = {end, node, -here};
		g_array_append_val(changes, begin);
		g_array_append_val(changes, over);
		left -= here;
	}
}

/* Whether NODE of POOL serves all of [FROM, TO). */
static bool serves(const struct usage *u, int32_t pool, int32_t node, sim_time from, sim_time to)
{
	for (size_t i = 0; i < u->life_count; i++) {
		const struct node_life *life = &u->lives[i];
		if (life->pool == pool && life->node == node && life->ready_ns <= from && to <= life->to_ns)
			return true;
	}
	return false;
}

static void check_holding(struct world *w, const struct usage *u)
{
	for (int32_t p = 0; p < w->fleet.pool_count; p++) {
		int32_t node_gpus = w->pools[p].gpus_per_node, held[64] = {0};
		g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(struct change));
		for (size_t j = 0; j < w->jobs->count; j++) {
			const struct job_record *r = &u->records[j];
			if (r->start_ns < 0 || r->pool != p) continue;
			add_changes(changes, u, j, node_gpus);
			sim_time end = r->end_ns >= 0 ? r->end_ns : u->end_ns;
			for (int32_t k = 0; k < r->node_count; k++)
				ck_assert(serves(u, p, g_array_index(u->nodes, int32_t, r->nodes_at + (uint32_t)k),
						 r->start_ns, end));
			if (w->pools[p].only_class != NULL)
				ck_assert_str_eq(rr_jobs_get_text(w->jobs, w->jobs->jobs[j].klass),
						 w->pools[p].only_class);
		}
		g_array_sort(changes, compare_changes);
		for (guint i = 0; i < changes->len; i++) {
			const struct change *c = &g_array_index(changes, struct change, i);
			held[c->node] += c->gpus;
			ck_assert_int_ge(held[c->node], 0);
			ck_assert_int_le(held[c->node], node_gpus > 0 ? node_gpus : w->pools[p].count_max);
		}
	}
}

START_TEST(law_2_nothing_is_held_twice)
{
	for_all(check_holding);
}
END_TEST

/* ------------------------------------------------------------------------ law 3 */

static void check_states(struct world *w, const struct usage *u)
{
	for (size_t j = 0; j < w->jobs->count; j++) {
		const struct job_record *r = &u->records[j];
		const struct job *job = &w->jobs->jobs[j];
		switch ((enum rr_job_state)r->state) {
		case RR_JOB_COMPLETED: {
			double speed = w->pools[r->pool].speed;
			sim_time need =
			    speed == 1 ? job->duration_ns : (sim_time)((double)job->duration_ns / speed + 0.5);
			ck_assert_int_le(ABS(r->end_ns - r->start_ns - need), 1);
			ck_assert_int_eq(r->wait_ns, r->start_ns - job->submit_ns);
			ck_assert_int_eq(r->run_ns, r->end_ns - r->start_ns);
			ck_assert_int_le(r->end_ns, u->end_ns);
			break;
		}
		case RR_JOB_RUNNING:
			ck_assert(w->scenario.horizon_ns > 0 && r->start_ns >= 0 && r->end_ns == -1);
			ck_assert_int_eq(r->run_ns, u->end_ns - r->start_ns);
			break;
		case RR_JOB_WAITING:
			ck_assert(r->start_ns == -1 && r->end_ns == -1);
			/* Without a horizon every job that can run does. */
			ck_assert_int_gt(w->scenario.horizon_ns, 0);
			break;
		case RR_JOB_UNSCHEDULABLE: ck_assert(r->start_ns == -1 && r->end_ns == -1 && r->wait_ns == 0); break;
		default: ck_abort_msg("state %d", r->state);
		}
		ck_assert(r->lost == 0);
	}
}

START_TEST(law_3_every_job_has_one_state_and_its_work)
{
	for_all(check_states);
}
END_TEST

/* ------------------------------------------------------------------------ law 4 */

static void check_ledger(struct world *w, const struct usage *u)
{
	(void)w;
	struct result *result = rr_account(u);
	int64_t sum = 0;
	for (size_t i = 0; i < result->ledger_count; i++) sum += result->ledger[i].micros;
	const struct metric *total = rr_result_metric(result, "cost.total");
	/* An unknown price makes the whole unknown. */
	if (total->value == total->value) ck_assert_double_eq(total->value, (double)sum / 1e6);
	rr_result_free(result);
}

START_TEST(law_4_lines_add_up_to_the_total)
{
	for_all(check_ledger);
}
END_TEST

/* ------------------------------------------------------------------------ law 5 */

/* Empty arrays may be NULL. */
static bool same_bytes(const void *a, const void *b, size_t size)
{
	return size == 0 || memcmp(a, b, size) == 0;
}

static bool same_usage(const struct usage *a, const struct usage *b, int32_t pools)
{
	bool same = a->end_ns == b->end_ns && a->events == b->events && a->ties == b->ties &&
		    a->nodes->len == b->nodes->len && a->life_count == b->life_count;
	for (size_t j = 0; same && j < a->jobs->count; j++)
		same = a->records[j].start_ns == b->records[j].start_ns &&
		       a->records[j].end_ns == b->records[j].end_ns && a->records[j].pool == b->records[j].pool &&
		       a->records[j].state == b->records[j].state;
	same = same && same_bytes(a->nodes->data, b->nodes->data, a->nodes->len * sizeof(int32_t));
	same = same && same_bytes(a->lives, b->lives, a->life_count * sizeof *a->lives);
	for (int32_t p = 0; same && p < pools; p++)
		same = same_bytes(a->pools[p].hours, b->pools[p].hours, a->hour_count * sizeof(struct hour_use));
	return same;
}

static gpointer run_again(gpointer data)
{
	return run(data);
}

static void check_repeat(struct world *w, const struct usage *u)
{
	static int turn = 0;
	struct usage *again = NULL;
	/* Every tenth time on two other threads at once. */
	if (turn++ % 10 == 0) {
		GThread *one = g_thread_new("one", run_again, w), *two = g_thread_new("two", run_again, w);
		struct usage *other = g_thread_join(two);
		again = g_thread_join(one);
		ck_assert(same_usage(other, again, w->fleet.pool_count));
		rr_usage_free(other);
	} else
		again = run(w);
	ck_assert(same_usage(u, again, w->fleet.pool_count));
	rr_usage_free(again);
}

START_TEST(law_5_the_same_seed_gives_the_same_run)
{
	for_all(check_repeat);
}
END_TEST

RR_TEST_MAIN("laws", law_1_gpu_time_is_conserved_to_the_nanosecond, law_2_nothing_is_held_twice,
	     law_3_every_job_has_one_state_and_its_work, law_4_lines_add_up_to_the_total,
	     law_5_the_same_seed_gives_the_same_run)
