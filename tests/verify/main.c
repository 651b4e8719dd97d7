/* main.c - make verify: replay every published or reference result.
 * usage: verify [OUTPUT_FOLDER [SHARED_FOLDER]] */
#include "tests/verify/verify.h"

static void row_done(gpointer data)
{
	struct verify_row *row = data;
	g_free(row->experiment);
	g_free(row->name);
	g_free(row->metric);
	g_free(row->unit);
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : "build/verify";
	struct verify_ledger ledger = {.rows = g_array_new(FALSE, FALSE, sizeof(struct verify_row)),
				       .shared = g_strdup(argc > 2 ? argv[2] : "../shared")};
	g_array_set_clear_func(ledger.rows, row_done);
	bool there = g_file_test(ledger.shared, G_FILE_TEST_IS_DIR);
	if (there) {
		verify_helios(&ledger);
		verify_philly(&ledger);
		verify_tiresias(&ledger);
		verify_muri(&ledger);
		verify_fgd(&ledger);
		verify_openb(&ledger);
		verify_orderings(&ledger);
		verify_pyss(&ledger);
	} else
		printf("SKIP the rows that need %s: it is not there\n", ledger.shared);
	verify_theory(&ledger);
	guint failed = 0;
	for (guint i = 0; i < ledger.rows->len; i++) failed += !g_array_index(ledger.rows, struct verify_row, i).pass;
	printf("%u of %u rows pass; %s/results.csv, %s/index.html\n", ledger.rows->len - failed, ledger.rows->len,
	       folder, folder);
	bool written = verify_write(&ledger, folder);
	g_array_unref(ledger.rows);
	g_free(ledger.shared);
	return failed == 0 && written ? 0 : 1;
}
