/* scheduler_form.c - a scheduler: a preset with options after commas, or a word for
 * each part, with its parameters where it has some. */
#include "scenarios/format/table.h"

#include <string.h>

static const char *const part_names[] = {"order", "backfill", "placement", "preempt"};
enum { PARTS = G_N_ELEMENTS(part_names) };

static const struct rr_word *part_words(const struct rr_vocabulary *words, size_t part)
{
	const struct rr_word *tables[PARTS] = {words->orders, words->backfills, words->placements, words->preempts};
	return tables[part];
}

static bool is_part(const char *name)
{
	for (size_t part = 0; part < PARTS; part++)
		if (strcmp(part_names[part], name) == 0) return true;
	return false;
}

/* NULL-terminated names of WORDS; caller frees the array. */
static const char **names_of(const struct rr_word *words)
{
	GPtrArray *names = g_ptr_array_new();
	for (const struct rr_word *w = words; w->name != NULL; w++) g_ptr_array_add(names, (gpointer)(intptr_t)w->name);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

static int32_t read_word(struct rr_reader *r, size_t part, const struct node *node, const char *path)
{
	g_autofree const char **names = names_of(part_words(r->options->words, part));
	const struct rr_key key = {.name = part_names[part], .type = RR_KEY_WORD, .words = names};
	int32_t index = -1;
	table_read_value(r, &key, node, &index, path);
	return index;
}

/* A value as the parameter reads it: [3250s, 7200s] is "3250s/7200s", and {1: 7s,
 * more: 60s} is "1:7s/more:60s". NULL for anything else. */
static char *value_text(const struct node *node)
{
	GString *text = g_string_new(NULL);
	if (node->kind == NODE_TEXT) return g_string_free(g_string_append(text, node->text), FALSE);
	for (guint i = 0; node->items != NULL && i < node->items->len; i++) {
		const struct node *item = g_ptr_array_index(node->items, i);
		if (item->kind != NODE_TEXT) {
			g_string_free(text, TRUE);
			return NULL;
		}
		if (i > 0) g_string_append_c(text, '/');
		if (node->kind == NODE_MAP) {
			const struct node *name = g_ptr_array_index(node->keys, i);
			g_string_append_printf(text, "%s:", name->text);
		}
		g_string_append(text, item->text);
	}
	return g_string_free(text, FALSE);
}

static bool has_parameter(const struct rr_word *word, const char *name)
{
	for (const struct rr_parameter *p = word->parameters; p != NULL && p->name != NULL; p++)
		if (strcmp(p->name, name) == 0) return true;
	return false;
}

static char *parameter_hint(const struct rr_word *word, const char *name)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (const struct rr_parameter *p = word->parameters; p != NULL && p->name != NULL; p++)
		g_ptr_array_add(known, (gpointer)(intptr_t)p->name);
	g_ptr_array_add(known, NULL);
	return table_hint(name, (const char *const *)known->pdata);
}

/* The parameters of one word as "name=value" options, each tried by itself so that
 * a fault stands where it is. */
static void read_parameters(struct rr_reader *r, const struct rr_word *word, const struct node *node,
			    GPtrArray *options, const struct scheduler_spec *spec, const char *path)
{
	for (guint i = 0; i < node->keys->len; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i), *value = g_ptr_array_index(node->items, i);
		g_autofree char *text = value_text(value);
		if (!has_parameter(word, name->text)) {
			g_autofree char *hint = parameter_hint(word, name->text);
			table_add_fault(r, name, path, "'%s' has no parameter '%s'%s (rackrent catalog policies %s)",
					word->name, name->text, hint, word->name);
			continue;
		}
		if (text == NULL) {
			table_add_fault(r, value, path, "expected a value, a list or a mapping of values");
			continue;
		}
		char *option = g_strdup_printf("%s=%s", name->text, text);
		char *alone[] = {option, NULL};
		struct scheduler_spec trial = *spec;
		g_autoptr(GError) error = NULL;
		trial.options = alone;
		if (r->options->words->check(&trial, &error))
			g_ptr_array_add(options, option);
		else {
			table_add_fault(r, value, path, "%s", error->message);
			g_free(option);
		}
	}
}

/* One part: a word, or one word with its parameters. The mapping of those, or NULL. */
static const struct node *read_part(struct rr_reader *r, size_t part, const struct node *node, char **at,
				    const struct rr_word **word, const char *path)
{
	bool mapping = node->kind == NODE_MAP && node->keys->len == 1;
	const struct node *name = mapping ? g_ptr_array_index(node->keys, 0) : node;
	int32_t index = read_word(r, part, name, path);
	if (index < 0) return NULL;
	*word = &part_words(r->options->words, part)[index];
	g_free(*at);
	*at = g_strdup((*word)->name);
	if (!mapping) return NULL;
	const struct node *inner = g_ptr_array_index(node->items, 0);
	if (inner->kind == NODE_MAP) return inner;
	table_add_fault(r, inner, path, "expected the parameters of '%s' as a mapping (rackrent catalog policies %s)",
			(*word)->name, (*word)->name);
	return NULL;
}

static void read_parts(struct rr_reader *r, const struct node *node, struct scheduler_spec *spec, const char *path)
{
	static const char *const known[] = {"order", "backfill", "placement", "preempt", "preset", NULL};
	char **parts[PARTS] = {&spec->order, &spec->backfill, &spec->placement, &spec->preempt};
	const struct node *parameters[PARTS] = {NULL};
	const struct rr_word *words[PARTS] = {NULL};
	for (guint i = 0; i < node->keys->len; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i);
		size_t part = 0;
		while (part < PARTS && strcmp(part_names[part], name->text) != 0) part++;
		g_autofree char *hint = table_hint(name->text, known);
		g_autofree char *inner = g_strdup_printf("%s.%s", path, name->text);
		if (part < PARTS)
			parameters[part] =
			    read_part(r, part, g_ptr_array_index(node->items, i), parts[part], &words[part], inner);
		else
			table_add_fault(r, name, path,
					"unknown key '%s'%s; a scheduler has: order, backfill, placement, preempt, or "
					"preset",

					name->text, hint);
	}
	GPtrArray *options = g_ptr_array_new();
	for (size_t part = 0; part < PARTS; part++) {
		g_autofree char *inner = g_strdup_printf("%s.%s", path, part_names[part]);
		if (parameters[part] != NULL) read_parameters(r, words[part], parameters[part], options, spec, inner);
	}
	g_ptr_array_add(options, NULL);
	spec->options = (char **)g_ptr_array_free(options, FALSE);
	g_autoptr(GError) error = NULL;
	if (!r->options->words->check(spec, &error)) table_add_fault(r, node, path, "%s", error->message);
}

/* {preset: tiresias, wake: late}: the same as "tiresias,wake=late". Each option is
 * tried by itself so that a fault stands where it is. */
static void read_preset(struct rr_reader *r, const struct node *node, struct scheduler_spec *spec, const char *path)
{
	const struct rr_vocabulary *words = r->options->words;
	const struct node *preset = node_get(node, "preset");
	const struct rr_key key = {.name = "preset", .type = RR_KEY_TEXT, .example = "easy"};
	g_autofree char *chosen = NULL, *at = g_strdup_printf("%s.preset", path);
	g_autoptr(GError) unknown = NULL;
	table_read_value(r, &key, preset, &chosen, at);
	if (chosen == NULL) return;
	if (strchr(chosen, ',') != NULL || !words->parse(chosen, spec, &unknown)) {
		table_add_fault(r, preset, at, "%s",
				unknown != NULL ? unknown->message : "options of a preset are keys of their own here");
		return;
	}
	rr_scheduler_spec_done(spec);
	g_autoptr(GString) whole = g_string_new(chosen);
	for (guint i = 0; i < node->keys->len; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i), *value = g_ptr_array_index(node->items, i);
		g_autofree char *text = value_text(value), *inner = g_strdup_printf("%s.%s", path, name->text);
		if (value == preset) continue;
		if (is_part(name->text)) {
			table_add_fault(r, name, inner, "the preset says that already; give one or the other");
			continue;
		}
		if (text == NULL || strchr(text, ',') != NULL) {
			table_add_fault(r, value, inner, "expected a value, a list or a mapping of values");
			continue;
		}
		g_autofree char *alone = g_strdup_printf("%s,%s=%s", chosen, name->text, text);
		struct scheduler_spec trial = {0};
		g_autoptr(GError) error = NULL;
		if (words->parse(alone, &trial, &error))
			g_string_append_printf(whole, ",%s=%s", name->text, text);
		else
			table_add_fault(r, name, inner, "%s", error->message);
		rr_scheduler_spec_done(&trial);
	}
	g_autoptr(GError) error = NULL;
	if (!words->parse(whole->str, spec, &error)) table_add_fault(r, node, path, "%s", error->message);
}

static void read_scheduler(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
			   const char *path)
{
	(void)key;
	struct scheduler_spec *spec = at;
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(spec);
	if (node->kind == NODE_TEXT && (node->quoted || node->text[0] != '\0')) {
		if (!r->options->words->parse(node->text, spec, &error))
			table_add_fault(r, node, path, "%s", error->message);
		return;
	}
	if (node->kind != NODE_MAP) {
		g_autofree char *found = node_describe(node);
		table_add_fault(r, node, path,
				"expected a preset such as 'easy' or a mapping {order, backfill, placement, preempt}"
				", found %s",
				found);
		return;
	}
	if (node_get(node, "preset") != NULL) {
		read_preset(r, node, spec, path);
		return;
	}
	bool sound = r->options->words->parse("fcfs", spec, NULL); /* the defaults of parts not given */
	g_assert(sound);
	g_clear_pointer(&spec->preset, g_free);
	read_parts(r, node, spec, path);
	g_free(spec->text);
	g_autofree char *options = spec->options[0] != NULL ? g_strjoinv(",", spec->options) : g_strdup("");
	spec->text = g_strdup_printf("%s+%s+%s+%s%s%s", spec->order, spec->backfill, spec->placement, spec->preempt,
				     options[0] != '\0' ? "," : "", options);
}

static void clear_scheduler(void *at)
{
	rr_scheduler_spec_done(at);
}

/* ------------------------------------------------------------------- the schema */

static json_t *words_schema(const struct rr_word *words)
{
	json_t *names = json_array();
	for (const struct rr_word *w = words; w->name != NULL; w++) json_array_append_new(names, json_string(w->name));
	return json_pack("{s:o}", "enum", names);
}

/* What value_text() takes. */
static json_t *value_schema(const char *about)
{
	return json_pack("{s:[s,s,s,s], s:s}", "type", "string", "number", "array", "object", "description", about);
}

/* One word with its parameters: {las: {quantum: 1h}}. */
static json_t *parameters_schema(const struct rr_word *words)
{
	json_t *properties = json_object();
	for (const struct rr_word *w = words; w->name != NULL; w++) {
		json_t *own = json_object();
		for (const struct rr_parameter *p = w->parameters; p != NULL && p->name != NULL; p++)
			json_object_set_new(own, p->name, value_schema(p->about));
		json_object_set_new(
		    properties, w->name,
		    json_pack("{s:s, s:o, s:b}", "type", "object", "properties", own, "additionalProperties", 0));
	}
	return json_pack("{s:s, s:o, s:b, s:i}", "type", "object", "properties", properties, "additionalProperties", 0,
			 "maxProperties", 1);
}

static json_t *scheduler_schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	json_t *parts = json_object();
	for (size_t p = 0; p < PARTS; p++)
		json_object_set_new(parts, part_names[p],
				    json_pack("{s:[o,o]}", "anyOf", words_schema(part_words(words, p)),
					      parameters_schema(part_words(words, p))));
	g_autoptr(GString) pattern = g_string_new("^(");
	for (const struct rr_word *w = words->presets; w->name != NULL; w++)
		g_string_append_printf(pattern, "%s%s", w == words->presets ? "" : "|", w->name);
	g_string_append(pattern, ")(,.*)?$");
	json_t *preset = json_pack("{s:s, s:{s:o}, s:[s], s:o}", "type", "object", "properties", "preset",
				   words_schema(words->presets), "required", "preset", "additionalProperties",
				   value_schema("an option of the preset"));
	return json_pack("{s:[o, {s:s, s:s}, {s:s, s:o, s:b}, o]}", "anyOf", words_schema(words->presets), "type",
			 "string", "pattern", pattern->str, "type", "object", "properties", parts,
			 "additionalProperties", 0, preset);
}

const struct rr_form rr_form_scheduler = {
    .noun = "a preset, or four words",
    .shape = "easy, or {order: {las: {quantum: 1h}}, backfill: easy, placement: best-fit, preempt: order}; options "
	     "of a preset follow commas, tiresias,wake=late, or it: {preset: tiresias, wake: late}",
    .read = read_scheduler,
    .clear = clear_scheduler,
    .schema = scheduler_schema};
