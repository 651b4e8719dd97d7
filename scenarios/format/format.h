/* format.h - YAML to struct scenario, by tables.
 *
 * One table per mapping drives parsing, defaults, ranges, units, references,
 * error texts, the JSON Schema, the reference page and `rackrent explain`. All
 * faults of a file are reported in one go. No file, however broken or large,
 * crashes or is read with a guess. */
#ifndef RR_SCENARIOS_FORMAT_H
#define RR_SCENARIOS_FORMAT_H

#include "scenarios/scenarios.h"

/* One "--set path=value". */
struct rr_load_options {
	const struct rr_vocabulary *words;  /* scheduler words, from the tables in sim/ */
	const char *const *overrides;       /* "fleets.own.pools.a100.count=16", NULL-terminated, or NULL */
	const char *const *catalogue_files; /* the user's own, NULL-terminated, or NULL */
};

/* NULL and at least one fault when anything is wrong. */
struct scenario *rr_scenario_load(const char *path, const struct rr_load_options *options, struct rr_faults *faults);
/* The same from memory; NAME stands in messages, paths are relative to FOLDER. */
struct scenario *rr_scenario_load_bytes(const char *bytes, size_t size, const char *name, const char *folder,
					const struct rr_load_options *options, struct rr_faults *faults);
/* The scenario inside the binary: its bytes and name. */
const char *rr_scenario_builtin(size_t *size, const char **name);

/* The catalogue inside the binary, with the files of OPTIONS on top. */
struct catalogue *rr_catalogue_load(const struct rr_load_options *options, struct rr_faults *faults);

/* JSON Schema (draft 2020-12); the reference page in Markdown; the help of one
 * key ("fleets.*.pools.*.count"; a bare key name lists all places). Caller
 * frees; rr_format_explain gives NULL when there is no such key and stores the
 * nearest one in *NEAREST (may be NULL, caller frees). */
char *rr_format_schema(const struct rr_vocabulary *words);
char *rr_format_reference(const struct rr_vocabulary *words);
char *rr_format_explain(const char *key, const struct rr_vocabulary *words, char **nearest);

#endif
