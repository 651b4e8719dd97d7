/* listing.h - rows of texts, printed as a table, CSV or JSON. */
#ifndef RR_TOOLS_LISTING_H
#define RR_TOOLS_LISTING_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

struct listing;

struct listing *listing_new(const char *name);
void listing_free(struct listing *listing);
/* Columns of the table, then those that only a single entry, CSV and JSON show. */
void listing_columns(struct listing *listing, ...) G_GNUC_NULL_TERMINATED;
void listing_details(struct listing *listing, ...) G_GNUC_NULL_TERMINATED;
/* The next cell, row by row, columns then details; taken over, NULL = blank. */
void listing_add(struct listing *listing, char *cell);
/* All rows, or those whose column "id" is ID, in full. False after saying that
 * there is none, with the nearest one. */
bool listing_print(const struct listing *listing, const char *id, const char *format, FILE *to);

#endif
