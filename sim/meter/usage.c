/* usage.c - what reporters ask of a usage. */
#include "sim/meter/meter.h"

const char *rr_job_state_text(enum rr_job_state state)
{
	static const char *const texts[RR_JOB_STATE_COUNT] = {"completed", "failed", "running", "waiting",
							      "unschedulable"};
	return texts[state];
}

const char *rr_reason_text(enum rr_reason reason)
{
	static const char *const texts[RR_REASON_COUNT] = {"nobody waits",
							   "not enough free GPUs",
							   "no free GPU of that type",
							   "free GPUs are not on nodes that would do",
							   "the tenant's quota",
							   "others come first"};
	return texts[reason];
}

char *rr_node_name(const struct usage *usage, int32_t pool, int32_t node)
{
	const struct pool_spec *spec = &usage->scenario->fleets[usage->fleet].pools[pool];
	if (spec->gpus_per_node == 0) return g_strdup(spec->name);
	return g_strdup_printf("%s-%d", spec->name, node + 1);
}

void rr_usage_free(struct usage *usage)
{
	if (usage == NULL) return;
	int32_t pools = usage->scenario->fleets[usage->fleet].pool_count;
	for (int32_t p = 0; usage->pools != NULL && p < pools; p++) g_free(usage->pools[p].hours);
	g_free(usage->pools);
	g_free(usage->records);
	g_free(usage->lives);
	if (usage->nodes != NULL) g_array_unref(usage->nodes);
	if (usage->stops != NULL) g_array_unref(usage->stops);
	g_free(usage);
}
