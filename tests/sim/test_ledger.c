/* Law 4 on random runs; the order of times, intervals, and what metrics mean. */
#include "models/pricing/pricing.h"
#include "sim/accounts/accounts.h"
#include "sim/accounts/parts.h"
#include "tests/support/by_hand.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------ law 4, at random */

static struct rr_stream luck;

static int64_t random_below(int64_t limit)
{
	return (int64_t)(rr_stream_u64(&luck) % (uint64_t)limit);
}

/* A fleet of up to four pools with random prices, uses and lives. */
static struct world *random_world(void)
{
	struct world *w = world_new(1 + random_below(3 * RR_NS_PER_YEAR >> random_below(20)));
	sim_time end = w->usage.end_ns;
	w->scenario.finance.years = (int32_t)(1 + random_below(6));
	w->scenario.finance.staff_micros_per_year = random_below(INT64_C(1) << 40);
	w->site.electricity_micros_per_kwh = random_below(1000000);
	int64_t pools = 1 + random_below(POOLS);
	for (int64_t i = 0; i < pools; i++) {
		if (random_below(2) == 0) {
			int32_t p = add_owned(w);
			w->pools[p].price_micros = random_below(INT64_C(1) << 40);
			w->pools[p].count_max = (int32_t)random_below(100);
			add_use(w, p, RR_USE_IDLE, 1 + (int)random_below(800), 0, end);
			add_use(w, p, RR_USE_BUSY, 1 + (int)random_below(800), 0, end);
			continue;
		}
		int32_t p = add_rented(w);
		w->pools[p].price_micros_per_hour = random_below(100000000);
		w->pools[p].billing_step_ns = random_below(2) == 0 ? RR_NS_PER_S : RR_NS_PER_HOUR;
		for (int64_t n = random_below(20); n > 0; n--) {
			sim_time from = random_below(end);
			add_life(w, p, from, from + random_below(end - from + 1));
		}
	}
	return w;
}

/* Sum of LINES that are of POOL and YEAR; -1 = any. */
static int64_t sum_lines(const struct ledger_line *lines, size_t count, int32_t pool, int32_t year)
{
	int64_t sum = 0;
	for (size_t i = 0; i < count; i++)
		if ((pool < 0 || lines[i].pool == pool) && (year < 0 || lines[i].month / 12 == year))
			sum += lines[i].micros;
	return sum;
}

static int64_t micros_of(const struct result *result, const char *id)
{
	double amount = value(result, id);
	return isnan(amount) ? 0 : llround(amount * 1e6);
}

START_TEST(lines_add_up_to_the_total_per_fleet_year_and_pool)
{
	rr_stream_init(&luck, 5, RR_PURPOSE_TEST, 0);
	for (int n = 0; n < 300; n++) {
		struct world *w = random_world();
		struct result *r = account(w);
		int64_t total = sum_lines(r->ledger, r->ledger_count, -1, -1), by_pool = 0, by_year = 0, by_line = 0;
		/* 2^53 micros are exact in a double: 9e9 USD, more than any fleet here. */
		ck_assert_int_eq(micros_of(r, "cost.total"), total);
		for (int32_t p = 0; p < w->fleet.pool_count; p++)
			by_pool += sum_lines(r->ledger, r->ledger_count, p, -1);
		for (int32_t y = 0; y < 4; y++) by_year += sum_lines(r->ledger, r->ledger_count, -1, y);
		for (int kind = 0; kind < RR_LINE_COUNT; kind++) {
			g_autofree char *id = g_strconcat("cost.line.", rr_line_row((enum line_kind)kind)->name, NULL);
			by_line += micros_of(r, id);
		}
		ck_assert_int_eq(by_pool, total);
		ck_assert_int_eq(by_year, total);
		ck_assert_int_eq(by_line, total);
		rr_result_free(r);
		world_free(w);
	}
}
END_TEST

START_TEST(the_lines_of_a_rented_pool_add_up_to_its_bills)
{
	rr_stream_init(&luck, 6, RR_PURPOSE_TEST, 0);
	for (int n = 0; n < 300; n++) {
		struct world *w = random_world();
		struct result *r = account(w);
		for (int32_t p = 0; p < w->fleet.pool_count; p++) {
			const struct pool_spec *pool = &w->pools[p];
			if (pool->kind != RR_POOL_CLOUD) continue;
			int64_t bills = 0;
			for (size_t i = 0; i < w->usage.life_count; i++) {
				const struct node_life *life = &w->usage.lives[i];
				if (life->pool != p) continue;
				sim_time billed = rr_billed_ns(life->to_ns - life->from_ns, pool->billing_step_ns,
							       pool->billing_minimum_ns);
				bills += rr_charge_micros(billed, pool->price_micros_per_hour);
			}
			ck_assert_int_eq(sum_lines(r->ledger, r->ledger_count, p, -1), bills);
		}
		rr_result_free(r);
		world_free(w);
	}
}
END_TEST

START_TEST(the_outlook_adds_up_and_a_recorded_year_comes_again)
{
	rr_stream_init(&luck, 7, RR_PURPOSE_TEST, 0);
	for (int n = 0; n < 300; n++) {
		struct world *w = random_world();
		bool whole_year = n % 2 == 0;
		if (whole_year) {
			world_free(w);
			w = world_new(RR_NS_PER_YEAR);
			int32_t p = add_owned(w), q = add_rented(w);
			add_use(w, p, RR_USE_BUSY, 9, random_below(RR_NS_PER_YEAR), RR_NS_PER_YEAR);
			add_life(w, q, random_below(RR_NS_PER_YEAR), RR_NS_PER_YEAR);
		}
		w->scenario.finance.years = 3;
		struct result *r = account(w);
		int64_t outlook = sum_lines(r->outlook, r->outlook_count, -1, -1);
		ck_assert_int_le(llabs(micros_of(r, "cost.tco3y") - outlook), outlook >> 50);
		if (whole_year) {
			int64_t first = sum_lines(r->ledger, r->ledger_count, -1, -1);
			int64_t bought = micros_of(r, "cost.line.servers") + micros_of(r, "cost.line.installation");
			ck_assert_int_eq(sum_lines(r->outlook, r->outlook_count, -1, 0), first);
			ck_assert_int_eq(sum_lines(r->outlook, r->outlook_count, -1, 1), first - bought);
			ck_assert_int_eq(sum_lines(r->outlook, r->outlook_count, -1, 2), first - bought);
		}
		rr_result_free(r);
		world_free(w);
	}
}
END_TEST

static int by_time(const void *a, const void *b)
{
	sim_time x = *(const sim_time *)a, y = *(const sim_time *)b;
	return (x > y) - (x < y);
}

START_TEST(times_are_sorted_and_ranked)
{
	rr_stream_init(&luck, 8, RR_PURPOSE_TEST, 0);
	for (size_t count = 1; count < 400; count++) {
		g_autofree sim_time *times = g_new(sim_time, count), *same = g_new(sim_time, count);
		for (size_t i = 0; i < count; i++) same[i] = times[i] = random_below(INT64_MAX >> (count % 60));
		rr_sort_times(times, count);
		qsort(same, count, sizeof *same, by_time);
		ck_assert_mem_eq(times, same, count * sizeof *times);
		for (unsigned percent = 1; percent <= 100; percent++) {
			sim_time at = rr_nearest_rank(times, count, percent);
			size_t below = 0, not_above = 0;
			for (size_t i = 0; i < count; i++) {
				below += times[i] < at;
				not_above += times[i] <= at;
			}
			ck_assert(100 * not_above >= percent * count && 100 * below < percent * count);
		}
	}
}
END_TEST

START_TEST(a_summary_has_the_interval_of_student)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	struct result *results[3] = {account(w), account(w), account(w)};
	size_t count = 0;
	for (int i = 0; i < 3; i++) {
		results[i]->metrics[RR_METRIC_WAIT_MEAN].value = 10 + 2 * i; /* 10, 12, 14: s = 2 */
		results[i]->metrics[RR_METRIC_BUSY].value = 0.5;
		results[i]->metrics[RR_METRIC_DOWN].value = i == 0 ? 0.25 : NAN;
	}
	struct metric_summary *s = rr_summarise(results, 3, &count);
	size_t rows = 0;
	(void)rr_metric_rows(&rows);
	ck_assert_uint_eq(count, rows);
	/* t(0.975, 2) = 4.3026527297 (Student's table: 4.303). */
	ck_assert_str_eq(s[RR_METRIC_WAIT_MEAN].id, "jobs.wait.mean");
	ck_assert_double_eq_tol(s[RR_METRIC_WAIT_MEAN].value, 12, 1e-12);
	ck_assert_double_eq_tol(s[RR_METRIC_WAIT_MEAN].high, 12 + 4.3026527297 * 2 / sqrt(3), 1e-8);
	ck_assert_double_eq_tol(s[RR_METRIC_WAIT_MEAN].low, 12 - 4.3026527297 * 2 / sqrt(3), 1e-8);
	ck_assert_double_eq(s[RR_METRIC_BUSY].low, 0.5);
	ck_assert_double_eq(s[RR_METRIC_BUSY].high, 0.5);
	ck_assert_int_eq(s[RR_METRIC_DOWN].replications, 1);
	ck_assert_double_eq(s[RR_METRIC_DOWN].value, 0.25);
	ck_assert_double_nan(s[RR_METRIC_DOWN].low);
	ck_assert_int_eq(s[RR_METRIC_JCT_MEAN].replications, 0);
	ck_assert_double_nan(s[RR_METRIC_JCT_MEAN].value);
	g_free(s);
	for (int i = 0; i < 3; i++) rr_result_free(results[i]);
	world_free(w);
}
END_TEST

START_TEST(every_metric_has_a_row_with_an_explanation)
{
	size_t count = 0;
	const struct rr_metric_row *rows = rr_metric_rows(&count);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_lt(strlen(rows[i].id), sizeof((struct metric *)NULL)->id);
		ck_assert_uint_gt(strlen(rows[i].about), 10);
		ck_assert_ptr_nonnull(rows[i].unit);
		ck_assert(g_hash_table_add(seen, (void *)(uintptr_t)rows[i].id));
	}
	for (int kind = 0; kind < RR_LINE_COUNT; kind++) {
		g_autofree char *id = g_strconcat("cost.line.", rr_line_row((enum line_kind)kind)->name, NULL);
		ck_assert_str_eq(rows[RR_METRIC_COST_LINE + kind].id, id);
	}
}
END_TEST

RR_TEST_MAIN("ledger", lines_add_up_to_the_total_per_fleet_year_and_pool,
	     the_lines_of_a_rented_pool_add_up_to_its_bills, the_outlook_adds_up_and_a_recorded_year_comes_again,
	     times_are_sorted_and_ranked, a_summary_has_the_interval_of_student,
	     every_metric_has_a_row_with_an_explanation)
