/* scheduler_spec.c - the words that choose a scheduler. */
#include "scenarios/scenarios.h"

void rr_scheduler_spec_done(struct scheduler_spec *spec)
{
	g_free(spec->text);
	g_free(spec->preset);
	g_free(spec->order);
	g_free(spec->backfill);
	g_free(spec->placement);
	g_free(spec->preempt);
	g_strfreev(spec->options);
	*spec = (struct scheduler_spec){0};
}
