/* jobwise.c - results that must be equal job by job: Helios and pyss. */
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

/* The reference's times by job id. */
static GHashTable *rows_by_id(const struct test_table *table, const char *column)
{
	GHashTable *rows = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < table->rows->len; i++)
		g_hash_table_insert(rows, (gpointer)(intptr_t)test_cell(table, i, column), GUINT_TO_POINTER(i + 1));
	return rows;
}

/* The reference's names of what is compared; NULL = it has none. */
struct columns {
	const char *id, *start, *end, *wait, *preemptions;
};

static bool same(const struct test_table *table, guint row, const char *column, int64_t ours)
{
	return column == NULL || ours == (int64_t)test_number(table, row, column);
}

/* How many jobs of TABLE differ in the replay, or are not there. */
static int64_t unequal(const struct verify_replay *replay, const struct test_table *table,
		       const struct columns *columns)
{
	g_autoptr(GHashTable) rows = rows_by_id(table, columns->id);
	int64_t equal = 0;
	for (size_t i = 0; i < replay->jobs->count; i++) {
		const char *id = rr_jobs_get_text(replay->jobs, replay->jobs->jobs[i].id);
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(rows, id));
		if (row == 0) continue;
		const struct job_record *r = &replay->usage->records[i];
		bool whole = r->start_ns % RR_NS_PER_S == 0 && r->end_ns % RR_NS_PER_S == 0;
		equal += whole && same(table, row - 1, columns->start, r->start_ns / RR_NS_PER_S) &&
			 same(table, row - 1, columns->end, r->end_ns / RR_NS_PER_S) &&
			 same(table, row - 1, columns->wait, r->wait_ns / RR_NS_PER_S) &&
			 same(table, row - 1, columns->preemptions, r->preemptions);
	}
	return (int64_t)table->rows->len - equal;
}

static void jobwise(struct verify_ledger *ledger, const char *experiment, const char *reference, const char *trace,
		    const char *pools, const char *scheduler, const struct columns *columns, int64_t limit)
{
	g_autofree char *path = g_build_filename(ledger->shared, reference, NULL);
	struct test_table *table = test_table_read(path);
	struct verify_replay *replay = verify_replay_run(trace, pools, scheduler);
	double rows = table != NULL ? (double)table->rows->len : NAN;
	double count = table != NULL && replay != NULL ? (double)unequal(replay, table, columns) : rows;
	const char *metric = columns->preemptions == NULL ? "jobs with another start or end"
			     : columns->wait != NULL      ? "jobs with another start, end, wait or pre-emptions"
							  : "jobs with another start, end or pre-emptions";
	verify_add(ledger, experiment, reference, metric, "rows", rows, count, VERIFY_COUNT, (double)limit);
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
	static const struct columns columns = {"job", "start_time", "end_time", "queue", "ckpt_times"};
	g_autofree char *trace = g_strdup_printf("{file: \"%s/reference/helios/jobs.csv\"}", ledger->shared);
	g_autofree char *pools = virtual_clusters(ledger->shared);
	jobwise(ledger, "helios", "reference/helios/fifo.csv", trace, pools, "fcfs", &columns, 0);
	jobwise(ledger, "helios", "reference/helios/sjf.csv", trace, pools, "sjf", &columns, 0);
	jobwise(ledger, "helios", "reference/helios/srtf.csv", trace, pools, "helios-srtf", &columns, 0);
	jobwise(ledger, "helios", "reference/helios/qssf.csv", trace, pools, "helios-qssf", &columns, 0);
}

void verify_tiresias(struct verify_ledger *ledger)
{
	static const struct columns columns = {"job_id", "start_time", "end_time", NULL, "preempt"};
	static const struct {
		const char *trace, *shape;
		int gpus;
	} traces[] = {{"jobs60", "n4g4", 16}, {"philly468", "n50g8", 400}};
	static const char *const policies[][2] = {{"fcfs", "fifo"},         {"fit", "fjf"},
						  {"smallest", "sjf"},      {"srtf", "shortest"},
						  {"srsf", "shortest-gpu"}, {"tiresias,wake=late", "dlas-gpu"}};
	for (size_t t = 0; t < G_N_ELEMENTS(traces); t++)
		for (size_t p = 0; p < G_N_ELEMENTS(policies); p++) {
			g_autofree char *trace = g_strdup_printf("{file: \"%s/reference/tiresias/%s.csv\"}",
								 ledger->shared, traces[t].trace);
			g_autofree char *pools = g_strdup_printf("{flat: {kind: physical, gpus: %d}}", traces[t].gpus);
			g_autofree char *reference = g_strdup_printf("reference/tiresias/%s_%s_%s.csv", traces[t].trace,
								     traces[t].shape, policies[p][1]);
			/* At 504 s two of the 60 jobs have the same service left (110 s x 4 and 55 s x
			 * 8 GPUs); the artifact goes by the order of its list, srsf by submit. */
			bool tie = strcmp(policies[p][0], "srsf") == 0 && traces[t].gpus == 16;
			jobwise(ledger, "tiresias", reference, trace, pools, policies[p][0], &columns, tie ? 2 : 0);
		}
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
	static const struct columns columns = {"id", "start", "finish", NULL, NULL};
	const char *pools = "{flat: {kind: physical, gpus: 400}}", *small = "{flat: {kind: physical, gpus: 128}}";
	g_autofree char *trace = g_strdup_printf("{file: \"%s/reference/pyss/philly468.csv\"}", ledger->shared);
	g_autofree char *sample = g_strdup_printf("{file: \"%s/reference/pyss/sdsc_sp2_4961.csv\"}", ledger->shared);
	jobwise(ledger, "pyss", "reference/pyss/philly468_n400_fcfs.csv", trace, pools, "fcfs", &columns, 0);
	jobwise(ledger, "pyss", "reference/pyss/philly468_n400_easy.csv", trace, pools, "easy", &columns, 0);
	jobwise(ledger, "pyss", "reference/pyss/philly468_n400_cons.csv", trace, pools, "conservative", &columns, 0);
	jobwise(ledger, "pyss", "reference/pyss/sdsc_sp2_4961_n128_fcfs.csv", sample, small, "fcfs", &columns, 0);
	/* pyss makes a pass after every single event; one pass for each instant gives 5
	 * jobs another start, as the README beside the data says. */
	jobwise(ledger, "pyss", "reference/pyss/sdsc_sp2_4961_n128_easy.csv", sample, small, "easy", &columns, 5);
	sdsc(ledger, "fcfs", 0.0005);
}
