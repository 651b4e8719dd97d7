/* Policies: hand-worked examples. test_slow.c holds every combination against a
 * simulator that looks at everything. */
#include "tests/support/small.h"
#include "tests/support/test.h"

#include <string.h>

/* Starts in seconds, job by job, ended by -9; -1 = never. */
static void expect_starts(struct small *w, const char *scheduler, const int *starts)
{
	struct usage *usage = small_run(w, scheduler);
	for (size_t i = 0; starts[i] != -9; i++) {
		sim_time start = usage->records[i].start_ns;
		int ours = start < 0 ? -1 : (int)(start / RR_NS_PER_S);
		ck_assert_msg(ours == starts[i], "%s: job %zu starts at %d, expected %d", scheduler, i, ours,
			      starts[i]);
	}
	rr_usage_free(usage);
}

START_TEST(hand_worked_orders_on_four_gpus)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 4, 100, -1, 0); /* holds all until 100 */
	small_job(&w, 1, 3, 50, -1, 0);
	small_job(&w, 2, 2, 20, -1, 5);
	small_job(&w, 3, 1, 80, -1, 1);
	/* fcfs: 3 at 100; 2 does not fit beside it and blocks; at 150 2 and 1 together. */
	expect_starts(&w, "fcfs", (int[]){0, 100, 150, 150, -9});
	/* fit: 3 at 100, 2 is passed over, 1 fits beside it; 2 at 150. */
	expect_starts(&w, "fit", (int[]){0, 100, 150, 100, -9});
	/* sjf: 20 s first, then 50 s (3 GPUs do not fit: blocks), at 120 3 and 1. */
	expect_starts(&w, "sjf", (int[]){0, 120, 100, 120, -9});
	/* ljf: 80 s, then 50 s fits beside it; the 20 s one at 150. */
	expect_starts(&w, "ljf", (int[]){0, 100, 150, 100, -9});
	/* priority: 5, then 1 beside it, then 0 at 120, when 2 GPUs came free. */
	expect_starts(&w, "priority", (int[]){0, 120, 100, 100, -9});
	small_done(&w);
}
END_TEST

START_TEST(easy_fills_holes_and_never_delays_the_head)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 3, 100, -1, 0);
	small_job(&w, 1, 3, 50, -1, 0); /* the head: reserved at 100, one GPU left over */
	small_job(&w, 2, 1, 98, -1, 0); /* ends at 100: may start at 2 */
	small_job(&w, 3, 1, 10, -1, 0); /* no GPU left until 100; then beside the head */
	expect_starts(&w, "easy", (int[]){0, 100, 2, 100, -9});
	small_done(&w);

	small_init(&w, 4, 0);
	small_job(&w, 0, 2, 100, -1, 0);
	small_job(&w, 1, 4, 10, -1, 0); /* reserved at 100, nothing left over */
	small_job(&w, 2, 1, 99, -1, 0); /* would end at 101: must wait */
	small_job(&w, 3, 1, 97, -1, 0); /* ends at 100: starts at once */
	expect_starts(&w, "easy", (int[]){0, 100, 110, 3, -9});
	small_done(&w);
}
END_TEST

START_TEST(easy_plans_with_estimates_and_jobs_end_at_their_duration)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 3, 40, 100, 0); /* is thought to end at 100, ends at 40 */
	small_job(&w, 1, 4, 10, 10, 0);
	small_job(&w, 2, 1, 60, 60, 0); /* by the estimates harmless: starts at 2, ends at 62 */
	expect_starts(&w, "easy", (int[]){0, 62, 2, -9});
	small_done(&w);
}
END_TEST

START_TEST(a_job_wider_than_its_pool_never_blocks)
{
	struct small w;
	small_init(&w, 2, 8);
	small_job(&w, 0, 17, 10, -1, 0);
	small_job(&w, 1, 16, 10, -1, 0);
	struct usage *usage = small_run(&w, "fcfs");
	ck_assert_int_eq(usage->records[0].state, RR_JOB_UNSCHEDULABLE);
	ck_assert_int_eq(usage->records[1].start_ns, RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(a_spread_job_backfills_into_single_gpus)
{
	struct small w;
	struct job_needs needs = {.spread = true};
	small_init(&w, 3, 4);
	for (int i = 0; i < 3; i++) small_job(&w, 0, 3, 100, -1, 0); /* one GPU is left on each node */
	small_job(&w, 5, 4, 10, -1, 0);
	small_job(&w, 6, 3, 10, -1, 0)->needs = rr_jobs_needs(w.jobs, &needs);
	expect_starts(&w, "fit", (int[]){0, 0, 0, 100, 6, -9});
	small_done(&w);
}
END_TEST

START_TEST(a_job_wider_than_its_quota_never_blocks)
{
	struct small w;
	struct queue_spec queue = {
	    .name = (char *)(intptr_t) "a", .parent = -1, .weight = 1, .most = 4, .borrow = true};
	small_init(&w, 8, 0);
	w.fleet.queues = &queue;
	w.fleet.queue_count = 1;
	small_tenant_job(&w, "a", 0, 5, 10);
	small_tenant_job(&w, "a", 1, 4, 10);
	struct usage *usage = small_run(&w, "fcfs");
	ck_assert_int_eq(usage->records[0].state, RR_JOB_UNSCHEDULABLE);
	ck_assert_int_eq(usage->records[1].start_ns, RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(a_quota_that_one_partition_gives_back_another_may_take)
{
	struct small w;
	struct queue_spec queue = {
	    .name = (char *)(intptr_t) "a", .parent = -1, .weight = 1, .most = 1, .borrow = true};
	struct pool_spec pools[2];
	small_init(&w, 1, 0);
	pools[0] = pools[1] = w.pool;
	pools[0].only_class = (char *)(intptr_t) "x";
	w.fleet.pools = pools;
	w.fleet.pool_count = 2;
	w.fleet.queues = &queue;
	w.fleet.queue_count = 1;
	small_tenant_job(&w, "a", 0, 1, 10)->klass = rr_jobs_text(w.jobs, "x", true);
	small_tenant_job(&w, "a", 1, 1, 10);
	expect_starts(&w, "fcfs", (int[]){0, 10, -9});
	small_done(&w);
}
END_TEST

START_TEST(every_preset_can_be_parsed_and_has_its_words_in_the_tables)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	for (const struct rr_word *word = v->presets; word->name != NULL; word++) {
		struct scheduler_spec spec = {0};
		ck_assert(v->parse(word->name, &spec, NULL));
		ck_assert_str_eq(spec.preset, word->name);
		rr_scheduler_spec_done(&spec);
	}
	struct scheduler_spec spec = {0};
	g_autoptr(GError) error = NULL;
	ck_assert(!v->parse("esay", &spec, &error));
	ck_assert_ptr_nonnull(strstr(error->message, "did you mean 'easy'?"));
}
END_TEST

RR_TEST_MAIN("policies", hand_worked_orders_on_four_gpus, easy_fills_holes_and_never_delays_the_head,
	     easy_plans_with_estimates_and_jobs_end_at_their_duration, a_job_wider_than_its_pool_never_blocks,
	     a_spread_job_backfills_into_single_gpus, a_job_wider_than_its_quota_never_blocks,
	     a_quota_that_one_partition_gives_back_another_may_take,
	     every_preset_can_be_parsed_and_has_its_words_in_the_tables)
