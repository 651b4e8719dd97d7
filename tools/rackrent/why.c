/* why.c - rackrent run|replay ... --why JOB: what was decided about one job. */
#include "tools/rackrent/why.h"
#include "sim/sim.h"
#include "tools/rackrent/commands.h"

#include <stdio.h>
#include <string.h>

static void print_line(void *data, sim_time now, const char *text)
{
	char at[32];
	(void)data;
	printf("  %14s s  %s\n", rr_text_seconds(now, at), text);
}

/* By the trace's own identifier; -1 after naming the nearest one. */
static int32_t find_job(const struct job_list *jobs, const char *id)
{
	enum { LOOKED_AT = 20000 }; /* the nearest word is a help, not a search */
	g_autoptr(GPtrArray) ids = g_ptr_array_new();
	for (size_t i = 0; i < jobs->count; i++) {
		const char *known = rr_jobs_get_text(jobs, jobs->jobs[i].id);
		if (strcmp(known, id) == 0) return (int32_t)i;
		if (ids->len < LOOKED_AT) g_ptr_array_add(ids, (gpointer)(intptr_t)known);
	}
	g_ptr_array_add(ids, NULL);
	const char *near = rr_nearest_word(id, (const char *const *)ids->pdata);
	fprintf(stderr, "rackrent: --why: there is no job '%s'%s%s%s (column id of jobs.csv)\n", id,
		near != NULL ? ", did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
	return -1;
}

int rr_why(const struct scenario *scenario, const struct job_list *jobs, const char *id)
{
	int32_t job = find_job(jobs, id);
	if (job < 0) return RR_EXIT_USAGE;
	for (int32_t f = 0; f < scenario->fleet_count; f++) {
		const struct rr_watch watch = {.job = job, .tell = print_line};
		g_autoptr(GError) error = NULL;
		printf("job %s on fleet '%s' (%s), replication 1\n", id, scenario->fleets[f].name,
		       scenario->fleets[f].scheduler.text);
		struct usage *usage = rr_sim_watch(scenario, f, jobs, 0, &watch, &error);
		if (usage == NULL) {
			fprintf(stderr, "rackrent: %s\n", error->message);
			return RR_EXIT_UNFINISHED;
		}
		const struct job_record *r = &usage->records[job];
		if (r->state == RR_JOB_WAITING || r->state == RR_JOB_RUNNING)
			printf("  at the horizon it is %s\n", rr_job_state_text((enum rr_job_state)r->state));
		rr_usage_free(usage);
	}
	return RR_EXIT_DONE;
}
