/* The references, job by job, through the program's own doors. */
#include "tests/support/broken.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

#include <string.h>

/* Replays TRACE with FLEET options and compares start and end of every job with
 * REFERENCE (columns ID, START, END). */
static void same_jobs(const char *trace, const char *fleet, const char *scheduler, const char *reference,
		      const char *const *columns)
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
		g_hash_table_insert(rows, (gpointer)(intptr_t)test_cell(theirs, i, columns[0]),
				    GUINT_TO_POINTER(i + 1));
	ck_assert_uint_eq(ours->rows->len, theirs->rows->len);
	for (guint i = 0; i < ours->rows->len; i++) {
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(rows, test_cell(ours, i, "id")));
		ck_assert_uint_ne(row, 0);
		ck_assert_str_eq(test_cell(ours, i, "start_s"), test_cell(theirs, row - 1, columns[1]));
		ck_assert_str_eq(test_cell(ours, i, "end_s"), test_cell(theirs, row - 1, columns[2]));
	}
	test_table_free(ours);
	test_table_free(theirs);
	rr_test_remove(folder);
}

START_TEST(fcfs_and_sjf_equal_the_helios_artifact_for_all_10650_jobs)
{
	static const char *const columns[] = {"job", "start_time", "end_time"};
	g_autofree char *trace = rr_test_shared("reference/helios/jobs.csv");
	if (trace == NULL) RR_SKIP("the shared references are not there");
	g_autofree char *nodes = rr_test_shared("reference/helios/vc_nodes.csv");
	g_autofree char *fifo = rr_test_shared("reference/helios/fifo.csv"),
			*sjf = rr_test_shared("reference/helios/sjf.csv");
	g_autofree char *fleet = g_strdup_printf("--pools %s", nodes);
	same_jobs(trace, fleet, "fcfs", fifo, columns);
	same_jobs(trace, fleet, "sjf", sjf, columns);
}
END_TEST

START_TEST(fcfs_and_easy_equal_pyss_for_all_468_jobs)
{
	static const char *const columns[] = {"id", "start", "finish"};
	g_autofree char *trace = rr_test_shared("reference/pyss/philly468.csv");
	if (trace == NULL) RR_SKIP("the shared references are not there");
	g_autofree char *fcfs = rr_test_shared("reference/pyss/philly468_n400_fcfs.csv");
	g_autofree char *easy = rr_test_shared("reference/pyss/philly468_n400_easy.csv");
	same_jobs(trace, "--pool flat:400", "fcfs", fcfs, columns);
	same_jobs(trace, "--pool flat:400", "easy", easy, columns);
}
END_TEST

RR_TEST_MAIN("references", fcfs_and_sjf_equal_the_helios_artifact_for_all_10650_jobs,
	     fcfs_and_easy_equal_pyss_for_all_468_jobs)
