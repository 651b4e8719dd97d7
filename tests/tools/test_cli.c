/* The program as its users meet it: commands, exit statuses, files. */
#include "tests/support/test.h"

#include <string.h>

static const char *binary(void)
{
	const char *given = g_getenv("RR_BINARY");
	return given != NULL ? given : "build/rackrent";
}

/* Runs "rackrent ARGUMENTS"; the printed text goes to *OUTPUT when not NULL. */
static int run(char **output, const char *format, ...) G_GNUC_PRINTF(2, 3);
static int run(char **output, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *rest = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *command = g_strdup_printf("%s %s", binary(), rest);
	return rr_test_shell(command, output);
}

static void expect(int status, const char *part, const char *arguments)
{
	g_autofree char *output = NULL;
	int got = run(&output, "%s", arguments);
	ck_assert_msg(got == status, "rackrent %s: exit %d, expected %d:\n%s", arguments, got, status, output);
	ck_assert_msg(strstr(output, part) != NULL, "rackrent %s: expected '%s' in:\n%s", arguments, part, output);
}

START_TEST(wrong_usage_exits_2_and_names_the_nearest_word)
{
	expect(2, "usage: rackrent COMMAND", "");
	expect(2, "unknown command 'rpelay', did you mean 'replay'?", "rpelay x.csv");
	expect(2, "did you mean --scheduler?", "replay x.csv --pool 4x8 --schedular fcfs");
	expect(2, "did you mean 'easy'?", "replay x.csv --pool 4x8 --scheduler esay");
	expect(2, "say the fleet", "replay x.csv");
	expect(2, "--pool '64*8': expected NODESxGPUS", "replay x.csv --pool '64*8'");
	expect(2, "is given twice", "replay x.csv --pool 4x8 --scheduler fcfs --scheduler fcfs");
	expect(2, "did you mean 'summary'?", "run --only sumary");
	expect(2, "no-such-file.yaml", "run no-such-file.yaml");
	expect(2, "no-such-trace.csv", "replay no-such-trace.csv --pool 4x8");
	expect(2, "horizon", "run --set horizon=soon");
	expect(2, "did you mean 'horizon'?", "run --set horizn=1y");
}
END_TEST

START_TEST(help_and_version_exit_0)
{
	expect(0, "usage: rackrent COMMAND", "--help");
	expect(0, "revision", "--version");
	expect(0, "--write-scenario", "replay --help");
	expect(0, "\"$schema\"", "schema");
	expect(0, "nearest rank", "explain jobs.wait.p95");
}
END_TEST

static char *small_trace(const char *folder)
{
	char *path = g_build_filename(folder, "small.csv", NULL);
	const char *text = "id,submit_s,gpus,duration_s\na,0,4,100\nb,10,4,50\nc,20,2,10\nd,30,9,5\n";
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static char *contents(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	char *text = NULL;
	ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "%s is not there", path);
	return text;
}

START_TEST(replay_of_a_hand_worked_trace_gives_its_times)
{
	char *folder = rr_test_folder();
	g_autofree char *trace = small_trace(folder);
	ck_assert_int_eq(run(NULL, "replay %s --pool flat:4 --scheduler fcfs --scheduler fit --out %s/o --only jobs -q",
			     trace, folder),
			 0);
	g_autofree char *jobs = contents(folder, "o/jobs.csv");
	/* Four GPUs: a until 100, b until 150, c after b; d is wider than the pool. */
	const char *expected =
	    "fleet,replication,id,name,tenant,class,submit_s,start_s,end_s,gpus,pool,nodes,state,wait_s,"
	    "run_s,preemptions,restarts,migrations,lost_gpu_s\n"
	    "fcfs,0,a,,,,0,0,100,4,pool,,completed,0,100,0,0,0,0\n"
	    "fcfs,0,b,,,,10,100,150,4,pool,,completed,90,50,0,0,0,0\n"
	    "fcfs,0,c,,,,20,150,160,2,pool,,completed,130,10,0,0,0,0\n"
	    "fcfs,0,d,,,,30,,,9,,,unschedulable,0,0,0,0,0,0\n"
	    "fit,0,a,,,,0,0,100,4,pool,,completed,0,100,0,0,0,0\n"
	    "fit,0,b,,,,10,100,150,4,pool,,completed,90,50,0,0,0,0\n"
	    "fit,0,c,,,,20,150,160,2,pool,,completed,130,10,0,0,0,0\n"
	    "fit,0,d,,,,30,,,9,,,unschedulable,0,0,0,0,0,0\n";
	ck_assert_str_eq(jobs, expected);
	rr_test_remove(folder);
}
END_TEST

START_TEST(written_scenario_gives_the_same_jobs_as_the_replay)
{
	char *folder = rr_test_folder();
	g_autofree char *trace = small_trace(folder);
	g_autofree char *yaml = g_build_filename(folder, "small.yaml", NULL);
	ck_assert_int_eq(run(NULL, "replay %s --pool 2x4 --scheduler easy --write-scenario > %s", trace, yaml), 0);
	ck_assert_int_eq(run(NULL, "replay %s --pool 2x4 --scheduler easy --only jobs -q --out %s/a", trace, folder),
			 0);
	ck_assert_int_eq(run(NULL, "run %s --only jobs -q --out %s/b", yaml, folder), 0);
	g_autofree char *a = contents(folder, "a/jobs.csv"), *b = contents(folder, "b/jobs.csv");
	ck_assert_str_eq(a, b);
	rr_test_remove(folder);
}
END_TEST

START_TEST(same_seed_gives_the_same_bytes_on_one_and_two_threads)
{
	char *folder = rr_test_folder();
	const char *line = "run --set horizon=30d --replications 3 --seed 7 --only summary,jobs,database -q --threads";
	ck_assert_int_eq(run(NULL, "%s 1 --out %s/a", line, folder), 0);
	ck_assert_int_eq(run(NULL, "%s 2 --out %s/b", line, folder), 0);
	g_autofree char *compare = g_strdup_printf(
	    "cd %s && cmp a/jobs.csv b/jobs.csv && cmp a/result.db b/result.db && cmp a/summary.json b/summary.json",
	    folder);
	g_autofree char *output = NULL;
	ck_assert_msg(rr_test_shell(compare, &output) == 0, "%s", output);
	g_autofree char *jobs = contents(folder, "a/jobs.csv");
	ck_assert_int_gt((int)strlen(jobs), 10000);
	rr_test_remove(folder);
}
END_TEST

START_TEST(unwritable_folder_exits_1)
{
	expect(1, "/dev/null", "run --set horizon=1d --only summary -q --out /dev/null/x");
}
END_TEST

START_TEST(strict_turns_skipped_rows_into_faults)
{
	char *folder = rr_test_folder();
	g_autofree char *trace = g_build_filename(folder, "t.csv", NULL);
	ck_assert(g_file_set_contents(trace, "id,submit_s,gpus,duration_s\na,0,1,10\nb,5,1,-3\n", -1, NULL));
	ck_assert_int_eq(run(NULL, "replay %s --pool flat:4 --only jobs -q --out %s/o", trace, folder), 0);
	g_autofree char *output = NULL;
	ck_assert_int_eq(run(&output, "replay %s --pool flat:4 --only jobs -q --out %s/p --strict", trace, folder), 2);
	ck_assert_ptr_nonnull(strstr(output, "t.csv:3: "));
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("cli", wrong_usage_exits_2_and_names_the_nearest_word, help_and_version_exit_0,
	     replay_of_a_hand_worked_trace_gives_its_times, written_scenario_gives_the_same_jobs_as_the_replay,
	     same_seed_gives_the_same_bytes_on_one_and_two_threads, unwritable_folder_exits_1,
	     strict_turns_skipped_rows_into_faults)
