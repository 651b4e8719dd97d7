#include "tests/support/by_hand.h"

#include "tests/support/test.h"

#include <math.h>
#include <string.h>

struct world *world_new(sim_time end_ns)
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

void world_free(struct world *w)
{
	for (int p = 0; p < POOLS; p++) g_free(w->uses[p].hours);
	g_array_unref(w->lives);
	g_free(w);
}

int32_t add_pool(struct world *w, struct pool_spec pool)
{
	int32_t p = w->fleet.pool_count++;
	w->pools[p] = pool;
	w->uses[p].hours = g_new0(struct hour_use, w->usage.hour_count);
	return p;
}

/* Two nodes of eight GPUs, 199,000 USD each. */
int32_t add_owned(struct world *w)
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
int32_t add_rented(struct world *w)
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
void add_use(struct world *w, int32_t p, enum rr_gpu_use kind, int gpus, sim_time from, sim_time to)
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

void add_life(struct world *w, int32_t p, sim_time from, sim_time to)
{
	struct node_life life = {.from_ns = from, .ready_ns = from, .to_ns = to, .pool = p};
	g_array_append_val(w->lives, life);
	add_use(w, p, RR_USE_BUSY, 8, from, to);
}

void add_job(struct world *w, sim_time submit_s, struct job_record record)
{
	record.start_ns *= record.start_ns < 0 ? 1 : RR_NS_PER_S;
	record.end_ns *= record.end_ns < 0 ? 1 : RR_NS_PER_S;
	record.wait_ns *= RR_NS_PER_S;
	record.run_ns *= RR_NS_PER_S;
	w->jobs[w->list.count].submit_ns = submit_s * RR_NS_PER_S;
	w->records[w->list.count++] = record;
}

struct result *account(struct world *w)
{
	w->usage.lives = (struct node_life *)(void *)w->lives->data;
	w->usage.life_count = w->lives->len;
	return rr_account(&w->usage);
}

double value(const struct result *result, const char *id)
{
	const struct metric *metric = rr_result_metric(result, id);
	ck_assert_msg(metric != NULL, "%s", id);
	return metric->value;
}

void check_value(const struct result *result, const char *id, double expected)
{
	double got = value(result, id);
	ck_assert_msg(fabs(got - expected) <= 1e-12 * fabs(expected), "%s is %.17g, not %.17g", id, got, expected);
}

void check_unknown(const struct result *result, const char *id)
{
	ck_assert_msg(isnan(value(result, id)), "%s is %.17g, not unknown", id, value(result, id));
}

int64_t line_micros(const struct result *result, const char *name, int32_t month)
{
	for (size_t i = 0; i < result->ledger_count; i++)
		if (strcmp(result->ledger[i].name, name) == 0 && result->ledger[i].month == month)
			return result->ledger[i].micros;
	return 0;
}
