/* listing.c - see listing.h. */
#include "tools/rackrent/listing.h"

#include "models/units/units.h"

#include <jansson.h>
#include <string.h>

struct listing {
	char *name;
	GPtrArray *columns; /* const char * */
	guint shown;        /* columns of the table */
	GPtrArray *cells;   /* char *, row by row */
};

struct listing *listing_new(const char *name)
{
	struct listing *l = g_new0(struct listing, 1);
	l->name = g_strdup(name);
	l->columns = g_ptr_array_new();
	l->cells = g_ptr_array_new_with_free_func(g_free);
	return l;
}

void listing_free(struct listing *l)
{
	g_ptr_array_unref(l->columns);
	g_ptr_array_unref(l->cells);
	g_free(l->name);
	g_free(l);
}

static void add_columns(struct listing *l, va_list names)
{
	for (const char *name = va_arg(names, const char *); name != NULL; name = va_arg(names, const char *))
		g_ptr_array_add(l->columns, (gpointer)(intptr_t)name);
}

void listing_columns(struct listing *l, ...)
{
	va_list names;
	va_start(names, l);
	add_columns(l, names);
	va_end(names);
	l->shown = l->columns->len;
}

void listing_details(struct listing *l, ...)
{
	va_list names;
	va_start(names, l);
	add_columns(l, names);
	va_end(names);
}

void listing_add(struct listing *l, char *cell)
{
	g_ptr_array_add(l->cells, cell != NULL ? cell : g_strdup(""));
}

static const char *cell_at(const struct listing *l, guint row, guint column)
{
	return g_ptr_array_index(l->cells, row * l->columns->len + column);
}

static const char *column_name(const struct listing *l, guint column)
{
	return g_ptr_array_index(l->columns, column);
}

static guint row_count(const struct listing *l)
{
	return l->cells->len / MAX(l->columns->len, 1);
}

static guint id_column(const struct listing *l)
{
	guint column = 0;
	while (strcmp(column_name(l, column), "id") != 0) column++;
	return column;
}

static bool wanted(const struct listing *l, guint row, const char *id)
{
	return id == NULL || g_ascii_strcasecmp(cell_at(l, row, id_column(l)), id) == 0;
}

static void print_table(const struct listing *l, FILE *to)
{
	g_autofree int *widths = g_new0(int, l->shown);
	for (guint c = 0; c < l->shown; c++) {
		widths[c] = (int)strlen(column_name(l, c));
		for (guint r = 0; r < row_count(l); r++)
			widths[c] = MAX(widths[c], (int)g_utf8_strlen(cell_at(l, r, c), -1));
	}
	for (guint r = 0; r <= row_count(l); r++)
		for (guint c = 0; c < l->shown; c++) {
			const char *text = r == 0 ? column_name(l, c) : cell_at(l, r - 1, c);
			fputs(text, to);
			if (c + 1 == l->shown)
				fputc('\n', to);
			else
				for (int i = (int)g_utf8_strlen(text, -1); i < widths[c] + 2; i++) fputc(' ', to);
		}
}

/* All that is known of one entry, a line each. */
static void print_entry(const struct listing *l, guint row, FILE *to)
{
	for (guint c = 0; c < l->columns->len; c++) {
		const char *text = cell_at(l, row, c);
		if (text[0] == '\0') continue;
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		for (char **line = lines; *line != NULL; line++)
			fprintf(to, "%-16s %s\n", line == lines ? column_name(l, c) : "", *line);
	}
}

static void print_csv_cell(const char *text, FILE *to)
{
	bool quote = strpbrk(text, ",\"\r\n") != NULL;
	if (quote) fputc('"', to);
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '"') fputc('"', to);
		fputc(*c, to);
	}
	if (quote) fputc('"', to);
}

static void print_csv(const struct listing *l, const char *id, FILE *to)
{
	for (guint c = 0; c < l->columns->len; c++) fprintf(to, "%s%s", c > 0 ? "," : "", column_name(l, c));
	fputc('\n', to);
	for (guint r = 0; r < row_count(l); r++) {
		if (!wanted(l, r, id)) continue;
		for (guint c = 0; c < l->columns->len; c++) {
			if (c > 0) fputc(',', to);
			print_csv_cell(cell_at(l, r, c), to);
		}
		fputc('\n', to);
	}
}

static void print_json(const struct listing *l, const char *id, FILE *to)
{
	json_t *all = json_array();
	for (guint r = 0; r < row_count(l); r++) {
		if (!wanted(l, r, id)) continue;
		json_t *entry = json_object();
		for (guint c = 0; c < l->columns->len; c++) {
			const char *text = cell_at(l, r, c);
			json_object_set_new(entry, column_name(l, c),
					    text[0] == '\0' ? json_null() : json_string(text));
		}
		json_array_append_new(all, entry);
	}
	json_dumpf(all, to, JSON_INDENT(1));
	fputc('\n', to);
	json_decref(all);
}

static bool known(const struct listing *l, const char *id)
{
	g_autoptr(GPtrArray) ids = g_ptr_array_new();
	for (guint r = 0; r < row_count(l); r++) {
		if (wanted(l, r, id)) return true;
		g_ptr_array_add(ids, (gpointer)(intptr_t)cell_at(l, r, id_column(l)));
	}
	g_ptr_array_add(ids, NULL);
	const char *near = rr_nearest_word(id, (const char *const *)ids->pdata);
	fprintf(stderr, "rackrent catalog: there is no '%s' among the %s%s%s%s (rackrent catalog %s lists them)\n", id,
		l->name, near != NULL ? ", did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "",
		l->name);
	return false;
}

bool listing_print(const struct listing *l, const char *id, const char *format, FILE *to)
{
	if (id != NULL && !known(l, id)) return false;
	if (strcmp(format, "csv") == 0)
		print_csv(l, id, to);
	else if (strcmp(format, "json") == 0)
		print_json(l, id, to);
	else if (id == NULL)
		print_table(l, to);
	else
		for (guint r = 0; r < row_count(l); r++)
			if (wanted(l, r, id)) print_entry(l, r, to);
	return true;
}
