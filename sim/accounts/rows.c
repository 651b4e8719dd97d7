/* rows.c - every metric and every line of cost: id, unit, what it is. */
#include "sim/accounts/parts.h"

static const struct rr_metric_row rows[] = {
    [RR_METRIC_SUBMITTED] = {"jobs.submitted", "count", "jobs that were submitted", 0},
    [RR_METRIC_COMPLETED] = {"jobs.completed", "count", "jobs that did all their work", 1},
    [RR_METRIC_FAILED] = {"jobs.failed", "count", "jobs that ended without finishing", -1},
    [RR_METRIC_UNSCHEDULABLE] = {"jobs.unschedulable", "count",
				 "jobs that no pool or no quota can take, however long they wait", -1},
    [RR_METRIC_WAIT_MEAN] = {"jobs.wait.mean", "s",
			     "mean time in the queue, waits after pre-emption included; of jobs that started at least "
			     "once",
			     -1},
    [RR_METRIC_WAIT_P50] = {"jobs.wait.p50", "s", "half of the jobs that started waited no longer (nearest rank)", -1},
    [RR_METRIC_WAIT_P95] = {"jobs.wait.p95", "s", "95 % of the jobs that started waited no longer (nearest rank)", -1},
    [RR_METRIC_WAIT_P99] = {"jobs.wait.p99", "s", "99 % of the jobs that started waited no longer (nearest rank)", -1},
    [RR_METRIC_WAIT_MAX] = {"jobs.wait.max", "s", "longest wait of a job that started", -1},
    [RR_METRIC_JCT_MEAN] = {"jobs.jct.mean", "s", "mean time from submission to end, of completed jobs", -1},
    [RR_METRIC_JCT_P50] = {"jobs.jct.p50", "s", "half of the completed jobs took no longer (nearest rank)", -1},
    [RR_METRIC_JCT_P95] = {"jobs.jct.p95", "s", "95 % of the completed jobs took no longer (nearest rank)", -1},
    [RR_METRIC_JCT_P99] = {"jobs.jct.p99", "s", "99 % of the completed jobs took no longer (nearest rank)", -1},
    [RR_METRIC_JCT_MAX] = {"jobs.jct.max", "s", "longest time from submission to end of a completed job", -1},
    [RR_METRIC_SLOWDOWN] = {"jobs.slowdown.mean", "ratio",
			    "mean of (submission to end) / (time holding GPUs), of completed jobs", -1},
    [RR_METRIC_MAKESPAN] = {"jobs.makespan", "s", "from the first submission to the last end of a job", -1},
    [RR_METRIC_ALLOCATED] = {"gpu.allocated", "ratio", "share of GPU lifetime that jobs held", 1},
    [RR_METRIC_BUSY] = {"gpu.busy", "ratio", "share of GPU lifetime with work on it; a job keeps its GPUs busy", 1},
    [RR_METRIC_FRAGMENTED] =
	{"gpu.fragmented", "ratio",
	 "share of GPU lifetime idle while the job at the head of the queue asked for no more GPUs "
	 "than were idle",
	 -1},
    [RR_METRIC_STRANDED] = {"gpu.stranded", "ratio",
			    "share of GPU lifetime idle while jobs waited of which none could start there", -1},
    [RR_METRIC_FRAGMENTS] = {"gpu.fragments", "ratio",
			     "share of GPU lifetime free but of no use to the typical job (Weng et al., ATC 2023)", -1},
    [RR_METRIC_BLOCKED_CAPACITY] = {"blocked.capacity", "s",
				    "how long the first in a queue waited for more free GPUs, all queues", -1},
    [RR_METRIC_BLOCKED_TYPE] = {"blocked.type", "s", "how long it waited for a type of GPU while others were free", -1},
    [RR_METRIC_BLOCKED_FRAGMENTATION] = {"blocked.fragmentation", "s",
					 "how long it waited for nodes while enough GPUs were free on others", -1},
    [RR_METRIC_BLOCKED_QUOTA] = {"blocked.quota", "s", "how long it waited for its tenant's quota", -1},
    [RR_METRIC_BLOCKED_ORDER] = {"blocked.order", "s", "how long it waited though it could have started", -1},
    [RR_METRIC_DOWN] = {"gpu.down", "ratio", "share of GPU lifetime out of service", -1},
    [RR_METRIC_GOODPUT] = {"goodput", "ratio", "share of GPU lifetime spent on work that was not lost", 1},
    [RR_METRIC_FAILURES] = {"failures.count", "count", "times a failure stopped a job", -1},
    [RR_METRIC_MIGRATIONS] = {"migrations.count", "count", "times a job moved while it ran", 0},
    [RR_METRIC_DOWNTIME] = {"migrations.downtime.mean", "s", "mean time a job stood still for a move", -1},
    [RR_METRIC_PREEMPTIONS] = {"preemptions.count", "count", "times a job gave up its GPUs to another", 0},
    [RR_METRIC_LOST_FAILURE] = {"lost.failure", "GPU-s", "GPU time of work lost to failures", -1},
    [RR_METRIC_LOST_PREEMPTION] = {"lost.preemption", "GPU-s", "GPU time of work lost to pre-emption", -1},
    [RR_METRIC_LOST_INTERRUPTION] = {"lost.interruption", "GPU-s", "GPU time of work lost with spot instances", -1},
    [RR_METRIC_LOST_MIGRATION] = {"lost.migration", "GPU-s", "GPU time lost to moves", -1},
    [RR_METRIC_AVAILABILITY] = {"availability", "ratio", "share of GPU lifetime in service", 1},
    [RR_METRIC_ENERGY_IT] = {"energy.it", "kWh", "energy at the sockets of the nodes", -1},
    [RR_METRIC_ENERGY_TOTAL] = {"energy.total", "kWh", "energy at the meter of the facility", -1},
    [RR_METRIC_PUE_MEAN] = {"pue.mean", "ratio", "energy.total / energy.it", -1},
    [RR_METRIC_PUE_MIN] = {"pue.min", "ratio", "the lowest such ratio of an hour", -1},
    [RR_METRIC_PUE_MAX] = {"pue.max", "ratio", "the highest such ratio of an hour", -1},
    [RR_METRIC_COST_TOTAL] = {"cost.total", "currency", "all cash over the recorded span, purchases included", -1},
    [RR_METRIC_COST_NPV] = {"cost.npv", "currency",
			    "present value of the outlook (finance.years) at the cost of capital (finance.wacc)", -1},
    [RR_METRIC_COST_TCO3Y] = {"cost.tco3y", "currency", "all cash over 36 months, not discounted", -1},
    [RR_METRIC_COST_PER_GPU_HOUR] =
	{"cost.per_gpu_hour", "currency/GPU-h",
	 "all cash of the outlook / hours that jobs hold GPUs in it (not hours of idle GPUs)", -1},
    [RR_METRIC_COST_LINE +
	RR_LINE_SERVERS] = {"cost.line.servers", "currency", "nodes bought, over the recorded span", -1},
    [RR_METRIC_COST_LINE + RR_LINE_INSTALLATION] = {"cost.line.installation", "currency",
						    "putting the nodes up (finance.installation)", -1},
    [RR_METRIC_COST_LINE + RR_LINE_MAINTENANCE] = {"cost.line.maintenance", "currency",
						   "upkeep over the recorded span (finance.maintenance)", -1},
    [RR_METRIC_COST_LINE +
	RR_LINE_STAFF] = {"cost.line.staff", "currency", "people over the recorded span (finance.staff)", -1},
    [RR_METRIC_COST_LINE + RR_LINE_ELECTRICITY] = {"cost.line.electricity", "currency",
						   "energy.total of owned nodes at the site's price", -1},
    [RR_METRIC_COST_LINE + RR_LINE_ON_DEMAND] = {"cost.line.on-demand", "currency",
						 "instances rented on demand over the recorded span", -1},
};

G_STATIC_ASSERT(G_N_ELEMENTS(rows) == RR_METRIC_COST_LINE + RR_LINE_COUNT);

const struct rr_metric_row *rr_metric_rows(size_t *count)
{
	*count = G_N_ELEMENTS(rows);
	return rows;
}

static const struct line_row lines[] = {
    [RR_LINE_SERVERS] = {"servers", true},          [RR_LINE_INSTALLATION] = {"installation", true},
    [RR_LINE_MAINTENANCE] = {"maintenance", false}, [RR_LINE_STAFF] = {"staff", false},
    [RR_LINE_ELECTRICITY] = {"electricity", false}, [RR_LINE_ON_DEMAND] = {"on-demand", false},
};

const struct line_row *rr_line_row(enum line_kind kind)
{
	return &lines[kind];
}
