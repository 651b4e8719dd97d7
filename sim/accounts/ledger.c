/* ledger.c - cash over the recorded span, by line, pool and month.
 *
 * Owned nodes: bought and put up in month 0; upkeep and people by time; electricity
 * by the meter. Rented ones: each life of an instance is one bill, from the request
 * to the end (the guest's start is paid for), rounded once and spread over the
 * months it lasted. The provider pays for its energy. */
#include "models/pricing/pricing.h"
#include "sim/accounts/parts.h"

#include <math.h>

int64_t *rr_account_series(const struct account *account, enum line_kind kind, int32_t pool)
{
	return &account->amounts[((size_t)kind * (size_t)account->fleet->pool_count + (size_t)pool) *
				 (size_t)account->months];
}

void rr_account_add(struct account *account, int64_t *sum, int64_t micros)
{
	if (micros == INT64_MAX || __builtin_add_overflow(*sum, micros, sum)) {
		account->cut_off = true;
		*sum = INT64_MAX;
	}
}

static void add(struct account *account, enum line_kind kind, int32_t pool, int32_t month, int64_t micros)
{
	rr_account_add(account, &rr_account_series(account, kind, pool)[month], micros);
}

bool rr_account_knows_all(const struct account *account)
{
	for (int kind = 0; kind < RR_LINE_COUNT; kind++)
		if (account->unknown[kind]) return false;
	return true;
}

int32_t rr_pool_node_gpus(const struct pool_spec *pool)
{
	return MAX(pool->gpus_per_node, 1);
}

/* End of a recorded month; the last one may be short. */
static sim_time month_end(const struct account *account, int32_t month)
{
	return MIN((month + 1) * RR_NS_PER_MONTH, account->usage->end_ns);
}

/* An amount per year, by month of the recorded span. */
static void add_by_time(struct account *account, enum line_kind kind, int32_t pool, int64_t micros_per_year)
{
	int64_t before = 0;
	for (int32_t month = 0; month < account->months; month++) {
		int64_t until = rr_accrued_micros(micros_per_year, month_end(account, month));
		add(account, kind, pool, month, until == INT64_MAX ? until : until - before);
		before = until;
	}
}

static bool lacks_node_price(const struct account *account, int32_t p)
{
	const struct pool_spec *pool = &account->fleet->pools[p];
	return pool->kind == RR_POOL_PHYSICAL && pool->count_max > 0 && pool->price_micros < 0;
}

static bool lacks_instance_price(const struct account *account, int32_t p)
{
	const struct pool_spec *pool = &account->fleet->pools[p];
	return pool->kind == RR_POOL_CLOUD && account->usage->pools[p].lifetime > 0 && pool->price_micros_per_hour < 0;
}

static void buy_nodes(struct account *account, int32_t p)
{
	const struct pool_spec *pool = &account->fleet->pools[p];
	const struct finance *finance = &account->scenario->finance;
	if (lacks_node_price(account, p)) {
		account->unknown[RR_LINE_SERVERS] = true;
		account->unknown[RR_LINE_INSTALLATION] |= finance->installation > 0;
		account->unknown[RR_LINE_MAINTENANCE] |= finance->maintenance > 0;
		return;
	}
	int64_t price = 0;
	if (__builtin_mul_overflow(pool->price_micros, (int64_t)pool->count_max, &price)) price = INT64_MAX;
	add(account, RR_LINE_SERVERS, p, 0, price);
	add(account, RR_LINE_INSTALLATION, p, 0, rr_micros_times(price, finance->installation));
	add_by_time(account, RR_LINE_MAINTENANCE, p, rr_micros_times(price, finance->maintenance));
}

static void pay_staff(struct account *account, int32_t p)
{
	const struct pool_spec *pool = &account->fleet->pools[p];
	const struct finance *finance = &account->scenario->finance;
	if (finance->staff_per_gpus <= 0) return;
	double gpus = (double)pool->count_max * rr_pool_node_gpus(pool);
	int64_t per_year = rr_micros_times(finance->staff_micros_per_year, gpus / (double)finance->staff_per_gpus);
	add_by_time(account, RR_LINE_STAFF, p, per_year);
}

static void pay_electricity(struct account *account, int32_t p)
{
	const struct pool_spec *pool = &account->fleet->pools[p];
	for (int32_t month = 0; month < account->months; month++) {
		double kwh = account->facility_kwh[p * account->months + month];
		if (kwh == 0) continue;
		/* Power, PUE or site unknown: the energy's note has said so. */
		account->unknown[RR_LINE_ELECTRICITY] |= isnan(kwh);
		if (isnan(kwh)) continue;
		int64_t price = account->scenario->sites[pool->site].electricity_micros_per_kwh;
		add(account, RR_LINE_ELECTRICITY, p, month, rr_micros_times(price, kwh));
	}
}

/* Spreads one bill over the months of LIFE; what no month takes is the last's. */
static void spread(struct account *account, const struct node_life *life, int64_t micros)
{
	int32_t last = account->months - 1;
	int64_t before = 0;
	for (int32_t month = (int32_t)MIN(life->from_ns / RR_NS_PER_MONTH, last); before < micros; month++) {
		sim_time until_ns = month >= last ? life->to_ns : (month + 1) * RR_NS_PER_MONTH;
		int64_t until = rr_charge_until(micros, life->from_ns, life->to_ns, until_ns);
		add(account, RR_LINE_ON_DEMAND, life->pool, MIN(month, last), until - before);
		before = until;
	}
}

static void pay_lives(struct account *account)
{
	const struct usage *usage = account->usage;
	for (size_t i = 0; i < usage->life_count; i++) {
		const struct node_life *life = &usage->lives[i];
		const struct pool_spec *pool = &account->fleet->pools[life->pool];
		if (pool->kind != RR_POOL_CLOUD || pool->price_micros_per_hour < 0) continue;
		sim_time billed_ns =
		    rr_billed_ns(life->to_ns - life->from_ns, pool->billing_step_ns, pool->billing_minimum_ns);
		spread(account, life, rr_charge_micros(billed_ns, pool->price_micros_per_hour));
	}
}

static void open_pool(struct account *account, int32_t p)
{
	const struct pool_spec *pool = &account->fleet->pools[p];
	if (pool->kind == RR_POOL_PHYSICAL) {
		for (int kind = RR_LINE_SERVERS; kind <= RR_LINE_ELECTRICITY; kind++) account->applies[kind] = true;
		if (pool->count_max == 0) return;
		buy_nodes(account, p);
		pay_staff(account, p);
		pay_electricity(account, p);
		return;
	}
	account->applies[RR_LINE_ON_DEMAND] = true;
	account->unknown[RR_LINE_ON_DEMAND] |= lacks_instance_price(account, p);
}

/* Writes all that was added as lines, and the sums as metrics. */
static void close_ledger(struct account *account)
{
	GArray *lines = g_array_new(FALSE, TRUE, sizeof(struct ledger_line));
	int64_t total = 0;
	for (int kind = 0; kind < RR_LINE_COUNT; kind++) {
		int64_t sum = 0;
		for (int32_t p = 0; p < account->fleet->pool_count; p++) {
			const int64_t *series = rr_account_series(account, (enum line_kind)kind, p);
			for (int32_t month = 0; month < account->months; month++) {
				if (series[month] == 0) continue;
				struct ledger_line line = {.pool = p, .month = month, .micros = series[month]};
				g_strlcpy(line.name, rr_line_row((enum line_kind)kind)->name, sizeof line.name);
				g_array_append_val(lines, line);
				rr_account_add(account, &sum, line.micros);
			}
		}
		rr_account_add(account, &total, sum);
		if (account->applies[kind] && !account->unknown[kind])
			rr_account_set(account, (enum metric_index)(RR_METRIC_COST_LINE + kind),
				       (double)sum / (double)RR_MICROS);
	}
	if (rr_account_knows_all(account))
		rr_account_set(account, RR_METRIC_COST_TOTAL, (double)total / (double)RR_MICROS);
	account->result->ledger_count = lines->len;
	account->result->ledger = (struct ledger_line *)(void *)g_array_free(lines, FALSE);
}

void rr_account_ledger(struct account *account)
{
	size_t pools = (size_t)account->fleet->pool_count;
	account->amounts = g_new0(int64_t, RR_LINE_COUNT * pools * (size_t)account->months);
	for (int32_t p = 0; p < account->fleet->pool_count; p++) open_pool(account, p);
	pay_lives(account);
	rr_account_note_pools(account, lacks_node_price,
			      "the price of a node is not known, so the fleet's cost is not counted");
	rr_account_note_pools(account, lacks_instance_price,
			      "the price of an instance is not known, so the fleet's cost is not counted");
	close_ledger(account);
}
