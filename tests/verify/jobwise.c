/* jobwise.c - results that must be equal job by job: Helios and pyss. */
#include "tests/verify/verify.h"

#include <math.h>

/* The reference's times by job id. */
static GHashTable *rows_by_id(const struct test_table *table, const char *column)
{
	GHashTable *rows = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < table->rows->len; i++)
		g_hash_table_insert(rows, (gpointer)(intptr_t)test_cell(table, i, column), GUINT_TO_POINTER(i + 1));
	return rows;
}

struct columns {
	const char *id, *start, *end;
};

/* How many jobs of TABLE have another start or end in the replay, or are not there. */
static int64_t unequal(const struct verify_replay *replay, const struct test_table *table, struct columns columns)
{
	g_autoptr(GHashTable) rows = rows_by_id(table, columns.id);
	int64_t equal = 0;
	for (size_t i = 0; i < replay->jobs->count; i++) {
		const char *id = rr_jobs_get_text(replay->jobs, replay->jobs->jobs[i].id);
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(rows, id));
		if (row == 0) continue;
		const struct job_record *record = &replay->usage->records[i];
		int64_t start_ns = (int64_t)test_number(table, row - 1, columns.start) * RR_NS_PER_S;
		int64_t end_ns = (int64_t)test_number(table, row - 1, columns.end) * RR_NS_PER_S;
		equal += record->start_ns == start_ns && record->end_ns == end_ns;
	}
	return (int64_t)table->rows->len - equal;
}

static void jobwise(struct verify_ledger *ledger, const char *experiment, const char *reference, const char *trace,
		    const char *pools, const char *scheduler, struct columns columns)
{
	g_autofree char *path = g_build_filename(ledger->shared, reference, NULL);
	struct test_table *table = test_table_read(path);
	struct verify_replay *replay = verify_replay_run(trace, pools, scheduler);
	double rows = table != NULL ? (double)table->rows->len : NAN;
	double count = table != NULL && replay != NULL ? (double)unequal(replay, table, columns) : rows;
	verify_add(ledger, experiment, reference, "jobs with another start or end", "rows", rows, count, VERIFY_COUNT,
		   0);
	verify_replay_free(replay);
	test_table_free(table);
}

static char *virtual_clusters(const char *shared)
{
	g_autofree char *path = g_build_filename(shared, "reference/helios/vc_nodes.csv", NULL);
	struct test_table *table = test_table_read(path);
	GString *pools = g_string_new("{");
	for (guint i = 0; table != NULL && i < table->rows->len; i++) {
		const char *vc = test_cell(table, i, "vc");
		g_string_append_printf(pools,
				       "%s\"%s\": {kind: physical, count: %s, gpus_per_node: 8, only: {vc: \"%s\"}}",
				       i > 0 ? ", " : "", vc, test_cell(table, i, "nodes"), vc);
	}
	test_table_free(table);
	g_string_append_c(pools, '}');
	return g_string_free(pools, FALSE);
}

void verify_helios(struct verify_ledger *ledger)
{
	const struct columns columns = {"job", "start_time", "end_time"};
	g_autofree char *trace = g_strdup_printf("{file: \"%s/reference/helios/jobs.csv\"}", ledger->shared);
	g_autofree char *pools = virtual_clusters(ledger->shared);
	jobwise(ledger, "helios", "reference/helios/fifo.csv", trace, pools, "fcfs", columns);
	jobwise(ledger, "helios", "reference/helios/sjf.csv", trace, pools, "sjf", columns);
}

static double mean_wait_s(const struct verify_replay *replay)
{
	double sum = 0;
	for (size_t i = 0; i < replay->jobs->count; i++)
		sum += (double)replay->usage->records[i].wait_ns / (double)RR_NS_PER_S;
	return sum / (double)replay->jobs->count;
}

/* The mean wait of the reference's own rows: starts minus the trace's submits. */
static double reference_wait_s(const struct verify_replay *replay, const struct test_table *table)
{
	g_autoptr(GHashTable) rows = rows_by_id(table, "id");
	double sum = 0;
	for (size_t i = 0; i < replay->jobs->count; i++) {
		const struct job *job = &replay->jobs->jobs[i];
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(rows, rr_jobs_get_text(replay->jobs, job->id)));
		if (row > 0) sum += test_number(table, row - 1, "start") - (double)job->submit_ns / (double)RR_NS_PER_S;
	}
	return sum / (double)table->rows->len;
}

/* pyss runs a pass after every single event; the batch of one instant moves a
 * few jobs of this log by design, so that averages are compared. */
static void sdsc(struct verify_ledger *ledger, const char *policy, double limit_s)
{
	g_autofree char *name = g_strdup_printf("reference/pyss/sdsc_sp2_4961_n128_%s.csv", policy);
	g_autofree char *path = g_build_filename(ledger->shared, name, NULL);
	g_autofree char *trace = g_strdup_printf("{file: \"%s/reference/pyss/sdsc_sp2_4961.csv\"}", ledger->shared);
	struct test_table *table = test_table_read(path);
	struct verify_replay *replay = verify_replay_run(trace, "{flat: {kind: physical, gpus: 128}}", policy);
	bool sound = table != NULL && replay != NULL;
	verify_add(ledger, "pyss", name, "mean wait", "s", sound ? reference_wait_s(replay, table) : NAN,
		   sound ? mean_wait_s(replay) : NAN, VERIFY_ABSOLUTE, limit_s);
	verify_replay_free(replay);
	test_table_free(table);
}

void verify_pyss(struct verify_ledger *ledger)
{
	const struct columns columns = {"id", "start", "finish"};
	const char *pools = "{flat: {kind: physical, gpus: 400}}";
	g_autofree char *trace = g_strdup_printf("{file: \"%s/reference/pyss/philly468.csv\"}", ledger->shared);
	jobwise(ledger, "pyss", "reference/pyss/philly468_n400_fcfs.csv", trace, pools, "fcfs", columns);
	jobwise(ledger, "pyss", "reference/pyss/philly468_n400_easy.csv", trace, pools, "easy", columns);
	sdsc(ledger, "fcfs", 0.0005);
	sdsc(ledger, "easy", 0.01);
}
