/* trace_fit.c - rackrent trace fit FILE: a synthetic block fitted to a trace. */
#include "scenarios/traces/traces.h"
#include "scenarios/workload/workload.h"
#include "tools/rackrent/commands.h"

#include <stdio.h>

/* Where a trace has no civil time its own zero is taken as a Monday, 00:00. */
#define MONDAY_EPOCH_S (4 * (RR_NS_PER_DAY / RR_NS_PER_S)) /* 1970-01-05 */

struct fit_options {
	char *format, *start;
	gint values;
	gboolean strict;
};

static bool find_start(const struct fit_options *o, const struct job_list *jobs, int64_t *epoch_s, const char **said)
{
	int64_t epoch_ns = jobs->epoch_ns;
	*said = "its own stamps";
	if (o->start != NULL) {
		*said = "--start";
		if (!rr_stamp_parse(o->start, &epoch_ns)) {
			fprintf(
			    stderr,
			    "rackrent trace fit: --start '%s': expected a date such as 2025-01-01 or a stamp such as "
			    "'2025-01-01 08:00:00'\n",
			    o->start);
			return false;
		}
	} else if (epoch_ns == INT64_MIN) {
		epoch_ns = MONDAY_EPOCH_S * RR_NS_PER_S;
		*said = "the trace's zero taken as a Monday, 00:00 (--start says otherwise)";
	}
	*epoch_s = epoch_ns / RR_NS_PER_S;
	return true;
}

static int fit(const char *file, const struct fit_options *o, struct rr_faults *faults)
{
	struct trace_spec spec = {.file = (char *)(intptr_t)file,
				  .format = o->format,
				  .strict = o->strict != 0,
				  .time_scale = 1,
				  .size_scale = 1,
				  .duration_scale = 1};
	struct trace_report *report = NULL;
	struct job_list *jobs = rr_trace_read(&spec, &report, faults);
	int status = RR_EXIT_USAGE;
	int64_t start_s = 0;
	const char *said = NULL;
	if (jobs != NULL && find_start(o, jobs, &start_s, &said)) {
		g_autofree char *name = g_path_get_basename(file);
		g_autofree char *yaml = rr_work_fit_yaml(jobs, start_s, o->values);
		printf("# %s (%s); weekdays by %s\n%s", name, report->format, said, yaml);
		status = RR_EXIT_DONE;
	}
	rr_jobs_free(jobs);
	if (report != NULL) rr_trace_report_free(report);
	return status;
}

int rr_command_trace_fit(int argc, char **argv)
{
	argv[0] = (char *)(intptr_t) "trace fit"; /* names the command in help and errors */
	struct fit_options o = {.values = RR_FIT_VALUES};
	const GOptionEntry entries[] = {
	    {"trace-format", 0, 0, G_OPTION_ARG_STRING, &o.format,
	     "Format of the trace; without it, found from its content (rackrent catalog formats)", "NAME"},
	    {"start", 0, 0, G_OPTION_ARG_STRING, &o.start, "Civil time of the trace's zero, for its weekdays", "DATE"},
	    {"values", 0, 0, G_OPTION_ARG_INT, &o.values, "Most values of an empirical distribution (100)", "N"},
	    {"strict", 0, 0, G_OPTION_ARG_NONE, &o.strict, "Rows that cannot be used are errors", NULL},
	    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	int status = RR_EXIT_USAGE;
	struct rr_faults faults;
	rr_faults_init(&faults);
	if (!rr_options_parse(
		&argc, &argv, entries, "FILE",
		"Prints a synthetic block for a scenario: arrivals by hour of the week, sizes and run times "
		"by size, with how well each fits.")) {
	} else if (argc != 2) {
		fputs("rackrent trace fit: name one trace, such as jobs.csv\n", stderr);
	} else if (o.values < 1 || o.values > 10000) {
		fprintf(stderr, "rackrent trace fit: --values %d: expected 1 to 10000\n", o.values);
	} else {
		status = fit(argv[1], &o, &faults);
	}
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	g_free(o.format);
	g_free(o.start);
	return status;
}
