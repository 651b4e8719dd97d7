/* table.c - reading a mapping by its table. */
#include "scenarios/format/table.h"

#include <math.h>
#include <string.h>

void table_add_fault(struct rr_reader *r, const struct node *node, const char *path, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	if (path[0] == '\0')
		rr_faults_add(r->faults, node->file, node->line, node->column, "%s", what);
	else
		rr_faults_add(r->faults, node->file, node->line, node->column, "%s: %s", path, what);
}

bool table_has(const struct rr_reader *r, const char *path)
{
	return g_hash_table_contains(r->places, path);
}

void table_add_fault_at(struct rr_reader *r, const char *path, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *above = g_strdup(path);
	const struct node *node = NULL;
	while ((node = g_hash_table_lookup(r->places, above)) == NULL && above[0] != '\0') {
		char *dot = strrchr(above, '.');
		*(dot != NULL ? dot : above) = '\0';
	}
	g_assert(node != NULL); /* the root, "", always stands there */
	rr_faults_add(r->faults, node->file, node->line, node->column, "%s: %s", path, what);
}

char *table_hint(const char *text, const char *const *words)
{
	const char *near = rr_nearest_word(text, words);
	return near == NULL ? g_strdup("") : g_strdup_printf(", did you mean '%s'?", near);
}

/* ------------------------------------------------------------------ defaults */

static void set_unset(const struct rr_key *key, char *at)
{
	switch (key->type) {
	case RR_KEY_INT:
		if (key->wide)
			*(int64_t *)(void *)at = -1;
		else
			*(int32_t *)(void *)at = -1;
		break;
	case RR_KEY_QUANTITY:
		if (rr_dimension_is_counted(key->dimension))
			*(int64_t *)(void *)at = -1;
		else
			*(double *)(void *)at = NAN;
		break;
	case RR_KEY_SECONDS: *(double *)(void *)at = NAN; break;
	case RR_KEY_DATE: *(int64_t *)(void *)at = -1; break;
	case RR_KEY_WORD: *(int32_t *)(void *)at = -1; break;
	case RR_KEY_FORM:
		if (key->form == &rr_form_duration)
			*(struct rr_distribution *)(void *)at =
			    (struct rr_distribution){.kind = RR_DIST_CONSTANT, .a = NAN};
		break;
	default: break; /* NULL, false and empty by the zeroed struct */
	}
}

void table_defaults(struct rr_reader *r, const struct rr_table *table, void *into)
{
	for (const struct rr_key *k = table->keys; k->name != NULL; k++) {
		char *at = (char *)into + k->at;
		if (k->type == RR_KEY_RECORD)
			table_defaults(r, k->table, at);
		else if (k->preset == NULL)
			set_unset(k, at);
		else {
			const struct node where = {.file = "default", .line = 0};
			struct node *node = node_new_text(r->tree, &where, k->preset);
			table_read_value(r, k, node, into, k->name);
		}
	}
}

/* ------------------------------------------------------------------- scalars */

static const char *text_of(struct rr_reader *r, const struct rr_key *key, const struct node *node, const char *path,
			   const char *expected)
{
	if (node->kind == NODE_TEXT && (node->quoted || node->text[0] != '\0')) return node->text;
	g_autofree char *found = node_describe(node);
	table_add_fault(r, node, path, "expected %s%s%s%s, found %s", expected,
			key->example != NULL ? " such as '" : "", key->example != NULL ? key->example : "",
			key->example != NULL ? "'" : "", found);
	return NULL;
}

static double value_of(const char *text, enum rr_dimension dimension)
{
	struct rr_quantity q = {0};
	bool sound = rr_quantity_parse(text, dimension, &q, NULL);
	g_assert(sound); /* limits in the tables are ours */
	return q.value;
}

static bool in_range(struct rr_reader *r, const struct rr_key *key, const struct node *node, const char *path,
		     double value)
{
	if (key->least != NULL && value < value_of(key->least, key->dimension))
		table_add_fault(r, node, path, "%s is below the least, %s", node->text, key->least);
	else if (key->most != NULL && value > value_of(key->most, key->dimension))
		table_add_fault(r, node, path, "%s is above the most, %s", node->text, key->most);
	else
		return true;
	return false;
}

static void read_bool(struct rr_reader *r, const struct rr_key *key, const struct node *node, bool *at,
		      const char *path)
{
	const char *text = text_of(r, key, node, path, "true or false");
	if (text == NULL) return;
	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		*at = text[0] == 't';
	else
		table_add_fault(r, node, path, "expected true or false, found '%s'", text);
}

static void read_int(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at, const char *path)
{
	const char *text = text_of(r, key, node, path, "a whole number");
	if (text == NULL) return;
	int64_t value = 0;
	g_autoptr(GError) error = NULL;
	if (!g_ascii_string_to_signed(text, 10, key->wide ? G_MININT64 : G_MININT32,
				      key->wide ? G_MAXINT64 : G_MAXINT32, &value, &error)) {
		table_add_fault(r, node, path, "expected a whole number, found '%s'", text);
		return;
	}
	if (!in_range(r, key, node, path, (double)value)) return;
	if (key->wide)
		*(int64_t *)at = value;
	else
		*(int32_t *)at = (int32_t)value;
}

static void read_quantity(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *base,
			  const char *path)
{
	const char *text = text_of(r, key, node, path, rr_dimension_noun(key->dimension));
	struct rr_quantity q = {0};
	g_autoptr(GError) error = NULL;
	if (text == NULL) return;
	if (!rr_quantity_parse(text, key->dimension, &q, &error)) {
		table_add_fault(r, node, path, "%s", error->message);
		return;
	}
	if (!in_range(r, key, node, path, q.value)) return;
	char *at = (char *)base + key->at;
	if (key->any_currency)
		memcpy((char *)base + key->also, q.currency, sizeof q.currency);
	else if (rr_dimension_is_money(key->dimension) && q.currency[0] != '\0' && r->currency[0] != '\0' &&
		 strcmp(q.currency, r->currency) != 0) {
		table_add_fault(r, node, path, "is in %s, but this scenario counts in %s (key 'currency'); convert it",
				q.currency, r->currency);
		return;
	}
	if (key->type == RR_KEY_SECONDS)
		*(double *)(void *)at = q.value / (double)RR_NS_PER_S;
	else if (rr_dimension_is_counted(key->dimension))
		*(int64_t *)(void *)at = q.exact;
	else
		*(double *)(void *)at = q.value;
}

static void read_text(struct rr_reader *r, const struct rr_key *key, const struct node *node, char **at,
		      const char *path)
{
	const char *text = text_of(r, key, node, path, key->type == RR_KEY_PATH ? "a file name" : "a text");
	if (text == NULL) return;
	g_free(*at);
	bool relative = key->type == RR_KEY_PATH && !g_path_is_absolute(text) && strcmp(r->folder, ".") != 0;
	*at = relative ? g_build_filename(r->folder, text, NULL) : g_strdup(text);
}

static void read_word(struct rr_reader *r, const struct rr_key *key, const struct node *node, int32_t *at,
		      const char *path)
{
	g_autofree char *all = g_strjoinv(", ", (char **)(intptr_t)key->words);
	const char *text = text_of(r, key, node, path, "a word");
	if (text == NULL) return;
	for (int32_t i = 0; key->words[i] != NULL; i++) {
		if (strcmp(text, key->words[i]) != 0) continue;
		*at = i;
		return;
	}
	g_autofree char *hint = table_hint(text, key->words);
	table_add_fault(r, node, path, "unknown word '%s'%s (one of: %s)", text, hint, all);
}

static void read_date(struct rr_reader *r, const struct rr_key *key, const struct node *node, int64_t *at,
		      const char *path)
{
	const char *text = text_of(r, key, node, path, "a date");
	int64_t ns = 0;
	if (text == NULL) return;
	if (rr_stamp_parse(text, &ns))
		*at = ns / RR_NS_PER_S;
	else
		table_add_fault(r, node, path, "expected a date such as 2025-01-01, found '%s'", text);
}

static void read_texts(struct rr_reader *r, const struct rr_key *key, const struct node *node, char ***at,
		       const char *path)
{
	if (node->kind != NODE_LIST) {
		g_autofree char *found = node_describe(node);
		table_add_fault(r, node, path, "expected a list such as [a, b], found %s", found);
		return;
	}
	GPtrArray *texts = g_ptr_array_new();
	for (guint i = 0; i < node->items->len; i++) {
		char *text = NULL;
		read_text(r, key, g_ptr_array_index(node->items, i), &text, path);
		if (text != NULL) g_ptr_array_add(texts, text);
	}
	g_ptr_array_add(texts, NULL);
	g_strfreev(*at);
	*at = (char **)g_ptr_array_free(texts, FALSE);
}

/* ------------------------------------------------------------------ mappings */

static bool is_map(struct rr_reader *r, const struct node *node, const char *path, const char *expected)
{
	if (node->kind == NODE_MAP) return true;
	g_autofree char *found = node_describe(node);
	table_add_fault(r, node, path, "expected %s, found %s", expected, found);
	return false;
}

static char *below(const char *path, const char *key)
{
	return path[0] == '\0' ? g_strdup(key) : g_strdup_printf("%s.%s", path, key);
}

static void read_map(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *base,
		     const char *path)
{
	g_autofree char *expected = g_strdup_printf("a mapping of named %ss", key->table->name);
	if (!is_map(r, node, path, expected)) return;
	guint count = node->keys->len;
	char *things = g_malloc0_n(MAX(count, 1), key->table->size);
	*(void **)(void *)((char *)base + key->at) = things;
	*(int32_t *)(void *)((char *)base + key->also) = (int32_t)count;
	for (guint i = 0; i < count; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i);
		char *thing = things + (size_t)i * key->table->size;
		*(char **)(void *)(thing + key->table->name_at) = g_strdup(name->text);
		if (name->text[0] == '\0') table_add_fault(r, name, path, "a %s needs a name", key->table->name);
		g_autofree char *inner = below(path, name->text);
		table_defaults(r, key->table, thing);
		table_read(r, key->table, g_ptr_array_index(node->items, i), thing, inner);
	}
}

static void read_list(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *base,
		      const char *path)
{
	if (node->kind != NODE_LIST) {
		g_autofree char *found = node_describe(node);
		table_add_fault(r, node, path, "expected a list of %ss, found %s", key->table->name, found);
		return;
	}
	char *things = g_malloc0_n(MAX(node->items->len, 1), key->table->size);
	*(void **)(void *)((char *)base + key->at) = things;
	*(int32_t *)(void *)((char *)base + key->also) = (int32_t)node->items->len;
	for (guint i = 0; i < node->items->len; i++) {
		char *thing = things + (size_t)i * key->table->size;
		g_autofree char *inner = g_strdup_printf("%s[%u]", path, i + 1);
		table_defaults(r, key->table, thing);
		table_read(r, key->table, g_ptr_array_index(node->items, i), thing, inner);
	}
}

void table_read_value(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *base,
		      const char *path)
{
	void *at = (char *)base + key->at;
	switch (key->type) {
	case RR_KEY_BOOL: read_bool(r, key, node, at, path); break;
	case RR_KEY_INT: read_int(r, key, node, at, path); break;
	case RR_KEY_QUANTITY:
	case RR_KEY_SECONDS: read_quantity(r, key, node, base, path); break;
	case RR_KEY_TEXT:
	case RR_KEY_PATH: read_text(r, key, node, at, path); break;
	case RR_KEY_WORD: read_word(r, key, node, at, path); break;
	case RR_KEY_DATE: read_date(r, key, node, at, path); break;
	case RR_KEY_TEXTS: read_texts(r, key, node, at, path); break;
	case RR_KEY_RECORD: table_read(r, key->table, node, at, path); break;
	case RR_KEY_MAP: read_map(r, key, node, base, path); break;
	case RR_KEY_LIST: read_list(r, key, node, base, path); break;
	case RR_KEY_FORM: key->form->read(r, key, node, at, path); break;
	}
}

static const struct rr_key *find_key(const struct rr_table *table, const char *name)
{
	for (const struct rr_key *k = table->keys; k->name != NULL; k++)
		if (strcmp(k->name, name) == 0) return k;
	return NULL;
}

static void tell_unknown(struct rr_reader *r, const struct rr_table *table, const struct node *key, const char *path)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (const struct rr_key *k = table->keys; k->name != NULL; k++)
		g_ptr_array_add(names, (gpointer)(intptr_t)k->name);
	g_ptr_array_add(names, NULL);
	g_autofree char *hint = table_hint(key->text, (const char *const *)names->pdata);
	g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
	if (hint[0] != '\0')
		table_add_fault(r, key, path, "unknown key '%s'%s", key->text, hint);
	else
		table_add_fault(r, key, path, "unknown key '%s'; a %s has: %s", key->text, table->name, all);
}

void table_read(struct rr_reader *r, const struct rr_table *table, const struct node *node, void *into,
		const char *path)
{
	g_autofree char *expected = g_strdup_printf("a mapping (%s)", table->name);
	g_hash_table_insert(r->places, g_strdup(path), (gpointer)(intptr_t)node);
	if (!is_map(r, node, path, expected)) return;
	for (guint i = 0; i < node->keys->len; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i), *value = g_ptr_array_index(node->items, i);
		const struct rr_key *key = find_key(table, name->text);
		if (key == NULL) {
			tell_unknown(r, table, name, path);
			continue;
		}
		g_autofree char *inner = below(path, key->name);
		g_hash_table_insert(r->places, g_strdup(inner), (gpointer)(intptr_t)value);
		if (key->flagged) *(bool *)(void *)((char *)into + key->also) = true;
		table_read_value(r, key, value, into, inner);
	}
	for (const struct rr_key *k = table->keys; k->name != NULL; k++)
		if (k->required && node_get(node, k->name) == NULL &&
		    !(k->inherited && node_get(node, "extends") != NULL))
			table_add_fault(r, node, path, "key '%s' is missing: %s", k->name, k->help);
}

/* ------------------------------------------------------------------- freeing */

static void clear_things(const struct rr_key *key, char *at, int32_t count)
{
	char *things = *(void **)(void *)at;
	for (int32_t i = 0; things != NULL && i < count; i++) {
		char *thing = things + (size_t)i * key->table->size;
		if (key->type == RR_KEY_MAP) g_free(*(char **)(void *)(thing + key->table->name_at));
		table_clear(key->table, thing);
	}
	g_free(things);
	*(void **)(void *)at = NULL;
}

void table_clear(const struct rr_table *table, void *base)
{
	for (const struct rr_key *k = table->keys; k->name != NULL; k++) {
		char *at = (char *)base + k->at;
		switch (k->type) {
		case RR_KEY_TEXT:
		case RR_KEY_PATH: g_clear_pointer((char **)(void *)at, g_free); break;
		case RR_KEY_TEXTS: g_clear_pointer((char ***)(void *)at, g_strfreev); break;
		case RR_KEY_RECORD: table_clear(k->table, at); break;
		case RR_KEY_MAP:
		case RR_KEY_LIST: clear_things(k, at, *(int32_t *)(void *)((char *)base + k->also)); break;
		case RR_KEY_FORM:
			if (k->form->clear != NULL) k->form->clear(at);
			break;
		default: break;
		}
	}
}
