/* All workloads of a scenario: merged, named, shared or drawn anew; and the
 * scenarios that ship. */
#include "scenarios/format/format.h"
#include "scenarios/workload/parts.h"
#include "scenarios/workload/workload.h"
#include "sim/scheduler/scheduler.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

static struct scenario *load_text(const char *yaml)
{
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct scenario *s = rr_scenario_load_bytes(yaml, strlen(yaml), "test.yaml", ".", &options, &faults);
	rr_faults_print(&faults, stdout);
	ck_assert_ptr_nonnull(s);
	rr_faults_done(&faults);
	return s;
}

#define HEAD  "rackrent: 1\nname: test\nhorizon: 30d\nseed: 4\nstart: 2025-01-06\n"
#define FLEET "fleets: {f: {pools: {p: {gpus: 64}}}}\n"
#define DRAWN "{synthetic: {arrivals: {rate: 4/h}, gpus: {1: 1, 2: 1}, duration: 1h}}"

/* Work of S; workload i takes TRACES[i] (NULL = synthetic). */
static struct rr_work *work_of(const struct scenario *s, struct job_list *const *traces)
{
	struct rr_work *work = work_new(s);
	for (int32_t i = 0; i < s->workload_count; i++) {
		work->traces[i] = traces[i];
		if (traces[i] != NULL) work->periods_ns[i] = work_period_ns(&s->workloads[i].trace, traces[i]);
	}
	work_complete(work);
	return work;
}

/* Ten jobs, one a day from 0 on; the first names its class, tenant and priority. */
static struct job_list *small_trace(void)
{
	struct job_list *list = rr_jobs_new();
	for (int i = 0; i < 10; i++) {
		g_autofree char *id = g_strdup_printf("j%d", i);
		struct job job = {.submit_ns = i * RR_NS_PER_DAY,
				  .duration_ns = RR_NS_PER_HOUR,
				  .estimate_ns = -1,
				  .gpus = 3,
				  .gpu_milli = 1000,
				  .id = rr_jobs_text(list, id, false),
				  .klass = i == 0 ? rr_jobs_text(list, "own-class", true) : 0,
				  .tenant = i == 0 ? rr_jobs_text(list, "own-tenant", true) : 0,
				  .pool = rr_jobs_text(list, "vc1", true),
				  .priority = i == 0 ? 5 : 0};
		rr_jobs_append(list, &job);
	}
	rr_jobs_seal(list);
	return list;
}

START_TEST(one_workload_keeps_its_ids_and_several_are_named)
{
	struct scenario *one = load_text(HEAD "workloads: {a: {trace: {file: x.csv}}}\n" FLEET);
	struct scenario *two = load_text(HEAD "workloads: {a: {trace: {file: x.csv}}, b: " DRAWN "}\n" FLEET);
	struct job_list *traces[] = {small_trace()}, *mixed[] = {small_trace(), NULL};
	struct rr_work *alone = work_of(one, traces), *both = work_of(two, mixed);
	bool shared = false;
	const struct job_list *list = rr_work_jobs(alone, 0, &shared);
	ck_assert(shared);
	ck_assert_uint_eq(list->count, 10);
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[4].id), "j4");
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[4].pool), "vc1");
	struct job_list *merged = rr_work_jobs(both, 0, &shared);
	ck_assert(!shared);
	ck_assert_str_eq(rr_jobs_get_text(merged, merged->jobs[0].id), "a/j0");
	ck_assert_str_eq(rr_jobs_get_text(merged, merged->jobs[1].id), "b/1");
	size_t of_a = 0;
	for (size_t i = 0; i < merged->count; i++) {
		if (i > 0) ck_assert_int_ge(merged->jobs[i].submit_ns, merged->jobs[i - 1].submit_ns);
		of_a += merged->jobs[i].workload == 0;
	}
	ck_assert_uint_eq(of_a, 10);
	ck_assert_int_eq(merged->epoch_ns, two->start_epoch_s * RR_NS_PER_S);
	rr_jobs_free(merged);
	rr_work_free(alone);
	rr_work_free(both);
	rr_scenario_free(one);
	rr_scenario_free(two);
}
END_TEST

START_TEST(defaults_go_to_jobs_that_have_none)
{
	struct scenario *s =
	    load_text(HEAD "workloads: {a: {class: dev, tenant: vision, priority: 7, trace: {file: x.csv}}}\n" FLEET);
	struct job_list *traces[] = {small_trace()};
	struct rr_work *work = work_of(s, traces);
	bool shared = false;
	const struct job_list *list = rr_work_jobs(work, 0, &shared);
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[0].klass), "own-class");
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[0].tenant), "own-tenant");
	ck_assert_int_eq(list->jobs[0].priority, 12);
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[1].klass), "dev");
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[1].tenant), "vision");
	ck_assert_int_eq(list->jobs[1].priority, 7);
	rr_work_free(work);
	rr_scenario_free(s);
}
END_TEST

START_TEST(repeated_trace_fills_the_horizon_the_same_in_every_replication)
{
	struct scenario *s =
	    load_text(HEAD "workloads: {a: {trace: {file: x.csv, repeat: true}}, b: " DRAWN "}\n" FLEET);
	struct job_list *traces[] = {small_trace(), NULL};
	struct rr_work *work = work_of(s, traces);
	for (int r = 0; r < 2; r++) {
		bool shared = false;
		struct job_list *list = rr_work_jobs(work, r, &shared);
		int64_t day = 0;
		for (size_t i = 0; i < list->count; i++)
			if (list->jobs[i].workload == 0)
				ck_assert_int_eq(list->jobs[i].submit_ns, RR_NS_PER_DAY * day++);
		ck_assert_int_eq(day, 30);
		rr_jobs_free(list);
	}
	rr_work_free(work);
	rr_scenario_free(s);
}
END_TEST

START_TEST(jobs_from_the_horizon_on_never_arrive)
{
	struct scenario *s =
	    load_text("rackrent: 1\nname: t\nhorizon: 3d\nworkloads: {a: {trace: {file: x.csv}}}\n" FLEET);
	struct job_list *traces[] = {small_trace()};
	struct rr_work *work = work_of(s, traces);
	bool shared = false;
	ck_assert_uint_eq(rr_work_jobs(work, 0, &shared)->count, 3);
	rr_work_free(work);
	rr_scenario_free(s);
}
END_TEST

START_TEST(office_hours_of_the_format_are_five_to_one)
{
	struct scenario *s = load_text(HEAD "workloads: {a: {synthetic: {arrivals: {rate: 4/h, profile: office-hours}, "
					    "gpus: {1: 1}, duration: 1h}}}\n" FLEET);
	const struct rr_arrivals *a = &s->workloads[0].synthetic.arrivals;
	/* 45 h x 5 + 123 h x 1 = 348 over 168 h. */
	ck_assert_double_eq_tol(a->weights[8], 168 / 348.0, 1e-12);
	ck_assert_double_eq_tol(a->weights[9], 5 * 168 / 348.0, 1e-12);
	ck_assert_double_eq_tol(a->weights[17], 5 * 168 / 348.0, 1e-12);
	ck_assert_double_eq_tol(a->weights[18], 168 / 348.0, 1e-12);
	ck_assert_double_eq_tol(a->weights[4 * 24 + 12], 5 * 168 / 348.0, 1e-12);
	ck_assert_double_eq_tol(a->weights[5 * 24 + 12], 168 / 348.0, 1e-12);
	ck_assert_double_eq(a->start_hour, 0); /* 2025-01-06 is a Monday */
	rr_scenario_free(s);
}
END_TEST

/* BLOCK as the one workload of a scenario. */
static struct scenario *load_block(const char *block)
{
	g_auto(GStrv) lines = g_strsplit(block, "\n", -1);
	g_autofree char *inner = g_strjoinv("\n    ", lines);
	g_autofree char *yaml = g_strdup_printf(HEAD "workloads:\n  w:\n    %s\n" FLEET, inner);
	return load_text(yaml);
}

START_TEST(fitted_block_loads_and_draws_what_it_was_fitted_to)
{
	struct scenario *s = load_text(
	    HEAD "workloads: {a: {synthetic: {arrivals: {rate: 60/h, profile: office-hours}, gpus: {1: {share: "
		 "3, duration: {lognormal: {median: 20min, sigma: 1.5}}}, 8: {share: 1, duration: {empirical: "
		 "{values: [10s, 3h, 90h]}}}}, duration: 1h}}}\n" FLEET);
	struct job_list *none[] = {NULL};
	struct rr_work *work = work_of(s, none);
	bool shared = false;
	struct job_list *list = rr_work_jobs(work, 0, &shared);
	g_autofree char *block = rr_work_fit_yaml(list, s->start_epoch_s, RR_FIT_VALUES);
	struct scenario *again = load_block(block);
	const struct synthetic_spec *spec = &again->workloads[0].synthetic;
	double n = (double)list->count;
	ck_assert_int_eq(spec->size_count, 2);
	ck_assert_double_eq_tol(spec->arrivals.rate_per_s, 1 / 60.0, 3.29 / 60 / sqrt(n));
	ck_assert_double_eq_tol(spec->sizes[0].share, 0.75, 3.29 * sqrt(0.75 * 0.25 / n));
	ck_assert_int_eq(spec->sizes[0].duration.kind, RR_DIST_LOGNORMAL);
	ck_assert_double_eq_tol(log(spec->sizes[0].duration.a / 1200), 0, 3.29 * 1.5 / sqrt(0.75 * n));
	ck_assert_int_eq(spec->sizes[1].duration.kind, RR_DIST_EMPIRICAL);
	ck_assert_double_eq(rr_distribution_quantile(&spec->sizes[1].duration, 0.5), 3 * 3600);
	sim_time longest_ns = 0;
	for (size_t i = 0; i < list->count; i++) longest_ns = MAX(longest_ns, list->jobs[i].duration_ns);
	double longest_s = (double)longest_ns / (double)RR_NS_PER_S;
	ck_assert_double_eq_tol(spec->duration_max_s, longest_s, 1e-3 * longest_s);
	rr_jobs_free(list);
	rr_work_free(work);
	rr_scenario_free(s);
	rr_scenario_free(again);
}
END_TEST

/* The flattened Philly list: stamp, run time, GPUs, ... */
static struct job_list *read_philly(const char *path)
{
	g_autofree char *text = NULL;
	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct job_list *list = rr_jobs_new();
	for (char **line = lines + 1; *line != NULL; line++) {
		g_auto(GStrv) field = g_strsplit(*line, ",", -1);
		struct job job = {.estimate_ns = -1, .gpu_milli = 1000};
		if (g_strv_length(field) < 3) continue;
		ck_assert(rr_stamp_parse(field[0], &job.submit_ns));
		ck_assert(rr_seconds_parse(field[1], &job.duration_ns));
		job.gpus = (int32_t)g_ascii_strtoll(field[2], NULL, 10);
		rr_jobs_append(list, &job);
	}
	rr_jobs_seal(list);
	return list;
}

START_TEST(fit_of_philly_gives_its_medians_and_its_work_by_size)
{
	g_autofree char *path = rr_test_shared("traces/philly-adaptdl/philly.csv");
	if (path == NULL) RR_SKIP("the shared data folder is not there");
	struct job_list *list = read_philly(path);
	ck_assert_uint_eq(list->count, 82247);
	g_autofree char *block = rr_work_fit_yaml(list, 0, RR_FIT_VALUES);
	struct scenario *s = load_block(block);
	const struct synthetic_spec *spec = &s->workloads[0].synthetic;
	/* Medians and means of the list, by its size; the block's rounding is 1e-4, a
	 * hundredth of the jobs may share the median's value. */
	static const struct {
		int32_t gpus;
		double median_s, mean_s;
	} known[] = {{1, 1117, 8301.04}, {4, 17409.5, 78762.0}, {8, 23683, 129774.9}, {16, 52548, 126997.2}};
	for (size_t k = 0; k < G_N_ELEMENTS(known); k++) {
		const struct size_share *size = NULL;
		for (int32_t i = 0; i < spec->size_count; i++)
			if (spec->sizes[i].gpus == known[k].gpus) size = &spec->sizes[i];
		ck_assert(size != NULL && size->has_duration);
		double low = rr_distribution_quantile(&size->duration, 0.49);
		double high = rr_distribution_quantile(&size->duration, 0.52);
		ck_assert_double_le(low, known[k].median_s);
		ck_assert_double_ge(high, known[k].median_s);
		/* A size whose jobs are not a multiple of 100 gives some values a job less. */
		ck_assert_double_eq_tol(rr_distribution_mean(&size->duration), known[k].mean_s, 0.01 * known[k].mean_s);
	}
	rr_scenario_free(s);
	rr_jobs_free(list);
}
END_TEST

START_TEST(first_look_offers_the_load_that_it_says)
{
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	struct rr_faults faults;
	rr_faults_init(&faults);
	size_t size = 0;
	const char *name = NULL, *bytes = rr_scenario_builtin(&size, &name);
	struct scenario *s = rr_scenario_load_bytes(bytes, size, name, ".", &options, &faults);
	rr_faults_print(&faults, stdout);
	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(s->workload_count, 1);
	struct job_list *none[] = {NULL};
	struct rr_work *work = work_of(s, none);
	double work_s = 0;
	for (int r = 0; r < 20; r++) {
		bool shared = true;
		struct job_list *list = rr_work_jobs(work, r, &shared);
		ck_assert_uint_gt(list->count, 28000);
		ck_assert_uint_lt(list->count, 32000);
		for (size_t i = 0; i < list->count; i++)
			work_s += (double)list->jobs[i].gpus * (double)list->jobs[i].duration_ns / (double)RR_NS_PER_S;
		rr_jobs_free(list);
	}
	double years = 20, busy = work_s / years / 64 / (365 * 86400);
	ck_assert_double_eq_tol(busy, 0.60, 0.03);
	rr_work_free(work);
	rr_scenario_free(s);
	rr_faults_done(&faults);
}
END_TEST

RR_TEST_MAIN("workload", one_workload_keeps_its_ids_and_several_are_named, defaults_go_to_jobs_that_have_none,
	     repeated_trace_fills_the_horizon_the_same_in_every_replication, jobs_from_the_horizon_on_never_arrive,
	     office_hours_of_the_format_are_five_to_one, fitted_block_loads_and_draws_what_it_was_fitted_to,
	     fit_of_philly_gives_its_medians_and_its_work_by_size, first_look_offers_the_load_that_it_says)
