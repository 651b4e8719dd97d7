/* run.c - rackrent run [SCENARIO]: simulate every fleet of a scenario. */
#include "tools/rackrent/commands.h"
#include "tools/rackrent/study.h"

#include <stdio.h>

static struct scenario *load(const char *path, const struct study_options *o)
{
	char **overrides = NULL;
	struct rr_load_options options = rr_study_load_options(o, &overrides);
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct scenario *s = NULL;
	if (path != NULL)
		s = rr_scenario_load(path, &options, &faults);
	else {
		size_t size = 0;
		const char *name = NULL;
		const char *bytes = rr_scenario_builtin(&size, &name);
		s = rr_scenario_load_bytes(bytes, size, name, ".", &options, &faults);
	}
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	g_strfreev(overrides);
	return s;
}

int rr_command_run(int argc, char **argv)
{
	g_autofree char *command = rr_command_line(argc, argv);
	struct study_options o = {0};
	GOptionEntry entries[RR_STUDY_ENTRIES + 1] = {{0}};
	rr_study_entries(&o, entries);
	int status = RR_EXIT_USAGE;
	if (!rr_options_parse(
		&argc, &argv, entries, "[SCENARIO.yaml]",
		"Simulates every fleet of the scenario and writes the report. Without a file the built-in\n"
		"scenario is run: a 64-GPU research group, owned or rented, for one year."))
		goto out;
	if (argc > 2) {
		fprintf(stderr, "rackrent run: one scenario at a time, found '%s' too\n", argv[2]);
		goto out;
	}
	struct scenario *s = load(argc == 2 ? argv[1] : NULL, &o);
	if (s != NULL) status = rr_study_run(s, &o, command);
	rr_scenario_free(s);
out:
	rr_study_options_done(&o);
	return status;
}
