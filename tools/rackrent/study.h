/* study.h - runs a scenario whole: every fleet, every replication, all outputs. */
#ifndef RR_TOOLS_STUDY_H
#define RR_TOOLS_STUDY_H

#include "scenarios/format/format.h"

#include <stdbool.h>

/* The options that run and replay share; zero-filled = defaults. */
struct study_options {
	char *out;          /* NULL = out/<scenario's name> */
	char *only;         /* "summary,jobs"; NULL = all */
	char *seed;         /* as typed, goes through the scenario's tables */
	char *replications; /* as typed */
	char *why;          /* id of a job: its story instead of results; NULL = none */
	char **sets;        /* "path=value" */
	char **catalogues;  /* the user's own catalogue files */
	gint threads;       /* 0 = one per processor */
	gboolean quiet, strict;
};

enum { RR_STUDY_ENTRIES = 10 };
/* Fills ENTRIES (RR_STUDY_ENTRIES rows) with options that write into OPTIONS. */
void rr_study_entries(struct study_options *options, GOptionEntry *entries);
void rr_study_options_done(struct study_options *options);

/* What scenarios/format needs to know, with the overrides of OPTIONS; free the
 * array of *OVERRIDES with g_strfreev. */
struct rr_load_options rr_study_load_options(const struct study_options *options, char ***overrides);

/* Runs SCENARIO and writes its outputs; COMMAND is the line as typed. Prints
 * the summary unless quiet. Returns the exit status. */
int rr_study_run(struct scenario *scenario, const struct study_options *options, const char *command);

/* The command line as a shell would take it, without what changes no result
 * (--threads, --out, --quiet). Caller frees. */
char *rr_command_line(int argc, char *const *argv);

#endif
