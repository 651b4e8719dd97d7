/* presets.c - names for combinations, the words of all tables, and their reading. */
#include "models/units/units.h"
#include "sim/scheduler/policy.h"
#include "sim/scheduler/scheduler.h"

#include <string.h>

static const struct rr_preset fcfs = {"fcfs", "none", "best-fit", "none"}, sjf = {"sjf", "none", "best-fit", "none"},
			      ljf = {"ljf", "none", "best-fit", "none"},
			      priority = {"priority", "none", "best-fit", "none"},
			      fit = {"fcfs", "skip", "best-fit", "none"}, easy = {"fcfs", "easy", "best-fit", "none"};

const struct rr_word rr_presets[] = {
    {"fcfs", "first come, first served; the head blocks", NULL, NULL, &fcfs},
    {"sjf", "shortest job first; the head blocks", NULL, NULL, &sjf},
    {"ljf", "longest job first; the head blocks", NULL, NULL, &ljf},
    {"priority", "highest priority first; the head blocks", NULL, NULL, &priority},
    {"fit", "first come, first served; whoever fits starts", NULL, NULL, &fit},
    {"easy", "first come, first served with EASY backfill", "Lifka, JSSPP 1995", NULL, &easy},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char *nearest(const char *text, const struct rr_word *words)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (const struct rr_word *w = words; w->name != NULL; w++) g_ptr_array_add(names, (gpointer)(intptr_t)w->name);
	g_ptr_array_add(names, NULL);
	return rr_nearest_word(text, (const char *const *)names->pdata);
}

bool rr_scheduler_parse(const char *text, struct scheduler_spec *spec, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	const char *name = parts[0] != NULL ? parts[0] : "";
	const struct rr_word *word = rr_presets;
	while (word->name != NULL && strcmp(word->name, name) != 0) word++;
	if (word->name == NULL) {
		const char *near = nearest(name, rr_presets);
		g_set_error(error, RR_UNITS_ERROR, RR_UNITS_ERROR_SYNTAX,
			    "unknown scheduler '%s'%s%s%s (rackrent catalog policies lists them)", name,
			    near != NULL ? ", did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
		return false;
	}
	if (parts[1] != NULL) { /* no row has parameters yet */
		g_set_error(error, RR_UNITS_ERROR, RR_UNITS_ERROR_SYNTAX, "scheduler '%s' takes no option, found '%s'",
			    name, parts[1]);
		return false;
	}
	const struct rr_preset *preset = word->policy;
	*spec = (struct scheduler_spec){.text = g_strdup(text),
					.preset = g_strdup(name),
					.order = g_strdup(preset->order),
					.backfill = g_strdup(preset->backfill),
					.placement = g_strdup(preset->placement),
					.preempt = g_strdup(preset->preempt)};
	return true;
}

static const struct rr_vocabulary vocabulary = {rr_orders,   rr_backfills, rr_placements,
						rr_preempts, rr_presets,   rr_scheduler_parse};

const struct rr_vocabulary *rr_scheduler_vocabulary(void)
{
	return &vocabulary;
}
