/* Jobs simulated per CPU second: the 10,650 Philly jobs of the Helios reference
 * on their virtual clusters, those repeated 100 times, and a shallow queue; then
 * replications on one and two threads. Without the shared data: drawn jobs. */
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

/* COPIES of the reference's jobs one behind the other. */
static struct job_list *copies_of(const struct test_table *table, int copies)
{
	struct job_list *jobs = rr_jobs_new();
	sim_time span = 0;
	for (guint i = 0; i < table->rows->len; i++)
		span = MAX(span, (sim_time)test_number(table, i, "submit_time") * RR_NS_PER_S);
	for (int copy = 0; copy < copies; copy++)
		for (guint i = 0; i < table->rows->len; i++) {
			struct job job = {.submit_ns = (sim_time)test_number(table, i, "submit_time") * RR_NS_PER_S +
						       copy * (span + RR_NS_PER_S),
					  .duration_ns = (sim_time)test_number(table, i, "duration") * RR_NS_PER_S,
					  .estimate_ns = -1,
					  .gpus = (int32_t)test_number(table, i, "gpu_num"),
					  .gpu_milli = 1000,
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

static void row(struct world *w, const char *name, const struct job_list *jobs, const char *scheduler)
{
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(&w->fleet.scheduler);
	if (!rr_scheduler_parse(scheduler, &w->fleet.scheduler, &error)) g_error("%s", error->message);
	int turns = jobs->count < 100000 ? 10 : 1;
	double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
	int64_t events = 0;
	for (int turn = 0; turn < turns; turn++) {
		struct usage *usage = rr_sim_run(&w->scenario, 0, jobs, 0, &error);
		events += usage->events;
		rr_usage_free(usage);
	}
	double spent = (seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) / turns;
	printf("  %-26s %-6s %10zu %12.0f %12.0f\n", name, scheduler, jobs->count, (double)jobs->count / spent,
	       (double)events / turns / spent);
	fflush(stdout);
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

int main(void)
{
	static const char *const schedulers[] = {"fcfs", "sjf", "fit", "easy"};
	struct world deep, plain;
	struct test_table *trace = NULL, *clusters = NULL;
	printf("jobs simulated\n  %-26s %-6s %10s %12s %12s\n", "work", "policy", "jobs", "jobs/CPU s", "events/CPU s");
	world_init(&plain);
	add_pool(&plain, "p", NULL, 64);
	struct job_list *light = shallow(1000000);
	for (size_t s = 0; s < G_N_ELEMENTS(schedulers); s++) row(&plain, "shallow, load 0.5", light, schedulers[s]);
	rr_jobs_free(light);
	if (g_file_test("../shared/reference/helios/jobs.csv", G_FILE_TEST_EXISTS)) {
		trace = test_table_read("../shared/reference/helios/jobs.csv");
		clusters = test_table_read("../shared/reference/helios/vc_nodes.csv");
		world_init(&deep);
		for (guint i = 0; i < clusters->rows->len; i++) {
			const char *vc = test_cell(clusters, i, "vc");
			add_pool(&deep, vc, vc, (int32_t)test_number(clusters, i, "nodes"));
		}
		for (int copies = 1; copies <= 100; copies *= 100) {
			struct job_list *jobs = copies_of(trace, copies);
			for (size_t s = 0; s < G_N_ELEMENTS(schedulers); s++)
				row(&deep, copies == 1 ? "Philly week, deep queues" : "the same 100 times", jobs,
				    schedulers[s]);
			rr_jobs_free(jobs);
		}
		rr_scheduler_spec_done(&deep.fleet.scheduler);
		test_table_free(trace);
		test_table_free(clusters);
	} else
		printf("  (the Philly jobs are not there: ../shared/reference/helios)\n");
	printf("replications of 200,000 jobs\n");
	threads(&plain, 1);
	threads(&plain, 2);
	rr_scheduler_spec_done(&plain.fleet.scheduler);
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	printf("peak memory of all this: %.0f MB\n", (double)usage.ru_maxrss / 1024);
	return 0;
}
