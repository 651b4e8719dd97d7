/* trace.c - rackrent trace info|convert|fit|generate. */
#include "models/units/units.h"
#include "scenarios/traces/traces.h"
#include "tools/rackrent/commands.h"
#include "tools/rackrent/trace_info.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static bool show(const char *file, const struct trace_spec *given, bool json)
{
	struct trace_spec spec = *given;
	struct rr_faults faults;
	rr_faults_init(&faults);
	spec.file = (char *)(intptr_t)file;
	if (spec.format == NULL && rr_trace_is_node_list(file)) {
		struct trace_pools *pools = rr_trace_read_pools(file, &faults);
		if (pools != NULL) trace_info_print_pools(file, pools, json, stdout);
		rr_trace_pools_free(pools);
	} else {
		struct trace_report *report = NULL;
		struct job_list *jobs = rr_trace_survey_jobs(&spec, &report, &faults);
		if (report != NULL) trace_info_print(file, report, jobs, json, stdout);
		rr_trace_report_free(report);
		rr_jobs_free(jobs);
	}
	bool good = !rr_faults_any(&faults);
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	return good;
}

static int command_info(int argc, char **argv)
{
	gboolean strict = FALSE;
	g_autofree char *output = NULL, *format = NULL, *throughputs = NULL;
	const GOptionEntry entries[] = {
	    {"format", 0, 0, G_OPTION_ARG_STRING, &output, "Print as a table (default) or as json", "table|json"},
	    {"trace-format", 0, 0, G_OPTION_ARG_STRING, &format, "Format of the trace (default: from its content)",
	     "NAME"},
	    {"throughputs", 0, 0, G_OPTION_ARG_FILENAME, &throughputs, "Steps per second of gavel's job types", "JSON"},
	    {"strict", 0, 0, G_OPTION_ARG_NONE, &strict, "Rows that cannot be used are errors", NULL},
	    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	if (!rr_options_parse(
		&argc, &argv, entries, "FILE...",
		"Counts, span, GPU time, sizes, run times, states, and what cannot be used and why. Totals are\n"
		"over all rows, before any is skipped; stamps without a zone are UTC."))
		return RR_EXIT_USAGE;
	if (argc < 2) {
		fputs("rackrent trace info: name a trace, such as jobs.csv\n", stderr);
		return RR_EXIT_USAGE;
	}
	if (output != NULL && strcmp(output, "json") != 0 && strcmp(output, "table") != 0) {
		fprintf(stderr,
			"rackrent trace info: --format '%s': expected table or json (--trace-format names a trace's)\n",
			output);
		return RR_EXIT_USAGE;
	}
	struct trace_spec spec = {.format = format, .throughputs = throughputs, .strict = strict};
	int status = RR_EXIT_DONE;
	for (int i = 1; i < argc; i++)
		if (!show(argv[i], &spec, g_strcmp0(output, "json") == 0)) status = RR_EXIT_USAGE;
	return status;
}

/* Writes under a temporary name first: a killed run leaves no half file. */
static bool write_file(const struct job_list *jobs, const char *path)
{
	g_autofree char *temporary = g_strconcat(path, ".part", NULL);
	FILE *to = fopen(temporary, "wb");
	if (to != NULL) {
		bool good = rr_trace_write_csv(jobs, to);
		good = fclose(to) == 0 && good;
		if (good && g_rename(temporary, path) == 0) return true;
		(void)g_unlink(temporary);
	}
	fprintf(stderr, "rackrent trace convert: cannot write %s: %s\n", path, g_strerror(errno));
	return false;
}

static int command_convert(int argc, char **argv)
{
	gboolean strict = FALSE;
	g_autofree char *out = NULL, *format = NULL, *throughputs = NULL;
	const GOptionEntry entries[] = {
	    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "Write here (default: standard output)", "FILE"},
	    {"trace-format", 0, 0, G_OPTION_ARG_STRING, &format, "Format of the trace (default: from its content)",
	     "NAME"},
	    {"throughputs", 0, 0, G_OPTION_ARG_FILENAME, &throughputs, "Steps per second of gavel's job types", "JSON"},
	    {"strict", 0, 0, G_OPTION_ARG_NONE, &strict, "Rows that cannot be used are errors", NULL},
	    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	if (!rr_options_parse(
		&argc, &argv, entries, "FILE",
		"Writes the jobs of a trace as CSV: id,submit_s,gpus,duration_s and what else they have."))
		return RR_EXIT_USAGE;
	if (argc != 2) {
		fputs("rackrent trace convert: name one trace\n", stderr);
		return RR_EXIT_USAGE;
	}
	struct trace_spec spec = {.file = argv[1], .format = format, .throughputs = throughputs, .strict = strict};
	struct trace_report *report = NULL;
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct job_list *jobs = rr_trace_read(&spec, &report, &faults);
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	int status = RR_EXIT_USAGE;
	if (jobs != NULL) {
		trace_info_print_skips(report, stderr);
		bool good = out != NULL ? write_file(jobs, out) : rr_trace_write_csv(jobs, stdout);
		status = good ? RR_EXIT_DONE : RR_EXIT_UNFINISHED;
	}
	rr_trace_report_free(report);
	rr_jobs_free(jobs);
	return status;
}

int rr_command_trace(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {{"info", command_info},
			{"convert", command_convert},
			{"fit", rr_command_trace_fit},
			{"generate", rr_command_trace_generate}};
	const char *names[G_N_ELEMENTS(commands) + 1] = {NULL};
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		names[i] = commands[i].name;
		if (argc < 2 || strcmp(argv[1], commands[i].name) != 0) continue;
		g_autofree char *name = g_strdup_printf("trace %s", commands[i].name);
		argv[1] = name;
		return commands[i].run(argc - 1, argv + 1);
	}
	const char *near = argc < 2 ? NULL : rr_nearest_word(argv[1], names);
	bool help = argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
	if (argc >= 2 && !help) fprintf(stderr, "rackrent trace: unknown word '%s'", argv[1]);
	if (near != NULL && !help) fprintf(stderr, ", did you mean '%s'?", near);
	fputs(argc >= 2 && !help ? "\n" : "", stderr);
	fputs("usage: rackrent trace info|convert|fit|generate FILE [OPTION...]\n"
	      "  info      what a trace holds, and what of it cannot be used\n"
	      "  convert   write its jobs as CSV\n"
	      "  fit       print a synthetic workload fitted to it\n"
	      "  generate  draw jobs from a synthetic workload\n",
	      help ? stdout : stderr);
	return help ? RR_EXIT_DONE : RR_EXIT_USAGE;
}
