/* reports.h - a finished study, written in every form.
 *
 * A reporter prints what struct result holds, never a number of its own. Files
 * are written under a temporary name and renamed: a killed run leaves no half
 * file. */
#ifndef RR_REPORTS_H
#define RR_REPORTS_H

#include "sim/accounts/accounts.h"
#include "sim/sim.h"

#include <stdio.h>

/* All that was run: results[fleet * replications + replication]. */
struct study {
	const struct scenario *scenario;
	struct result **results;
	int32_t fleet_count, replications;
	struct metric_summary **summaries; /* one array per fleet */
	size_t *summary_counts;
	GPtrArray *notes;    /* char *: of the scenario, the traces and the accounts */
	char *command;       /* as typed, for the record; NULL = none */
	const char *version; /* program version and revision */
};

enum rr_output {
	RR_OUTPUT_SUMMARY = 1,  /* summary.json */
	RR_OUTPUT_JOBS = 2,     /* jobs.csv */
	RR_OUTPUT_DATABASE = 4, /* result.db */
	RR_OUTPUT_PLOTS = 8,    /* plots/ */
	RR_OUTPUT_HTML = 16,    /* report.html */
	RR_OUTPUT_ALL = 31
};

/* Reads "summary,jobs"; false and ERROR with the nearest word. */
bool rr_outputs_parse(const char *words, unsigned *outputs, GError **error);

/* Writes OUTPUTS (bits) into FOLDER, which is created. */
bool rr_report_write(const struct study *study, const char *folder, unsigned outputs, GError **error);

/* The summary for a terminal: fleets side by side, differences marked. COLOUR
 * only on a terminal. */
void rr_report_print(const struct study *study, FILE *to, bool colour);

#endif
