/* accounts.c - draws up the account of one run. */
#include "sim/accounts/parts.h"

#include <math.h>
#include <string.h>

void rr_account_set(struct account *account, enum metric_index index, double value)
{
	account->result->metrics[index].value = value;
}

/* Rows speak of "currency"; a result names it. */
static const char *unit_of(const struct rr_metric_row *row, const char *currency)
{
	if (!g_str_has_prefix(row->unit, "currency")) return row->unit;
	g_autofree char *unit = g_strconcat(currency, row->unit + strlen("currency"), NULL);
	return g_intern_string(unit);
}

/* A result with every metric still unknown. */
static struct result *open_result(const struct usage *usage)
{
	struct result *result = g_new0(struct result, 1);
	const struct rr_metric_row *rows = rr_metric_rows(&result->metric_count);
	result->usage = usage;
	result->metrics = g_new0(struct metric, result->metric_count);
	result->notes = g_ptr_array_new_with_free_func(g_free);
	for (size_t i = 0; i < result->metric_count; i++) {
		struct metric *metric = &result->metrics[i];
		g_strlcpy(metric->id, rows[i].id, sizeof metric->id);
		metric->unit = unit_of(&rows[i], usage->scenario->currency);
		metric->value = NAN;
	}
	return result;
}

struct result *rr_account(const struct usage *usage)
{
	const struct scenario *scenario = usage->scenario;
	struct account account = {
	    .usage = usage,
	    .scenario = scenario,
	    .fleet = &scenario->fleets[usage->fleet],
	    .result = open_result(usage),
	    .months = (int32_t)MAX((usage->end_ns + RR_NS_PER_MONTH - 1) / RR_NS_PER_MONTH, 1),
	};
	account.facility_kwh = g_new0(double, (size_t)account.fleet->pool_count *(size_t)account.months);
	rr_account_jobs(&account);
	rr_account_gpus(&account);
	rr_account_energy(&account);
	rr_account_ledger(&account);
	rr_account_outlook(&account);
	if (account.cut_off)
		rr_account_note(&account, "fleet '%s': amounts above 9.2e12 %s are cut off", account.fleet->name,
				scenario->currency);
	g_free(account.facility_kwh);
	g_free(account.amounts);
	return account.result;
}

void rr_result_free(struct result *result)
{
	if (result == NULL) return;
	g_free(result->metrics);
	g_free(result->ledger);
	g_free(result->outlook);
	g_free(result->energy_it_kwh);
	g_free(result->energy_total_kwh);
	g_ptr_array_unref(result->notes);
	g_free(result);
}

const struct metric *rr_result_metric(const struct result *result, const char *id)
{
	for (size_t i = 0; i < result->metric_count; i++)
		if (strcmp(result->metrics[i].id, id) == 0) return &result->metrics[i];
	return NULL;
}
