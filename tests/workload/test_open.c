/* Traces read for a scenario: notes of what was left out, and faults. */
#include "scenarios/format/format.h"
#include "scenarios/workload/workload.h"
#include "sim/scheduler/scheduler.h"
#include "tests/support/test.h"

#include <string.h>

struct opened {
	struct scenario *scenario;
	struct rr_work *work;
	GPtrArray *notes;
	struct rr_faults faults;
	char *folder;
};

/* KEYS follow the file's name in the trace of the one workload, MORE its trace. */
static struct opened open_with(const char *csv, const char *horizon, const char *keys, const char *more)
{
	struct opened o = {.notes = g_ptr_array_new_with_free_func(g_free), .folder = rr_test_folder()};
	rr_faults_init(&o.faults);
	g_autofree char *file = g_build_filename(o.folder, "jobs.csv", NULL);
	ck_assert(g_file_set_contents(file, csv, -1, NULL));
	g_autofree char *yaml =
	    g_strdup_printf("rackrent: 1\nname: t\n%sworkloads: {a: {trace: {file: jobs.csv%s}%s}}\n"
			    "fleets: {f: {pools: {p: {gpus: 64}}}}\n",
			    horizon, keys, more);
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	o.scenario = rr_scenario_load_bytes(yaml, strlen(yaml), "t.yaml", o.folder, &options, &o.faults);
	rr_faults_print(&o.faults, stdout);
	ck_assert_ptr_nonnull(o.scenario);
	o.work = rr_work_open(o.scenario, o.notes, &o.faults);
	return o;
}

static struct opened open_trace(const char *csv, const char *horizon, const char *keys)
{
	return open_with(csv, horizon, keys, "");
}

static void done(struct opened *o)
{
	rr_work_free(o->work);
	rr_scenario_free(o->scenario);
	g_ptr_array_unref(o->notes);
	rr_faults_done(&o->faults);
	rr_test_remove(o->folder);
}

static bool any_has(const GPtrArray *texts, const char *part)
{
	for (guint i = 0; i < texts->len; i++)
		if (strstr(g_ptr_array_index(texts, i), part) != NULL) return true;
	return false;
}

#define CSV "id,submit_s,gpus,duration_s\n"

START_TEST(rows_left_out_are_told_with_their_reason_and_line)
{
	struct opened o = open_trace(CSV "a,0,1,60\nb,10,0,60\nc,20,2,0\nd,30,2,60\n", "", "");
	ck_assert_ptr_nonnull(o.work);
	bool shared = false;
	ck_assert_uint_eq(rr_work_jobs(o.work, 0, &shared)->count, 2);
	ck_assert(shared);
	ck_assert(any_has(o.notes, "workload 'a': 1 row of "));
	ck_assert(any_has(o.notes, "(first at line 3)"));
	ck_assert(any_has(o.notes, "(first at line 4)"));
	done(&o);
}
END_TEST

START_TEST(jobs_after_the_horizon_are_told)
{
	struct opened o = open_trace(CSV "a,0,1,60\nb,7200,1,60\nc,8000,2,60\n", "horizon: 1h\n", "");
	ck_assert_ptr_nonnull(o.work);
	bool shared = false;
	ck_assert_uint_eq(rr_work_jobs(o.work, 0, &shared)->count, 1);
	ck_assert(any_has(o.notes, "2 jobs left out: submitted after the horizon"));
	done(&o);
}
END_TEST

START_TEST(repetition_of_a_file_fills_the_horizon)
{
	struct opened o = open_trace(CSV "a,0,1,60\nb,1800,1,60\n", "horizon: 5h\n", ", repeat: true");
	ck_assert_ptr_nonnull(o.work);
	bool shared = false;
	const struct job_list *list = rr_work_jobs(o.work, 0, &shared);
	ck_assert_uint_eq(list->count, 10);
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[9].id), "b#5");
	ck_assert(any_has(o.notes, "repeated every 1 h"));
	done(&o);
}
END_TEST

START_TEST(what_is_skipped_leaves_no_gap_at_the_start)
{
	struct opened o = open_trace(CSV "a,0,1,60\nb,7200,1,60\nc,9000,2,60\nd,10800,2,60\n", "horizon: 1d\n",
				     ", skip: 1h, window: 2h, time_scale: 0.5");
	ck_assert_ptr_nonnull(o.work);
	bool shared = false;
	const struct job_list *list = rr_work_jobs(o.work, 0, &shared);
	ck_assert_uint_eq(list->count, 2);
	ck_assert_int_eq(list->jobs[0].submit_ns, 1800 * RR_NS_PER_S);
	ck_assert_int_eq(list->jobs[1].submit_ns, 2700 * RR_NS_PER_S);
	ck_assert(any_has(o.notes, "its times count from 1 h 00 min on"));
	done(&o);
}
END_TEST

START_TEST(one_instant_cannot_be_repeated_without_a_window)
{
	struct opened o = open_trace(CSV "a,0,1,60\nb,0,1,60\n", "horizon: 5h\n", ", repeat: true");
	ck_assert_ptr_null(o.work);
	ck_assert(any_has(o.faults.texts, "cannot be repeated"));
	done(&o);
	o = open_trace(CSV "a,0,1,60\nb,0,1,60\n", "horizon: 5h\n", ", repeat: true, window: 1h");
	ck_assert_ptr_nonnull(o.work);
	bool shared = false;
	ck_assert_uint_eq(rr_work_jobs(o.work, 0, &shared)->count, 10);
	done(&o);
}
END_TEST

START_TEST(growth_beyond_all_memory_is_a_fault)
{
	struct opened o = open_trace(CSV "a,0,1,60\nb,1,1,60\n", "horizon: 100y\n", ", repeat: true, growth: 100%/y");
	ck_assert_ptr_null(o.work);
	ck_assert(
	    any_has(o.faults.texts, "has more than 100000000 jobs; expected a shorter 'horizon' or less 'growth'"));
	done(&o);
}
END_TEST

START_TEST(a_lone_trace_to_its_end_takes_what_its_workload_says)
{
	struct opened o = open_with(CSV "a,5,2,60\n", "", "", ", needs: {cpus: 3}");
	bool shared = false;
	const struct job_list *list = rr_work_jobs(o.work, 0, &shared);
	ck_assert_int_eq(list->needs[list->jobs[0].needs - 1].cpu_milli, 3000);
	done(&o);
	o = open_with(CSV "a,5,2,60\n", "", "", ", deadline: 1min");
	ck_assert_int_eq(rr_work_jobs(o.work, 0, &shared)->jobs[0].deadline_ns, 65 * RR_NS_PER_S);
	done(&o);
	o = open_with(CSV "a,5,2,60\n", "", "", ", speed: {t4: 2}");
	list = rr_work_jobs(o.work, 0, &shared);
	ck_assert_double_eq(g_array_index(list->speeds, struct job_speeds, list->jobs[0].speeds - 1).factor[0], 2);
	done(&o);
	o = open_with(CSV "a,5,2,60\n", "", "", ", elastic: {max: 4}");
	list = rr_work_jobs(o.work, 0, &shared);
	ck_assert_int_eq(g_array_index(list->elastics, struct job_elastic, list->jobs[0].elastic - 1).most, 4);
	done(&o);
}
END_TEST

START_TEST(deadlines_of_a_trace_move_with_their_jobs)
{
	const char *csv = "id,submit_s,gpus,duration_s,deadline_s\na,0,1,60,70\nb,1800,1,60,1900\n";
	struct opened o = open_trace(csv, "horizon: 2h\n", ", repeat: true");
	bool shared = false;
	const struct job_list *list = rr_work_jobs(o.work, 0, &shared);
	ck_assert_uint_eq(list->count, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(list->jobs[i].deadline_ns - list->jobs[i].submit_ns, (i % 2 ? 100 : 70) * RR_NS_PER_S);
	done(&o);
	o = open_with(csv, "", ", skip: 30min", ", deadline: 5min");
	list = rr_work_jobs(o.work, 0, &shared);
	ck_assert_uint_eq(list->count, 1);
	ck_assert_int_eq(list->jobs[0].deadline_ns, 100 * RR_NS_PER_S);
	done(&o);
}
END_TEST

START_TEST(missing_file_is_a_fault)
{
	struct opened o = open_trace(CSV "a,0,1,60\n", "", "");
	rr_work_free(o.work);
	g_free(o.scenario->workloads[0].trace.file);
	o.scenario->workloads[0].trace.file = g_build_filename(o.folder, "nowhere.csv", NULL);
	o.work = rr_work_open(o.scenario, o.notes, &o.faults);
	ck_assert_ptr_null(o.work);
	ck_assert(any_has(o.faults.texts, "nowhere.csv"));
	done(&o);
}
END_TEST

RR_TEST_MAIN("open", rows_left_out_are_told_with_their_reason_and_line, jobs_after_the_horizon_are_told,
	     repetition_of_a_file_fills_the_horizon, what_is_skipped_leaves_no_gap_at_the_start,
	     one_instant_cannot_be_repeated_without_a_window, growth_beyond_all_memory_is_a_fault,
	     a_lone_trace_to_its_end_takes_what_its_workload_says, deadlines_of_a_trace_move_with_their_jobs,
	     missing_file_is_a_fault)
