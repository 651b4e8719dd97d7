/* Who must make room: hand-worked examples, and what a stop costs. */
#include "models/random/random.h"
#include "tests/support/small.h"
#include "tests/support/test.h"

static struct usage *run_words(struct small *w, const char *order, const char *preempt, const char *options)
{
	rr_scheduler_spec_done(&w->fleet.scheduler);
	struct scheduler_spec spec = {.order = g_strdup(order),
				      .backfill = g_strdup("skip"),
				      .placement = g_strdup("best-fit"),
				      .preempt = g_strdup(preempt),
				      .options = options != NULL ? g_strsplit(options, ",", -1) : NULL};
	return small_run_spec(w, &spec);
}

/* The stops are those of JOBS, in that order, at AT_S; ended by -1. */
static void expect_stops(const struct usage *u, int at_s, const int *jobs)
{
	guint count = 0;
	for (; jobs[count] >= 0; count++) {
		ck_assert_uint_lt(count, u->stops->len);
		const struct stop *stop = &g_array_index(u->stops, struct stop, count);
		ck_assert_int_eq(stop->job, jobs[count]);
		ck_assert_int_eq(stop->to_ns, at_s * RR_NS_PER_S);
	}
	ck_assert_uint_eq(u->stops->len, count);
}

static void expect_end(const struct usage *u, int job, int end_s)
{
	ck_assert_int_eq(u->records[job].end_ns, end_s * RR_NS_PER_S);
}

static void expect_start(const struct usage *u, int job, int start_s)
{
	ck_assert_int_eq(u->records[job].start_ns, start_s * RR_NS_PER_S);
}

/* --------------------------------------------------------------------- priority */

START_TEST(priority_stops_the_lowest_and_of_equal_ones_the_last_to_start)
{
	struct small w;
	small_init(&w, 3, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 1, 1, 100, -1, 0);
	small_job(&w, 2, 1, 100, -1, 1);
	small_job(&w, 10, 1, 20, -1, 2);
	struct usage *u = run_words(&w, "priority", "priority", NULL);
	expect_stops(u, 10, (int[]){1, -1});
	expect_start(u, 3, 10);
	expect_end(u, 1, 30 + 91); /* it ran 9 s, and goes on at 30 */
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(priority_stops_nobody_of_its_own_priority)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 100, -1, 2);
	small_job(&w, 10, 1, 20, -1, 2);
	struct usage *u = run_words(&w, "priority", "priority", NULL);
	expect_stops(u, 0, (int[]){-1});
	expect_start(u, 1, 100);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(priority_stops_as_few_as_will_do)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 3, 100, -1, 0);
	small_job(&w, 1, 1, 100, -1, 0); /* looked at first, but without the other it does not help */
	small_job(&w, 10, 3, 20, -1, 1);
	struct usage *u = run_words(&w, "priority", "priority", NULL);
	expect_stops(u, 10, (int[]){0, -1});
	expect_end(u, 1, 101);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(priority_spares_on_nodes_whoever_the_start_does_not_need)
{
	struct small w;
	small_init(&w, 2, 4);
	small_job(&w, 0, 2, 1000, -1, 0); /* node 1 */
	small_job(&w, 1, 2, 1000, -1, 0); /* node 1 */
	small_job(&w, 2, 2, 1000, -1, 1); /* node 2 */
	small_job(&w, 3, 2, 1000, -1, 0); /* node 2: the first that would be stopped */
	small_job(&w, 10, 4, 20, -1, 5);
	struct usage *u = run_words(&w, "priority", "priority", NULL);
	/* 3, 1 and 0 until a node is free: node 1, so that 3 may go on. */
	expect_stops(u, 10, (int[]){1, 0, -1});
	expect_start(u, 4, 10);
	expect_end(u, 3, 1003);
	expect_end(u, 0, 30 + 990);
	expect_end(u, 1, 30 + 991);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(priority_stops_nobody_when_that_would_not_be_enough)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 3, 100, -1, 5);
	small_job(&w, 1, 1, 100, -1, 0);
	small_job(&w, 10, 2, 20, -1, 1);
	struct usage *u = run_words(&w, "priority", "priority", NULL);
	expect_stops(u, 0, (int[]){-1});
	expect_start(u, 2, 100);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

/* ---------------------------------------------------------------- quota-reclaim */

static struct queue_spec queue_of(const char *name, int64_t guaranteed)
{
	return (struct queue_spec){
	    .name = (char *)(intptr_t)name, .parent = -1, .weight = 1, .guaranteed = guaranteed, .borrow = true};
}

START_TEST(an_owner_within_its_share_gets_it_back_from_who_started_last)
{
	struct small w;
	struct queue_spec queues[] = {queue_of("owner", 2), queue_of("borrower", 2)};
	small_init(&w, 4, 0);
	w.fleet.queues = queues;
	w.fleet.queue_count = 2;
	for (int i = 0; i < 4; i++) small_tenant_job(&w, "borrower", i, 1, 100);
	small_tenant_job(&w, "owner", 10, 2, 30);
	small_tenant_job(&w, "owner", 20, 1, 10); /* it would borrow: stops nobody */
	struct usage *u = run_words(&w, "fcfs", "quota-reclaim", NULL);
	expect_stops(u, 10, (int[]){3, 2, -1});
	expect_start(u, 4, 10);
	/* At 40 two GPUs: the owner's second job goes before those who borrow. */
	expect_start(u, 5, 40);
	expect_end(u, 2, 40 + 92);
	expect_end(u, 3, 50 + 93);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(an_owner_does_not_stop_who_is_within_its_own_share)
{
	struct small w;
	struct queue_spec queues[] = {queue_of("owner", 4), queue_of("other", 2)};
	small_init(&w, 4, 0);
	w.fleet.queues = queues;
	w.fleet.queue_count = 2;
	small_tenant_job(&w, "other", 0, 1, 100);
	small_tenant_job(&w, "other", 1, 1, 100);
	small_tenant_job(&w, "owner", 10, 4, 30);
	struct usage *u = run_words(&w, "fcfs", "quota-reclaim", NULL);
	expect_stops(u, 0, (int[]){-1});
	expect_start(u, 2, 101);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

/* ---------------------------------------------------------------------- order */

START_TEST(a_job_that_needs_one_node_stops_others_as_well)
{
	struct small w;
	struct job_needs needs = {.same_node = true};
	small_init(&w, 1, 2);
	small_job(&w, 0, 2, 1000, -1, 0);
	small_job(&w, 10, 2, 20, -1, 0)->needs = rr_jobs_needs(w.jobs, &needs);
	struct usage *u = run_words(&w, "srtf", "order", NULL);
	expect_stops(u, 10, (int[]){0, -1});
	expect_end(u, 1, 30);
	expect_end(u, 0, 1020);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

/* -------------------------------------------------------------------- min_run */

START_TEST(nobody_is_stopped_before_min_run_and_then_at_once)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 5, 1, 10, -1, 1);
	static const char *const ways[][2] = {{"priority", "priority"}, {"priority", "order"}, {"srtf", "order"}};
	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		struct usage *u = run_words(&w, ways[i][0], ways[i][1], "min_run=20s");
		expect_stops(u, 20, (int[]){0, -1});
		expect_start(u, 1, 20);
		expect_end(u, 0, 110);
		rr_usage_free(u);
		u = run_words(&w, ways[i][0], ways[i][1], "min_run=3s");
		expect_stops(u, 5, (int[]){0, -1});
		rr_usage_free(u);
	}
	small_done(&w);
}
END_TEST

/* ------------------------------------------------------------- what a stop costs */

START_TEST(gpus_drain_while_a_stopped_job_saves)
{
	struct small w;
	small_init(&w, 2, 0);
	small_job(&w, 0, 2, 100, -1, 0);
	small_job(&w, 10, 2, 20, -1, 1);
	struct usage *u = run_words(&w, "priority", "priority", "save=5s");
	expect_stops(u, 10, (int[]){0, -1});
	expect_start(u, 1, 15);
	expect_end(u, 0, 35 + 90);
	ck_assert(u->pools[0].use[RR_USE_DRAINING] == (rr_milli_gpu_ns)2 * 1000 * 5 * RR_NS_PER_S);
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(restoring_costs_by_size_and_counts_as_lost)
{
	static const struct {
		int gpus, cost_s;
	} sizes[] = {{1, 1}, {2, 2}, {4, 2}, {5, 3}};
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		struct small w;
		small_init(&w, 5, 0);
		small_job(&w, 0, sizes[i].gpus, 100, -1, 0);
		small_job(&w, 10, 5, 20, -1, 1);
		struct usage *u = run_words(&w, "priority", "order", "restore=1:1s/4:2s/more:3s");
		expect_stops(u, 10, (int[]){0, -1});
		expect_end(u, 0, 30 + 90 + sizes[i].cost_s);
		ck_assert(u->records[0].lost == (rr_milli_gpu_ns)sizes[i].cost_s * RR_NS_PER_S * sizes[i].gpus * 1000);
		rr_usage_free(u);
		small_done(&w);
	}
}
END_TEST

/* ---------------------------------------------------------------------- rounds */

START_TEST(rounds_stop_somebody_only_when_one_begins)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 5, 1, 10, -1, 0);
	struct usage *u = run_words(&w, "srtf", "rounds", "round=60s");
	expect_stops(u, 60, (int[]){0, -1});
	expect_start(u, 1, 60);
	expect_end(u, 0, 110); /* in between whoever fits starts: at 70 */
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(rounds_of_random_jobs_stop_only_at_multiples)
{
	guint stops = 0;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct rr_stream luck;
		struct small w;
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 21);
		small_init(&w, 4, 0);
		for (int i = 0; i < 40; i++)
			small_job(&w, (int)(rr_stream_u32(&luck) % 500), 1 + (int)(rr_stream_u32(&luck) % 4),
				  1 + (int)(rr_stream_u32(&luck) % 90), -1, 0);
		struct usage *u = run_words(&w, seed % 2 == 0 ? "srtf" : "las", "rounds", "round=50s");
		for (guint i = 0; i < u->stops->len; i++)
			ck_assert_int_eq(g_array_index(u->stops, struct stop, i).to_ns % (50 * RR_NS_PER_S), 0);
		stops += u->stops->len;
		rr_usage_free(u);
		small_done(&w);
	}
	ck_assert_uint_gt(stops, 50);
}
END_TEST

RR_TEST_MAIN("preempts", priority_stops_the_lowest_and_of_equal_ones_the_last_to_start,
	     priority_stops_nobody_of_its_own_priority, priority_stops_as_few_as_will_do,
	     priority_spares_on_nodes_whoever_the_start_does_not_need,
	     priority_stops_nobody_when_that_would_not_be_enough,
	     an_owner_within_its_share_gets_it_back_from_who_started_last,
	     an_owner_does_not_stop_who_is_within_its_own_share, a_job_that_needs_one_node_stops_others_as_well,
	     nobody_is_stopped_before_min_run_and_then_at_once, gpus_drain_while_a_stopped_job_saves,
	     restoring_costs_by_size_and_counts_as_lost, rounds_stop_somebody_only_when_one_begins,
	     rounds_of_random_jobs_stop_only_at_multiples)
