/* parts.h - one account while it is drawn up. Private to sim/accounts. */
#ifndef RR_SIM_ACCOUNTS_PARTS_H
#define RR_SIM_ACCOUNTS_PARTS_H

#include "sim/accounts/accounts.h"

__extension__ typedef __int128 rr_wide;

/* Metrics in the order of the reports: an index into rr_metric_rows() and into
 * result->metrics. After a mean stand its p50, p95, p99 and max. */
enum metric_index {
	RR_METRIC_SUBMITTED,
	RR_METRIC_COMPLETED,
	RR_METRIC_FAILED,
	RR_METRIC_UNSCHEDULABLE,
	RR_METRIC_WAIT_MEAN,
	RR_METRIC_WAIT_P50,
	RR_METRIC_WAIT_P95,
	RR_METRIC_WAIT_P99,
	RR_METRIC_WAIT_MAX,
	RR_METRIC_JCT_MEAN,
	RR_METRIC_JCT_P50,
	RR_METRIC_JCT_P95,
	RR_METRIC_JCT_P99,
	RR_METRIC_JCT_MAX,
	RR_METRIC_SLOWDOWN,
	RR_METRIC_MAKESPAN,
	RR_METRIC_ALLOCATED,
	RR_METRIC_BUSY,
	RR_METRIC_FRAGMENTED,
	RR_METRIC_STRANDED,
	RR_METRIC_FRAGMENTS,
	RR_METRIC_BLOCKED_CAPACITY,
	RR_METRIC_BLOCKED_TYPE,
	RR_METRIC_BLOCKED_FRAGMENTATION,
	RR_METRIC_BLOCKED_QUOTA,
	RR_METRIC_BLOCKED_ORDER,
	RR_METRIC_DOWN,
	RR_METRIC_GOODPUT,
	RR_METRIC_FAILURES,
	RR_METRIC_MIGRATIONS,
	RR_METRIC_DOWNTIME,
	RR_METRIC_PREEMPTIONS,
	RR_METRIC_LOST_FAILURE,
	RR_METRIC_LOST_PREEMPTION,
	RR_METRIC_LOST_INTERRUPTION,
	RR_METRIC_LOST_MIGRATION,
	RR_METRIC_AVAILABILITY,
	RR_METRIC_ENERGY_IT,
	RR_METRIC_ENERGY_TOTAL,
	RR_METRIC_PUE_MEAN,
	RR_METRIC_PUE_MIN,
	RR_METRIC_PUE_MAX,
	RR_METRIC_COST_TOTAL,
	RR_METRIC_COST_NPV,
	RR_METRIC_COST_TCO3Y,
	RR_METRIC_COST_PER_GPU_HOUR,
	RR_METRIC_COST_LINE, /* the first of RR_LINE_COUNT */
};

/* Lines of cost, in the order of enum metric_index from RR_METRIC_COST_LINE on. */
enum line_kind {
	RR_LINE_SERVERS,
	RR_LINE_INSTALLATION,
	RR_LINE_MAINTENANCE,
	RR_LINE_STAFF,
	RR_LINE_ELECTRICITY,
	RR_LINE_ON_DEMAND,
	RR_LINE_COUNT
};

struct line_row {
	const char *name;
	bool once; /* bought in month 0; the others recur */
};
const struct line_row *rr_line_row(enum line_kind kind);

struct account {
	const struct usage *usage;
	const struct scenario *scenario;
	const struct fleet_spec *fleet;
	struct result *result;
	int32_t months;              /* recorded, the last one may be a part; at least 1 */
	double *facility_kwh;        /* [pool * months + month]; NAN = unknown */
	int64_t *amounts;            /* micros, see rr_account_series() */
	bool applies[RR_LINE_COUNT]; /* some pool has this line */
	bool unknown[RR_LINE_COUNT]; /* an amount of it is not known */
	bool cut_off;                /* an amount did not fit into 64 bits */
};

void rr_account_jobs(struct account *account);
void rr_account_gpus(struct account *account);
/* Fills energy and PUE, facility_kwh and the series by hour. */
void rr_account_energy(struct account *account);
/* Fills amounts, the ledger and cost.total and cost.line.*; needs the energy. */
void rr_account_ledger(struct account *account);
/* Fills the outlook and the other costs; needs the ledger. */
void rr_account_outlook(struct account *account);

void rr_account_set(struct account *account, enum metric_index index, double value);
G_GNUC_PRINTF(2, 3) void rr_account_note(struct account *account, const char *format, ...);
/* One note on WHAT for all pools that pass TEST; none when none does. */
typedef bool (*rr_pool_test)(const struct account *account, int32_t pool);
void rr_account_note_pools(struct account *account, rr_pool_test test, const char *what);

/* What one line of one pool comes to, by recorded month. */
int64_t *rr_account_series(const struct account *account, enum line_kind kind, int32_t pool);
/* Sums of the whole fleet; saturate, and then cut_off is set. */
void rr_account_add(struct account *account, int64_t *sum, int64_t micros);
bool rr_account_knows_all(const struct account *account);

/* GPUs of a node; a flat pool counts each GPU as a node. */
int32_t rr_pool_node_gpus(const struct pool_spec *pool);
/* Thousandths of a GPU times nanoseconds, as GPU-seconds. */
double rr_gpu_s(rr_milli_gpu_ns integral);

/* Sorts COUNT times of 0 or more. O(count): a replication has millions. */
void rr_sort_times(sim_time *times, size_t count);
/* The nearest-rank percentile of sorted times: the smallest with at least PERCENT
 * of all at or below it; always a time that occurred. */
sim_time rr_nearest_rank(const sim_time *sorted, size_t count, unsigned percent);

#endif
