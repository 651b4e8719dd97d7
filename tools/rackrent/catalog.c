/* catalog.c - rackrent catalog SECTION [ID]: what is known by name. */
#include "models/units/units.h"
#include "scenarios/format/format.h"
#include "scenarios/traces/traces.h"
#include "sim/scheduler/scheduler.h"
#include "tools/rackrent/commands.h"
#include "tools/rackrent/listing.h"
#include "tools/rackrent/policies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A quantity as the catalogue's files write it, "" when unknown. Caller frees. */
static char *quantity(enum rr_dimension dimension, double value)
{
	if (isnan(value) || value < 0) return g_strdup("");
	return rr_quantity_text(dimension, value, (int64_t)llround(value), NULL);
}

static char *money(enum rr_dimension dimension, int64_t micros, const char *currency)
{
	return micros < 0 ? g_strdup("") : rr_quantity_text(dimension, (double)micros, micros, currency);
}

static char *whole(int64_t value)
{
	return value < 0 ? g_strdup("") : g_strdup_printf("%" G_GINT64_FORMAT, value);
}

static void list_gpus(struct listing *l, const struct catalogue *c)
{
	listing_columns(l, "id", "memory", "bandwidth", "fp32", "bf16", "fp8", "limit", "idle", "announced", NULL);
	listing_details(l, "vendor", "form", "tf32", "int8", "link", "link_bandwidth", "source", "date", "note", NULL);
	for (int32_t i = 0; i < c->gpu_count; i++) {
		const struct gpu_type *g = &c->gpus[i];
		listing_add(l, g_strdup(g->id));
		listing_add(l, quantity(RR_DIM_BYTES, (double)g->mem_bytes));
		listing_add(l, quantity(RR_DIM_BANDWIDTH, g->mem_bytes_per_s));
		listing_add(l, quantity(RR_DIM_FLOPS, g->fp32_flops));
		listing_add(l, quantity(RR_DIM_FLOPS, g->bf16_flops));
		listing_add(l, quantity(RR_DIM_FLOPS, g->fp8_flops));
		listing_add(l, quantity(RR_DIM_POWER, g->tdp_w));
		listing_add(l, quantity(RR_DIM_POWER, g->idle_w));
		listing_add(l, g_strdup(g->announced));
		listing_add(l, g_strdup(g->vendor));
		listing_add(l, g_strdup(g->form));
		listing_add(l, quantity(RR_DIM_FLOPS, g->tf32_flops));
		listing_add(l, quantity(RR_DIM_FLOPS, g->int8_ops));
		listing_add(l, g_strdup(g->link));
		listing_add(l, quantity(RR_DIM_BANDWIDTH, g->link_bytes_per_s));
		listing_add(l, g_strdup(g->source));
		listing_add(l, g_strdup(g->date));
		listing_add(l, g_strdup(g->note));
	}
}

static void list_nodes(struct listing *l, const struct catalogue *c)
{
	listing_columns(l, "id", "gpu", "gpus", "idle_power", "max_power", "price", "date", NULL);
	listing_details(l, "cpus", "memory", "source", "note", NULL);
	for (int32_t i = 0; i < c->node_count; i++) {
		const struct node_type *n = &c->nodes[i];
		listing_add(l, g_strdup(n->id));
		listing_add(l, g_strdup(n->gpu_name));
		listing_add(l, whole(n->gpu_count));
		listing_add(l, quantity(RR_DIM_POWER, n->idle_w));
		listing_add(l, quantity(RR_DIM_POWER, n->max_w));
		listing_add(l, money(RR_DIM_MONEY, n->price_micros, n->currency));
		listing_add(l, g_strdup(n->date));
		listing_add(l, whole(n->cpu_count));
		listing_add(l, quantity(RR_DIM_BYTES, (double)n->mem_bytes));
		listing_add(l, g_strdup(n->source));
		listing_add(l, g_strdup(n->note));
	}
}

/* One line a price: "us-east-1 21.96 USD/h from 2026-07-20 (source)". */
static char *all_prices(const struct instance_type *n)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (int32_t p = 0; p < n->price_count; p++) {
		const struct instance_price *price = &n->prices[p];
		g_autofree char *rate = money(RR_DIM_MONEY_PER_HOUR, price->micros_per_hour, price->currency);
		g_string_append_printf(text, "%s%s %s from %s (%s)", p > 0 ? "\n" : "", price->region, rate,
				       price->valid_from, price->source);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void list_instances(struct listing *l, const struct catalogue *c)
{
	listing_columns(l, "id", "gpu", "gpus", "cpus", "memory", "price", "region", "from", NULL);
	listing_details(l, "prices", "source", "date", "note", NULL);
	for (int32_t i = 0; i < c->instance_count; i++) {
		const struct instance_type *n = &c->instances[i];
		bool early = false;
		const struct instance_price *price = rr_instance_price(n, NULL, NULL, &early);
		listing_add(l, g_strdup(n->id));
		listing_add(l, g_strdup(n->gpu_name));
		listing_add(l, whole(n->gpu_count));
		listing_add(l, whole(n->cpu_count));
		listing_add(l, quantity(RR_DIM_BYTES, (double)n->mem_bytes));
		listing_add(l, price == NULL ? NULL
					     : money(RR_DIM_MONEY_PER_HOUR, price->micros_per_hour, price->currency));
		listing_add(l, price == NULL ? NULL : g_strdup(price->region));
		listing_add(l, price == NULL ? NULL : g_strdup(price->valid_from));
		listing_add(l, all_prices(n));
		listing_add(l, g_strdup(n->source));
		listing_add(l, g_strdup(n->date));
		listing_add(l, g_strdup(n->note));
	}
}

/* One line for each: "quantum=1h  run time of one level (a duration)". */
static char *parameters_of(const struct rr_word *word)
{
	GString *text = g_string_new(NULL);
	for (const struct rr_parameter *p = word->parameters; p != NULL && p->name != NULL; p++)
		g_string_append_printf(text, "%s%s=%s  %s (%s)", text->len > 0 ? "\n" : "", p->name, p->preset,
				       p->about, p->shape);
	return g_string_free(text, FALSE);
}

static void list_policies(struct listing *l, const struct catalogue *c)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	const struct {
		const char *table;
		const struct rr_word *words;
	} tables[] = {{"preset", v->presets},
		      {"order", v->orders},
		      {"backfill", v->backfills},
		      {"placement", v->placements},
		      {"preempt", v->preempts}};
	(void)c;
	listing_columns(l, "table", "id", "about", NULL);
	listing_details(l, "means", "parameters", "source", NULL);
	for (size_t t = 0; t < G_N_ELEMENTS(tables); t++)
		for (const struct rr_word *w = tables[t].words; w->name != NULL; w++) {
			listing_add(l, g_strdup(tables[t].table));
			listing_add(l, g_strdup(w->name));
			listing_add(l, g_strdup(w->about));
			listing_add(l, t == 0 ? policy_meaning(w) : NULL);
			listing_add(l, parameters_of(w));
			listing_add(l, g_strdup(w->cite));
		}
}

static void list_formats(struct listing *l, const struct catalogue *c)
{
	(void)c;
	listing_columns(l, "id", "about", NULL);
	listing_details(l, "rows", "source", NULL);
	const struct rr_trace_format *format = NULL;
	for (size_t i = 0; (format = rr_trace_format_row(i)) != NULL; i++) {
		listing_add(l, g_strdup(format->name));
		listing_add(l, g_strdup(format->about));
		listing_add(l, g_strdup(format->rows_policy));
		listing_add(l, g_strdup(format->source));
	}
}

static void list_distributions(struct listing *l, const struct catalogue *c)
{
	(void)c;
	size_t count = 0;
	const struct rr_distribution_row *rows = rr_distribution_rows(&count);
	listing_columns(l, "id", "parameters", "about", NULL);
	for (size_t i = 0; i < count; i++) {
		listing_add(l, g_strdup(rows[i].name));
		listing_add(l, g_strdup(rows[i].parameters));
		listing_add(l, g_strdup(rows[i].about));
	}
}

static const struct {
	const char *name;
	void (*list)(struct listing *l, const struct catalogue *c);
} sections[] = {{"gpus", list_gpus},         {"nodes", list_nodes},     {"instances", list_instances},
		{"policies", list_policies}, {"formats", list_formats}, {"distributions", list_distributions}};

/* Index of the section WORD, or -1 after a message. */
static int find_section(const char *word)
{
	const char *names[G_N_ELEMENTS(sections) + 1] = {NULL};
	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
		names[i] = sections[i].name;
		if (word != NULL && strcmp(word, names[i]) == 0) return (int)i;
	}
	const char *near = word == NULL ? NULL : rr_nearest_word(word, names);
	g_autofree char *all = g_strjoinv("|", (char **)(intptr_t)names);
	if (word == NULL)
		fprintf(stderr, "rackrent catalog: name a section: %s\n", all);
	else
		fprintf(stderr, "rackrent catalog: unknown section '%s'%s%s%s (one of: %s)\n", word,
			near != NULL ? ", did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "",
			all);
	return -1;
}

static int print_section(int section, const char *id, const char *format, char **files)
{
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct rr_load_options options = {.words = rr_scheduler_vocabulary(),
					  .catalogue_files = (const char *const *)files};
	struct catalogue *c = rr_catalogue_load(&options, &faults);
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	int status = RR_EXIT_USAGE;
	if (c != NULL) {
		struct listing *l = listing_new(sections[section].name);
		sections[section].list(l, c);
		status = listing_print(l, id, format, stdout) ? RR_EXIT_DONE : RR_EXIT_USAGE;
		listing_free(l);
	}
	rr_catalogue_free(c);
	return status;
}

int rr_command_catalog(int argc, char **argv)
{
	g_autofree char *format = NULL;
	g_auto(GStrv) files = NULL;
	gboolean page = FALSE;
	const GOptionEntry entries[] = {
	    {"format", 0, 0, G_OPTION_ARG_STRING, &format, "table (default), csv or json", "FORMAT"},
	    {"catalogue", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, "Your own catalogue file; may be repeated",
	     "FILE"},
	    {"doc", 0, 0, G_OPTION_ARG_NONE, &page, "policies: the whole reference page (Markdown)", NULL},
	    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	if (!rr_options_parse(&argc, &argv, entries, "gpus|nodes|instances|policies|formats|distributions [ID]",
			      "What is known by name. With an ID, all that is known of it, sources included."))
		return RR_EXIT_USAGE;
	if (argc > 3) {
		fprintf(stderr, "rackrent catalog: one entry at a time, found '%s' too\n", argv[3]);
		return RR_EXIT_USAGE;
	}
	static const char *const formats[] = {"table", "csv", "json", NULL};
	if (format != NULL && !g_strv_contains(formats, format)) {
		fprintf(stderr, "rackrent catalog: --format '%s': expected table, csv or json\n", format);
		return RR_EXIT_USAGE;
	}
	int section = find_section(argc > 1 ? argv[1] : NULL);
	if (section < 0) return RR_EXIT_USAGE;
	if (page && strcmp(sections[section].name, "policies") != 0) {
		fprintf(stderr,
			"rackrent catalog: --doc is a page of policies alone (rackrent catalog policies --doc)\n");
		return RR_EXIT_USAGE;
	}
	if (page) {
		policies_print_page(stdout);
		return RR_EXIT_DONE;
	}
	return print_section(section, argc > 2 ? argv[2] : NULL, format != NULL ? format : "table", files);
}
