/* Jobs simulated per CPU second: the 10,650 Philly jobs of the Helios reference
 * on their virtual clusters, ten copies of them in turn and at once, and a shallow
 * queue; then replications on one and two threads. The peers' figures are those of
 * the READMEs beside the references: the program that defined each policy. */
#include "models/random/random.h"
#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"
#include "tests/support/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { CLUSTERS_MOST = 32 };

struct world {
	struct pool_spec pools[CLUSTERS_MOST];
	struct fleet_spec fleet;
	struct scenario scenario;
};

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void world_init(struct world *w)
{
	*w = (struct world){.fleet = {.name = (char *)(intptr_t) "f", .pools = w->pools}};
	w->scenario = (struct scenario){.fleets = &w->fleet, .fleet_count = 1, .seed = 1, .replications = 1};
}

static void add_pool(struct world *w, const char *name, const char *only, int32_t nodes)
{
	w->pools[w->fleet.pool_count++] = (struct pool_spec){.name = (char *)(intptr_t)name,
							     .only_pool = (char *)(intptr_t)only,
							     .gpus_per_node = 8,
							     .count_min = nodes,
							     .count_max = nodes,
							     .speed = 1};
}

/* COPIES of the reference's jobs, one behind the other or all AT ONCE. */
static struct job_list *copies_of(const struct test_table *table, int copies, bool at_once)
{
	struct job_list *jobs = rr_jobs_new();
	sim_time span = 0;
	for (guint i = 0; i < table->rows->len; i++)
		span = MAX(span, (sim_time)test_number(table, i, "submit_time") * RR_NS_PER_S);
	for (int copy = 0; copy < copies; copy++)
		for (guint i = 0; i < table->rows->len; i++) {
			struct job job = {.submit_ns = (sim_time)test_number(table, i, "submit_time") * RR_NS_PER_S +
						       (at_once ? 0 : copy * (span + RR_NS_PER_S)),
					  .duration_ns = (sim_time)test_number(table, i, "duration") * RR_NS_PER_S,
					  .estimate_ns = -1,
					  .gpus = (int32_t)test_number(table, i, "gpu_num"),
					  .gpu_milli = 1000,
					  .priority = (int32_t)test_number(table, i, "priority"),
					  .pool = rr_jobs_text(jobs, test_cell(table, i, "vc"), true)};
			rr_jobs_append(jobs, &job);
		}
	rr_jobs_seal(jobs);
	return jobs;
}

/* A queue that is nearly always empty: load 0.5 on 512 GPUs. */
static struct job_list *shallow(size_t count)
{
	struct job_list *jobs = rr_jobs_new();
	struct rr_stream luck;
	double at_s = 0;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 0);
	for (size_t i = 0; i < count; i++) {
		at_s += -log(rr_stream_unit(&luck)) * 10;
		struct job job = {.submit_ns = (sim_time)(at_s * 1e9),
				  .duration_ns = 1 + (sim_time)(-log(rr_stream_unit(&luck)) * 1280e9),
				  .estimate_ns = -1,
				  .gpus = 1 << (rr_stream_u32(&luck) % 3),
				  .gpu_milli = 1000};
		rr_jobs_append(jobs, &job);
	}
	rr_jobs_seal(jobs);
	return jobs;
}

/* What the program that defined a policy makes of one core, jobs per CPU second;
 * 0 = nobody's figure is known. */
static const struct {
	const char *scheduler, *peer;
	double jobs_per_s;
} policies[] = {{"fcfs", "pyss", 14200},
		{"sjf", "Helios", 411},
		{"fit", "Tiresias", 178},
		{"easy", "pyss", 5400},
		{"easy,reservations=4", "", 0},
		{"conservative", "pyss", 4400},
		{"helios-srtf", "Helios", 203},
		{"helios-qssf", "Helios", 175},
		{"srtf", "Tiresias", 93},
		{"srsf", "Tiresias", 93},
		{"smallest", "Tiresias", 102},
		{"las", "", 0},
		{"tiresias", "Tiresias", 150},
		{"tiresias,wake=late", "Tiresias", 150},
		{"gittins", "", 0},
		{"slurm", "", 0},
		{"kubernetes", "", 0},
		{"themis", "", 0}};

static double jobs_per_s(struct world *w, const struct job_list *jobs, const char *scheduler)
{
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(&w->fleet.scheduler);
	if (!rr_scheduler_parse(scheduler, &w->fleet.scheduler, &error)) g_error("%s", error->message);
	double begin = seconds(CLOCK_PROCESS_CPUTIME_ID), spent = 0;
	int turns = 0;
	do {
		struct usage *usage = rr_sim_run(&w->scenario, 0, jobs, 0, &error);
		if (usage == NULL) g_error("%s", error->message);
		rr_usage_free(usage);
		turns++;
		spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
	} while (spent < 0.05);
	return (double)jobs->count * turns / spent;
}

static void rows(struct world *w, const char *name, const struct job_list *jobs)
{
	printf("%s, %zu jobs\n  %-22s %12s   %s\n", name, jobs->count, "policy", "jobs/CPU s", "times the peer");
	for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
		double ours = jobs_per_s(w, jobs, policies[i].scheduler);
		printf("  %-22s %12.0f", policies[i].scheduler, ours);
		if (policies[i].jobs_per_s > 0)
			printf("   %6.0f (%s)", ours / policies[i].jobs_per_s, policies[i].peer);
		printf("\n");
		fflush(stdout);
	}
}

/* 100,000 GPUs under fgd: shares and whole GPUs of 48 kinds, load 0.9. */
static void large_fleet(void)
{
	enum { NODES = 12500, JOBS = 1000000, KINDS = 48 };
	struct world w;
	struct rr_stream luck;
	struct job_list *jobs = rr_jobs_new();
	struct job kinds[KINDS];
	double at_s = 0, mean_gpus = 0;
	world_init(&w);
	add_pool(&w, "p", NULL, NODES);
	w.pools[0].node_cpu_milli = 96000;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 9);
	for (int k = 0; k < KINDS; k++) {
		bool share = k % 2 == 0;
		struct job_needs needs = {.cpu_milli = 1000 * (int64_t)(1 + rr_stream_u32(&luck) % 10)};
		kinds[k] = (struct job){.estimate_ns = -1,
					.gpus = share ? 1 : 1 << k / 2 % 4,
					.gpu_milli = share ? 100 + 100 * (k / 2 % 8) : 1000,
					.needs = rr_jobs_needs(jobs, &needs)};
		mean_gpus += kinds[k].gpus * kinds[k].gpu_milli / 1000.0 / KINDS;
	}
	for (int i = 0; i < JOBS; i++) {
		struct job job = kinds[rr_stream_u32(&luck) % KINDS];
		at_s += -log(rr_stream_unit(&luck)) * 3600 * mean_gpus / (0.9 * NODES * 8);
		job.submit_ns = (sim_time)(at_s * 1e9);
		job.duration_ns = 1 + (sim_time)(-log(rr_stream_unit(&luck)) * 3600e9);
		rr_jobs_append(jobs, &job);
	}
	rr_jobs_seal(jobs);
	double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
	double rate = jobs_per_s(&w, jobs, "openb-fgd");
	printf("fgd, 100,000 GPUs, 1,000,000 jobs: %.0f s of CPU, %.0f jobs per CPU second (peer: 2 to 18 pods)\n",
	       seconds(CLOCK_PROCESS_CPUTIME_ID) - begin, rate);
	rr_jobs_free(jobs);
	rr_scheduler_spec_done(&w.fleet.scheduler);
}

static gpointer replicate(gpointer data)
{
	struct world *w = data;
	struct job_list *jobs = shallow(200000);
	struct usage *usage = rr_sim_run(&w->scenario, 0, jobs, 0, NULL);
	rr_usage_free(usage);
	rr_jobs_free(jobs);
	return NULL;
}

static void threads(struct world *w, int count)
{
	double begin = seconds(CLOCK_MONOTONIC);
	GThread *team[2];
	for (int i = 0; i < count; i++) team[i] = g_thread_new("bench", replicate, w);
	for (int i = 0; i < count; i++) g_thread_join(team[i]);
	printf("  %d thread%s: %.0f jobs per second of the clock, drawing included\n", count, count > 1 ? "s" : " ",
	       200000.0 * count / (seconds(CLOCK_MONOTONIC) - begin));
}

/* Only the large fleet when asked for by `bench_sim large`. */
int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "large") == 0) {
		large_fleet();
		return 0;
	}
	struct world deep, plain;
	struct test_table *trace = NULL, *clusters = NULL;
	world_init(&plain);
	add_pool(&plain, "p", NULL, 64);
	struct job_list *light = shallow(1000000);
	printf("shallow queue, load 0.5, 1,000,000 jobs: fcfs %.0f, easy %.0f jobs per CPU second\n",
	       jobs_per_s(&plain, light, "fcfs"), jobs_per_s(&plain, light, "easy"));
	rr_jobs_free(light);
	if (g_file_test("../shared/reference/helios/jobs.csv", G_FILE_TEST_EXISTS)) {
		trace = test_table_read("../shared/reference/helios/jobs.csv");
		clusters = test_table_read("../shared/reference/helios/vc_nodes.csv");
		world_init(&deep);
		for (guint i = 0; i < clusters->rows->len; i++) {
			const char *vc = test_cell(clusters, i, "vc");
			add_pool(&deep, vc, vc, (int32_t)test_number(clusters, i, "nodes"));
		}
		static const struct {
			const char *name;
			int copies;
			bool at_once;
		} works[] = {{"Philly week", 1, false}, {"ten in turn", 10, false}, {"ten at once", 10, true}};
		for (size_t i = 0; i < G_N_ELEMENTS(works); i++) {
			struct job_list *jobs = copies_of(trace, works[i].copies, works[i].at_once);
			rows(&deep, works[i].name, jobs);
			rr_jobs_free(jobs);
		}
		rr_scheduler_spec_done(&deep.fleet.scheduler);
		test_table_free(trace);
		test_table_free(clusters);
	} else
		printf("(the Philly jobs are not there: ../shared/reference/helios)\n");
	large_fleet();
	printf("replications of 200,000 jobs\n");
	threads(&plain, 1);
	threads(&plain, 2);
	rr_scheduler_spec_done(&plain.fleet.scheduler);
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	printf("peak memory of all this: %.0f MB\n", (double)usage.ru_maxrss / 1024);
	return 0;
}
