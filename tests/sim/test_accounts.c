/* Accounts of runs written down by hand, and the laws of the ledger. */
#include "models/pricing/pricing.h"
#include "sim/accounts/accounts.h"
#include "sim/accounts/parts.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { POOLS = 4, MOST_JOBS = 16 };

/* A run without an engine: all that rr_account() reads, in one place. */
struct world {
	struct scenario scenario;
	struct fleet_spec fleet;
	struct pool_spec pools[POOLS];
	struct site site;
	struct catalogue catalogue;
	struct instance_type instance;
	struct cloud_provider provider;
	struct job jobs[MOST_JOBS];
	struct job_list list;
	struct job_record records[MOST_JOBS];
	struct pool_usage uses[POOLS];
	struct usage usage;
	GArray *lives;
};

static struct world *world_new(sim_time end_ns)
{
	struct world *w = g_new0(struct world, 1);
	w->site = (struct site){.name = "home", .pue = 1.3, .electricity_micros_per_kwh = 120000};
	w->provider = (struct cloud_provider){.id = "cloud", .pue = 1.15};
	w->instance = (struct instance_type){.id = "cloud/eight", .provider = 0, .gpu_count = 8};
	w->catalogue = (struct catalogue){
	    .instances = &w->instance, .instance_count = 1, .providers = &w->provider, .provider_count = 1};
	w->fleet = (struct fleet_spec){.name = "own", .pools = w->pools};
	w->scenario = (struct scenario){.currency = "USD",
					.fleets = &w->fleet,
					.fleet_count = 1,
					.sites = &w->site,
					.site_count = 1,
					.catalogue = &w->catalogue,
					.finance = {.years = 3,
						    .wacc = 0.08,
						    .maintenance = 0.10,
						    .installation = 0.05,
						    .staff_per_gpus = 200,
						    .staff_micros_per_year = 180000 * RR_MICROS}};
	w->list.jobs = w->jobs;
	w->lives = g_array_new(FALSE, TRUE, sizeof(struct node_life));
	w->usage = (struct usage){.scenario = &w->scenario,
				  .jobs = &w->list,
				  .end_ns = end_ns,
				  .records = w->records,
				  .pools = w->uses,
				  .hour_count = (size_t)((end_ns + RR_NS_PER_HOUR - 1) / RR_NS_PER_HOUR)};
	return w;
}

static void world_free(struct world *w)
{
	for (int p = 0; p < POOLS; p++) g_free(w->uses[p].hours);
	g_array_unref(w->lives);
	g_free(w);
}

static int32_t add_pool(struct world *w, struct pool_spec pool)
{
	int32_t p = w->fleet.pool_count++;
	w->pools[p] = pool;
	w->uses[p].hours = g_new0(struct hour_use, w->usage.hour_count);
	return p;
}

/* Two nodes of eight GPUs, 199,000 USD each. */
static int32_t add_owned(struct world *w)
{
	return add_pool(w, (struct pool_spec){.name = "a100",
					      .kind = RR_POOL_PHYSICAL,
					      .node = -1,
					      .instance = -1,
					      .gpus_per_node = 8,
					      .count_min = 2,
					      .count_max = 2,
					      .price_micros = 199000 * RR_MICROS,
					      .node_idle_w = 2000,
					      .node_max_w = 6000});
}

/* Instances of eight GPUs at 32.7726 USD/h, by the second, at least a minute. */
static int32_t add_rented(struct world *w)
{
	return add_pool(w, (struct pool_spec){.name = "burst",
					      .kind = RR_POOL_CLOUD,
					      .node = -1,
					      .site = -1,
					      .gpus_per_node = 8,
					      .count_max = 10,
					      .price_micros = -1,
					      .price_micros_per_hour = 32772600,
					      .billing_step_ns = RR_NS_PER_S,
					      .billing_minimum_ns = RR_NS_PER_MIN,
					      .node_idle_w = 1000,
					      .node_max_w = 5000});
}

/* Adds GPUs of pool P that do the same from FROM to TO. */
static void add_use(struct world *w, int32_t p, enum rr_gpu_use kind, int gpus, sim_time from, sim_time to)
{
	for (size_t h = 0; h < w->usage.hour_count; h++) {
		sim_time start = MAX(from, (sim_time)h * RR_NS_PER_HOUR);
		sim_time stop = MIN(to, (sim_time)(h + 1) * RR_NS_PER_HOUR);
		if (stop <= start) continue;
		rr_milli_gpu_ns amount = (rr_milli_gpu_ns)(stop - start) * gpus * 1000;
		w->uses[p].hours[h].use[kind] += amount;
		w->uses[p].use[kind] += amount;
		w->uses[p].lifetime += amount;
	}
}

static void add_life(struct world *w, int32_t p, sim_time from, sim_time to)
{
	struct node_life life = {.from_ns = from, .ready_ns = from, .to_ns = to, .pool = p};
	g_array_append_val(w->lives, life);
	add_use(w, p, RR_USE_BUSY, 8, from, to);
}

static void add_job(struct world *w, sim_time submit_s, struct job_record record)
{
	record.start_ns *= record.start_ns < 0 ? 1 : RR_NS_PER_S;
	record.end_ns *= record.end_ns < 0 ? 1 : RR_NS_PER_S;
	record.wait_ns *= RR_NS_PER_S;
	record.run_ns *= RR_NS_PER_S;
	w->jobs[w->list.count].submit_ns = submit_s * RR_NS_PER_S;
	w->records[w->list.count++] = record;
}

static struct result *account(struct world *w)
{
	w->usage.lives = (struct node_life *)(void *)w->lives->data;
	w->usage.life_count = w->lives->len;
	return rr_account(&w->usage);
}

static double value(const struct result *result, const char *id)
{
	const struct metric *metric = rr_result_metric(result, id);
	ck_assert_msg(metric != NULL, "%s", id);
	return metric->value;
}

static void check_value(const struct result *result, const char *id, double expected)
{
	double got = value(result, id);
	ck_assert_msg(fabs(got - expected) <= 1e-12 * fabs(expected), "%s is %.17g, not %.17g", id, got, expected);
}

static void check_unknown(const struct result *result, const char *id)
{
	ck_assert_msg(isnan(value(result, id)), "%s is %.17g, not unknown", id, value(result, id));
}

static int64_t line_micros(const struct result *result, const char *name, int32_t month)
{
	for (size_t i = 0; i < result->ledger_count; i++)
		if (strcmp(result->ledger[i].name, name) == 0 && result->ledger[i].month == month)
			return result->ledger[i].micros;
	return 0;
}

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

RR_TEST_MAIN("accounts", a_month_of_owned_nodes_costs_what_is_worked_out_by_hand,
	     lives_of_instances_are_billed_one_by_one, a_span_shorter_than_a_month_is_scaled_up,
	     recorded_months_are_repeated_in_turn, an_unknown_price_makes_the_cost_unknown_not_zero,
	     many_pools_of_unknown_price_make_one_note, five_years_of_17_nodes_cost_what_was_published,
	     an_unused_pool_of_unknown_price_costs_nothing, unknown_power_makes_energy_and_its_cost_unknown,
	     a_pool_without_a_site_has_energy_but_no_electricity, a_run_of_nothing_has_no_figures_and_no_crash,
	     pue_of_two_places_is_a_ratio_of_energies, jobs_are_counted_and_timed_as_by_hand,
	     lost_work_of_mixed_causes_is_not_guessed, gpu_time_is_shared_out_by_use,
	     a_flat_pool_counts_each_gpu_as_a_node, money_too_large_is_cut_off_and_said,
	     lines_add_up_to_the_total_per_fleet_year_and_pool, the_lines_of_a_rented_pool_add_up_to_its_bills,
	     the_outlook_adds_up_and_a_recorded_year_comes_again, times_are_sorted_and_ranked,
	     a_summary_has_the_interval_of_student, every_metric_has_a_row_with_an_explanation)
