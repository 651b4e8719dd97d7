/* metrics.c - what became of the jobs, and what the GPUs did. */
#include "sim/accounts/parts.h"

#include <math.h>

double rr_gpu_s(rr_milli_gpu_ns integral)
{
	return (double)integral / 1000 / (double)RR_NS_PER_S;
}

static double seconds(double ns)
{
	return ns / (double)RR_NS_PER_S;
}

/* Sets the five metrics from FIRST on: mean, p50, p95, p99, max. Sorts TIMES. */
static void set_distribution(struct account *account, enum metric_index first, sim_time *times, size_t count)
{
	static const unsigned percents[] = {50, 95, 99, 100};
	rr_wide sum = 0;
	if (count == 0) return;
	for (size_t i = 0; i < count; i++) sum += times[i];
	rr_sort_times(times, count);
	rr_account_set(account, first, seconds((double)sum / (double)count));
	for (size_t i = 0; i < G_N_ELEMENTS(percents); i++) {
		double value = seconds((double)rr_nearest_rank(times, count, percents[i]));
		rr_account_set(account, (enum metric_index)(first + 1 + i), value);
	}
}

static void set_waits(struct account *account, sim_time *times)
{
	const struct usage *usage = account->usage;
	size_t count = 0;
	for (size_t j = 0; j < usage->jobs->count; j++)
		if (usage->records[j].start_ns >= 0) times[count++] = usage->records[j].wait_ns;
	set_distribution(account, RR_METRIC_WAIT_MEAN, times, count);
}

static void set_completion_times(struct account *account, sim_time *times)
{
	const struct usage *usage = account->usage;
	size_t count = 0, slowed = 0;
	double slowdowns = 0;
	for (size_t j = 0; j < usage->jobs->count; j++) {
		const struct job_record *record = &usage->records[j];
		if (record->state != RR_JOB_COMPLETED) continue;
		sim_time took_ns = record->end_ns - usage->jobs->jobs[j].submit_ns;
		times[count++] = took_ns;
		if (record->run_ns <= 0) continue;
		slowdowns += (double)took_ns / (double)record->run_ns;
		slowed++;
	}
	set_distribution(account, RR_METRIC_JCT_MEAN, times, count);
	if (slowed > 0) rr_account_set(account, RR_METRIC_SLOWDOWN, slowdowns / (double)slowed);
}

struct tally {
	int64_t states[RR_JOB_STATE_COUNT];
	int64_t preemptions, restarts, migrations;
	rr_milli_gpu_ns lost_failure, lost_preemption, lost_migration, lost_mixed;
	sim_time last_end_ns;
};

/* A record holds its lost work as one sum; the cause is known where only one kind
 * of disturbance happened to the job. */
static void tally_lost(struct tally *tally, const struct job_record *record)
{
	int kinds = (record->restarts > 0) + (record->preemptions > 0) + (record->migrations > 0);
	if (kinds != 1)
		tally->lost_mixed += record->lost;
	else if (record->restarts > 0)
		tally->lost_failure += record->lost;
	else if (record->preemptions > 0)
		tally->lost_preemption += record->lost;
	else
		tally->lost_migration += record->lost;
}

static void set_lost(struct account *account, const struct tally *tally)
{
	/* No instance is taken back by its provider yet: that loss is known to be 0. */
	rr_account_set(account, RR_METRIC_LOST_INTERRUPTION, 0);
	if (tally->lost_mixed > 0) {
		rr_account_note(account,
				"fleet '%s': lost.failure, lost.preemption and lost.migration are not told apart, as "
				"some jobs met several of them",
				account->fleet->name);
		return;
	}
	rr_account_set(account, RR_METRIC_LOST_FAILURE, rr_gpu_s(tally->lost_failure));
	rr_account_set(account, RR_METRIC_LOST_PREEMPTION, rr_gpu_s(tally->lost_preemption));
	rr_account_set(account, RR_METRIC_LOST_MIGRATION, rr_gpu_s(tally->lost_migration));
}

static struct tally tally_jobs(const struct usage *usage)
{
	struct tally tally = {.last_end_ns = -1};
	for (size_t j = 0; j < usage->jobs->count; j++) {
		const struct job_record *record = &usage->records[j];
		g_assert(record->state < RR_JOB_STATE_COUNT);
		tally.states[record->state]++;
		tally.preemptions += record->preemptions;
		tally.restarts += record->restarts;
		tally.migrations += record->migrations;
		tally.last_end_ns = MAX(tally.last_end_ns, record->end_ns);
		tally_lost(&tally, record);
	}
	return tally;
}

void rr_account_jobs(struct account *account)
{
	const struct usage *usage = account->usage;
	struct tally tally = tally_jobs(usage);
	rr_account_set(account, RR_METRIC_SUBMITTED, (double)usage->jobs->count);
	rr_account_set(account, RR_METRIC_COMPLETED, (double)tally.states[RR_JOB_COMPLETED]);
	rr_account_set(account, RR_METRIC_FAILED, (double)tally.states[RR_JOB_FAILED]);
	rr_account_set(account, RR_METRIC_UNSCHEDULABLE, (double)tally.states[RR_JOB_UNSCHEDULABLE]);
	rr_account_set(account, RR_METRIC_FAILURES, (double)tally.restarts);
	rr_account_set(account, RR_METRIC_MIGRATIONS, (double)tally.migrations);
	rr_account_set(account, RR_METRIC_PREEMPTIONS, (double)tally.preemptions);
	if (tally.last_end_ns >= 0) {
		sim_time first_ns = usage->jobs->jobs[0].submit_ns;
		rr_account_set(account, RR_METRIC_MAKESPAN, seconds((double)(tally.last_end_ns - first_ns)));
	}
	set_lost(account, &tally);
	g_autofree sim_time *times = g_new(sim_time, usage->jobs->count);
	set_waits(account, times);
	set_completion_times(account, times);
}

void rr_account_gpus(struct account *account)
{
	const struct usage *usage = account->usage;
	rr_milli_gpu_ns busy = 0, draining = 0, down = 0, fragmented = 0, stranded = 0, fragments = 0, lifetime = 0,
			lost = 0;
	rr_wide blocked_ns[RR_REASON_COUNT] = {0};
	for (int32_t p = 0; p < account->fleet->pool_count; p++) {
		const struct pool_usage *pool = &usage->pools[p];
		busy += pool->use[RR_USE_BUSY];
		down += pool->use[RR_USE_DOWN];
		draining += pool->use[RR_USE_DRAINING];
		fragmented += pool->fragmented;
		stranded += pool->stranded;
		fragments += pool->fragments;
		for (int r = 0; r < RR_REASON_COUNT; r++) blocked_ns[r] += pool->blocked_ns[r];
		lifetime += pool->lifetime;
	}
	for (size_t j = 0; j < usage->jobs->count; j++) lost += usage->records[j].lost;
	if (lifetime == 0) return;
	double all = (double)lifetime;
	rr_account_set(account, RR_METRIC_ALLOCATED, (double)(busy + draining) / all);
	rr_account_set(account, RR_METRIC_BUSY, (double)busy / all);
	rr_account_set(account, RR_METRIC_FRAGMENTED, (double)fragmented / all);
	rr_account_set(account, RR_METRIC_STRANDED, (double)stranded / all);
	rr_account_set(account, RR_METRIC_FRAGMENTS, (double)fragments / all);
	for (int r = RR_REASON_CAPACITY; r < RR_REASON_COUNT; r++)
		rr_account_set(account, (enum metric_index)(RR_METRIC_BLOCKED_CAPACITY + r - RR_REASON_CAPACITY),
			       seconds((double)blocked_ns[r]));
	rr_account_set(account, RR_METRIC_DOWN, (double)down / all);
	rr_account_set(account, RR_METRIC_GOODPUT, (double)(busy - lost) / all);
	rr_account_set(account, RR_METRIC_AVAILABILITY, (double)(lifetime - down) / all);
}
