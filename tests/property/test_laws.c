/* The laws of the house, each on thousands of random scenarios: pools bought and
 * rented, flat and of nodes, filters, queues, policies, pre-emption, options,
 * horizons, speeds, boots. */
#include "sim/accounts/accounts.h"
#include "tests/support/promises.h"
#include "tests/support/random_world.h"
#include "tests/support/test.h"

enum { CASES = 2500, JOBS_MOST = 120 };

/* Calls CHECK on so many random scenarios and their usage. */
static void for_all(void (*check)(struct random_world *w, const struct usage *usage))
{
	for (uint64_t seed = 1; seed <= CASES; seed++) {
		struct random_world w;
		random_world_init(&w, seed, JOBS_MOST);
		random_world_any_schedule(&w);
		struct usage *usage = random_world_run(&w);
		check(&w, usage);
		rr_usage_free(usage);
		random_world_done(&w);
	}
}

static void check_conservation(struct random_world *w, const struct usage *u)
{
	(void)w;
	promise_gpu_time_is_conserved(u);
}

START_TEST(law_1_gpu_time_is_conserved_to_the_nanosecond)
{
	for_all(check_conservation);
}
END_TEST

static void check_holding(struct random_world *w, const struct usage *u)
{
	(void)w;
	promise_nothing_is_held_twice(u);
}

START_TEST(law_2_nothing_is_held_twice)
{
	for_all(check_holding);
}
END_TEST

static void check_states(struct random_world *w, const struct usage *u)
{
	(void)w;
	promise_every_job_gets_its_work(u);
}

START_TEST(law_3_every_job_has_one_state_and_its_work)
{
	for_all(check_states);
}
END_TEST

static void check_ledger(struct random_world *w, const struct usage *u)
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

static gpointer run_again(gpointer data)
{
	return random_world_run(data);
}

static void check_repeat(struct random_world *w, const struct usage *u)
{
	/* Every tenth time on two other threads at once. */
	if (w->scenario.seed % 10 != 0) {
		struct usage *again = random_world_run(w);
		promise_same(u, again);
		rr_usage_free(again);
		return;
	}
	GThread *one = g_thread_new("one", run_again, w), *two = g_thread_new("two", run_again, w);
	struct usage *other = g_thread_join(two), *again = g_thread_join(one);
	promise_same(u, again);
	promise_same(u, other);
	rr_usage_free(other);
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
