/* schema.c - the tables as JSON Schema, draft 2020-12. */
#include "scenarios/format/table.h"

#include <string.h>

static json_t *texts(const char *const *words)
{
	json_t *all = json_array();
	for (const char *const *w = words; *w != NULL; w++) json_array_append_new(all, json_string(*w));
	return all;
}

/* Numbers stand bare where the dimension has no unit; anything else is a text
 * that begins like a number. */
static json_t *quantity(enum rr_dimension dimension)
{
	struct rr_quantity q = {0};
	bool bare = rr_quantity_parse("1", dimension, &q, NULL);
	json_t *text = json_pack("{s:s, s:s, s:[s]}", "type", "string", "pattern", "^[-+]?[0-9.]", "examples",
				 rr_dimension_example(dimension));
	if (!bare) return text;
	return json_pack("{s:[{s:s}, o]}", "anyOf", "type", "number", text);
}

static json_t *int_schema(const struct rr_key *key)
{
	json_t *schema = json_pack("{s:s}", "type", "integer");
	if (key->least != NULL)
		json_object_set_new(schema, "minimum", json_integer(g_ascii_strtoll(key->least, NULL, 10)));
	if (key->most != NULL)
		json_object_set_new(schema, "maximum", json_integer(g_ascii_strtoll(key->most, NULL, 10)));
	return schema;
}

/* A text that YAML may take for a number: 0e4a51, 103959, 2025-01-01. */
static json_t *loose_text(void)
{
	return json_pack("{s:[s,s]}", "type", "string", "number");
}

static json_t *shape_of(const struct rr_key *key, const struct rr_vocabulary *words)
{
	switch (key->type) {
	case RR_KEY_BOOL: return json_pack("{s:s}", "type", "boolean");
	case RR_KEY_INT: return int_schema(key);
	case RR_KEY_QUANTITY:
	case RR_KEY_SECONDS: return quantity(key->dimension);
	case RR_KEY_TEXT:
	case RR_KEY_PATH: return loose_text();
	case RR_KEY_WORD: return json_pack("{s:o}", "enum", texts(key->words));
	case RR_KEY_DATE: return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}");
	case RR_KEY_TEXTS: return json_pack("{s:s, s:o}", "type", "array", "items", loose_text());
	case RR_KEY_RECORD: return schema_of_table(key->table, words);
	case RR_KEY_MAP:
		return json_pack("{s:s, s:i, s:o}", "type", "object", "minProperties", 1, "additionalProperties",
				 schema_of_table(key->table, words));
	case RR_KEY_LIST: return json_pack("{s:s, s:o}", "type", "array", "items", schema_of_table(key->table, words));
	case RR_KEY_FORM: return key->form->schema(key, words);
	}
	return json_object();
}

json_t *schema_of_key(const struct rr_key *key, const struct rr_vocabulary *words)
{
	json_t *schema = shape_of(key, words);
	if (key->help != NULL && key->help[0] != '\0')
		json_object_set_new(schema, "description", json_string(key->help));
	if (key->preset != NULL) json_object_set_new(schema, "default", json_string(key->preset));
	return schema;
}

json_t *schema_of_table(const struct rr_table *table, const struct rr_vocabulary *words)
{
	json_t *properties = json_object(), *required = json_array();
	for (const struct rr_key *k = table->keys; k->name != NULL; k++) {
		json_object_set_new(properties, k->name, schema_of_key(k, words));
		/* A fleet that extends another need not repeat what it takes over. */
		if (k->required && !k->inherited) json_array_append_new(required, json_string(k->name));
	}
	json_t *schema = json_pack("{s:s, s:s, s:b, s:o}", "type", "object", "description", table->about,
				   "additionalProperties", 0, "properties", properties);
	if (json_array_size(required) > 0) json_object_set(schema, "required", required);
	json_decref(required);
	return schema;
}

char *rr_format_schema(const struct rr_vocabulary *words)
{
	json_t *schema = json_pack("{s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
				   "urn:rackrent:scenario:1", "title", "rackrent scenario");
	json_t *root = schema_of_table(&rr_scenario_table, words);
	json_object_update(schema, root);
	json_decref(root);
	char *text = json_dumps(schema, JSON_INDENT(2));
	json_decref(schema);
	char *copy = g_strdup(text); /* jansson's allocator is not GLib's */
	free(text);
	return copy;
}
