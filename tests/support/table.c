/* table.c - a small CSV table in memory, by libcsv. */
#include "tests/support/table.h"

#include <csv.h>
#include <gio/gio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct reading {
	struct test_table *table;
	GPtrArray *row;
};

static void field(void *text, size_t length, void *data)
{
	struct reading *r = data;
	if (r->row == NULL) r->row = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(r->row, g_strndup(text, length));
}

static void row(int end, void *data)
{
	(void)end;
	struct reading *r = data;
	if (r->row == NULL) return;
	if (r->table->header == NULL)
		r->table->header = r->row;
	else
		g_ptr_array_add(r->table->rows, r->row);
	r->row = NULL;
}

static bool read_packed(const char *path, char **bytes, gsize *size, GError **error)
{
	g_autoptr(GFile) file = g_file_new_for_path(path);
	g_autoptr(GFileInputStream) plain = g_file_read(file, NULL, error);
	if (plain == NULL) return false;
	g_autoptr(GConverter) unzip = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
	g_autoptr(GInputStream) stream = g_converter_input_stream_new(G_INPUT_STREAM(plain), unzip);
	g_autoptr(GOutputStream) all = g_memory_output_stream_new_resizable();
	if (g_output_stream_splice(all, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, error) < 0) return false;
	*size = g_memory_output_stream_get_data_size(G_MEMORY_OUTPUT_STREAM(all));
	*bytes = g_memory_output_stream_steal_data(G_MEMORY_OUTPUT_STREAM(all));
	return true;
}

struct test_table *test_table_read(const char *path)
{
	g_autofree char *bytes = NULL;
	gsize size = 0;
	g_autoptr(GError) error = NULL;
	bool packed = g_str_has_suffix(path, ".gz");
	if (packed ? !read_packed(path, &bytes, &size, &error) : !g_file_get_contents(path, &bytes, &size, &error)) {
		fprintf(stderr, "table: %s\n", error->message);
		return NULL;
	}
	struct test_table *table = g_new0(struct test_table, 1);
	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	struct reading reading = {.table = table};
	struct csv_parser parser;
	csv_init(&parser, 0);
	csv_parse(&parser, bytes, size, field, row, &reading);
	csv_fini(&parser, field, row, &reading);
	csv_free(&parser);
	return table;
}

const char *test_cell(const struct test_table *table, guint at, const char *column)
{
	const GPtrArray *cells = g_ptr_array_index(table->rows, at);
	for (guint c = 0; c < table->header->len && c < cells->len; c++)
		if (strcmp(g_ptr_array_index(table->header, c), column) == 0) return g_ptr_array_index(cells, c);
	g_error("table: no column '%s'", column);
}

double test_number(const struct test_table *table, guint at, const char *column)
{
	return g_ascii_strtod(test_cell(table, at, column), NULL);
}

void test_table_free(struct test_table *table)
{
	if (table == NULL) return;
	g_ptr_array_unref(table->header);
	g_ptr_array_unref(table->rows);
	g_free(table);
}
