/* ledger.c - rows of the verification, written as CSV and as a page. */
#include "tests/verify/verify.h"

#include <glib/gstdio.h>
#include <math.h>

void verify_add(struct verify_ledger *ledger, const char *experiment, const char *name, const char *metric,
		const char *unit, double published, double ours, enum verify_measure measure, double limit)
{
	double difference = fabs(ours - published);
	if (measure == VERIFY_PERCENT) difference = 100 * fabs(ours / published - 1);
	if (measure == VERIFY_COUNT) difference = ours;
	struct verify_row row = {.experiment = g_strdup(experiment),
				 .name = g_strdup(name),
				 .metric = g_strdup(metric),
				 .unit = g_strdup(unit),
				 .published = published,
				 .ours = ours,
				 .difference = difference,
				 .limit = limit,
				 .pass = difference <= limit}; /* false when NAN */
	g_array_append_val(ledger->rows, row);
	printf("%s %-8s %-46s %s: %.10g, ours %.10g (limit %.4g)\n", row.pass ? "pass" : "FAIL", experiment, name,
	       metric, published, ours, limit);
	fflush(stdout);
}

struct test_table *verify_table(struct verify_ledger *ledger, const char *experiment, const char *file)
{
	g_autofree char *path = g_build_filename(ledger->shared, file, NULL);
	struct test_table *table = test_table_read(path);
	if (table == NULL) verify_add(ledger, experiment, file, "readable", "files", 1, NAN, VERIFY_ABSOLUTE, 0);
	return table;
}

static void append_number(GString *text, double value)
{
	char buffer[32];
	g_string_append(text, isnan(value) ? "" : rr_text_double(value, buffer));
}

static char *as_csv(const struct verify_ledger *ledger)
{
	GString *text = g_string_new("experiment,case,metric,unit,published,ours,difference,limit,pass\n");
	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct verify_row *r = &g_array_index(ledger->rows, struct verify_row, i);
		g_string_append_printf(text, "%s,%s,%s,%s,", r->experiment, r->name, r->metric, r->unit);
		const double numbers[] = {r->published, r->ours, r->difference, r->limit};
		for (size_t n = 0; n < G_N_ELEMENTS(numbers); n++) {
			append_number(text, numbers[n]);
			g_string_append_c(text, ',');
		}
		g_string_append(text, r->pass ? "1\n" : "0\n");
	}
	return g_string_free(text, FALSE);
}

static char *as_html(const struct verify_ledger *ledger)
{
	guint passed = 0;
	for (guint i = 0; i < ledger->rows->len; i++) passed += g_array_index(ledger->rows, struct verify_row, i).pass;
	GString *text = g_string_new(
	    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>rackrent: verification</title>\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
	    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\n"
	    "table{border-collapse:collapse;width:100%}td,th{padding:.25rem .6rem;border-bottom:1px solid #ddd;"
	    "text-align:left}\ntd.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
	    "tr.no{background:#fbe3e0}\n</style>\n<h1>What rackrent holds itself to</h1>\n");
	g_string_append_printf(text,
			       "<p>%u of %u rows pass. Published values are read from the shared data; ours are "
			       "computed by this build.</p>\n<table><tr><th>Source<th>Case<th>Metric<th class=\"n\">"
			       "Published<th class=\"n\">Ours<th class=\"n\">Difference<th class=\"n\">Limit<th>\n",
			       passed, ledger->rows->len);
	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct verify_row *r = &g_array_index(ledger->rows, struct verify_row, i);
		g_autofree char *cells =
		    g_markup_printf_escaped("<tr%s><td>%s<td>%s<td>%s (%s)", r->pass ? "" : " class=\"no\"",
					    r->experiment, r->name, r->metric, r->unit);
		g_string_append(text, cells);
		const double numbers[] = {r->published, r->ours, r->difference, r->limit};
		for (size_t n = 0; n < G_N_ELEMENTS(numbers); n++) {
			char buffer[G_ASCII_DTOSTR_BUF_SIZE];
			g_string_append_printf(text, "<td class=\"n\">%s",
					       g_ascii_formatd(buffer, sizeof buffer, "%.6g", numbers[n]));
		}
		g_string_append(text, r->pass ? "<td>pass\n" : "<td>FAIL\n");
	}
	g_string_append(text, "</table></html>\n");
	return g_string_free(text, FALSE);
}

bool verify_write(const struct verify_ledger *ledger, const char *folder)
{
	g_autofree char *csv = as_csv(ledger), *html = as_html(ledger);
	g_autofree char *csv_path = g_build_filename(folder, "results.csv", NULL);
	g_autofree char *html_path = g_build_filename(folder, "index.html", NULL);
	g_autoptr(GError) error = NULL;
	bool written = g_mkdir_with_parents(folder, 0777) == 0 && g_file_set_contents(csv_path, csv, -1, &error) &&
		       g_file_set_contents(html_path, html, -1, &error);
	if (!written) fprintf(stderr, "verify: %s\n", error != NULL ? error->message : "cannot make the output folder");
	return written;
}
