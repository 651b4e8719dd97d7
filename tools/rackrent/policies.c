/* policies.c - the reference page of all policies, from their own tables. */
#include "tools/rackrent/policies.h"

#include "sim/scheduler/scheduler.h"

#include <string.h>

char *policy_meaning(const struct rr_word *word)
{
	struct scheduler_spec spec = {0};
	if (!rr_scheduler_parse(word->name, &spec, NULL)) return g_strdup("");
	g_autofree char *options = spec.options != NULL ? g_strjoinv(",", spec.options) : g_strdup("");
	char *text =
	    g_strdup_printf("{order: %s, backfill: %s, placement: %s, preempt: %s}%s%s", spec.order, spec.backfill,
			    spec.placement, spec.preempt, options[0] != '\0' ? " with " : "", options);
	rr_scheduler_spec_done(&spec);
	return text;
}

static void print_table(const char *title, const char *about, const struct rr_word *words, bool presets, FILE *to)
{
	fprintf(to, "## %s\n\n%s\n", title, about);
	for (const struct rr_word *w = words; w->name != NULL; w++) {
		fprintf(to, "\n### `%s`\n\n%s.\n", w->name, w->about);
		g_autofree char *meaning = presets ? policy_meaning(w) : NULL;
		if (meaning != NULL) fprintf(to, "\nStands for `%s`\n", meaning);
		if (w->cite != NULL) fprintf(to, "\nSource: %s.\n", w->cite);
		if (w->parameters == NULL) continue;
		fprintf(to, "\n| parameter | default | value | what it is |\n|---|---|---|---|\n");
		for (const struct rr_parameter *p = w->parameters; p->name != NULL; p++) {
			g_auto(GStrv) choices = g_strsplit(p->shape, "|", -1);
			g_autofree char *shape = g_strjoinv(", ", choices);
			fprintf(to, "| `%s` | `%s` | %s | %s |\n", p->name, p->preset, shape, p->about);
		}
	}
	fputc('\n', to);
}

void policies_print_page(FILE *to)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	fprintf(
	    to,
	    "# Policies\n\n"
	    "A scheduler is four words, `{order: srtf, backfill: skip, placement: best-fit, preempt: order}`, or a\n"
	    "preset that names such a line. Parameters stand below their word in a scenario,\n"
	    "`order: {las: {quantum: 2h}}`, and follow commas on the command line, `--scheduler las,quantum=2h`.\n\n");
	print_table("Orders", "Who is next: the smaller key goes first, ties go by submit and the file's order.",
		    v->orders, false, to);
	print_table("Backfills", "Who may overtake the first in order when it cannot start.", v->backfills, false, to);
	print_table("Placements", "Where a job goes.", v->placements, false, to);
	print_table("Pre-emption and allocation", "Who must make room, and who gets how many GPUs of which type.",
		    v->preempts, false, to);
	print_table("Presets", "Names for combinations.", v->presets, true, to);
}
