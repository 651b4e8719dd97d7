/* Accounts of runs worked out by hand. */
#include "models/pricing/pricing.h"
#include "sim/accounts/accounts.h"
#include "sim/accounts/parts.h"
#include "tests/support/by_hand.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

START_TEST(a_month_of_owned_nodes_costs_what_is_worked_out_by_hand)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	int32_t p = add_owned(w);
	add_use(w, p, RR_USE_BUSY, 8, 0, RR_NS_PER_MONTH);
	add_use(w, p, RR_USE_IDLE, 8, 0, RR_NS_PER_MONTH);
	struct result *r = account(w);
	/* 2 nodes x (2000 + 4000 x 1/2) W x 730 h; x 1.3; x 0.12 USD. */
	check_value(r, "energy.it", 5840);
	check_value(r, "energy.total", 7592);
	check_value(r, "pue.mean", 1.3);
	check_value(r, "cost.line.electricity", 911.04);
	check_value(r, "cost.line.servers", 398000);
	check_value(r, "cost.line.installation", 19900);
	check_value(r, "cost.line.maintenance", 3316.666666); /* 39,800 / 12, cut to micros */
	check_value(r, "cost.line.staff", 1200);              /* 16 / 200 of 180,000 a year, / 12 */
	check_unknown(r, "cost.line.on-demand");
	check_value(r, "cost.total", 423327.706666);
	/* 417,900 at once and 36 x 5,427.706666. */
	check_value(r, "cost.tco3y", 613297.439976);
	check_value(r, "cost.per_gpu_hour", 613297.439976 / (8 * 730 * 36));
	double npv = 417900;
	for (int month = 0; month < 36; month++) npv += 5427.706666 / pow(1.08, month / 12.0);
	ck_assert_double_eq_tol(value(r, "cost.npv"), npv, 1e-6);
	check_value(r, "gpu.busy", 0.5);
	check_value(r, "gpu.allocated", 0.5);
	check_value(r, "availability", 1);
	ck_assert_str_eq(rr_result_metric(r, "cost.per_gpu_hour")->unit, "USD/GPU-h");
	ck_assert_str_eq(rr_result_metric(r, "cost.total")->unit, "USD");
	ck_assert_uint_eq(r->notes->len, 0);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(lives_of_instances_are_billed_one_by_one)
{
	struct world *w = world_new(2 * RR_NS_PER_MONTH);
	int32_t p = add_rented(w);
	add_life(w, p, 0, 10 * RR_NS_PER_S);                        /* a minute: 546,210 micros */
	add_life(w, p, 729 * RR_NS_PER_HOUR, 731 * RR_NS_PER_HOUR); /* half in each month */
	add_life(w, p, 1000 * RR_NS_PER_HOUR, 1000 * RR_NS_PER_HOUR + 60 * RR_NS_PER_S + 1); /* 61 s: 555,313.5 */
	struct result *r = account(w);
	ck_assert_int_eq(line_micros(r, "on-demand", 0), 546210 + 32772600);
	ck_assert_int_eq(line_micros(r, "on-demand", 1), 32772600 + 555314);
	check_value(r, "cost.total", 66.646724);
	check_value(r, "cost.tco3y", 18 * 66.646724);
	check_unknown(r, "cost.line.servers");
	check_unknown(r, "cost.line.electricity");
	/* Paid by the provider, but drawn all the same: all busy, 5 kW, PUE 1.15. */
	double hours = (10 + 7200 + 60.000000001) / 3600;
	check_value(r, "energy.it", 5 * hours);
	check_value(r, "pue.mean", 1.15);
	ck_assert_double_eq_tol(value(r, "cost.per_gpu_hour"), 66.646724 / 8 / hours, 1e-9);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(a_span_shorter_than_a_month_is_scaled_up)
{
	/* 73 h are a tenth of a month. */
	struct world *w = world_new(73 * RR_NS_PER_HOUR);
	int32_t p = add_rented(w);
	add_life(w, p, 0, RR_NS_PER_HOUR);
	struct result *r = account(w);
	check_value(r, "cost.total", 32.7726);
	check_value(r, "cost.tco3y", 36 * 327.726);
	ck_assert_uint_eq(r->outlook_count, 36);
	for (size_t i = 0; i < r->outlook_count; i++) ck_assert_int_eq(r->outlook[i].micros, 327726000);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(recorded_months_are_repeated_in_turn)
{
	struct world *w = world_new(2 * RR_NS_PER_MONTH);
	int32_t p = add_rented(w);
	add_life(w, p, 0, RR_NS_PER_HOUR);
	add_life(w, p, 800 * RR_NS_PER_HOUR, 803 * RR_NS_PER_HOUR);
	w->scenario.finance.years = 1;
	struct result *r = account(w);
	ck_assert_uint_eq(r->outlook_count, 12);
	for (size_t i = 0; i < r->outlook_count; i++)
		ck_assert_int_eq(r->outlook[i].micros, (i % 2 == 0 ? 1 : 3) * 32772600);
	check_value(r, "cost.tco3y", 36 * 2 * 32.7726);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(an_unknown_price_makes_the_cost_unknown_not_zero)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	int32_t p = add_owned(w), q = add_rented(w);
	w->pools[p].price_micros = -1;
	add_use(w, p, RR_USE_IDLE, 16, 0, RR_NS_PER_MONTH);
	add_life(w, q, 0, RR_NS_PER_HOUR);
	struct result *r = account(w);
	check_unknown(r, "cost.total");
	check_unknown(r, "cost.npv");
	check_unknown(r, "cost.tco3y");
	check_unknown(r, "cost.per_gpu_hour");
	check_unknown(r, "cost.line.servers");
	check_value(r, "cost.line.on-demand", 32.7726);
	ck_assert_uint_eq(r->notes->len, 1);
	ck_assert_str_eq(
	    g_ptr_array_index(r->notes, 0),
	    "fleet 'own', pool 'a100': the price of a node is not known, so the fleet's cost is not counted");
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(many_pools_of_unknown_price_make_one_note)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	for (int i = 0; i < POOLS; i++) w->pools[add_owned(w)].price_micros = -1;
	struct result *r = account(w);
	ck_assert_uint_eq(r->notes->len, 1);
	ck_assert_str_eq(g_ptr_array_index(r->notes, 0),
			 "fleet 'own', pools 'a100', 'a100', 'a100' and 1 more: the price of a node is not known, so "
			 "the fleet's cost is not counted");
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(five_years_of_17_nodes_cost_what_was_published)
{
	/* gpu-tco's default: 17 nodes of eight GPUs at 340,000 USD and 1.6 M of network,
	 * storage and racks (7.38 M), 10 % a year of that for upkeep (3.69 M), four
	 * posts of 45,000 (0.9 M), 10.2 kW a node, PUE 1.5, 0.13 USD/kWh (1,481,009):
	 * 16,531,809 less colocation (2,080,800) and spares (1,000,000). */
	struct world *w = world_new(5 * RR_NS_PER_YEAR);
	int32_t p = add_owned(w);
	w->pools[p].count_max = 17;
	w->pools[p].price_micros = 340000 * RR_MICROS;
	w->pools[p].node_idle_w = w->pools[p].node_max_w = 10200;
	w->site.pue = 1.5;
	w->site.electricity_micros_per_kwh = 130000;
	w->scenario.finance.installation = 1.6 / 5.78;
	w->scenario.finance.maintenance = 0.1 * 7.38 / 5.78;
	w->scenario.finance.staff_per_gpus = 34;
	w->scenario.finance.staff_micros_per_year = 45000 * RR_MICROS;
	add_use(w, p, RR_USE_BUSY, 136, 0, 5 * RR_NS_PER_YEAR);
	struct result *r = account(w);
	ck_assert_double_eq_tol(value(r, "cost.line.electricity"), 1481009, 0.5);
	ck_assert_double_eq_tol(value(r, "cost.line.maintenance"), 3690000, 0.5);
	ck_assert_double_eq_tol(value(r, "cost.line.staff"), 900000, 0.5);
	ck_assert_double_eq_tol(value(r, "cost.total"), 16531809 - 2080800 - 1000000, 0.5);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(an_unused_pool_of_unknown_price_costs_nothing)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	int32_t p = add_rented(w);
	w->pools[p].price_micros_per_hour = -1;
	struct result *r = account(w);
	check_value(r, "cost.total", 0.0);
	ck_assert_uint_eq(r->notes->len, 0);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(unknown_power_makes_energy_and_its_cost_unknown)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	int32_t p = add_owned(w);
	w->pools[p].node_max_w = NAN;
	add_use(w, p, RR_USE_IDLE, 16, 0, RR_NS_PER_MONTH);
	struct result *r = account(w);
	check_unknown(r, "energy.it");
	check_unknown(r, "energy.total");
	check_unknown(r, "pue.mean");
	check_unknown(r, "cost.line.electricity");
	check_unknown(r, "cost.total");
	check_value(r, "cost.line.servers", 398000);
	ck_assert_uint_eq(r->notes->len, 1);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(a_pool_without_a_site_has_energy_but_no_electricity)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	int32_t p = add_owned(w);
	w->pools[p].site = -1;
	add_use(w, p, RR_USE_IDLE, 16, 0, RR_NS_PER_MONTH);
	struct result *r = account(w);
	check_value(r, "energy.it", 2920);
	check_unknown(r, "energy.total");
	check_unknown(r, "cost.line.electricity");
	check_unknown(r, "cost.total");
	ck_assert_uint_eq(r->notes->len, 1);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(a_run_of_nothing_has_no_figures_and_no_crash)
{
	struct world *w = world_new(0);
	add_owned(w);
	struct result *r = account(w);
	check_value(r, "jobs.submitted", 0.0);
	check_unknown(r, "jobs.wait.mean");
	check_unknown(r, "jobs.makespan");
	check_unknown(r, "gpu.busy");
	check_unknown(r, "pue.mean");
	check_unknown(r, "cost.tco3y");
	check_value(r, "cost.total", 417900);
	ck_assert_uint_eq(r->notes->len, 1);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(pue_of_two_places_is_a_ratio_of_energies)
{
	struct world *w = world_new(2 * RR_NS_PER_HOUR);
	int32_t p = add_owned(w), q = add_rented(w);
	add_use(w, p, RR_USE_IDLE, 8, 0, 2 * RR_NS_PER_HOUR); /* 2 kWh an hour at 1.3 */
	add_life(w, q, RR_NS_PER_HOUR, 2 * RR_NS_PER_HOUR);   /* 5 kWh at 1.15 */
	struct result *r = account(w);
	check_value(r, "energy.it", 9);
	check_value(r, "energy.total", 5.2 + 5.75);
	check_value(r, "pue.mean", 10.95 / 9);
	check_value(r, "pue.max", 1.3);
	check_value(r, "pue.min", (2.6 + 5.75) / 7);
	ck_assert_double_eq_tol(r->energy_it_kwh[0], 2, 1e-12);
	ck_assert_double_eq_tol(r->energy_total_kwh[1], 8.35, 1e-12);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(jobs_are_counted_and_timed_as_by_hand)
{
	struct world *w = world_new(1000 * RR_NS_PER_S);
	/*                     start end wait run */
	add_job(w, 10, (struct job_record){10, 110, 0, 100, .state = RR_JOB_COMPLETED});
	add_job(w, 20, (struct job_record){110, 160, 90, 50, .state = RR_JOB_COMPLETED});
	add_job(w, 30, (struct job_record){60, 430, 130, 270, .preemptions = 2, .state = RR_JOB_COMPLETED});
	add_job(w, 40, (struct job_record){500, 600, 460, 100, .restarts = 1, .state = RR_JOB_FAILED});
	add_job(w, 50, (struct job_record){900, -1, 850, 100, .state = RR_JOB_RUNNING});
	add_job(w, 60, (struct job_record){-1, -1, 940, 0, .state = RR_JOB_WAITING});
	add_job(w, 70, (struct job_record){-1, -1, 0, 0, .state = RR_JOB_UNSCHEDULABLE});
	w->records[2].lost = (rr_milli_gpu_ns)70 * 1000 * RR_NS_PER_S;
	w->records[3].lost = (rr_milli_gpu_ns)30 * 1000 * RR_NS_PER_S;
	struct result *r = account(w);
	check_value(r, "jobs.submitted", 7);
	check_value(r, "jobs.completed", 3);
	check_value(r, "jobs.failed", 1);
	check_value(r, "jobs.unschedulable", 1);
	/* Waits of the five that started: 0, 90, 130, 460, 850. */
	check_value(r, "jobs.wait.mean", 306);
	check_value(r, "jobs.wait.p50", 130);
	check_value(r, "jobs.wait.p95", 850);
	check_value(r, "jobs.wait.max", 850);
	/* Completed: 100, 140, 400. */
	check_value(r, "jobs.jct.mean", 640.0 / 3);
	check_value(r, "jobs.jct.p50", 140);
	check_value(r, "jobs.jct.max", 400);
	check_value(r, "jobs.slowdown.mean", (1 + 2.8 + 400.0 / 270) / 3);
	check_value(r, "jobs.makespan", 590);
	check_value(r, "preemptions.count", 2);
	check_value(r, "failures.count", 1);
	check_value(r, "lost.preemption", 70);
	check_value(r, "lost.failure", 30);
	check_value(r, "lost.interruption", 0.0);
	check_unknown(r, "migrations.downtime.mean");
	ck_assert_uint_eq(r->notes->len, 0);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(lost_work_of_mixed_causes_is_not_guessed)
{
	struct world *w = world_new(1000 * RR_NS_PER_S);
	add_job(w, 0, (struct job_record){0, 100, 0, 100, .preemptions = 1, .restarts = 1, .lost = 1000});
	struct result *r = account(w);
	check_unknown(r, "lost.preemption");
	check_unknown(r, "lost.failure");
	ck_assert_uint_eq(r->notes->len, 1);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(gpu_time_is_shared_out_by_use)
{
	struct world *w = world_new(10 * RR_NS_PER_HOUR);
	int32_t p = add_owned(w);
	add_use(w, p, RR_USE_BUSY, 8, 0, 6 * RR_NS_PER_HOUR);
	add_use(w, p, RR_USE_IDLE, 8, 6 * RR_NS_PER_HOUR, 8 * RR_NS_PER_HOUR);
	add_use(w, p, RR_USE_DOWN, 8, 8 * RR_NS_PER_HOUR, 10 * RR_NS_PER_HOUR);
	w->uses[p].fragmented = (rr_milli_gpu_ns)8000 * RR_NS_PER_HOUR;
	add_job(w, 0, (struct job_record){0, 100, 0, 100, .restarts = 1});
	w->records[0].lost = (rr_milli_gpu_ns)8000 * RR_NS_PER_HOUR;
	struct result *r = account(w);
	check_value(r, "gpu.busy", 0.6);
	check_value(r, "gpu.down", 0.2);
	check_value(r, "gpu.fragmented", 0.1);
	check_value(r, "goodput", 0.5);
	check_value(r, "availability", 0.8);
	check_value(r, "lost.failure", 8 * 3600);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(a_flat_pool_counts_each_gpu_as_a_node)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	int32_t p = add_owned(w);
	w->pools[p].gpus_per_node = 0;
	w->pools[p].count_max = 400;
	w->pools[p].price_micros = 10000 * RR_MICROS;
	w->pools[p].node_idle_w = 50;
	w->pools[p].node_max_w = 300;
	add_use(w, p, RR_USE_IDLE, 400, 0, RR_NS_PER_MONTH);
	struct result *r = account(w);
	check_value(r, "cost.line.servers", 4e6);
	check_value(r, "cost.line.staff", 30000); /* two posts, a month */
	check_value(r, "energy.it", 400 * 50 * 0.730);
	rr_result_free(r);
	world_free(w);
}
END_TEST

START_TEST(money_too_large_is_cut_off_and_said)
{
	struct world *w = world_new(RR_NS_PER_MONTH);
	int32_t p = add_owned(w);
	w->pools[p].price_micros = INT64_MAX / 2;
	w->pools[p].count_max = 3;
	struct result *r = account(w);
	ck_assert_uint_eq(r->notes->len, 1);
	ck_assert_str_eq(g_ptr_array_index(r->notes, 0), "fleet 'own': amounts above 9.2e12 USD are cut off");
	rr_result_free(r);
	world_free(w);
}
END_TEST

RR_TEST_MAIN("accounts", a_month_of_owned_nodes_costs_what_is_worked_out_by_hand,
	     lives_of_instances_are_billed_one_by_one, a_span_shorter_than_a_month_is_scaled_up,
	     recorded_months_are_repeated_in_turn, an_unknown_price_makes_the_cost_unknown_not_zero,
	     many_pools_of_unknown_price_make_one_note, five_years_of_17_nodes_cost_what_was_published,
	     an_unused_pool_of_unknown_price_costs_nothing, unknown_power_makes_energy_and_its_cost_unknown,
	     a_pool_without_a_site_has_energy_but_no_electricity, a_run_of_nothing_has_no_figures_and_no_crash,
	     pue_of_two_places_is_a_ratio_of_energies, jobs_are_counted_and_timed_as_by_hand,
	     lost_work_of_mixed_causes_is_not_guessed, gpu_time_is_shared_out_by_use,
	     a_flat_pool_counts_each_gpu_as_a_node, money_too_large_is_cut_off_and_said)
