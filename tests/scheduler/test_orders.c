/* Orders by what a job has had, by shares, deadlines and factors: worked by hand,
 * three to five jobs each, with numbers under which simpler orders differ. */
#include "tests/support/small.h"
#include "tests/support/test.h"

#include <string.h>

static struct usage *run_words(struct small *w, const char *order, const char *preempt, const char *options)
{
	rr_scheduler_spec_done(&w->fleet.scheduler);
	struct scheduler_spec spec = {.order = g_strdup(order),
				      .backfill = g_strdup("none"),
				      .placement = g_strdup("best-fit"),
				      .preempt = g_strdup(preempt),
				      .options = options != NULL ? g_strsplit(options, ",", -1) : NULL};
	return small_run_spec(w, &spec);
}

/* First starts or ends in seconds, job by job, ended by -9. */
static void expect(struct small *w, const char *order, const char *options, bool ends, const int *times)
{
	const char *preempt = ends ? "order" : "none";
	struct usage *u = run_words(w, order, preempt, options);
	for (size_t j = 0; times[j] != -9; j++) {
		sim_time at = ends ? u->records[j].end_ns : u->records[j].start_ns;
		ck_assert_msg(at == times[j] * RR_NS_PER_S, "%s %s: job %zu %s at %g, expected %d", order,
			      options != NULL ? options : "", j, ends ? "ends" : "starts", (double)at / 1e9, times[j]);
	}
	rr_usage_free(u);
}

#define EXPECT_ENDS(w, order, options, ...)   expect(w, order, options, true, (int[]){__VA_ARGS__, -9})
#define EXPECT_STARTS(w, order, options, ...) expect(w, order, options, false, (int[]){__VA_ARGS__, -9})

/* ----------------------------------------------------------------------- 2d-las */

START_TEST(two_gpus_reach_3250_gpu_seconds_after_1625_seconds)
{
	struct small w;
	small_init(&w, 2, 0);
	small_job(&w, 0, 2, 5000, -1, 0);
	small_job(&w, 10, 1, 100, -1, 0);
	struct usage *u = run_words(&w, "2d-las", "order", NULL);
	ck_assert_int_eq(u->records[1].start_ns, 1625 * RR_NS_PER_S);
	ck_assert_int_eq(u->records[0].preemptions, 1);
	ck_assert_int_eq(u->records[0].end_ns, 5100 * RR_NS_PER_S);
	rr_usage_free(u);
	small_done(&w);

	small_init(&w, 1, 0); /* one GPU takes twice as long */
	small_job(&w, 0, 1, 5000, -1, 0);
	small_job(&w, 10, 1, 100, -1, 0);
	EXPECT_ENDS(&w, "2d-las", NULL, 5100, 3350);
	small_done(&w);
}
END_TEST

START_TEST(a_demotion_comes_at_the_nanosecond_of_the_crossing)
{
	struct small w;
	small_init(&w, 3, 0);
	small_job(&w, 0, 3, 100, -1, 0);
	small_job(&w, 1, 1, 10, -1, 0);
	/* 100 GPU-seconds on 3 GPUs: 33.333333334 s, rounded up to whole nanoseconds. */
	struct usage *u = run_words(&w, "2d-las", "order", "limits=100s");
	ck_assert_int_eq(u->records[1].start_ns, INT64_C(33333333334));
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(ties_in_a_level_go_by_who_came_there_first)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 120, 1, 20, -1, 0);
	/* A 0-50, B 50-100, then A is first in the second queue; C, new, stops it 120-140;
	 * A 140-170, B 170-220. */
	EXPECT_ENDS(&w, "2d-las", "limits=50s", 170, 220, 140);
	small_done(&w);
}
END_TEST

START_TEST(nobody_stops_another_of_its_own_level)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 49, -1, 0);
	small_job(&w, 1, 1, 1, -1, 0);
	EXPECT_ENDS(&w, "2d-las", "limits=50s", 49, 50);
	small_done(&w);
}
END_TEST

START_TEST(the_promote_knob_lifts_who_waited_so_many_times_its_run)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 40, -1, 0);
	for (int i = 0; i < 6; i++) small_job(&w, 10 + 20 * i, 1, 20, -1, 0);
	/* A 0-20; the others, one after another, keep it waiting until 140. */
	EXPECT_ENDS(&w, "2d-las", "limits=20s", 160, 40, 60, 80, 100, 120, 140);
	/* Twice 20 s after 20 it stands behind those who came until 60: they end at 80. */
	EXPECT_ENDS(&w, "2d-las", "limits=20s,promote=2", 100, 40, 60, 80, 120, 140, 160);
	small_done(&w);
}
END_TEST

START_TEST(las_goes_round_by_quanta)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 25, -1, 0);
	small_job(&w, 0, 1, 15, -1, 0);
	small_job(&w, 12, 1, 5, -1, 0);
	/* A 0-10, B 10-20, C 20-25; second level A 25-35, B 35-40; third A 40-45. */
	EXPECT_ENDS(&w, "las", "quantum=10s", 45, 40, 25);
	small_done(&w);
}
END_TEST

START_TEST(a_quantum_or_a_round_of_no_length_is_refused)
{
	static const char *const texts[] = {"las,quantum=0s", "las,quantum=1us", "themis,round=0s"};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct scheduler_spec spec = {0};
		g_autoptr(GError) error = NULL;
		ck_assert(!rr_scheduler_parse(texts[i], &spec, &error));
		ck_assert_ptr_nonnull(strstr(error->message, "1 ms or more"));
	}
}
END_TEST

/* ---------------------------------------------------------------------- gittins */

START_TEST(gittins_of_equal_services_is_first_come_first_served)
{
	struct small w;
	small_init(&w, 1, 0);
	for (int i = 0; i < 5; i++) small_job(&w, 10 * i, 1, 100, -1, 0);
	struct usage *u = run_words(&w, "gittins", "order", NULL);
	for (int j = 0; j < 5; j++) ck_assert_int_eq(u->records[j].end_ns, 100 * (j + 1) * RR_NS_PER_S);
	ck_assert_uint_eq(u->stops->len, 0); /* the nearer to its end, the higher its index */
	rr_usage_free(u);
	small_done(&w);
}
END_TEST

START_TEST(gittins_of_a_heavy_tail_serves_the_least_served)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 1000, -1, 0);
	for (int i = 1; i <= 3; i++) small_job(&w, 20 * i, 1, 10, -1, 0);
	/* Past 10 s only the long one is left: whoever comes goes first, as under las. */
	EXPECT_ENDS(&w, "gittins", NULL, 1030, 30, 50, 70);
	EXPECT_ENDS(&w, "las", "quantum=10s", 1030, 30, 50, 70);
	EXPECT_ENDS(&w, "fcfs", NULL, 1000, 1010, 1020, 1030);
	small_done(&w);
}
END_TEST

/* ------------------------------------------------------- ratios and deadlines */

START_TEST(hrrn_by_hand)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 10, 1, 50, -1, 0);
	small_job(&w, 60, 1, 10, -1, 0);
	small_job(&w, 80, 1, 20, -1, 0);
	/* At 100: (90+50)/50 = 2.8, (40+10)/10 = 5, (20+20)/20 = 2; at 110: 3 and 2.5. */
	EXPECT_STARTS(&w, "hrrn", "every=0s", 0, 110, 100, 160);
	EXPECT_STARTS(&w, "sjf", NULL, 0, 130, 100, 110);
	small_done(&w);
}
END_TEST

START_TEST(edf_by_hand)
{
	struct small w;
	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 1, 1, 10, -1, 0); /* without a deadline: last */
	small_job(&w, 2, 1, 10, -1, 0)->deadline_ns = 500 * RR_NS_PER_S;
	small_job(&w, 3, 1, 10, -1, 0)->deadline_ns = 300 * RR_NS_PER_S;
	EXPECT_STARTS(&w, "edf", NULL, 0, 120, 110, 100);
	small_done(&w);
}
END_TEST

START_TEST(finish_time_fair_by_hand)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 4, 100, -1, 0);
	small_job(&w, 10, 4, 50, -1, 0);
	small_job(&w, 40, 1, 50, -1, 0);
	/* At 100, two jobs: alone in half of the GPUs the wide one takes 100 s, the narrow
	 * one 50 s. (90+50)/100 = 1.4, (60+50)/50 = 2.2. By response ratio it is 2.8 and 2.2. */
	EXPECT_STARTS(&w, "finish-time-fair", "every=0s", 0, 150, 100);
	EXPECT_STARTS(&w, "hrrn", "every=0s", 0, 100, 150);
	small_done(&w);
}
END_TEST

START_TEST(multifactor_by_hand)
{
	struct small w;
	small_init(&w, 2, 0);
	small_job(&w, 0, 2, 100, -1, 0);
	small_job(&w, 10, 2, 10, -1, 0);
	small_job(&w, 50, 1, 10, -1, 0);
	small_job(&w, 90, 1, 10, -1, 2);
	/* At 100: 90 + 500 + 0 = 590, 50 + 250 + 0 = 300, 10 + 250 + 400 = 660. */
	EXPECT_STARTS(&w, "multifactor", "age=1000,max_age=1000s,size=500,fairshare=0,qos=400,every=0s", 0, 110, 120,
		      100);
	/* Priority alone; of equal ones the first. */
	EXPECT_STARTS(&w, "multifactor", "age=0,size=0,fairshare=0,qos=1,every=0s", 0, 110, 120, 100);
	/* Age alone. */
	EXPECT_STARTS(&w, "multifactor", "age=1000,max_age=1000s,size=0,fairshare=0,qos=0,every=0s", 0, 100, 110, 110);
	small_done(&w);
}
END_TEST

/* ----------------------------------------------------------------------- shares */

static struct queue_spec weighted(const char *name, double weight)
{
	return (struct queue_spec){.name = (char *)(intptr_t)name, .parent = -1, .weight = weight, .borrow = true};
}

START_TEST(fair_without_a_past_goes_by_what_tenants_hold)
{
	struct small w;
	struct queue_spec queues[] = {weighted("a", 1), weighted("b", 1)};
	small_init(&w, 4, 0);
	w.fleet.queues = queues;
	w.fleet.queue_count = 2;
	small_tenant_job(&w, "a", 0, 2, 100);
	small_tenant_job(&w, "b", 0, 1, 50);
	small_tenant_job(&w, "a", 1, 1, 10);
	small_tenant_job(&w, "a", 2, 1, 30);
	small_tenant_job(&w, "b", 3, 1, 30);
	/* At 11 a holds 2 and b 1: b goes first. At 41 only a's is left. */
	EXPECT_STARTS(&w, "fair", "half_life=0s", 0, 0, 1, 41, 11);
	queues[0].weight = 4; /* 2/4 against 1/1 */
	EXPECT_STARTS(&w, "fair", "half_life=0s", 0, 0, 1, 11, 41);
	small_done(&w);
}
END_TEST

START_TEST(fair_with_a_past_remembers_who_had_more)
{
	struct small w;
	small_init(&w, 1, 0);
	small_tenant_job(&w, "a", 0, 1, 100);
	small_tenant_job(&w, "b", 0, 1, 10);
	small_tenant_job(&w, "a", 1, 1, 10);
	small_tenant_job(&w, "b", 2, 1, 10);
	small_tenant_job(&w, "b", 3, 1, 10);
	/* a had 100 s: all of b's, 30 s, go before its second one. */
	EXPECT_STARTS(&w, "fair", "half_life=7d", 0, 100, 130, 110, 120);
	/* Without a past nobody holds anything at 100: by arrival. */
	EXPECT_STARTS(&w, "fair", "half_life=0s", 0, 100, 110, 120, 130);
	small_done(&w);
}
END_TEST

START_TEST(drf_goes_by_the_dominant_share)
{
	struct small w;
	small_init(&w, 1, 8);
	w.pool.node_cpu_milli = 16000;
	struct job_needs half = {.cpu_milli = 8000};
	struct job *first = small_tenant_job(&w, "a", 0, 1, 1000);
	first->needs = rr_jobs_needs(w.jobs, &half);
	small_tenant_job(&w, "b", 0, 2, 1000);
	small_tenant_job(&w, "c", 0, 5, 50);
	small_tenant_job(&w, "a", 1, 5, 20);
	small_tenant_job(&w, "b", 2, 5, 20);
	/* a has 1 of 8 GPUs and half of the CPUs, b 2 of 8 GPUs: b goes first. By GPUs alone a. */
	EXPECT_STARTS(&w, "drf", NULL, 0, 0, 0, 70, 50);
	EXPECT_STARTS(&w, "fair", "half_life=0s", 0, 0, 0, 50, 70);
	small_done(&w);
}
END_TEST

RR_TEST_MAIN("orders", two_gpus_reach_3250_gpu_seconds_after_1625_seconds,
	     a_demotion_comes_at_the_nanosecond_of_the_crossing, ties_in_a_level_go_by_who_came_there_first,
	     nobody_stops_another_of_its_own_level, the_promote_knob_lifts_who_waited_so_many_times_its_run,
	     las_goes_round_by_quanta, a_quantum_or_a_round_of_no_length_is_refused,
	     gittins_of_equal_services_is_first_come_first_served, gittins_of_a_heavy_tail_serves_the_least_served,
	     hrrn_by_hand, edf_by_hand, finish_time_fair_by_hand, multifactor_by_hand,
	     fair_without_a_past_goes_by_what_tenants_hold, fair_with_a_past_remembers_who_had_more,
	     drf_goes_by_the_dominant_share)
