/* nearest.c - the word that was meant.
 *
 * Edit distance with transpositions (optimal string alignment). A difference of
 * letter case alone costs little, so that "gb" finds "GB" before "b". */
#include "models/units/units.h"

#include <string.h>

enum { LONGEST = 64, EDIT = 8, CASE = 1 };

static int substitution_cost(char a, char b)
{
	if (a == b) return 0;
	return g_ascii_tolower(a) == g_ascii_tolower(b) ? CASE : EDIT;
}

static bool swapped(const char *a, const char *b)
{
	return g_ascii_tolower(a[0]) == g_ascii_tolower(b[-1]) && g_ascii_tolower(a[-1]) == g_ascii_tolower(b[0]);
}

static int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int rows[3][LONGEST + 1];
	int *before = rows[0], *above = rows[1], *row = rows[2];
	for (size_t j = 0; j <= b_length; j++) above[j] = (int)j * EDIT;
	memcpy(before, above, sizeof rows[0]);
	for (size_t i = 1; i <= a_length; i++) {
		row[0] = (int)i * EDIT;
		for (size_t j = 1; j <= b_length; j++) {
			int cost = above[j - 1] + substitution_cost(a[i - 1], b[j - 1]);
			cost = MIN(cost, above[j] + EDIT);
			cost = MIN(cost, row[j - 1] + EDIT);
			if (i > 1 && j > 1 && swapped(&a[i - 1], &b[j - 1])) cost = MIN(cost, before[j - 2] + EDIT);
			row[j] = cost;
		}
		int *free_row = before;
		before = above;
		above = row;
		row = free_row;
	}
	return above[b_length];
}

/* The one word that TEXT abbreviates ("exp" -> "exponential"), or NULL. */
static const char *abbreviated(const char *text, size_t length, const char *const *words)
{
	const char *only = NULL;
	if (length < 3) return NULL;
	for (const char *const *word = words; *word != NULL; word++) {
		if (g_ascii_strncasecmp(*word, text, length) != 0) continue;
		if (only != NULL) return NULL;
		only = *word;
	}
	return only;
}

const char *rr_nearest_word(const char *text, const char *const *words)
{
	size_t length = strlen(text);
	if (length == 0 || length > LONGEST) return NULL;
	/* One edit in three letters: more, and any short word would do. */
	int best = ((int)(length + 1) / 3) * EDIT + EDIT - 1;
	const char *nearest = NULL;
	for (const char *const *word = words; *word != NULL; word++) {
		size_t word_length = strlen(*word);
		if (word_length > LONGEST) continue;
		int cost = distance(text, length, *word, word_length);
		if (cost < best || (cost == best && nearest == NULL)) {
			best = cost;
			nearest = *word;
		}
	}
	return nearest != NULL ? nearest : abbreviated(text, length, words);
}
