/* shares.c - orders by what a tenant or a job has had of its share, and by how
 * long it waits.
 *
 * fair and drf order tenants, and each tenant's jobs by arrival: a look costs
 * O(tenants). The others drift: keys of all waiting jobs are computed anew when
 * a pass comes `every` or more after the last time, O(n log n) then and O(log n)
 * otherwise, as Slurm does (PriorityCalcPeriod, 5 minutes). */
#include "sim/scheduler/orders.h"

#include <math.h>

static int64_t by_arrival(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)s;
	(void)job;
	(void)now;
	return 0;
}

/* GPUs that the tenant holds now and held on average over what has not faded,
 * by its weight. With half-life 0 only what it holds counts. */
static double weighted_share(const struct rr_scheduler *s, int32_t tenant, sim_time now)
{
	const struct rr_tenant *t = &s->tenants[tenant];
	double half_life_s = (double)s->settings.half_life_ns / (double)RR_NS_PER_S;
	double past = half_life_s > 0 ? rr_tenant_used(s, tenant, now) * G_LN2 / half_life_s : 0;
	return ((double)t->held + past) / t->weight;
}

/* With GPUs as the one resource that all jobs ask for; CPU and memory come in
 * where nodes know them. */
static double dominant_share(const struct rr_scheduler *s, int32_t tenant, sim_time now)
{
	const struct rr_tenant *t = &s->tenants[tenant];
	(void)now;
	double share = (double)t->held / (double)MAX(s->gpu_total, 1);
	if (s->cpu_total > 0) share = MAX(share, t->cpu_milli / s->cpu_total);
	if (s->ram_total > 0) share = MAX(share, t->ram_bytes / s->ram_total);
	return share / t->weight;
}

const struct rr_order rr_order_fair = {.key = by_arrival, .tenant = weighted_share, .by_tenant = true},
		      rr_order_drf = {.key = by_arrival, .tenant = dominant_share, .by_tenant = true};

#define EVERY(preset)                                                                                                  \
	{                                                                                                              \
		"every", preset, "a duration", "how often all keys are computed anew; 0s = at each pass",              \
		    RR_PARAMETER_DURATION, offsetof(struct rr_settings, every_ns)                                      \
	}
#define HALF_LIFE(preset)                                                                                              \
	{                                                                                                              \
		"half_life", preset, "a duration", "past use counts half after so long", RR_PARAMETER_DURATION,        \
		    offsetof(struct rr_settings, half_life_ns)                                                         \
	}

const struct rr_parameter rr_fair_parameters[] = {HALF_LIFE("7d"), RR_PARAMETERS_END};
const struct rr_parameter rr_drift_parameters[] = {EVERY("5min"), RR_PARAMETERS_END};

/* -------------------------------------------------------- finish-time fairness */

/* rho = time in the shared cluster / time in a share of 1/N of it. Alone in
 * C/N GPUs a job of g runs at most min(1, C/(N g)) as fast. N is every job that
 * waits or runs, here and now. Largest first. */
static int64_t finish_time_unfairness(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	const struct rr_partition *p = &s->partitions[s->partition_of_job[job]];
	const struct job *j = rr_job(s, job);
	double gpus = (double)MAX(rr_partition_capacity(p), 1);
	double jobs = (double)MAX(p->waiting + p->runs, 1);
	double shared = (double)(now - j->submit_ns) + (double)rr_progress_left(&s->progress[job], now);
	double ideal = (double)MAX(j->duration_ns, 1) * MAX(1, jobs * rr_job_gpus(s, job) / gpus);
	return -rr_key_of(shared / ideal);
}

const struct rr_order rr_order_finish_time_fair = {.key = finish_time_unfairness, .drifts = true};

/* ------------------------------------------------------------ response ratio */

static int64_t response_ratio(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	double run = (double)MAX(rr_job_estimate(s, job), 1);
	return -rr_key_of(((double)(now - rr_job(s, job)->submit_ns) + run) / run);
}

const struct rr_order rr_order_hrrn = {.key = response_ratio, .drifts = true};

/* --------------------------------------------------------------- multifactor */

/* Factors from 0 to 1: age up to a most; size as GPUs of the partition; 2 to the
 * power of -(use / fair share), both as shares of all; priority of the highest. */
static int64_t multifactor(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	const struct rr_settings *set = &s->settings;
	const struct job *j = rr_job(s, job);
	const struct rr_partition *p = &s->partitions[s->partition_of_job[job]];
	int32_t tenant = p->lanes[s->lane_of_job[job]].tenant;
	double age = MIN((double)(now - j->submit_ns) / (double)MAX(set->age_most_ns, 1), 1);
	double size = (double)j->gpus / (double)MAX(rr_partition_capacity(p), 1);
	double weights = 0, use = 0;
	for (int32_t i = 0; i < s->tenant_count; i++) {
		weights += s->tenants[i].weight;
		use += rr_tenant_used(s, i, now);
	}
	double share = s->tenants[tenant].weight / weights;
	double used = use > 0 ? rr_tenant_used(s, tenant, now) / use : 0;
	double priority = s->priority_most > 0 ? MAX((double)j->priority, 0) / (double)s->priority_most : 0;
	double sum = set->weight_age * age + set->weight_size * MIN(size, 1) + set->weight_share * exp2(-used / share) +
		     set->weight_priority * priority;
	/* Millionths: two that differ by rounding alone are equal, and go by submit. */
	return -llround(MIN(sum, 1e12) * 1e6);
}

const struct rr_order rr_order_multifactor = {.key = multifactor, .drifts = true, .by_tenant = true};

#define WEIGHT(name, preset, field, of)                                                                                \
	{                                                                                                              \
		name, preset, "a number", "weight of " of, RR_PARAMETER_NUMBER, offsetof(struct rr_settings, field)    \
	}

const struct rr_parameter rr_multifactor_parameters[] = {
    EVERY("5min"),
    HALF_LIFE("7d"),
    {"max_age", "7d", "a duration", "the age factor is 1 after so long", RR_PARAMETER_DURATION,
     offsetof(struct rr_settings, age_most_ns)},
    WEIGHT("age", "1000", weight_age, "the time since submit"),
    WEIGHT("size", "1000", weight_size, "the GPUs asked for"),
    WEIGHT("fairshare", "1000", weight_share, "the tenant's fair share"),
    WEIGHT("qos", "1000", weight_priority, "the job's priority"),
    RR_PARAMETERS_END};
