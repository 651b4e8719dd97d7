/* trace_info.c - see trace_info.h. The keys of the JSON are the columns of the
 * golden table that readers are held to. */
#include "tools/rackrent/trace_info.h"

#include "models/units/units.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *number(double value)
{
	if (!isfinite(value)) return json_null();
	/* Whole numbers print as such, whatever their size. */
	if (value == trunc(value) && fabs(value) < 9e15) return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *known(double value, bool applies)
{
	return applies ? number(value) : json_null();
}

static json_t *states_of(const struct trace_totals *t)
{
	json_t *all = json_object();
	GHashTableIter iter;
	gpointer state = NULL, count = NULL;
	g_hash_table_iter_init(&iter, t->states);
	while (g_hash_table_iter_next(&iter, &state, &count))
		json_object_set_new(all, state, json_integer((intptr_t)count));
	return all;
}

static json_t *skips_of(const struct trace_report *report)
{
	json_t *all = json_object();
	for (int i = 0; i < RR_TRACE_REASON_COUNT; i++) {
		if (report->counts[i] == 0) continue;
		json_t *lines = json_array();
		for (size_t k = 0; k < G_N_ELEMENTS(report->lines[i]) && report->lines[i][k] > 0; k++)
			json_array_append_new(lines, json_integer(report->lines[i][k]));
		json_object_set_new(
		    all, rr_trace_reason_text((enum rr_trace_reason)i),
		    json_pack("{s:I, s:o}", "rows", (json_int_t)report->counts[i], "first_lines", lines));
	}
	return all;
}

static void dump(json_t *root, FILE *to)
{
	json_dumpf(root, to, JSON_INDENT(1) | JSON_REAL_PRECISION(15) | JSON_SORT_KEYS);
	fputc('\n', to);
	json_decref(root);
}

static void print_json(const char *file, const struct trace_report *report, FILE *to)
{
	const struct trace_totals *t = &report->totals;
	json_t *root = json_object();
	const struct {
		const char *key;
		json_t *value;
	} rows[] = {{"file", json_string(file)},
		    {"kind", json_string("jobs")},
		    {"format", json_string(report->format)},
		    {"unit", json_string(t->unit)},
		    {"time_base", json_string(t->time_base)},
		    {"rows", json_integer(t->rows)},
		    {"jobs_res_gt0", json_integer(t->jobs_res_gt0)},
		    {"first_submit", number(t->first_submit)},
		    {"last_submit", number(t->last_submit)},
		    {"run_known", json_integer(t->run_known)},
		    {"run_missing", json_integer(t->run_missing)},
		    {"run_zero", json_integer(t->run_zero)},
		    {"run_negative", json_integer(t->run_negative)},
		    {"mean_run_s", number(t->mean_run_s)},
		    {"median_run_s", number(t->median_run_s)},
		    {"mean_run_res_s", number(t->mean_run_res_s)},
		    {"median_run_res_s", number(t->median_run_res_s)},
		    {"res_seconds", known(t->res_seconds, t->run_known > 0)},
		    {"max_res", number(t->max_res)},
		    {"states", states_of(t)},
		    {"used", json_integer(report->used)},
		    {"skipped", skips_of(report)}};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) json_object_set_new(root, rows[i].key, rows[i].value);
	dump(root, to);
}

/* ------------------------------------------------------------------------ table */

static void line(FILE *to, const char *label, const char *text)
{
	fprintf(to, "  %-26s %s\n", label, text);
}

static void print_count(FILE *to, const char *label, double value)
{
	g_autofree char *text = rr_text_count(value);
	line(to, label, text);
}

static int compare_times(const void *a, const void *b)
{
	sim_time x = *(const sim_time *)a, y = *(const sim_time *)b;
	return x < y ? -1 : x > y;
}

static void print_runs(const struct job_list *jobs, FILE *to)
{
	static const double parts[] = {0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1};
	g_autofree sim_time *runs = g_new(sim_time, jobs->count);
	for (size_t i = 0; i < jobs->count; i++) runs[i] = jobs->jobs[i].duration_ns;
	qsort(runs, jobs->count, sizeof *runs, compare_times);
	fprintf(to, "  run times\n");
	for (size_t p = 0; p < G_N_ELEMENTS(parts); p++) {
		size_t at = MIN((size_t)(parts[p] * (double)jobs->count), jobs->count - 1);
		g_autofree char *text = rr_text_duration((double)runs[at] / (double)RR_NS_PER_S);
		fprintf(to, "    %3d %% below              %s\n", (int)(parts[p] * 100), text);
	}
}

static void print_sizes(const struct job_list *jobs, FILE *to)
{
	g_autoptr(GHashTable) counts = g_hash_table_new(NULL, NULL);
	for (size_t i = 0; i < jobs->count; i++) {
		gpointer key = GINT_TO_POINTER(jobs->jobs[i].gpus);
		g_hash_table_insert(counts, key,
				    GINT_TO_POINTER(GPOINTER_TO_INT(g_hash_table_lookup(counts, key)) + 1));
	}
	fprintf(to, "  GPUs of a job\n");
	int last = 0;
	for (guint shown = 0; shown < MIN(g_hash_table_size(counts), 12); shown++) {
		int next = G_MAXINT;
		GHashTableIter iter;
		gpointer key = NULL, value = NULL;
		g_hash_table_iter_init(&iter, counts);
		while (g_hash_table_iter_next(&iter, &key, &value))
			if (GPOINTER_TO_INT(key) > last) next = MIN(next, GPOINTER_TO_INT(key));
		last = next;
		double share =
		    GPOINTER_TO_INT(g_hash_table_lookup(counts, GINT_TO_POINTER(next))) / (double)jobs->count;
		g_autofree char *text = rr_text_ratio(share);
		fprintf(to, "    %-24d %s\n", next, text);
	}
	if (g_hash_table_size(counts) > 12) fprintf(to, "    and %u larger sizes\n", g_hash_table_size(counts) - 12);
}

void trace_info_print_skips(const struct trace_report *report, FILE *to)
{
	for (int i = 0; i < RR_TRACE_REASON_COUNT; i++) {
		if (report->counts[i] == 0) continue;
		g_autofree char *count = rr_text_count((double)report->counts[i]);
		fprintf(to, "  %s row%s: %s; line%s", count, report->counts[i] == 1 ? "" : "s",
			rr_trace_reason_text((enum rr_trace_reason)i), report->counts[i] == 1 ? "" : "s");
		for (size_t k = 0; k < G_N_ELEMENTS(report->lines[i]) && report->lines[i][k] > 0; k++)
			fprintf(to, "%s %" G_GINT64_FORMAT, k > 0 ? "," : "", report->lines[i][k]);
		fprintf(to, "%s\n", report->counts[i] > (int64_t)G_N_ELEMENTS(report->lines[i]) ? ", ..." : "");
	}
}

static void print_states(const struct trace_totals *t, FILE *to)
{
	g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(t->states), (GCompareFunc)strcmp);
	if (names != NULL) fprintf(to, "  states\n");
	for (GList *n = names; n != NULL; n = n->next) {
		g_autofree char *count = rr_text_count((double)(intptr_t)g_hash_table_lookup(t->states, n->data));
		fprintf(to, "    %-24s %s\n", (const char *)n->data, count);
	}
}

static void print_table(const char *file, const struct trace_report *report, const struct job_list *jobs, FILE *to)
{
	const struct trace_totals *t = &report->totals;
	g_autofree char *span = rr_text_duration(t->last_submit - t->first_submit);
	g_autofree char *mean = rr_text_duration(t->mean_run_s), *median = rr_text_duration(t->median_run_s);
	g_autofree char *work = rr_text_count(t->res_seconds / 3600);
	g_autofree char *clock = g_strdup_printf("%s (%s)", span, t->time_base);
	fprintf(to, "%s: %s\n", file, report->format);
	print_count(to, "rows", (double)t->rows);
	print_count(to, "rows with GPUs", (double)t->jobs_res_gt0);
	print_count(to, "jobs that can be used", (double)report->used);
	line(to, "first to last submit", clock);
	line(to, "run time, mean", mean);
	line(to, "run time, median", median);
	line(to, "GPU-hours", work);
	print_count(to, "most GPUs of a job", t->max_res);
	if (jobs != NULL && jobs->count > 0) {
		print_sizes(jobs, to);
		print_runs(jobs, to);
	}
	print_states(t, to);
	trace_info_print_skips(report, to);
}

void trace_info_print(const char *file, const struct trace_report *report, const struct job_list *jobs, bool json,
		      FILE *to)
{
	if (json)
		print_json(file, report, to);
	else
		print_table(file, report, jobs, to);
}

void trace_info_print_pools(const char *file, const struct trace_pools *pools, bool json, FILE *to)
{
	if (!json) {
		g_autofree char *gpus = rr_text_count((double)pools->gpus);
		fprintf(to, "%s: %s, a list of nodes\n", file, pools->format);
		print_count(to, "rows", (double)pools->rows);
		print_count(to, "nodes without GPUs", (double)pools->rows_without_gpu);
		line(to, "GPUs", gpus);
		for (int32_t i = 0; i < pools->count; i++)
			fprintf(to, "    %-24s %d nodes of %d GPUs\n", pools->pools[i].name, pools->pools[i].nodes,
				pools->pools[i].gpus_per_node);
		return;
	}
	json_t *all = json_array();
	int32_t most = 0;
	for (int32_t i = 0; i < pools->count; i++) {
		const struct trace_pool *p = &pools->pools[i];
		most = MAX(most, p->gpus_per_node);
		json_array_append_new(all, json_pack("{s:s, s:s?, s:i, s:i}", "name", p->name, "gpu", p->gpu, "nodes",
						     p->nodes, "gpus_per_node", p->gpus_per_node));
	}
	dump(json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:i, s:I, s:o}", "file", file, "kind", "nodes", "format",
		       pools->format, "unit", "gpu", "time_base", "none", "rows", (json_int_t)pools->rows,
		       "jobs_res_gt0", (json_int_t)(pools->rows - pools->rows_without_gpu), "max_res", most, "gpus",
		       (json_int_t)pools->gpus, "pools", all),
	     to);
}
