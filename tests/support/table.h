/* table.h - a small CSV table in memory, for tests. */
#ifndef RR_TESTS_SUPPORT_TABLE_H
#define RR_TESTS_SUPPORT_TABLE_H

#include <glib.h>

/* Header and rows of texts. */
struct test_table {
	GPtrArray *header; /* char * */
	GPtrArray *rows;   /* GPtrArray of char * */
};
/* NULL after printing why. */
struct test_table *test_table_read(const char *path);
const char *test_cell(const struct test_table *table, guint row, const char *column);
double test_number(const struct test_table *table, guint row, const char *column);
void test_table_free(struct test_table *table);

#endif
