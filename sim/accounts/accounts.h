/* accounts.h - what it means: usage x prices x site -> metrics, series, ledger.
 *
 * A pure function of a finished run: re-costing never simulates. Money is
 * integer micros; the ledger's lines add up to the total exactly (law 4).
 *
 * Two views of money. The ledger is cash over the recorded span; cost.total and
 * cost.line.* are its sums. The outlook is cash by month over the scenario's years:
 * what is bought stands in month 0, what recurs goes on as recorded, the span
 * over and over again (a span of whole months is repeated to the micro, one of
 * three days is scaled up). cost.npv and cost.per_gpu_hour belong to the outlook,
 * cost.tco3y to its first 36 months. A month is 730 hours.
 *
 * What is not known (no price, no power) is NAN and told in the notes, never 0: a
 * fleet with one pool of unknown price has no cost. What is not applicable
 * (electricity of a fleet that is rented whole) is NAN without a note. */
#ifndef RR_SIM_ACCOUNTS_H
#define RR_SIM_ACCOUNTS_H

#include "sim/meter/meter.h"

struct metric {
	char id[48];      /* "jobs.wait.mean" */
	const char *unit; /* "s", "GPU-s", "ratio", "count", "kWh", "USD", "USD/GPU-h" */
	double value;     /* NAN = not known or not applicable: JSON null */
};

struct ledger_line {
	char name[32];  /* "servers", "electricity", "on-demand", ... the <name> of cost.line.<name> */
	int32_t pool;   /* -1 = the fleet as a whole; all lines so far belong to a pool */
	int32_t month;  /* 0 = the first */
	int64_t micros; /* cost positive */
};

struct result {
	const struct usage *usage; /* not owned */
	struct metric *metrics;
	size_t metric_count;
	struct ledger_line *ledger, *outlook; /* by name, pool, month; without zeros */
	size_t ledger_count, outlook_count;
	double *energy_it_kwh, *energy_total_kwh; /* by hour, usage->hour_count; NAN = not known */
	GPtrArray *notes;                         /* char *: what was not counted and why (no price known ...) */
};

/* Prices and site come from the usage's scenario. */
struct result *rr_account(const struct usage *usage);
void rr_result_free(struct result *result);
const struct metric *rr_result_metric(const struct result *result, const char *id);

/* Metrics of several replications of one fleet. */
struct metric_summary {
	char id[48];
	const char *unit;
	double value;     /* mean over the replications where it applies */
	double low, high; /* 95 % interval by Student's t; NAN with fewer than two */
	int32_t replications;
};
/* Array of *COUNT; caller frees with g_free. */
struct metric_summary *rr_summarise(struct result *const *results, size_t result_count, size_t *count);

/* Every metric: id, unit, what it is, in the order of the reports, which is also
 * that of struct result: every result has all of them. The unit of money is
 * "currency" here; a result names it. */
struct rr_metric_row {
	const char *id, *unit, *about;
	int8_t better; /* -1 lower is better, +1 higher, 0 neither */
};
const struct rr_metric_row *rr_metric_rows(size_t *count);

#endif
