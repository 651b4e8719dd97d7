/* faults.c - all that is wrong with an input, told in one go. */
#include "scenarios/scenarios.h"

#include <limits.h>

enum { MOST = 100 }; /* a broken file of millions of rows must not fill the terminal */

struct place {
	long line, column;
};

void rr_faults_init(struct rr_faults *faults)
{
	faults->places = g_array_new(FALSE, FALSE, sizeof(struct place));
	faults->texts = g_ptr_array_new_with_free_func(g_free);
	faults->dropped = 0;
}

void rr_faults_done(struct rr_faults *faults)
{
	g_clear_pointer(&faults->texts, g_ptr_array_unref);
	g_clear_pointer(&faults->places, g_array_unref);
}

/* TEXT without bytes that a terminal would obey or not understand: inputs are
 * anyone's. Frees TEXT. */
static char *printable(GString *text)
{
	g_autofree char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
	g_string_truncate(text, 0);
	for (const char *c = valid; *c != '\0'; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			g_string_append_printf(text, "\\x%02x", (unsigned)(unsigned char)*c);
		else
			g_string_append_c(text, *c);
	}
	return g_string_free(text, FALSE);
}

void rr_faults_add(struct rr_faults *faults, const char *file, long line, long column, const char *format, ...)
{
	if (faults->texts->len >= MOST) {
		faults->dropped++;
		return;
	}
	GString *text = g_string_new(file);
	if (line > 0) g_string_append_printf(text, ":%ld", line);
	if (line > 0 && column > 0) g_string_append_printf(text, ":%ld", column);
	if (text->len > 0) g_string_append(text, ": ");
	va_list arguments;
	va_start(arguments, format);
	g_string_append_vprintf(text, format, arguments);
	va_end(arguments);
	struct place place = {line > 0 ? line : LONG_MAX, column};
	g_array_append_val(faults->places, place);
	g_ptr_array_add(faults->texts, printable(text));
}

void rr_faults_sort(struct rr_faults *faults, guint from)
{
	/* At most a hundred: insertion keeps equal ones in their order. */
	for (guint i = from + 1; i < faults->texts->len; i++) {
		gpointer text = faults->texts->pdata[i];
		struct place place = g_array_index(faults->places, struct place, i);
		guint at = i;
		for (; at > from; at--) {
			struct place before = g_array_index(faults->places, struct place, at - 1);
			if (before.line < place.line || (before.line == place.line && before.column <= place.column))
				break;
			faults->texts->pdata[at] = faults->texts->pdata[at - 1];
			g_array_index(faults->places, struct place, at) = before;
		}
		faults->texts->pdata[at] = text;
		g_array_index(faults->places, struct place, at) = place;
	}
}

bool rr_faults_any(const struct rr_faults *faults)
{
	return faults->texts->len > 0;
}

void rr_faults_print(const struct rr_faults *faults, FILE *to)
{
	for (guint i = 0; i < faults->texts->len; i++)
		fprintf(to, "%s\n", (const char *)g_ptr_array_index(faults->texts, i));
	int64_t all = faults->texts->len + faults->dropped;
	if (faults->dropped > 0)
		fprintf(to, "%" G_GINT64_FORMAT " faults; the first %u are shown\n", all, faults->texts->len);
	else if (all > 1)
		fprintf(to, "%" G_GINT64_FORMAT " faults\n", all);
}
