/* energy.c - from what was on to kilowatt-hours and PUE.
 *
 * Node power is linear in busy GPUs, so the integrals of an hour give its energy
 * exactly. Nodes that boot, drain or are down draw what idle ones draw. */
#include "models/power/power.h"
#include "sim/accounts/parts.h"

#include <math.h>

/* An hour belongs to one month. */
G_STATIC_ASSERT(RR_NS_PER_MONTH % RR_NS_PER_HOUR == 0);

/* PUE of the place where POOL stands; NAN = unknown. */
static double pool_pue(const struct account *account, const struct pool_spec *pool)
{
	const struct scenario *s = account->scenario;
	if (pool->kind == RR_POOL_PHYSICAL) return pool->site >= 0 ? s->sites[pool->site].pue : NAN;
	if (pool->instance < 0 || s->catalogue == NULL) return NAN;
	int32_t provider = s->catalogue->instances[pool->instance].provider;
	return provider >= 0 ? s->catalogue->providers[provider].pue : NAN;
}

/* Energy of the nodes of POOL over integrals of use. Nothing on is 0, whether its
 * power is known or not. */
static double use_kwh(const struct pool_spec *pool, const rr_milli_gpu_ns use[RR_USE_COUNT])
{
	rr_milli_gpu_ns on = 0;
	for (int kind = 0; kind < RR_USE_COUNT; kind++) on += use[kind];
	if (on == 0) return 0;
	double gpus = rr_pool_node_gpus(pool);
	return rr_node_energy_kwh(pool->node_idle_w, pool->node_max_w, rr_gpu_s(on) / gpus,
				  rr_gpu_s(use[RR_USE_BUSY]) / gpus);
}

/* Adds the hours of pool P to the fleet's. */
static void add_pool(struct account *account, int32_t p)
{
	const struct usage *usage = account->usage;
	const struct pool_spec *pool = &account->fleet->pools[p];
	double pue = pool_pue(account, pool);
	for (size_t h = 0; h < usage->hour_count; h++) {
		int32_t month = (int32_t)((sim_time)h / (RR_NS_PER_MONTH / RR_NS_PER_HOUR));
		double it = use_kwh(pool, usage->pools[p].hours[h].use);
		double total = it == 0 ? 0 : rr_facility_energy_kwh(it, pue);
		account->result->energy_it_kwh[h] += it;
		account->result->energy_total_kwh[h] += total;
		account->facility_kwh[p * account->months + MIN(month, account->months - 1)] += total;
	}
}

static bool lacks_power(const struct account *account, int32_t p)
{
	const struct pool_spec *pool = &account->fleet->pools[p];
	return account->usage->pools[p].lifetime > 0 && (isnan(pool->node_idle_w) || isnan(pool->node_max_w));
}

static bool lacks_pue(const struct account *account, int32_t p)
{
	return account->usage->pools[p].lifetime > 0 && !lacks_power(account, p) &&
	       isnan(pool_pue(account, &account->fleet->pools[p]));
}

static void set_pue(struct account *account, double it, double total)
{
	double mean = rr_pue(total, it);
	if (isnan(mean)) return;
	/* The mean lies between them, but for the rounding of the sums. */
	double low = mean, high = mean;
	for (size_t h = 0; h < account->usage->hour_count; h++) {
		double pue = rr_pue(account->result->energy_total_kwh[h], account->result->energy_it_kwh[h]);
		if (isnan(pue)) continue;
		low = MIN(low, pue);
		high = MAX(high, pue);
	}
	rr_account_set(account, RR_METRIC_PUE_MEAN, mean);
	rr_account_set(account, RR_METRIC_PUE_MIN, low);
	rr_account_set(account, RR_METRIC_PUE_MAX, high);
}

void rr_account_energy(struct account *account)
{
	size_t hours = account->usage->hour_count;
	struct result *result = account->result;
	double it = 0, total = 0;
	result->energy_it_kwh = g_new0(double, hours);
	result->energy_total_kwh = g_new0(double, hours);
	for (int32_t p = 0; p < account->fleet->pool_count; p++) add_pool(account, p);
	rr_account_note_pools(account, lacks_power,
			      "the power of a node is not known, so energy and electricity are not counted");
	rr_account_note_pools(account, lacks_pue,
			      "the PUE of the place is not known, so total energy and electricity are not counted");
	for (size_t h = 0; h < hours; h++) {
		it += result->energy_it_kwh[h];
		total += result->energy_total_kwh[h];
	}
	rr_account_set(account, RR_METRIC_ENERGY_IT, it);
	rr_account_set(account, RR_METRIC_ENERGY_TOTAL, total);
	set_pue(account, it, total);
}
