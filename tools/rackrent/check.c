/* check.c - rackrent check SCENARIO...: all that is wrong, without a run. */
#include "scenarios/workload/workload.h"
#include "tools/rackrent/commands.h"
#include "tools/rackrent/study.h"

#include <stdio.h>

/* Tells what stands in a sound scenario, in one line. */
static void tell(const char *path, const struct scenario *s, struct rr_work *work, const GPtrArray *notes)
{
	bool shared = false;
	struct job_list *jobs = rr_work_jobs(work, 0, &shared);
	g_autofree char *count = rr_text_count((double)jobs->count);
	printf("%s: sound; %s jobs from %d workload%s, %d fleet%s\n", path, count, s->workload_count,
	       s->workload_count == 1 ? "" : "s", s->fleet_count, s->fleet_count == 1 ? "" : "s");
	for (guint i = 0; i < notes->len; i++) printf("  note: %s\n", (const char *)g_ptr_array_index(notes, i));
	if (!shared) rr_jobs_free(jobs);
}

static bool check(const char *path, const struct study_options *o)
{
	char **overrides = NULL;
	struct rr_load_options options = rr_study_load_options(o, &overrides);
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct scenario *s = rr_scenario_load(path, &options, &faults);
	struct rr_work *work = NULL;
	if (s != NULL) {
		g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
		for (guint i = 0; i < s->notes->len; i++)
			g_ptr_array_add(notes, g_strdup(g_ptr_array_index(s->notes, i)));
		for (int32_t w = 0; o->strict && w < s->workload_count; w++) s->workloads[w].trace.strict = true;
		work = rr_work_open(s, notes, &faults);
		if (work != NULL) tell(path, s, work, notes);
	}
	bool sound = work != NULL;
	rr_faults_print(&faults, stderr);
	rr_work_free(work);
	rr_scenario_free(s);
	rr_faults_done(&faults);
	g_strfreev(overrides);
	return sound;
}

int rr_command_check(int argc, char **argv)
{
	struct study_options o = {0};
	const GOptionEntry entries[] = {
	    {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.sets, "Override a key of the scenario; may be repeated",
	     "PATH=VALUE"},
	    {"catalogue", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.catalogues, "Your own catalogue file; may be repeated",
	     "FILE"},
	    {"strict", 0, 0, G_OPTION_ARG_NONE, &o.strict, "Rows of a trace that cannot be used are errors", NULL},
	    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	int status = RR_EXIT_USAGE;
	if (!rr_options_parse(&argc, &argv, entries, "SCENARIO.yaml...",
			      "Reads scenarios and their traces and tells all that is wrong with them."))
		goto out;
	if (argc < 2) {
		fputs("rackrent check: name a scenario, such as scenarios/first-look.yaml\n", stderr);
		goto out;
	}
	status = RR_EXIT_DONE;
	for (int i = 1; i < argc; i++)
		if (!check(argv[i], &o)) status = RR_EXIT_USAGE;
out:
	rr_study_options_done(&o);
	return status;
}
