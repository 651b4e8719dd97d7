/* html.c - the summary as a page: the same rows as on the terminal, three
 * pictures, and how to make it again. No script, nothing from outside. */
#include "reports/html/html.h"

#include "reports/files.h"
#include "reports/plots/plots.h"
#include "reports/view.h"

#include <string.h>

static const char style[] =
    ":root{color-scheme:light}"
    "body{font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d2330;background:#fff;"
    "max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}"
    "h1{font-size:1.9rem;line-height:1.2;margin:0 0 .4rem;letter-spacing:-.01em}"
    "h2{font-size:1.15rem;margin:2.4rem 0 .6rem}"
    ".frame{color:#5a6475;margin:0 0 1.4rem}"
    ".answer{font-size:1.15rem;border-left:4px solid #0072b2;padding:.7rem 1.1rem;background:#f3f7fb;margin:0 0 1.6rem}"
    ".wide{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
    "th,td{padding:.32rem .7rem;text-align:right;border-bottom:1px solid #e6e9ef;white-space:nowrap}"
    "th:first-child,td:first-child{text-align:left;white-space:normal}"
    "thead th{border-bottom:2px solid #1d2330}"
    "tbody th{padding-top:1.1rem;color:#5a6475;font-weight:600;border-bottom:1px solid #c8ced9}"
    "td.in{padding-left:1.7rem}"
    "small{margin-left:.5rem}.good{color:#00694a}.bad{color:#a83c00}.same{color:#5a6475}"
    "figure{margin:1.4rem 0}figure svg{width:100%;height:auto}figcaption{color:#5a6475;font-size:.92rem}"
    "ul{padding-left:1.2rem}li{margin:.25rem 0}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;font-size:.92rem}"
    "dt{color:#5a6475}dd{margin:0;overflow-wrap:anywhere}code{font:.92em ui-monospace,monospace}"
    "@media(max-width:40rem){body{padding:1.2rem .8rem}h1{font-size:1.5rem}th,td{padding:.3rem .4rem}}"
    "@media print{body{max-width:none;padding:0}figure,table{break-inside:avoid}}";

static void append_escaped(GString *page, const char *text)
{
	g_autofree char *safe = g_markup_escape_text(text, -1);
	g_string_append(page, safe);
}

static void append_head(GString *page, const struct study *study)
{
	const struct scenario *s = study->scenario;
	const char *title = s->question != NULL ? s->question : s->name;
	g_autofree char *frame = view_frame(study), *answer = view_answer(study);
	g_string_append(page, "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
			      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
	append_escaped(page, title);
	g_string_append_printf(page, "</title>\n<style>%s</style></head>\n<body>\n<h1>", style);
	append_escaped(page, title);
	g_string_append(page, "</h1>\n<p class=\"frame\">");
	append_escaped(page, s->name);
	g_string_append(page, ": ");
	append_escaped(page, frame);
	g_string_append(page, "</p>\n");
	if (answer[0] == '\0') return;
	g_string_append(page, "<p class=\"answer\">");
	append_escaped(page, answer);
	g_string_append(page, "</p>\n");
}

static void append_row(GString *page, const struct study *study, const struct view_row *row)
{
	bool inner = row->label[0] == ' ';
	g_string_append_printf(page, "<tr><td%s>", inner ? " class=\"in\"" : "");
	append_escaped(page, row->label + (inner ? 2 : 0));
	g_string_append(page, "</td>");
	for (int32_t f = 0; f < study->fleet_count; f++) {
		int better = 0;
		g_autofree char *value = view_value(study, f, row);
		g_autofree char *difference = view_difference(study, f, row, &better);
		g_string_append(page, "<td>");
		append_escaped(page, value);
		if (difference[0] != '\0') {
			g_string_append_printf(page, "<small class=\"%s\">",
					       better > 0   ? "good"
					       : better < 0 ? "bad"
							    : "same");
			append_escaped(page, difference);
			g_string_append(page, "</small>");
		}
		g_string_append(page, "</td>");
	}
	g_string_append(page, "</tr>\n");
}

static void append_table(GString *page, const struct study *study)
{
	g_autofree struct view_row *rows = view_rows(study);
	g_string_append(page, "<div class=\"wide\"><table>\n<thead><tr><th></th>");
	for (int32_t f = 0; f < study->fleet_count; f++) {
		g_string_append(page, "<th>");
		append_escaped(page, study->scenario->fleets[f].name);
		g_string_append(page, "</th>");
	}
	g_string_append(page, "</tr></thead>\n<tbody>\n");
	const char *group = "";
	for (const struct view_row *row = rows; row->metric != NULL; row++) {
		if (strcmp(group, row->group) != 0)
			g_string_append_printf(page, "<tr><th colspan=\"%d\">%s</th></tr>\n", study->fleet_count + 1,
					       row->group);
		group = row->group;
		append_row(page, study, row);
	}
	g_string_append(page, "</tbody></table></div>\n<p class=\"frame\">");
	if (study->fleet_count > 1) {
		g_string_append(page, "Small figures: difference from \xe2\x80\x98");
		append_escaped(page, study->scenario->fleets[study->scenario->baseline].name);
		g_string_append(page, "\xe2\x80\x99; coloured where it is surely better or worse. ");
	}
	if (study->replications > 1)
		g_string_append(page, "Means over the replications; \xc2\xb1 is half of the 95&nbsp;% interval.");
	g_string_append(page, "</p>\n");
}

/* The picture's <svg>, without the declarations before it. */
static void append_plots(GString *page, const char *folder)
{
	for (int p = 0; p < PLOT_COUNT; p++) {
		g_autofree char *path = g_build_filename(folder, "plots", plots_name((enum plot)p), NULL);
		g_autofree char *svg = NULL;
		if (!g_file_get_contents(path, &svg, NULL, NULL)) continue;
		const char *begin = strstr(svg, "<svg");
		if (begin == NULL) continue;
		/* Ids repeat from picture to picture: each gets its own. */
		g_autoptr(GString) own = g_string_new(begin);
		g_autofree char *prefix = g_strdup_printf("plot%d_", p);
		g_autofree char *id = g_strconcat("id=\"", prefix, NULL),
				*link = g_strconcat("xlink:href=\"#", prefix, NULL);
		g_autofree char *clip = g_strconcat("url(#", prefix, NULL);
		g_string_replace(own, "id=\"", id, 0);
		g_string_replace(own, "xlink:href=\"#", link, 0);
		g_string_replace(own, "url(#", clip, 0);
		g_string_append_printf(page, "<figure>\n%s\n<figcaption>%s</figcaption></figure>\n", own->str,
				       plots_caption((enum plot)p));
	}
}

static void append_term(GString *page, const char *term, const char *text)
{
	if (text == NULL) return;
	g_string_append_printf(page, "<dt>%s</dt><dd><code>", term);
	append_escaped(page, text);
	g_string_append(page, "</code></dd>\n");
}

static void append_foot(GString *page, const struct study *study)
{
	const struct scenario *s = study->scenario;
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, s->seed);
	if (study->notes->len > 0) g_string_append(page, "<h2>What to know</h2>\n<ul>\n");
	for (guint i = 0; i < study->notes->len; i++) {
		g_string_append(page, "<li>");
		append_escaped(page, g_ptr_array_index(study->notes, i));
		g_string_append(page, "</li>\n");
	}
	if (study->notes->len > 0) g_string_append(page, "</ul>\n");
	g_string_append(page, "<h2>How to make this again</h2>\n<dl>\n");
	append_term(page, "command", study->command);
	append_term(page, "scenario", s->file);
	append_term(page, "its SHA-256", s->digest);
	append_term(page, "seed", seed);
	append_term(page, "rackrent", study->version);
	g_string_append(page, "</dl>\n</body></html>\n");
}

bool html_write(const struct study *study, const char *folder, GError **error)
{
	struct report_file file;
	if (!report_file_open(&file, folder, "report.html", error)) return false;
	g_autoptr(GString) page = g_string_new(NULL);
	append_head(page, study);
	append_table(page, study);
	append_plots(page, folder);
	append_foot(page, study);
	fwrite(page->str, 1, page->len, file.stream);
	return report_file_close(&file, true, error);
}
