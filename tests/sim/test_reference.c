/* The references, job by job, through the program's own doors. */
#include "tests/support/broken.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

#include <string.h>

/* Columns of a reference: its id, and which of ours equals which of theirs. */
struct columns {
	const char *id;
	const char *pairs[4][2];
};

/* Replays TRACE with FLEET options and compares every job with REFERENCE. */
static void same_jobs(const char *trace, const char *fleet, const char *scheduler, const char *reference,
		      const struct columns *columns)
{
	char *folder = rr_test_folder();
	g_autofree char *command = g_strdup_printf("%s replay %s %s --scheduler %s --only jobs --quiet --out %s",
						   rr_test_binary(), trace, fleet, scheduler, folder);
	g_autofree char *output = NULL;
	ck_assert_msg(rr_test_shell(command, &output) == 0, "%s", output);
	g_autofree char *path = g_build_filename(folder, "jobs.csv", NULL);
	struct test_table *ours = test_table_read(path), *theirs = test_table_read(reference);
	g_autoptr(GHashTable) rows = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < theirs->rows->len; i++)
		g_hash_table_insert(rows, (gpointer)(intptr_t)test_cell(theirs, i, columns->id),
				    GUINT_TO_POINTER(i + 1));
	ck_assert_uint_eq(ours->rows->len, theirs->rows->len);
	for (guint i = 0; i < ours->rows->len; i++) {
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(rows, test_cell(ours, i, "id")));
		ck_assert_uint_ne(row, 0);
		for (int c = 0; c < 4 && columns->pairs[c][0] != NULL; c++) {
			const char *our = test_cell(ours, i, columns->pairs[c][0]);
			const char *their = test_cell(theirs, row - 1, columns->pairs[c][1]);
			ck_assert_msg(strcmp(our, their) == 0, "%s: job %s: %s is %s, expected %s", scheduler,
				      test_cell(ours, i, "id"), columns->pairs[c][0], our, their);
		}
	}
	test_table_free(ours);
	test_table_free(theirs);
	rr_test_remove(folder);
}

/* POLICIES: ours and the reference's file, of FOLDER under reference/. */
static bool same_as(const char *folder, const char *trace, const char *fleet, const char *const (*policies)[2],
		    size_t count, const struct columns *columns)
{
	g_autofree char *relative = g_strdup_printf("reference/%s/%s", folder, trace);
	g_autofree char *path = rr_test_shared(relative);
	if (path == NULL) return false;
	for (size_t i = 0; i < count; i++) {
		g_autofree char *file = g_strdup_printf("reference/%s/%s", folder, policies[i][1]);
		g_autofree char *reference = rr_test_shared(file);
		same_jobs(path, fleet, policies[i][0], reference, columns);
	}
	return true;
}

START_TEST(helios_policies_equal_the_artifact_for_all_10650_jobs)
{
	static const struct columns columns = {
	    "job",
	    {{"start_s", "start_time"}, {"end_s", "end_time"}, {"wait_s", "queue"}, {"preemptions", "ckpt_times"}}};
	static const char *const policies[][2] = {
	    {"fcfs", "fifo.csv"}, {"sjf", "sjf.csv"}, {"helios-srtf", "srtf.csv"}, {"helios-qssf", "qssf.csv"}};
	g_autofree char *nodes = rr_test_shared("reference/helios/vc_nodes.csv");
	g_autofree char *fleet = g_strdup_printf("--pools %s", nodes);
	if (!same_as("helios", "jobs.csv", fleet, policies, G_N_ELEMENTS(policies), &columns))
		RR_SKIP("the shared references are not there");
}
END_TEST

START_TEST(backfills_equal_pyss_for_all_468_jobs)
{
	static const struct columns columns = {"id", {{"start_s", "start"}, {"end_s", "finish"}}};
	static const char *const policies[][2] = {{"fcfs", "philly468_n400_fcfs.csv"},
						  {"easy", "philly468_n400_easy.csv"},
						  {"easy,reservations=1", "philly468_n400_easy.csv"},
						  {"conservative", "philly468_n400_cons.csv"}};
	if (!same_as("pyss", "philly468.csv", "--pool flat:400", policies, G_N_ELEMENTS(policies), &columns))
		RR_SKIP("the shared references are not there");
}
END_TEST

START_TEST(tiresias_policies_equal_the_artifact_for_all_60_and_468_jobs)
{
	static const struct columns columns = {
	    "job_id", {{"start_s", "start_time"}, {"end_s", "end_time"}, {"preemptions", "preempt"}}};
	static const char *const small[][2] = {{"fcfs", "jobs60_n4g4_fifo.csv"},
					       {"fit", "jobs60_n4g4_fjf.csv"},
					       {"smallest", "jobs60_n4g4_sjf.csv"},
					       {"srtf", "jobs60_n4g4_shortest.csv"},
					       {"tiresias,wake=late", "jobs60_n4g4_dlas-gpu.csv"}};
	static const char *const large[][2] = {{"fcfs", "philly468_n50g8_fifo.csv"},
					       {"fit", "philly468_n50g8_fjf.csv"},
					       {"smallest", "philly468_n50g8_sjf.csv"},
					       {"srtf", "philly468_n50g8_shortest.csv"},
					       {"tiresias,wake=late", "philly468_n50g8_dlas-gpu.csv"}};
	if (!same_as("tiresias", "jobs60.csv", "--pool flat:16", small, G_N_ELEMENTS(small), &columns) ||
	    !same_as("tiresias", "philly468.csv", "--pool flat:400", large, G_N_ELEMENTS(large), &columns))
		RR_SKIP("the shared references are not there");
}
END_TEST

RR_TEST_MAIN("references", helios_policies_equal_the_artifact_for_all_10650_jobs, backfills_equal_pyss_for_all_468_jobs,
	     tiresias_policies_equal_the_artifact_for_all_60_and_468_jobs)
