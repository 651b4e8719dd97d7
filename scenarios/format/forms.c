/* forms.c - the other shapes: counts with limits, sizes with shares, profiles of
 * the week. */
#include "scenarios/format/table.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------------- count */

/* count: 16, or {min: 0, max: 16}. AT is pool_spec.count_min; count_max follows. */
static const struct rr_key limit_keys[] = {{.name = "min",
					    .type = RR_KEY_INT,
					    .at = 0,
					    .dimension = RR_DIM_COUNT,
					    .least = "0",
					    .most = "10000000",
					    .preset = "0",
					    .help = "kept at all times",
					    .example = "0"},
					   {.name = "max",
					    .type = RR_KEY_INT,
					    .at = sizeof(int32_t),
					    .dimension = RR_DIM_COUNT,
					    .least = "1",
					    .most = "10000000",
					    .required = true,
					    .help = "never more than this",
					    .example = "16"},
					   {.name = NULL}};
static const struct rr_table limits = {
    .name = "count", .about = "how many, between two limits", .size = 2 * sizeof(int32_t), .keys = limit_keys};

static void read_count(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
		       const char *path)
{
	int32_t *counts = at;
	if (node->kind == NODE_MAP) {
		counts[0] = 0;
		table_read(r, &limits, node, counts, path);
		if (counts[0] > counts[1] && counts[1] > 0)
			table_add_fault(r, node, path, "min %d is above max %d", counts[0], counts[1]);
		return;
	}
	struct rr_key plain = limit_keys[1];
	plain.at = 0;
	plain.example = key->example;
	table_read_value(r, &plain, node, counts, path);
	counts[1] = counts[0];
}

static json_t *count_schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	return json_pack("{s:[o,o]}", "anyOf", schema_of_key(&limit_keys[1], words), schema_of_table(&limits, words));
}

const struct rr_form rr_form_count = {
    .noun = "a number, or limits", .shape = "16, or {min: 0, max: 16}", .read = read_count, .schema = count_schema};

/* --------------------------------------------------------------------- sizes */

static const struct rr_key share_keys[] = {{.name = "share",
					    .type = RR_KEY_QUANTITY,
					    .at = offsetof(struct size_share, share),
					    .dimension = RR_DIM_RATIO,
					    .least = "0",
					    .required = true,
					    .help = "of all jobs",
					    .example = "60%"},
					   {.name = "duration",
					    .type = RR_KEY_FORM,
					    .at = offsetof(struct size_share, duration),
					    .also = offsetof(struct size_share, has_duration),
					    .flagged = true,
					    .form = &rr_form_duration,
					    .help = "how long jobs of this size run, if not like the others"},
					   {.name = NULL}};
static const struct rr_table share_table = {
    .name = "size", .about = "one size of job", .size = sizeof(struct size_share), .keys = share_keys};

static void read_size(struct rr_reader *r, const struct node *name, const struct node *node, struct size_share *size,
		      const char *path)
{
	const struct rr_key gpus = {.name = "gpus",
				    .type = RR_KEY_INT,
				    .at = offsetof(struct size_share, gpus),
				    .dimension = RR_DIM_COUNT,
				    .least = "1",
				    .most = "1000000",
				    .example = "8"};
	table_read_value(r, &gpus, name, size, path);
	if (node->kind == NODE_MAP)
		table_read(r, &share_table, node, size, path);
	else
		table_read_value(r, &share_keys[0], node, size, path);
}

static void read_sizes(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
		       const char *path)
{
	(void)key;
	struct synthetic_spec *spec = (void *)((char *)at - offsetof(struct synthetic_spec, sizes));
	if (node->kind != NODE_MAP || node->keys->len == 0) {
		g_autofree char *found = node_describe(node);
		table_add_fault(r, node, path,
				"expected GPUs with their share of the jobs such as {1: 60%%, 8: 40%%}, found %s",
				found);
		return;
	}
	spec->size_count = (int32_t)node->keys->len;
	spec->sizes = g_new0(struct size_share, node->keys->len);
	double sum = 0;
	for (guint i = 0; i < node->keys->len; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i);
		g_autofree char *inner = g_strdup_printf("%s.%s", path, name->text);
		table_defaults(r, &share_table, &spec->sizes[i]);
		read_size(r, name, g_ptr_array_index(node->items, i), &spec->sizes[i], inner);
		if (!isnan(spec->sizes[i].share)) sum += spec->sizes[i].share;
	}
	if (sum <= 0) table_add_fault(r, node, path, "the shares add up to nothing");
}

static void clear_sizes(void *at)
{
	struct synthetic_spec *spec = (void *)((char *)at - offsetof(struct synthetic_spec, sizes));
	for (int32_t i = 0; i < spec->size_count; i++) rr_distribution_done(&spec->sizes[i].duration);
	g_clear_pointer(&spec->sizes, g_free);
	spec->size_count = 0;
}

static json_t *sizes_schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	return json_pack("{s:s, s:{s:{s:[o,o]}}, s:b, s:i}", "type", "object", "patternProperties", "^[0-9]+$", "anyOf",
			 schema_of_key(&share_keys[0], words), schema_of_table(&share_table, words),
			 "additionalProperties", 0, "minProperties", 1);
}

const struct rr_form rr_form_sizes = {.noun = "GPUs with their share of the jobs",
				      .shape = "{1: 60%, 2: 15%, 8: {share: 25%, duration: 2h}}; shares are "
					       "normalised to 100 %",
				      .read = read_sizes,
				      .clear = clear_sizes,
				      .schema = sizes_schema};

/* ------------------------------------------------------------------- numbers */

/* {v100: 1, k80: 25%}: a number for each name, in the order of the file. */
static void read_named(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
		       const char *path)
{
	(void)key;
	struct numbers_spec *numbers = at;
	const struct rr_key value = {.name = "value",
				     .type = RR_KEY_QUANTITY,
				     .dimension = RR_DIM_RATIO,
				     .least = "0",
				     .most = "1000000",
				     .example = "1.9"};
	if (node->kind != NODE_MAP || node->keys->len == 0 || node->keys->len > RR_SPEEDS_MOST) {
		table_add_fault(r, node, path, "expected a mapping of 1 to %d names with a number each",
				RR_SPEEDS_MOST);
		return;
	}
	numbers->count = (int32_t)node->keys->len;
	for (guint i = 0; i < node->keys->len; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i);
		g_autofree char *inner = g_strdup_printf("%s.%s", path, name->text);
		g_free(numbers->names[i]);
		numbers->names[i] = g_strdup(name->text);
		table_read_value(r, &value, g_ptr_array_index(node->items, i), &numbers->values[i], inner);
	}
}

static void clear_named(void *at)
{
	struct numbers_spec *numbers = at;
	for (int32_t i = 0; i < RR_SPEEDS_MOST; i++) g_clear_pointer(&numbers->names[i], g_free);
	numbers->count = 0;
}

static json_t *named_schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	(void)words;
	return json_pack("{s:s, s:{s:[s,s]}, s:i, s:i}", "type", "object", "additionalProperties", "type", "number",
			 "string", "minProperties", 1, "maxProperties", RR_SPEEDS_MOST);
}

const struct rr_form rr_form_numbers = {.noun = "numbers by name",
					.shape = "{v100: 1, k80: 25%}",
					.read = read_named,
					.clear = clear_named,
					.schema = named_schema};

/* ------------------------------------------------------------------- profile */

/* How busy each hour of the week is, Monday first; scaled to mean 1. */
static void fill_flat(double *weights)
{
	for (int h = 0; h < 168; h++) weights[h] = 1;
}

/* Monday to Friday, 9 to 18: five times as busy as any other hour. */
static void fill_office(double *weights)
{
	for (int h = 0; h < 168; h++) weights[h] = h / 24 < 5 && h % 24 >= 9 && h % 24 < 18 ? 5 : 1;
}

/* Every day alike: a cosine that is highest at 15 h and lowest, a third of that, at 3 h. */
static void fill_daily(double *weights)
{
	for (int h = 0; h < 168; h++) weights[h] = 2 + cos((h % 24 - 15) * G_PI / 12);
}

static const struct {
	const char *word;
	void (*fill)(double *weights);
} profiles[] = {{"flat", fill_flat}, {"office-hours", fill_office}, {"daily", fill_daily}};

static bool read_numbers(struct rr_reader *r, const struct node *list, guint expected, double *numbers,
			 const char *path)
{
	if (list == NULL || list->kind != NODE_LIST || list->items->len != expected) return false;
	const struct rr_key weight = {.name = "weight",
				      .type = RR_KEY_QUANTITY,
				      .dimension = RR_DIM_RATIO,
				      .least = "0",
				      .most = "1000000",
				      .example = "1.5"};
	for (guint i = 0; i < expected; i++)
		table_read_value(r, &weight, g_ptr_array_index(list->items, i), &numbers[i], path);
	return true;
}

static bool read_weights(struct rr_reader *r, const struct node *node, double *weights, const char *path)
{
	if (node->kind == NODE_LIST) return read_numbers(r, node, 168, weights, path);
	if (node->kind != NODE_MAP) return false;
	double hours[24] = {0}, days[7] = {1, 1, 1, 1, 1, 1, 1};
	const struct node *day_list = node_get(node, "days");
	if (node->keys->len != (day_list == NULL ? 1 : 2)) return false;
	if (!read_numbers(r, node_get(node, "hours"), 24, hours, path)) return false;
	if (day_list != NULL && !read_numbers(r, day_list, 7, days, path)) return false;
	for (int h = 0; h < 168; h++) weights[h] = hours[h % 24] * days[h / 24];
	return true;
}

static bool read_profile_word(struct rr_reader *r, const struct node *node, double *weights, const char *path)
{
	const char *words[G_N_ELEMENTS(profiles) + 1] = {NULL};
	for (size_t i = 0; i < G_N_ELEMENTS(profiles); i++) {
		words[i] = profiles[i].word;
		if (strcmp(node->text, profiles[i].word) != 0) continue;
		profiles[i].fill(weights);
		return true;
	}
	g_autofree char *hint = table_hint(node->text, words);
	g_autofree char *all = g_strjoinv(", ", (char **)(intptr_t)words);
	table_add_fault(r, node, path, "unknown profile '%s'%s (one of: %s)", node->text, hint, all);
	return false;
}

static void read_profile(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
			 const char *path)
{
	(void)key;
	double *weights = at, sum = 0;
	if (node->kind == NODE_TEXT) {
		if (!read_profile_word(r, node, weights, path)) return;
	} else if (!read_weights(r, node, weights, path)) {
		table_add_fault(
		    r, node, path,
		    "expected a word, 168 weights from Monday 0 h on, or {hours: [24 weights], days: [7 weights]}");
		return;
	}
	for (int h = 0; h < 168; h++) sum += weights[h];
	if (sum > 0)
		for (int h = 0; h < 168; h++) weights[h] *= 168 / sum;
	else
		table_add_fault(r, node, path, "the weights add up to nothing");
}

static json_t *profile_schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	(void)words;
	json_t *names = json_array();
	for (size_t i = 0; i < G_N_ELEMENTS(profiles); i++) json_array_append_new(names, json_string(profiles[i].word));
	return json_pack("{s:[{s:o}, {s:s, s:i, s:i}, {s:s, s:[s], s:b, s:{s:{s:s, s:i, s:i}, s:{s:s, s:i, s:i}}}]}",
			 "anyOf", "enum", names, "type", "array", "minItems", 168, "maxItems", 168, "type", "object",
			 "required", "hours", "additionalProperties", 0, "properties", "hours", "type", "array",
			 "minItems", 24, "maxItems", 24, "days", "type", "array", "minItems", 7, "maxItems", 7);
}

const struct rr_form rr_form_profile = {.noun = "how busy each hour of the week is",
					.shape = "flat, office-hours, daily, a list of 168 weights from Monday 0 h "
						 "on, or {hours: [24 weights], days: [7 weights]}",
					.read = read_profile,
					.schema = profile_schema};
