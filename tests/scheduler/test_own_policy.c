/* A policy of one's own is one file (own_policy.c) and one table row (below).
 *
 * Here the table of orders is this program's own, in place of the library's: in a
 * checkout the row goes into rr_orders of sim/scheduler/orders.c, and nothing else
 * changes. The other tables are the library's, so that the order is held to the
 * promises of all policies together with every backfill, placement and
 * pre-emption. */
#include "tests/scheduler/own_policy.h"
#include "tests/support/promises.h"
#include "tests/support/random_world.h"
#include "tests/support/small.h"
#include "tests/support/test.h"

const struct rr_word rr_orders[] = {
    {"widest", "most GPUs first", NULL, NULL, &own_widest},
    {NULL, NULL, NULL, NULL, NULL},
};

static struct usage *run_widest(struct small *w, const char *preempt)
{
	struct scheduler_spec spec = {.text = g_strdup("widest"),
				      .order = g_strdup("widest"),
				      .backfill = g_strdup("skip"),
				      .placement = g_strdup("best-fit"),
				      .preempt = g_strdup(preempt)};
	return small_run_spec(w, &spec);
}

START_TEST(the_widest_job_goes_first)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 4, 100, -1, 0);
	small_job(&w, 1, 1, 50, -1, 0);
	small_job(&w, 2, 3, 50, -1, 0);
	small_job(&w, 3, 4, 10, -1, 0);
	struct usage *usage = run_widest(&w, "none");
	/* At 100 the widest, at 110 the other two side by side. */
	ck_assert_int_eq(usage->records[3].start_ns, 100 * RR_NS_PER_S);
	ck_assert_int_eq(usage->records[2].start_ns, 110 * RR_NS_PER_S);
	ck_assert_int_eq(usage->records[1].start_ns, 110 * RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(it_combines_with_preemption)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 1, 100, -1, 0);
	small_job(&w, 10, 4, 20, -1, 0); /* makes the narrow one stop, which goes on at 30 */
	struct usage *usage = run_widest(&w, "order");
	ck_assert_int_eq(usage->records[1].start_ns, 10 * RR_NS_PER_S);
	ck_assert_int_eq(usage->records[0].preemptions, 1);
	ck_assert_int_eq(usage->records[0].end_ns, 120 * RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(it_keeps_the_promises_of_all_policies)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	uint64_t seed = 2000000;
	for (const struct rr_word *b = v->backfills; b->name != NULL; b++)
		for (const struct rr_word *p = v->placements; p->name != NULL; p++)
			for (const struct rr_word *e = v->preempts; e->name != NULL; e++) {
				struct random_world w;
				random_world_init(&w, seed++, 50);
				random_world_schedule(&w, "widest", b->name, p->name, e->name);
				struct usage *usage = random_world_run(&w), *again = random_world_run(&w);
				promise_all(usage);
				promise_same(usage, again);
				rr_usage_free(again);
				rr_usage_free(usage);
				random_world_done(&w);
			}
}
END_TEST

RR_TEST_MAIN("own policy", the_widest_job_goes_first, it_combines_with_preemption,
	     it_keeps_the_promises_of_all_policies)
