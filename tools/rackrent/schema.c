/* schema.c - rackrent schema and rackrent explain: what the tables say. */
#include "models/units/units.h"
#include "scenarios/format/format.h"
#include "sim/accounts/accounts.h"
#include "sim/scheduler/scheduler.h"
#include "tools/rackrent/commands.h"

#include <stdio.h>
#include <string.h>

int rr_command_schema(int argc, char **argv)
{
	gboolean reference = FALSE;
	const GOptionEntry entries[] = {
	    {"reference", 0, 0, G_OPTION_ARG_NONE, &reference, "Print the reference page (Markdown) instead", NULL},
	    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	if (!rr_options_parse(&argc, &argv, entries, NULL,
			      "Prints the JSON Schema (draft 2020-12) of the scenario file. Save it and point your\n"
			      "editor at it: completion and checks come from the tables that the program reads by."))
		return RR_EXIT_USAGE;
	if (argc > 1) {
		fprintf(stderr, "rackrent schema: takes no operand, found '%s'\n", argv[1]);
		return RR_EXIT_USAGE;
	}
	g_autofree char *text =
	    reference ? rr_format_reference(rr_scheduler_vocabulary()) : rr_format_schema(rr_scheduler_vocabulary());
	puts(text);
	return RR_EXIT_DONE;
}

static bool explain_metric(const char *word)
{
	size_t count = 0;
	const struct rr_metric_row *rows = rr_metric_rows(&count);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].id, word) != 0) continue;
		const char *better = rows[i].better < 0   ? "; lower is better"
				     : rows[i].better > 0 ? "; higher is better"
							  : "";
		printf("%s (metric, in %s%s)\n  %s\n", rows[i].id, rows[i].unit, better, rows[i].about);
		return true;
	}
	return false;
}

static const char *nearest_metric(const char *word)
{
	size_t count = 0;
	const struct rr_metric_row *rows = rr_metric_rows(&count);
	g_autofree const char **ids = g_new0(const char *, count + 1);
	for (size_t i = 0; i < count; i++) ids[i] = rows[i].id;
	return rr_nearest_word(word, ids);
}

int rr_command_explain(int argc, char **argv)
{
	const GOptionEntry entries[] = {{NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	if (!rr_options_parse(&argc, &argv, entries, "KEY|METRIC",
			      "Says what a key of the scenario file or a metric of the results means.\n"
			      "  rackrent explain fleets.*.pools.*.count\n  rackrent explain jobs.wait.p95"))
		return RR_EXIT_USAGE;
	if (argc != 2) {
		fputs("rackrent explain: name one key or metric, such as 'horizon' or 'jobs.wait.p95'\n", stderr);
		return RR_EXIT_USAGE;
	}
	if (explain_metric(argv[1])) return RR_EXIT_DONE;
	g_autofree char *nearest = NULL;
	g_autofree char *text = rr_format_explain(argv[1], rr_scheduler_vocabulary(), &nearest);
	if (text != NULL) {
		fputs(text, stdout);
		return RR_EXIT_DONE;
	}
	const char *near = nearest != NULL ? nearest : nearest_metric(argv[1]);
	fprintf(stderr, "rackrent explain: no key and no metric is called '%s'", argv[1]);
	if (near != NULL) fprintf(stderr, ", did you mean '%s'?", near);
	fputs("\n", stderr);
	return RR_EXIT_USAGE;
}
