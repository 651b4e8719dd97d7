/* A small study written in every form, and read back by other programs' eyes. */
#include "reports/reports.h"
#include "scenarios/format/format.h"
#include "scenarios/workload/workload.h"
#include "sim/scheduler/scheduler.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

/* Names that would break a table, a page or a script. */
static const char yaml[] =
    "rackrent: 1\nname: hostile\nquestion: 'Is <script>alert(1)</script> & \"this\" safe?'\nhorizon: 20d\n"
    "start: 2026-08-01\nreplications: 2\n"
    "workloads: {w: {class: 'a,\"b\"', synthetic: {arrivals: {rate: 2/h}, gpus: {1: 70%, 8: 30%}, duration: 3h}}}\n"
    "fleets:\n"
    "  \"own <b>\": {pools: {\"p,1\": {node: hgx-h100, count: 2}}}\n"
    "  cloud's: {pools: {c: {kind: cloud, instance: aws/p5.48xlarge, count: {min: 0, max: 3}}}}\n"
    "sites: {home: {electricity: 0.12 USD/kWh}}\n";

struct fixture {
	struct scenario *scenario;
	struct rr_work *work;
	struct job_list *jobs[2];
	struct usage *usages[4];
	struct result *results[4];
	struct metric_summary *summaries[2];
	size_t counts[2];
	struct study study;
};

static void fixture_init(struct fixture *x)
{
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	memset(x, 0, sizeof *x);
	x->scenario = rr_scenario_load_bytes(yaml, strlen(yaml), "hostile.yaml", ".", &options, &faults);
	rr_faults_print(&faults, stdout);
	ck_assert_ptr_nonnull(x->scenario);
	x->work = rr_work_open(x->scenario, notes, &faults);
	for (int r = 0; r < 2; r++) {
		bool shared = false;
		x->jobs[r] = rr_work_jobs(x->work, r, &shared);
		ck_assert(!shared);
	}
	for (int i = 0; i < 4; i++) {
		x->usages[i] = rr_sim_run(x->scenario, i / 2, x->jobs[i % 2], i % 2, NULL);
		x->results[i] = rr_account(x->usages[i]);
	}
	for (int f = 0; f < 2; f++) x->summaries[f] = rr_summarise(&x->results[2 * f], 2, &x->counts[f]);
	x->study = (struct study){.scenario = x->scenario,
				  .results = x->results,
				  .fleet_count = 2,
				  .replications = 2,
				  .summaries = x->summaries,
				  .summary_counts = x->counts,
				  .notes = g_ptr_array_new_with_free_func(g_free),
				  .command = (char *)(intptr_t) "rackrent run hostile.yaml",
				  .version = "test"};
	g_ptr_array_add(x->study.notes, g_strdup("a note with <tags> & more"));
	rr_faults_done(&faults);
}

static void fixture_done(struct fixture *x)
{
	for (int i = 0; i < 4; i++) {
		rr_result_free(x->results[i]);
		rr_usage_free(x->usages[i]);
	}
	for (int f = 0; f < 2; f++) {
		g_free(x->summaries[f]);
		rr_jobs_free(x->jobs[f]);
	}
	g_ptr_array_unref(x->study.notes);
	rr_work_free(x->work);
	rr_scenario_free(x->scenario);
}

static char *contents(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	char *text = NULL;
	ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "%s is not there", path);
	return text;
}

START_TEST(summary_has_the_schema_of_its_name)
{
	struct fixture x;
	char *folder = rr_test_folder();
	fixture_init(&x);
	ck_assert(rr_report_write(&x.study, folder, RR_OUTPUT_SUMMARY, NULL));
	g_autofree char *text = contents(folder, "summary.json");
	json_t *root = json_loads(text, 0, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "rackrent.summary/1");
	const json_t *fleet = json_object_get(json_object_get(root, "fleets"), "own <b>");
	const json_t *metrics = json_object_get(fleet, "metrics");
	size_t count = 0;
	const struct rr_metric_row *rows = rr_metric_rows(&count);
	for (size_t i = 0; i < count; i++) {
		const json_t *metric = json_object_get(metrics, rows[i].id);
		ck_assert_msg(json_is_object(metric), "%s is not there", rows[i].id);
		const json_t *value = json_object_get(metric, "value");
		double ours = x.summaries[0][i].value;
		if (isnan(ours))
			ck_assert(json_is_null(value));
		else
			ck_assert_double_eq_tol(json_number_value(value), ours, fabs(ours) * 1e-14 + 1e-12);
		ck_assert(json_is_string(json_object_get(metric, "unit")));
	}
	ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(metrics, "jobs.wait.mean"), "ci95")), 2);
	ck_assert_uint_eq(json_array_size(json_object_get(fleet, "ledger")), x.results[0]->ledger_count);
	json_decref(root);
	fixture_done(&x);
	rr_test_remove(folder);
}
END_TEST

START_TEST(jobs_csv_keeps_hostile_names)
{
	struct fixture x;
	char *folder = rr_test_folder();
	fixture_init(&x);
	ck_assert(rr_report_write(&x.study, folder, RR_OUTPUT_JOBS, NULL));
	g_autofree char *path = g_build_filename(folder, "jobs.csv", NULL);
	struct test_table *table = test_table_read(path);
	static const char *const columns[] = {"fleet",       "replication", "id",         "name",      "tenant",
					      "class",       "submit_s",    "start_s",    "end_s",     "gpus",
					      "pool",        "nodes",       "state",      "wait_s",    "run_s",
					      "preemptions", "restarts",    "migrations", "lost_gpu_s"};
	ck_assert_uint_eq(table->header->len, G_N_ELEMENTS(columns));
	for (size_t c = 0; c < G_N_ELEMENTS(columns); c++)
		ck_assert_str_eq(g_ptr_array_index(table->header, c), columns[c]);
	ck_assert_uint_eq(table->rows->len, 2 * (x.jobs[0]->count + x.jobs[1]->count));
	ck_assert_str_eq(test_cell(table, 0, "fleet"), "own <b>");
	ck_assert_str_eq(test_cell(table, 0, "class"), "a,\"b\"");
	ck_assert_str_eq(test_cell(table, 0, "pool"), "p,1");
	ck_assert_str_eq(test_cell(table, 0, "nodes"), "p,1-1");
	for (guint i = 0; i < table->rows->len; i++)
		ck_assert_uint_eq(((GPtrArray *)g_ptr_array_index(table->rows, i))->len, G_N_ELEMENTS(columns));
	test_table_free(table);
	fixture_done(&x);
	rr_test_remove(folder);
}
END_TEST

static int64_t ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s: %s", sql,
		      sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
	int64_t value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return value;
}

START_TEST(database_gives_the_same_bill_by_sql)
{
	struct fixture x;
	char *folder = rr_test_folder();
	sqlite3 *db = NULL;
	fixture_init(&x);
	ck_assert(rr_report_write(&x.study, folder, RR_OUTPUT_DATABASE, NULL));
	g_autofree char *path = g_build_filename(folder, "result.db", NULL);
	ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	ck_assert_int_eq(ask(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
	ck_assert_int_eq(ask(db, "SELECT count(*) FROM fleet"), 2);
	ck_assert_int_eq(ask(db, "SELECT count(*) FROM job"), (int64_t)(2 * (x.jobs[0]->count + x.jobs[1]->count)));
	for (int i = 0; i < 4; i++) {
		g_autofree char *sql =
		    g_strdup_printf("SELECT sum(micros) FROM ledger WHERE kind = 'ledger' AND fleet = %d "
				    "AND replication = %d",
				    i / 2, i % 2);
		double total = rr_result_metric(x.results[i], "cost.total")->value;
		ck_assert_int_eq(ask(db, sql), llround(total * 1e6));
	}
	/* GPU-seconds at work by the series are those that jobs held. */
	ck_assert_int_eq(ask(db, "SELECT cast(round(sum(busy_gpu_s)) AS INTEGER) FROM series"),
			 ask(db, "SELECT cast(round(sum(gpus * run_s)) AS INTEGER) FROM job"));
	sqlite3_close(db);
	fixture_done(&x);
	rr_test_remove(folder);
}
END_TEST

START_TEST(page_is_whole_safe_and_needs_nothing_from_outside)
{
	struct fixture x;
	char *folder = rr_test_folder();
	fixture_init(&x);
	ck_assert(rr_report_write(&x.study, folder, RR_OUTPUT_HTML | RR_OUTPUT_PLOTS, NULL));
	g_autofree char *page = contents(folder, "report.html");
	ck_assert_ptr_null(strstr(page, "<script"));
	ck_assert_ptr_null(strstr(page, "own <b>"));
	ck_assert_ptr_nonnull(strstr(page, "own &lt;b&gt;"));
	ck_assert_ptr_nonnull(strstr(page, "a note with &lt;tags&gt; &amp; more"));
	ck_assert_ptr_nonnull(strstr(page, "</html>"));
	g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
	if (gnuplot != NULL) ck_assert_ptr_nonnull(strstr(page, "</svg>"));
	/* Names of XML dialects are no addresses to fetch. */
	for (const char *at = page; (at = strstr(at, "http")) != NULL; at++)
		ck_assert_msg(g_str_has_prefix(at, "http://www.w3.org/"), "%.60s", at);
	fixture_done(&x);
	rr_test_remove(folder);
}
END_TEST

START_TEST(the_same_study_gives_the_same_bytes)
{
	struct fixture x;
	char *folder = rr_test_folder();
	fixture_init(&x);
	g_autofree char *a = g_build_filename(folder, "a", NULL), *b = g_build_filename(folder, "b", NULL);
	ck_assert(rr_report_write(&x.study, a, RR_OUTPUT_ALL, NULL));
	ck_assert(rr_report_write(&x.study, b, RR_OUTPUT_ALL, NULL));
	g_autofree char *command = g_strdup_printf("diff -r %s %s", a, b), *output = NULL;
	ck_assert_msg(rr_test_shell(command, &output) == 0, "%s", output);
	/* Nothing half written stays behind. */
	g_autofree char *parts = g_strdup_printf("find %s -name '*.part'", folder), *left = NULL;
	ck_assert_int_eq(rr_test_shell(parts, &left), 0);
	ck_assert_str_eq(left, "");
	fixture_done(&x);
	rr_test_remove(folder);
}
END_TEST

START_TEST(terminal_table_is_as_wide_as_its_fleets_and_says_the_answer)
{
	struct fixture x;
	char *text = NULL;
	size_t size = 0;
	fixture_init(&x);
	FILE *to = open_memstream(&text, &size);
	rr_report_print(&x.study, to, false);
	(void)fclose(to);
	ck_assert_ptr_nonnull(strstr(text, "Over three years"));
	ck_assert_ptr_nonnull(strstr(text, "The money"));
	ck_assert_ptr_null(strchr(text, '\033'));
	free(text);
	fixture_done(&x);
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_is_an_error)
{
	struct fixture x;
	g_autoptr(GError) error = NULL;
	fixture_init(&x);
	ck_assert(!rr_report_write(&x.study, "/dev/null/x", RR_OUTPUT_SUMMARY, &error));
	ck_assert_ptr_nonnull(strstr(error->message, "/dev/null/x"));
	fixture_done(&x);
}
END_TEST

RR_TEST_MAIN("reports", summary_has_the_schema_of_its_name, jobs_csv_keeps_hostile_names,
	     database_gives_the_same_bill_by_sql, page_is_whole_safe_and_needs_nothing_from_outside,
	     the_same_study_gives_the_same_bytes, terminal_table_is_as_wide_as_its_fleets_and_says_the_answer,
	     a_folder_that_cannot_be_made_is_an_error)
