/* distribution.c - durations that are drawn: "2h", or {lognormal: {median: 30min, p95: 20h}}. */
#include "scenarios/format/table.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Every parameter of any kind, in seconds where it is a time. */
struct parameters {
	double mean_s, median_s, p95_s, min_s, max_s, scale_s, sigma, shape;
	int32_t phases;
	char *file;
	char **values;
};

#define AT(member) offsetof(struct parameters, member)
#define SECONDS(key, member, needed, text)                                                                             \
	{                                                                                                              \
		.name = key, .type = RR_KEY_SECONDS, .at = AT(member), .dimension = RR_DIM_DURATION, .least = "0s",    \
		.required = needed, .help = text, .example = "30min"                                                   \
	}
#define NUMBER(key, member, needed, text)                                                                              \
	{                                                                                                              \
		.name = key, .type = RR_KEY_QUANTITY, .at = AT(member), .dimension = RR_DIM_RATIO, .least = "0.001",   \
		.most = "1000", .required = needed, .help = text, .example = "1.5"                                     \
	}

static const struct rr_key uniform_keys[] = {
    SECONDS("min", min_s, true, "the shortest"), SECONDS("max", max_s, true, "the longest"), {.name = NULL}};
static const struct rr_key mean_keys[] = {SECONDS("mean", mean_s, true, "the mean"), {.name = NULL}};
static const struct rr_key weibull_keys[] = {SECONDS("scale", scale_s, true, "the 63rd percentile"),
					     NUMBER("shape", shape, true, "below 1: heavy tail"),
					     {.name = NULL}};
static const struct rr_key lognormal_keys[] = {
    SECONDS("median", median_s, true, "the median"),
    SECONDS("p95", p95_s, false, "the 95th percentile (or sigma)"),
    NUMBER("sigma", sigma, false, "standard deviation of the natural logarithm (or p95)"),
    {.name = NULL}};
static const struct rr_key gamma_keys[] = {NUMBER("shape", shape, true, "the shape"),
					   SECONDS("scale", scale_s, true, "the mean divided by the shape"),
					   {.name = NULL}};
static const struct rr_key pareto_keys[] = {SECONDS("min", min_s, true, "the shortest"),
					    NUMBER("shape", shape, true, "the tail index; the mean exists above 1"),
					    {.name = NULL}};
static const struct rr_key erlang_keys[] = {{.name = "phases",
					     .type = RR_KEY_INT,
					     .at = AT(phases),
					     .dimension = RR_DIM_COUNT,
					     .least = "1",
					     .most = "10000",
					     .required = true,
					     .help = "how many exponential phases in a row",
					     .example = "4"},
					    SECONDS("mean", mean_s, true, "the mean of the sum"),
					    {.name = NULL}};
static const struct rr_key empirical_keys[] = {
    {.name = "file",
     .type = RR_KEY_PATH,
     .at = AT(file),
     .help = "CSV whose first column holds durations, bare numbers being seconds (or values)",
     .example = "runs.csv"},
    {.name = "values",
     .type = RR_KEY_TEXTS,
     .at = AT(values),
     .help = "durations, each as likely as the others (or file)",
     .example = "30s"},
    {.name = NULL}};

#define KIND(word, text, rows)                                                                                         \
	{                                                                                                              \
		.name = word, .about = text, .size = sizeof(struct parameters), .keys = rows                           \
	}
/* In the order of enum rr_distribution_kind. */
static const struct rr_table kinds[] = {
    [RR_DIST_CONSTANT] = KIND("constant", "always the mean", mean_keys),
    [RR_DIST_UNIFORM] = KIND("uniform", "anything between two limits", uniform_keys),
    [RR_DIST_EXPONENTIAL] = KIND("exponential", "no memory", mean_keys),
    [RR_DIST_WEIBULL] = KIND("weibull", "wear-out or heavy tail", weibull_keys),
    [RR_DIST_LOGNORMAL] = KIND("lognormal", "typical of job lengths", lognormal_keys),
    [RR_DIST_GAMMA] = KIND("gamma", "sums of waits", gamma_keys),
    [RR_DIST_PARETO] = KIND("pareto", "a power-law tail", pareto_keys),
    [RR_DIST_ERLANG] = KIND("erlang", "several exponential phases in a row", erlang_keys),
    [RR_DIST_EMPIRICAL] = KIND("empirical", "drawn from measured values", empirical_keys),
};

static struct rr_distribution constant_of(double seconds)
{
	return (struct rr_distribution){.kind = RR_DIST_CONSTANT, .a = seconds};
}

/* ----------------------------------------------------------------- empirical */

static bool add_value(GArray *values, const char *text)
{
	struct rr_quantity q = {0};
	sim_time ns = 0;
	double seconds = 0;
	if (rr_seconds_parse(text, &ns))
		seconds = (double)ns / (double)RR_NS_PER_S;
	else if (rr_quantity_parse(text, RR_DIM_DURATION, &q, NULL))
		seconds = q.value / (double)RR_NS_PER_S;
	else
		return false;
	if (seconds < 0) return false;
	g_array_append_val(values, seconds);
	return true;
}

struct column {
	GArray *values;
	guint row, column, bad_row;
};

static void on_field(void *text, size_t length, void *data)
{
	struct column *c = data;
	g_autofree char *word = g_strndup(text, length);
	bool first = c->column++ == 0;
	/* The first row may be a header. */
	if (first && length > 0 && !add_value(c->values, word) && c->row > 0 && c->bad_row == 0)
		c->bad_row = c->row + 1;
}

static void on_row(int end, void *data)
{
	(void)end;
	struct column *c = data;
	c->column = 0;
	c->row++;
}

static void read_file(struct rr_reader *r, const struct node *node, const char *file, GArray *values, const char *path)
{
	g_autofree char *bytes = NULL;
	gsize size = 0;
	errno = 0;
	if (access(file, R_OK) != 0 || !g_file_get_contents(file, &bytes, &size, NULL)) {
		table_add_fault(r, node, path, "file '%s' cannot be read: %s", file,
				g_strerror(errno != 0 ? errno : EIO));
		return;
	}
	struct column column = {.values = values};
	struct csv_parser parser;
	csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
	bool sound = csv_parse(&parser, bytes, size, on_field, on_row, &column) == size &&
		     csv_fini(&parser, on_field, on_row, &column) == 0;
	csv_free(&parser);
	if (!sound)
		table_add_fault(r, node, path, "file '%s' is not CSV: a quote is not closed", file);
	else if (column.bad_row > 0)
		table_add_fault(r, node, path, "file '%s', line %u: not a duration", file, column.bad_row);
	else if (values->len == 0)
		table_add_fault(r, node, path, "file '%s' holds no duration", file);
}

static int compare(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static struct rr_distribution empirical(struct rr_reader *r, const struct node *node, const struct parameters *p,
					const char *path)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	if ((p->file == NULL) == (p->values == NULL))
		table_add_fault(r, node, path, "give either 'file' or 'values'");
	else if (p->file != NULL)
		read_file(r, node, p->file, values, path);
	for (char **v = p->values; v != NULL && *v != NULL; v++)
		if (!add_value(values, *v))
			table_add_fault(r, node, path, "expected a duration such as 45min, found '%s'", *v);
	if (p->values != NULL && p->values[0] == NULL) table_add_fault(r, node, path, "'values' holds no duration");
	g_array_sort(values, compare);
	guint count = values->len;
	return (struct rr_distribution){.kind = RR_DIST_EMPIRICAL,
					.values = (double *)(void *)g_array_free(values, FALSE),
					.value_count = count,
					.file = g_strdup(p->file)};
}

/* -------------------------------------------------------------------- choice */

static struct rr_distribution lognormal(struct rr_reader *r, const struct node *node, const struct parameters *p,
					const char *path)
{
	if (isnan(p->p95_s) == isnan(p->sigma))
		table_add_fault(r, node, path, "give either 'p95' or 'sigma'");
	else if (p->median_s <= 0)
		table_add_fault(r, node, path, "the median must be above 0");
	else if (p->p95_s < p->median_s)
		table_add_fault(r, node, path, "p95 must not be below the median");
	else if (!isnan(p->p95_s))
		return rr_lognormal_from_median_p95(p->median_s, p->p95_s);
	return (struct rr_distribution){.kind = RR_DIST_LOGNORMAL, .a = p->median_s, .b = p->sigma};
}

static struct rr_distribution build(struct rr_reader *r, const struct node *node, enum rr_distribution_kind kind,
				    const struct parameters *p, const char *path)
{
	struct rr_distribution d = {.kind = kind};
	switch (kind) {
	case RR_DIST_CONSTANT:
	case RR_DIST_EXPONENTIAL: d.a = p->mean_s; break;
	case RR_DIST_UNIFORM:
		d.a = p->min_s;
		d.b = p->max_s;
		if (p->min_s > p->max_s) table_add_fault(r, node, path, "min must not be above max");
		break;
	case RR_DIST_WEIBULL:
		d.a = p->scale_s;
		d.b = p->shape;
		break;
	case RR_DIST_LOGNORMAL: return lognormal(r, node, p, path);
	case RR_DIST_GAMMA:
		d.a = p->shape;
		d.b = p->scale_s;
		break;
	case RR_DIST_PARETO:
		d.a = p->min_s;
		d.b = p->shape;
		break;
	case RR_DIST_ERLANG:
		d.a = p->phases;
		d.b = p->mean_s;
		break;
	case RR_DIST_EMPIRICAL: return empirical(r, node, p, path);
	}
	return d;
}

static void read_choice(struct rr_reader *r, const struct node *node, struct rr_distribution *at, const char *path)
{
	const char *words[G_N_ELEMENTS(kinds) + 1] = {NULL};
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) words[i] = kinds[i].name;
	g_autofree char *all = g_strjoinv(", ", (char **)(intptr_t)words);
	if (node->keys->len != 1) {
		table_add_fault(r, node, path, "expected one of %s, found %u keys", all, node->keys->len);
		return;
	}
	const struct node *word = g_ptr_array_index(node->keys, 0), *inner = g_ptr_array_index(node->items, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(word->text, kinds[i].name) != 0) continue;
		struct parameters p = {0};
		g_autofree char *inner_path = g_strdup_printf("%s.%s", path, kinds[i].name);
		guint before = r->faults->texts->len;
		table_defaults(r, &kinds[i], &p);
		table_read(r, &kinds[i], inner, &p, inner_path);
		if (r->faults->texts->len == before) {
			rr_distribution_done(at);
			*at = build(r, inner, (enum rr_distribution_kind)i, &p, inner_path);
		}
		table_clear(&kinds[i], &p);
		return;
	}
	g_autofree char *hint = table_hint(word->text, words);
	table_add_fault(r, word, path, "unknown distribution '%s'%s (one of: %s)", word->text, hint, all);
}

static void read_distribution(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
			      const char *path)
{
	(void)key;
	if (node->kind == NODE_MAP) {
		read_choice(r, node, at, path);
		return;
	}
	const struct rr_key plain = {
	    .name = "duration", .type = RR_KEY_SECONDS, .dimension = RR_DIM_DURATION, .least = "0s", .example = "2h"};
	double seconds = NAN;
	table_read_value(r, &plain, node, &seconds, path);
	if (!isnan(seconds)) *(struct rr_distribution *)at = constant_of(seconds);
}

static void clear_distribution(void *at)
{
	rr_distribution_done(at);
}

static json_t *schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	const struct rr_key plain = {
	    .name = "duration", .type = RR_KEY_SECONDS, .dimension = RR_DIM_DURATION, .help = ""};
	json_t *choices = json_array();
	json_array_append_new(choices, schema_of_key(&plain, words));
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		json_array_append_new(choices, json_pack("{s:s, s:{s:o}, s:b, s:[s]}", "type", "object", "properties",
							 kinds[i].name, schema_of_table(&kinds[i], words),
							 "additionalProperties", 0, "required", kinds[i].name));
	return json_pack("{s:o}", "anyOf", choices);
}

const struct rr_form rr_form_duration = {
    .noun = "a duration or a distribution of durations",
    .shape = "2h, or one of {constant: {mean}}, {uniform: {min, max}}, {exponential: {mean}}, {weibull: {scale, "
	     "shape}}, {lognormal: {median, p95 or sigma}}, {gamma: {shape, scale}}, {pareto: {min, shape}}, {erlang: "
	     "{phases, mean}}, {empirical: {file or values}}",
    .read = read_distribution,
    .clear = clear_distribution,
    .schema = schema,
};
