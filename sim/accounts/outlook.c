/* outlook.c - cash by month over years to come.
 *
 * What was bought stands in month 0. What recurs goes on as recorded, the span
 * over and over again: with C(t) the cash from 0 to t within the span S (even
 * within a month), month m holds K(m + 1) - K(m), where
 *   K(m) = floor(t / S) C(S) + C(t mod S),   t = m months.
 * So a span of whole months is repeated to the micro, and one of three days is
 * scaled up to a month. */
#include "models/tco/tco.h"
#include "sim/accounts/parts.h"

#include <math.h>

enum { TCO_MONTHS = 36, MONTHS_PER_YEAR = 12 };

static int64_t narrow(rr_wide value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* Cash from 0 to REST of the recorded span. */
static rr_wide recorded_until(const struct account *account, const int64_t *series, sim_time rest)
{
	rr_wide sum = 0;
	for (int32_t month = 0; month < account->months; month++) {
		sim_time from = month * RR_NS_PER_MONTH;
		sim_time length = MIN(RR_NS_PER_MONTH, account->usage->end_ns - from);
		if (rest < from + length) return sum + (rr_wide)series[month] * (rest - from) / length;
		sum += series[month];
	}
	return sum;
}

/* Cash of one line of one pool from now to the end of MONTHS months. */
static rr_wide cash_until(const struct account *account, enum line_kind kind, int32_t pool, int32_t months)
{
	const int64_t *series = rr_account_series(account, kind, pool);
	sim_time span = account->usage->end_ns;
	if (rr_line_row(kind)->once) return months > 0 ? series[0] : 0;
	rr_wide time = (rr_wide)months * RR_NS_PER_MONTH;
	return time / span * recorded_until(account, series, span) +
	       recorded_until(account, series, (sim_time)(time % span));
}

static double fleet_cash_until(const struct account *account, int32_t months)
{
	rr_wide sum = 0;
	for (int kind = 0; kind < RR_LINE_COUNT; kind++)
		for (int32_t p = 0; p < account->fleet->pool_count; p++)
			sum += cash_until(account, (enum line_kind)kind, p, months);
	return (double)sum / (double)RR_MICROS;
}

/* Adds the months of one line of one pool to LINES and to CASH. */
static void add_months(struct account *account, enum line_kind kind, int32_t pool, int32_t months, GArray *lines,
		       double *cash)
{
	rr_wide before = 0;
	for (int32_t month = 0; month < months; month++) {
		rr_wide until = cash_until(account, kind, pool, month + 1);
		struct ledger_line line = {.pool = pool, .month = month, .micros = narrow(until - before)};
		account->cut_off |= line.micros == INT64_MAX;
		before = until;
		if (line.micros == 0) continue;
		g_strlcpy(line.name, rr_line_row(kind)->name, sizeof line.name);
		g_array_append_val(lines, line);
		cash[month] += (double)line.micros / (double)RR_MICROS;
	}
}

/* Hours that jobs hold GPUs over MONTHS months, going on as recorded. */
static double busy_gpu_hours(const struct account *account, int32_t months)
{
	rr_milli_gpu_ns busy = 0;
	for (int32_t p = 0; p < account->fleet->pool_count; p++) busy += account->usage->pools[p].use[RR_USE_BUSY];
	double repeats = (double)months * (double)RR_NS_PER_MONTH / (double)account->usage->end_ns;
	return rr_gpu_s(busy) / 3600 * repeats;
}

void rr_account_outlook(struct account *account)
{
	int32_t months = account->scenario->finance.years * MONTHS_PER_YEAR;
	if (account->usage->end_ns <= 0) {
		rr_account_note(account, "fleet '%s': nothing was recorded, so there is no outlook on costs",
				account->fleet->name);
		return;
	}
	g_autofree double *cash = g_new0(double, (size_t)MAX(months, 1));
	GArray *lines = g_array_new(FALSE, TRUE, sizeof(struct ledger_line));
	for (int kind = 0; kind < RR_LINE_COUNT; kind++)
		for (int32_t p = 0; p < account->fleet->pool_count; p++)
			add_months(account, (enum line_kind)kind, p, months, lines, cash);
	account->result->outlook_count = lines->len;
	account->result->outlook = (struct ledger_line *)(void *)g_array_free(lines, FALSE);
	if (!rr_account_knows_all(account)) return;
	double hours = busy_gpu_hours(account, months);
	rr_account_set(account, RR_METRIC_COST_NPV, rr_npv(cash, (size_t)months, account->scenario->finance.wacc));
	rr_account_set(account, RR_METRIC_COST_TCO3Y, fleet_cash_until(account, TCO_MONTHS));
	if (hours > 0) rr_account_set(account, RR_METRIC_COST_PER_GPU_HOUR, fleet_cash_until(account, months) / hours);
}
