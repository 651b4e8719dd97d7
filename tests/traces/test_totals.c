/* Every reader against the golden totals, counted by others from the raw files. */
#include "scenarios/traces/traces.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

/* Formats without a reader: rows of another kind of work (services, requests). */
static bool has_reader(const char *file)
{
	return !g_str_has_prefix(file, "alibaba-dlrm") && !g_str_has_prefix(file, "alibaba-genai");
}

static void same(const char *file, const char *what, const char *golden, double ours)
{
	if (golden[0] == '\0') {
		ck_assert_msg(isnan(ours), "%s: %s is %.17g, the golden table leaves it blank", file, what, ours);
		return;
	}
	double wanted = g_ascii_strtod(golden, NULL);
	/* The table rounds to six decimals. */
	ck_assert_msg(fabs(wanted - ours) <= 1e-6 * fmax(1, fabs(wanted)), "%s: %s is %.17g, golden %s", file, what,
		      ours, golden);
}

static void same_states(const char *file, const char *golden, GHashTable *states)
{
	g_auto(GStrv) parts = g_strsplit(golden, ";", -1);
	guint count = 0;
	for (char **part = parts; *part != NULL; part++) {
		char *mark = strchr(*part, '=');
		if (mark == NULL) continue;
		*mark = '\0';
		int64_t ours = (int64_t)(intptr_t)g_hash_table_lookup(states, *part);
		ck_assert_msg(ours == g_ascii_strtoll(mark + 1, NULL, 10), "%s: state %s is %" G_GINT64_FORMAT, file,
			      *part, ours);
		count++;
	}
	ck_assert_uint_eq(count, g_hash_table_size(states));
}

static void check_row(const struct test_table *golden, guint row, const char *path)
{
	const char *file = test_cell(golden, row, "file");
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct trace_spec spec = {.file = (char *)(intptr_t)path};
	struct trace_report *report = NULL;
	struct job_list *jobs = rr_trace_survey_jobs(&spec, &report, &faults);
	rr_faults_print(&faults, stdout);
	ck_assert_ptr_nonnull(report);
	const struct trace_totals *t = &report->totals;
	const struct {
		const char *column;
		double ours;
	} numbers[] = {{"rows", (double)t->rows},
		       {"jobs_res_gt0", (double)t->jobs_res_gt0},
		       {"first_submit", t->first_submit},
		       {"last_submit", t->last_submit},
		       {"run_known", (double)t->run_known},
		       {"run_missing", (double)t->run_missing},
		       {"run_zero", (double)t->run_zero},
		       {"run_negative", (double)t->run_negative},
		       {"mean_run_s", t->mean_run_s},
		       {"median_run_s", t->median_run_s},
		       {"mean_run_res_s", t->mean_run_res_s},
		       {"median_run_res_s", t->median_run_res_s},
		       {"res_seconds", t->run_known > 0 ? t->res_seconds : NAN},
		       {"max_res", t->max_res}};
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
		same(file, numbers[i].column, test_cell(golden, row, numbers[i].column), numbers[i].ours);
	ck_assert_str_eq(t->unit, test_cell(golden, row, "unit"));
	ck_assert_str_eq(t->time_base, test_cell(golden, row, "time_base"));
	same_states(file, test_cell(golden, row, "states"), t->states);
	rr_trace_report_free(report);
	rr_jobs_free(jobs);
	rr_faults_done(&faults);
}

START_TEST(totals_equal_the_golden_table)
{
	g_autofree char *path = rr_test_shared("traces/GOLDEN.csv");
	if (path == NULL) RR_SKIP("the shared traces are not there");
	struct test_table *golden = test_table_read(path);
	int checked = 0;
	for (guint row = 0; row < golden->rows->len; row++) {
		const char *file = test_cell(golden, row, "file");
		if (strcmp(test_cell(golden, row, "kind"), "jobs") != 0 || !has_reader(file)) continue;
		g_autofree char *relative = g_build_filename("traces", file, NULL);
		g_autofree char *trace = rr_test_shared(relative);
		ck_assert_ptr_nonnull(trace);
		check_row(golden, row, trace);
		checked++;
	}
	ck_assert_int_eq(checked, 18);
	test_table_free(golden);
}
END_TEST

static void check_nodes(const char *name, int64_t rows, int64_t gpus, int64_t with_gpus)
{
	g_autofree char *relative = g_build_filename("traces/alibaba-openb-v2023", name, NULL);
	g_autofree char *path = rr_test_shared(relative);
	struct rr_faults faults;
	rr_faults_init(&faults);
	ck_assert(rr_trace_is_node_list(path));
	struct trace_pools *pools = rr_trace_read_pools(path, &faults);
	ck_assert_ptr_nonnull(pools);
	ck_assert_int_eq(pools->rows, rows);
	ck_assert_int_eq(pools->gpus, gpus);
	int64_t nodes = 0;
	for (int32_t i = 0; i < pools->count; i++) nodes += pools->pools[i].nodes;
	ck_assert_int_eq(nodes, with_gpus);
	rr_trace_pools_free(pools);
	rr_faults_done(&faults);
}

START_TEST(node_lists_become_pools)
{
	g_autofree char *path = rr_test_shared("traces/alibaba-openb-v2023/openb_node_list_all_node.csv");
	if (path == NULL) RR_SKIP("the shared traces are not there");
	/* The golden table's rows of kind nodes. */
	check_nodes("openb_node_list_all_node.csv", 1523, 6212, 1213);
	check_nodes("openb_node_list_gpu_node.csv", 1213, 6212, 1213);
}
END_TEST

RR_TEST_MAIN("totals", totals_equal_the_golden_table, node_lists_become_pools)
