/* reference.c - the tables as a page and as single answers. */
#include "scenarios/format/table.h"

#include <string.h>

/* "a duration (45min)", "one of: physical, cloud". Caller frees. */
static char *kind_text(const struct rr_key *key)
{
	g_autofree char *all = key->words != NULL ? g_strjoinv(", ", (char **)(intptr_t)key->words) : NULL;
	switch (key->type) {
	case RR_KEY_BOOL: return g_strdup("true or false");
	case RR_KEY_INT: return g_strdup("a whole number");
	case RR_KEY_QUANTITY:
	case RR_KEY_SECONDS: return g_strdup(rr_dimension_noun(key->dimension));
	case RR_KEY_TEXT: return g_strdup("a text");
	case RR_KEY_PATH: return g_strdup("a file name, relative to this file");
	case RR_KEY_WORD: return g_strdup_printf("one of: %s", all);
	case RR_KEY_DATE: return g_strdup("a date");
	case RR_KEY_TEXTS: return g_strdup("a list of texts");
	case RR_KEY_RECORD: return g_strdup_printf("a mapping (%s)", key->table->name);
	case RR_KEY_MAP: return g_strdup_printf("a mapping of named %ss", key->table->name);
	case RR_KEY_LIST: return g_strdup_printf("a list of %ss", key->table->name);
	case RR_KEY_FORM: return g_strdup_printf("%s: %s", key->form->noun, key->form->shape);
	}
	return NULL;
}

static char *range_text(const struct rr_key *key)
{
	if (key->least != NULL && key->most != NULL) return g_strdup_printf("%s to %s", key->least, key->most);
	if (key->least != NULL) return g_strdup_printf("%s or more", key->least);
	return key->most != NULL ? g_strdup_printf("at most %s", key->most) : NULL;
}

static bool is_section(const struct rr_key *key)
{
	return key->table != NULL;
}

static char *below(const char *path, const struct rr_key *key)
{
	const char *star = key->type == RR_KEY_MAP ? ".*" : key->type == RR_KEY_LIST ? "[]" : "";
	return g_strdup_printf("%s%s%s%s", path, path[0] == '\0' ? "" : ".", key->name, star);
}

static void append_cell(GString *page, const char *text)
{
	for (const char *c = text; c != NULL && *c != '\0'; c++) {
		if (*c == '|')
			g_string_append(page, "\\|");
		else
			g_string_append_c(page, *c);
	}
}

static void append_table(GString *page, const struct rr_table *table, const char *path)
{
	g_string_append_printf(page,
			       "\n## `%s`\n\n%s\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n",
			       path[0] == '\0' ? "(top of the file)" : path, table->about);
	for (const struct rr_key *k = table->keys; k->name != NULL; k++) {
		g_autofree char *kind = kind_text(k), *range = range_text(k);
		g_string_append_printf(page, "| `%s` | ", k->name);
		append_cell(page, kind);
		if (range != NULL) g_string_append_printf(page, "; %s", range);
		if (k->example != NULL) g_string_append_printf(page, "; `%s`", k->example);
		g_string_append_printf(page, " | %s%s%s | ", k->preset != NULL ? "`" : "",
				       k->preset != NULL ? k->preset
				       : k->required     ? "required"
							 : "",
				       k->preset != NULL ? "`" : "");
		append_cell(page, k->help);
		g_string_append_printf(page, "%s |\n", k->mark == RR_KEY_MONEY ? " (money)" : "");
	}
	for (const struct rr_key *k = table->keys; k->name != NULL; k++) {
		if (!is_section(k)) continue;
		g_autofree char *inner = below(path, k);
		append_table(page, k->table, inner);
	}
}

char *rr_format_reference(const struct rr_vocabulary *words)
{
	GString *page =
	    g_string_new("# The scenario file\n\nEvery key, from the tables that the program reads by. Keys marked "
			 "(money) do not change what is simulated, only what is reckoned from it.\n\nSchedulers "
			 "by name: ");
	for (const struct rr_word *w = words->presets; w->name != NULL; w++)
		g_string_append_printf(page, "%s`%s`", w == words->presets ? "" : ", ", w->name);
	g_string_append(page, ".\n");
	append_table(page, &rr_scenario_table, "");
	g_string_append(page,
			"\n# The catalogue file\n\nYour own entries add to the catalogue in the program or override it "
			"key by key.\n");
	append_table(page, &rr_catalogue_table, "");
	return g_string_free(page, FALSE);
}

/* -------------------------------------------------------------------- explain */

struct search {
	const char *word;
	GString *text;
	GPtrArray *paths; /* char *: all keys, for the nearest one */
};

/* "fleets.own.pools.a.count" is meant by "fleets.*.pools.*.count". */
static bool path_matches(const char *pattern, const char *word)
{
	g_auto(GStrv) p = g_strsplit(pattern, ".", -1), w = g_strsplit(word, ".", -1);
	if (g_strv_length(p) != g_strv_length(w)) return false;
	for (size_t i = 0; p[i] != NULL; i++)
		if (strcmp(p[i], "*") != 0 && strcmp(p[i], w[i]) != 0) return false;
	return true;
}

static void tell(GString *text, const struct rr_key *key, const char *path)
{
	g_autofree char *kind = kind_text(key), *range = range_text(key);
	g_string_append_printf(text, "%s\n  %s\n  %s%s%s\n", path, key->help, kind, range != NULL ? "; " : "",
			       range != NULL ? range : "");
	if (key->preset != NULL)
		g_string_append_printf(text, "  default: %s\n", key->preset);
	else if (key->required)
		g_string_append(text, "  required\n");
	if (key->example != NULL) g_string_append_printf(text, "  example: %s: %s\n", key->name, key->example);
	if (key->mark == RR_KEY_MONEY)
		g_string_append(text, "  money: changes what is reckoned, not what is simulated\n");
	if (!is_section(key)) return;
	g_string_append(text, "  holds:");
	for (const struct rr_key *k = key->table->keys; k->name != NULL; k++)
		g_string_append_printf(text, " %s", k->name);
	g_string_append_c(text, '\n');
}

static void look(struct search *search, const struct rr_table *table, const char *path)
{
	for (const struct rr_key *k = table->keys; k->name != NULL; k++) {
		g_autofree char *plain = g_strdup_printf("%s%s%s", path, path[0] == '\0' ? "" : ".", k->name);
		bool bare = strchr(search->word, '.') == NULL && strcmp(search->word, k->name) == 0;
		if (bare || path_matches(plain, search->word)) tell(search->text, k, plain);
		g_ptr_array_add(search->paths, g_strdup(k->name));
		g_ptr_array_add(search->paths, g_strdup(plain));
		if (!is_section(k)) continue;
		g_autofree char *inner = below(path, k);
		look(search, k->table, inner);
	}
}

char *rr_format_explain(const char *key, const struct rr_vocabulary *words, char **nearest)
{
	(void)words;
	struct search search = {key, g_string_new(NULL), g_ptr_array_new_with_free_func(g_free)};
	look(&search, &rr_scenario_table, "");
	g_ptr_array_add(search.paths, NULL);
	bool found = search.text->len > 0;
	if (nearest != NULL)
		*nearest = found ? NULL : g_strdup(rr_nearest_word(key, (const char *const *)search.paths->pdata));
	g_ptr_array_unref(search.paths);
	return g_string_free(search.text, !found);
}
