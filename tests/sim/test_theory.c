/* Textbook queues (law 7): theory lies in the 99.9 % interval of the simulated mean,
 * and the 95 % interval covers theory in 90 to 99 % of 200 seeds.
 *
 *   M/M/c  Wq = C(c, a) S / (c (1 - rho)), C by Erlang's second formula
 *   M/G/1  Wq = rho S (1 + cv^2) / (2 (1 - rho))       (Pollaczek and Khinchine)
 *
 * Gross, Shortle, Thompson and Harris, Fundamentals of Queueing Theory, 4th ed.,
 * sections 2.3 and 5.1. The first tenth of every replication is left out. */
#include "models/random/random.h"
#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"
#include "tests/support/test.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double service_s = 100;

struct queue {
	int32_t servers;
	double rho;
	struct rr_distribution service;
};

static struct job_list *draw(const struct queue *q, uint64_t seed, size_t count)
{
	struct job_list *jobs = rr_jobs_new();
	struct rr_stream arrivals, services;
	double at_s = 0, gap_s = service_s / (q->rho * q->servers);
	rr_stream_init(&arrivals, seed, RR_PURPOSE_ARRIVAL, 0);
	rr_stream_init(&services, seed, RR_PURPOSE_JOB, 0);
	for (size_t i = 0; i < count; i++) {
		at_s -= log(rr_stream_unit(&arrivals)) * gap_s;
		double run_s = rr_distribution_draw(&q->service, &services);
		struct job job = {.submit_ns = (sim_time)llround(at_s * 1e9),
				  .duration_ns = MAX((sim_time)llround(run_s * 1e9), 1),
				  .estimate_ns = -1,
				  .gpus = 1,
				  .gpu_milli = 1000};
		rr_jobs_append(jobs, &job);
	}
	rr_jobs_seal(jobs);
	return jobs;
}

static double mean_wait_s(const struct queue *q, uint64_t seed, size_t count)
{
	struct pool_spec pool = {
	    .name = (char *)(intptr_t) "p", .count_min = q->servers, .count_max = q->servers, .speed = 1};
	struct fleet_spec fleet = {.name = (char *)(intptr_t) "f", .pools = &pool, .pool_count = 1};
	struct scenario scenario = {.fleets = &fleet, .fleet_count = 1, .seed = seed, .replications = 1};
	ck_assert(rr_scheduler_parse("fcfs", &fleet.scheduler, NULL));
	struct job_list *jobs = draw(q, seed, count);
	struct usage *usage = rr_sim_run(&scenario, 0, jobs, 0, NULL);
	double sum = 0;
	for (size_t i = count / 10; i < count; i++) sum += (double)usage->records[i].wait_ns / 1e9;
	rr_usage_free(usage);
	rr_jobs_free(jobs);
	rr_scheduler_spec_done(&fleet.scheduler);
	return sum / (double)(count - count / 10);
}

struct interval {
	double mean, half;
};

static struct interval interval_of(const struct queue *q, uint64_t first_seed, int replications, size_t count,
				   double level)
{
	double sum = 0, squares = 0;
	for (int r = 0; r < replications; r++) {
		double wait = mean_wait_s(q, first_seed + (uint64_t)r, count);
		sum += wait;
		squares += wait * wait;
	}
	double mean = sum / replications, variance = (squares - replications * mean * mean) / (replications - 1);
	double t = gsl_cdf_tdist_Pinv(0.5 + level / 2, replications - 1);
	return (struct interval){mean, t * sqrt(variance / replications)};
}

static double wait_mmc_s(int servers, double rho)
{
	double offered = rho * servers, blocked = 1;
	for (int k = 1; k <= servers; k++) blocked = offered * blocked / (k + offered * blocked);
	double waits = blocked / (1 - rho * (1 - blocked));
	return waits * service_s / (servers * (1 - rho));
}

static void expect(const char *name, struct queue q, double theory_s)
{
	struct interval i = interval_of(&q, 1, 20, 20000, 0.999);
	ck_assert_msg(fabs(i.mean - theory_s) <= i.half, "%s at load %g: %g s, theory %g s, half interval %g s", name,
		      q.rho, i.mean, theory_s, i.half);
}

START_TEST(waits_are_those_of_the_textbook)
{
	static const double loads[] = {0.5, 0.8, 0.95};
	const struct rr_distribution exponential = {.kind = RR_DIST_EXPONENTIAL, .a = service_s};
	const struct rr_distribution constant = {.kind = RR_DIST_CONSTANT, .a = service_s};
	/* Gamma of shape 1/4: the squared coefficient of variation is 4. */
	const struct rr_distribution varied = {.kind = RR_DIST_GAMMA, .a = 0.25, .b = 4 * service_s};
	for (size_t i = 0; i < G_N_ELEMENTS(loads); i++) {
		double rho = loads[i], pk = rho * service_s / (2 * (1 - rho));
		expect("M/M/1", (struct queue){1, rho, exponential}, wait_mmc_s(1, rho));
		expect("M/M/8", (struct queue){8, rho, exponential}, wait_mmc_s(8, rho));
		expect("M/D/1", (struct queue){1, rho, constant}, pk);
		expect("M/G/1", (struct queue){1, rho, varied}, pk * 5);
	}
}
END_TEST

START_TEST(the_95_percent_interval_covers_theory_about_95_times_in_100)
{
	const struct queue q = {2, 0.7, {.kind = RR_DIST_EXPONENTIAL, .a = service_s}};
	double theory_s = wait_mmc_s(2, 0.7);
	int covered = 0;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct interval i = interval_of(&q, 1000 + seed * 10, 10, 3000, 0.95);
		covered += fabs(i.mean - theory_s) <= i.half;
	}
	ck_assert_msg(covered >= 180 && covered <= 198, "%d of 200", covered);
}
END_TEST

RR_TEST_MAIN("theory", waits_are_those_of_the_textbook, the_95_percent_interval_covers_theory_about_95_times_in_100)
