/* reports.c - which outputs, in which order. */
#include "reports/reports.h"

#include "reports/files.h"
#include "reports/html/html.h"
#include "reports/plots/plots.h"
#include "reports/store/store.h"
#include "reports/tables/tables.h"
#include "reports/text/text.h"

#include <string.h>

static const struct {
	const char *word;
	unsigned bit;
} outputs[] = {{"summary", RR_OUTPUT_SUMMARY},
	       {"jobs", RR_OUTPUT_JOBS},
	       {"database", RR_OUTPUT_DATABASE},
	       {"plots", RR_OUTPUT_PLOTS},
	       {"html", RR_OUTPUT_HTML}};

bool rr_outputs_parse(const char *words, unsigned *bits, GError **error)
{
	const char *known[G_N_ELEMENTS(outputs) + 1] = {NULL};
	for (size_t i = 0; i < G_N_ELEMENTS(outputs); i++) known[i] = outputs[i].word;
	g_auto(GStrv) parts = g_strsplit(words, ",", -1);
	*bits = 0;
	for (char **part = parts; *part != NULL; part++) {
		size_t i = 0;
		while (i < G_N_ELEMENTS(outputs) && strcmp(outputs[i].word, *part) != 0) i++;
		if (i < G_N_ELEMENTS(outputs)) {
			*bits |= outputs[i].bit;
			continue;
		}
		const char *near = rr_nearest_word(*part, known);
		g_set_error(error, RR_REPORT_ERROR, RR_REPORT_ERROR_WORD,
			    "unknown output '%s'%s%s%s (one of: summary, jobs, database, plots, html)", *part,
			    near != NULL ? ", did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
		return false;
	}
	if (*bits != 0) return true;
	g_set_error(error, RR_REPORT_ERROR, RR_REPORT_ERROR_WORD, "names no output");
	return false;
}

/* Without gnuplot the report has no pictures, and says so. */
static bool write_plots(const struct study *study, const char *folder, GError **error)
{
	GError *why = NULL;
	if (plots_write(study, folder, &why)) return true;
	bool missing = g_error_matches(why, RR_REPORT_ERROR, RR_REPORT_ERROR_GNUPLOT);
	if (missing) g_ptr_array_add(study->notes, g_strdup(why->message));
	if (missing)
		g_error_free(why);
	else
		g_propagate_error(error, why);
	return missing;
}

bool rr_report_write(const struct study *study, const char *folder, unsigned bits, GError **error)
{
	if (!report_folder_make(folder, error)) return false;
	/* Plots first: the page takes them in, and a note that they lack goes everywhere. */
	if ((bits & (RR_OUTPUT_PLOTS | RR_OUTPUT_HTML)) != 0 && !write_plots(study, folder, error)) return false;
	if ((bits & RR_OUTPUT_JOBS) != 0 && !tables_write_jobs(study, folder, error)) return false;
	if ((bits & RR_OUTPUT_DATABASE) != 0 && !store_write(study, folder, error)) return false;
	if ((bits & RR_OUTPUT_SUMMARY) != 0 && !tables_write_summary(study, folder, error)) return false;
	return (bits & RR_OUTPUT_HTML) == 0 || html_write(study, folder, error);
}

void rr_report_print(const struct study *study, FILE *to, bool colour)
{
	text_print(study, to, colour);
}
