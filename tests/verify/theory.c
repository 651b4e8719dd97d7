/* theory.c - waiting times of textbook queues: one GPU or several, first come
 * first served, Poisson arrivals.
 *
 *   M/M/c  Wq = C(c, a) / (c mu - lambda), C by Erlang's second formula
 *   M/G/1  Wq = lambda E[S^2] / (2 (1 - rho))   (Pollaczek and Khinchine)
 *
 * Gross, Shortle, Thompson and Harris, Fundamentals of Queueing Theory, 4th ed.,
 * sections 2.3 and 5.1. A row passes when theory lies in the 99.9 % interval of
 * the simulated mean (Student's t over replications, the first tenth of every
 * replication left out). */
#include "scenarios/format/format.h"
#include "scenarios/workload/workload.h"
#include "sim/scheduler/scheduler.h"
#include "tests/verify/verify.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { REPLICATIONS = 20, JOBS = 100000, SERVICE_S = 100 };

static double erlang_c(int servers, double offered)
{
	double blocked = 1; /* Erlang's first formula by its recursion */
	for (int k = 1; k <= servers; k++) blocked = offered * blocked / (k + offered * blocked);
	double rho = offered / servers;
	return blocked / (1 - rho * (1 - blocked));
}

static double wait_mmc_s(int servers, double rho)
{
	return erlang_c(servers, rho * servers) * SERVICE_S / (servers * (1 - rho));
}

static double wait_mg1_s(double rho, double squared_variation)
{
	return rho * SERVICE_S * (1 + squared_variation) / (2 * (1 - rho));
}

static double mean_wait_s(const struct usage *usage, const struct job_list *jobs)
{
	double sum = 0;
	for (size_t i = jobs->count / 10; i < jobs->count; i++) sum += (double)usage->records[i].wait_ns;
	return sum / (double)(jobs->count - jobs->count / 10) / (double)RR_NS_PER_S;
}

struct sample {
	double mean, half; /* half of the 99.9 % interval */
};

static struct sample simulate(const struct scenario *scenario, struct rr_work *work)
{
	double sum = 0, squares = 0;
	for (int r = 0; r < REPLICATIONS; r++) {
		bool shared = false;
		struct job_list *jobs = rr_work_jobs(work, r, &shared);
		g_autoptr(GError) error = NULL;
		struct usage *usage = rr_sim_run(scenario, 0, jobs, r, &error);
		if (usage == NULL) g_error("verify: %s", error->message);
		double wait = mean_wait_s(usage, jobs);
		sum += wait;
		squares += wait * wait;
		rr_usage_free(usage);
		if (!shared) rr_jobs_free(jobs);
	}
	double mean = sum / REPLICATIONS;
	double variance = (squares - REPLICATIONS * mean * mean) / (REPLICATIONS - 1);
	double t = gsl_cdf_tdist_Pinv(0.9995, REPLICATIONS - 1);
	return (struct sample){mean, t * sqrt(variance / REPLICATIONS)};
}

static void queue(struct verify_ledger *ledger, const char *name, int servers, double rho, const char *duration,
		  double theory_s)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(number, sizeof number, "%.10f", rho * servers / SERVICE_S * 3600);
	g_autofree char *yaml = g_strdup_printf(
	    "rackrent: 1\nname: theory\nhorizon: 3y\nreplications: %d\n"
	    "workloads: {w: {synthetic: {arrivals: {rate: %s/h}, gpus: {1: 100%%}, duration: %s, jobs: %d}}}\n"
	    "fleets: {f: {pools: {p: {kind: physical, gpus: %d}}, scheduler: fcfs}}\n",
	    (int)REPLICATIONS, number, duration, (int)JOBS, servers);
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	struct scenario *scenario = rr_scenario_load_bytes(yaml, strlen(yaml), "theory", ".", &options, &faults);
	struct rr_work *work = scenario == NULL ? NULL : rr_work_open(scenario, notes, &faults);
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	struct sample s = work == NULL ? (struct sample){NAN, NAN} : simulate(scenario, work);
	g_autofree char *row = g_strdup_printf("%s at load %.2f", name, rho);
	verify_add(ledger, "theory", row, "mean wait", "s", theory_s, s.mean, VERIFY_ABSOLUTE, s.half);
	rr_work_free(work);
	rr_scenario_free(scenario);
}

void verify_theory(struct verify_ledger *ledger)
{
	const double loads[] = {0.5, 0.8, 0.95};
	for (size_t i = 0; i < G_N_ELEMENTS(loads); i++) {
		double rho = loads[i];
		queue(ledger, "M/M/1", 1, rho, "{exponential: {mean: 100s}}", wait_mmc_s(1, rho));
		queue(ledger, "M/M/8", 8, rho, "{exponential: {mean: 100s}}", wait_mmc_s(8, rho));
		queue(ledger, "M/D/1", 1, rho, "100s", wait_mg1_s(rho, 0));
		queue(ledger, "M/E4/1", 1, rho, "{erlang: {phases: 4, mean: 100s}}", wait_mg1_s(rho, 0.25));
		queue(ledger, "M/G/1 gamma 1/4", 1, rho, "{gamma: {shape: 0.25, scale: 400s}}", wait_mg1_s(rho, 4));
	}
}
