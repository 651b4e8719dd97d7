/* faults.c - all that is wrong with an input, told in one go. */
#include "scenarios/scenarios.h"

enum { MOST = 100 }; /* a broken file of millions of rows must not fill the terminal */

void rr_faults_init(struct rr_faults *faults)
{
	faults->texts = g_ptr_array_new_with_free_func(g_free);
	faults->dropped = 0;
}

void rr_faults_done(struct rr_faults *faults)
{
	g_clear_pointer(&faults->texts, g_ptr_array_unref);
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
	g_ptr_array_add(faults->texts, g_string_free(text, FALSE));
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
