/* text.c - fleets side by side, differences marked, for 80 columns and more. */
#include "reports/text/text.h"

#include "reports/view.h"

#include <string.h>

enum { LABEL_WIDTH = 32, NOTE_WIDTH = 78 };

struct printing {
	const struct study *study;
	FILE *to;
	bool colour;
};

static int width_of(const char *text)
{
	return (int)g_utf8_strlen(text, -1);
}

static void paint(const struct printing *p, const char *code)
{
	if (p->colour) fputs(code, p->to);
}

static void print_padded(const struct printing *p, const char *text, int width)
{
	fputs(text, p->to);
	for (int i = width_of(text); i < width; i++) fputc(' ', p->to);
}

/* Words of TEXT wrapped to NOTE_WIDTH, later lines indented by INDENT. */
static void print_wrapped(const struct printing *p, const char *text, const char *indent)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	int column = 0;
	for (char **w = words; *w != NULL; w++) {
		if (column > 0 && column + 1 + width_of(*w) > NOTE_WIDTH) {
			fprintf(p->to, "\n%s", indent);
			column = width_of(indent);
		} else if (column > 0) {
			fputc(' ', p->to);
			column++;
		}
		fputs(*w, p->to);
		column += width_of(*w);
	}
	fputc('\n', p->to);
}

/* Widest value and difference of each fleet decide its column. */
static void measure(const struct study *study, const struct view_row *rows, int *values, int *differences)
{
	for (int32_t f = 0; f < study->fleet_count; f++) {
		values[f] = width_of(study->scenario->fleets[f].name);
		differences[f] = 0;
		for (const struct view_row *row = rows; row->metric != NULL; row++) {
			int better = 0;
			g_autofree char *value = view_value(study, f, row);
			g_autofree char *difference = view_difference(study, f, row, &better);
			values[f] = MAX(values[f], width_of(value));
			differences[f] = MAX(differences[f], width_of(difference));
		}
	}
}

static void print_row(const struct printing *p, const struct view_row *row, const int *values, const int *differences)
{
	fputs("  ", p->to);
	print_padded(p, row->label, LABEL_WIDTH);
	for (int32_t f = 0; f < p->study->fleet_count; f++) {
		int better = 0;
		g_autofree char *value = view_value(p->study, f, row);
		g_autofree char *difference = view_difference(p->study, f, row, &better);
		print_padded(p, value, values[f] + 2);
		if (differences[f] == 0) continue;
		paint(p, better > 0 ? "\033[32m" : better < 0 ? "\033[31m" : "\033[2m");
		print_padded(p, difference, differences[f] + 3);
		paint(p, "\033[0m");
	}
	fputc('\n', p->to);
}

static void print_table(const struct printing *p)
{
	g_autofree struct view_row *rows = view_rows(p->study);
	g_autofree int *values = g_new0(int, (size_t)p->study->fleet_count);
	g_autofree int *differences = g_new0(int, (size_t)p->study->fleet_count);
	measure(p->study, rows, values, differences);
	print_padded(p, "", LABEL_WIDTH + 2);
	for (int32_t f = 0; f < p->study->fleet_count; f++) {
		paint(p, "\033[1m");
		print_padded(p, p->study->scenario->fleets[f].name, values[f] + 2);
		paint(p, "\033[0m");
		if (differences[f] > 0) print_padded(p, "", differences[f] + 3);
	}
	fputc('\n', p->to);
	const char *group = "";
	for (const struct view_row *row = rows; row->metric != NULL; row++) {
		if (strcmp(group, row->group) != 0) {
			group = row->group;
			paint(p, "\033[1m");
			fprintf(p->to, "%s\n", group);
			paint(p, "\033[0m");
		}
		print_row(p, row, values, differences);
	}
}

void text_print(const struct study *study, FILE *to, bool colour)
{
	struct printing p = {study, to, colour};
	g_autofree char *answer = view_answer(study), *frame = view_frame(study);
	paint(&p, "\033[1m");
	fprintf(to, "%s", study->scenario->name);
	paint(&p, "\033[0m");
	fprintf(to, ": %s\n", frame);
	if (study->scenario->question != NULL) print_wrapped(&p, study->scenario->question, "");
	fputc('\n', to);
	if (answer[0] != '\0') print_wrapped(&p, answer, "");
	fputc('\n', to);
	print_table(&p);
	if (study->replications > 1)
		fputs("\nMeans over the replications; \xc2\xb1 is half of the 95 % interval (Student's t).\n", to);
	if (study->notes->len > 0) fputs("\nNotes\n", to);
	for (guint i = 0; i < study->notes->len; i++) {
		g_autofree char *note = g_strdup_printf("  - %s", (const char *)g_ptr_array_index(study->notes, i));
		print_wrapped(&p, note, "    ");
	}
}
