/* replay.c - rackrent replay TRACE: a researcher's first command.
 *
 * The flags are turned into the text of a scenario, which is then read like any
 * other: --write-scenario prints just that text, so that what runs and what is
 * printed cannot differ. */
#include "scenarios/traces/traces.h"
#include "sim/scheduler/scheduler.h"
#include "tools/rackrent/commands.h"
#include "tools/rackrent/study.h"

#include <stdio.h>
#include <string.h>

struct replay_options {
	struct study_options study;
	char *pool, *pools;
	char **schedulers;
	char *trace_format, *throughputs, *skip, *window, *time_scale, *size_scale, *duration_scale;
	gboolean write_scenario;
};

static void replay_options_done(struct replay_options *o)
{
	rr_study_options_done(&o->study);
	g_free(o->pool);
	g_free(o->pools);
	g_strfreev(o->schedulers);
	g_free(o->trace_format);
	g_free(o->throughputs);
	g_free(o->skip);
	g_free(o->window);
	g_free(o->time_scale);
	g_free(o->size_scale);
	g_free(o->duration_scale);
}

/* Appends TEXT in double quotes, so that names such as 103959, no or a:b stay
 * text in YAML. */
static void append_quoted(GString *yaml, const char *text)
{
	g_string_append_c(yaml, '"');
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '"' || *c == '\\')
			g_string_append_printf(yaml, "\\%c", *c);
		else if ((unsigned char)*c < 0x20)
			g_string_append_printf(yaml, "\\x%02x", (unsigned)*c);
		else
			g_string_append_c(yaml, *c);
	}
	g_string_append_c(yaml, '"');
}

static void append_key(GString *yaml, const char *indent, const char *key, const char *text)
{
	if (text == NULL) return;
	g_string_append_printf(yaml, "%s%s: ", indent, key);
	append_quoted(yaml, text);
	g_string_append_c(yaml, '\n');
}

/* "64x8": nodes of so many GPUs; "8xdgx-a100-40gb": nodes of the catalogue;
 * "flat:512": GPUs without nodes. The rest is left to the scenario's tables. */
static bool append_pool(GString *yaml, const char *text)
{
	if (g_str_has_prefix(text, "flat:") && text[5] != '\0') {
		g_string_append(yaml, "      pool: {kind: physical, gpus: ");
		append_quoted(yaml, text + 5);
		g_string_append(yaml, "}\n");
		return true;
	}
	const char *x = strchr(text, 'x');
	if (x == NULL || x == text || x[1] == '\0' || strspn(text, "0123456789") != (size_t)(x - text)) {
		fprintf(stderr,
			"rackrent replay: --pool '%s': expected NODESxGPUS such as 64x8, NODESxTYPE such as "
			"8xdgx-a100-40gb, or flat:GPUS such as flat:512\n",
			text);
		return false;
	}
	bool bare = strspn(x + 1, "0123456789") == strlen(x + 1);
	g_string_append_printf(yaml, "      pool: {kind: physical, count: %.*s, %s: ", (int)(x - text), text,
			       bare ? "gpus_per_node" : "node");
	if (bare)
		g_string_append(yaml, x + 1);
	else
		append_quoted(yaml, x + 1);
	g_string_append(yaml, "}\n");
	return true;
}

static void append_pools(GString *yaml, const struct trace_pools *pools)
{
	for (int32_t i = 0; i < pools->count; i++) {
		const struct trace_pool *p = &pools->pools[i];
		if (p->gpus_per_node <= 0) continue;
		g_string_append(yaml, "      ");
		append_quoted(yaml, p->name);
		g_string_append_printf(yaml, ": {kind: physical, count: %d, gpus_per_node: %d", p->nodes,
				       p->gpus_per_node);
		if (p->gpu == NULL) { /* virtual clusters: jobs go where their field says */
			g_string_append(yaml, ", only: {vc: ");
			append_quoted(yaml, p->name);
			g_string_append_c(yaml, '}');
		} else {
			g_string_append(yaml, ", model: ");
			append_quoted(yaml, p->gpu);
		}
		if (p->cpu_milli > 0)
			g_string_append_printf(yaml, ", cpus: %" G_GINT64_FORMAT ".%03d", p->cpu_milli / 1000,
					       (int)(p->cpu_milli % 1000));
		if (p->ram_bytes > 0) g_string_append_printf(yaml, ", memory: %" G_GINT64_FORMAT "B", p->ram_bytes);
		g_string_append(yaml, "}\n");
	}
}

static char *trace_name(const char *path)
{
	char *name = g_path_get_basename(path);
	char *dot = strchr(name, '.');
	if (dot != NULL && dot != name) *dot = '\0';
	return name;
}

static void append_trace(GString *yaml, const char *trace, const struct replay_options *o)
{
	g_string_append(yaml, "workloads:\n  trace:\n    kind: jobs\n    trace:\n");
	append_key(yaml, "      ", "file", trace);
	append_key(yaml, "      ", "format", o->trace_format);
	append_key(yaml, "      ", "throughputs", o->throughputs);
	append_key(yaml, "      ", "skip", o->skip);
	append_key(yaml, "      ", "window", o->window);
	append_key(yaml, "      ", "time_scale", o->time_scale);
	append_key(yaml, "      ", "size_scale", o->size_scale);
	append_key(yaml, "      ", "duration_scale", o->duration_scale);
	if (o->study.strict) g_string_append(yaml, "      strict: true\n");
}

/* The scenario's text; NULL after a message. */
static char *write_yaml(const char *trace, const struct replay_options *o, const struct trace_pools *pools)
{
	g_autoptr(GString) yaml = g_string_new("rackrent: 1\n");
	g_autofree char *name = trace_name(trace);
	append_key(yaml, "", "name", name);
	append_trace(yaml, trace, o);
	g_string_append(yaml, "fleets:\n");
	const char *const fallback[] = {"fcfs", NULL};
	const char *const *schedulers = o->schedulers != NULL ? (const char *const *)o->schedulers : fallback;
	for (const char *const *s = schedulers; *s != NULL; s++) {
		for (const char *const *t = schedulers; t < s; t++) {
			if (strcmp(*s, *t) != 0) continue;
			fprintf(stderr, "rackrent replay: --scheduler '%s' is given twice\n", *s);
			return NULL;
		}
		g_string_append(yaml, "  ");
		append_quoted(yaml, *s);
		g_string_append(yaml, ":\n    pools:\n");
		if (pools != NULL)
			append_pools(yaml, pools);
		else if (!append_pool(yaml, o->pool))
			return NULL;
		append_key(yaml, "    ", "scheduler", *s);
	}
	return g_string_free(g_steal_pointer(&yaml), FALSE);
}

static int replay(const char *trace, struct replay_options *o, const char *command)
{
	int status = RR_EXIT_USAGE;
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct trace_pools *pools = o->pools != NULL ? rr_trace_read_pools(o->pools, &faults) : NULL;
	g_autofree char *yaml = rr_faults_any(&faults) ? NULL : write_yaml(trace, o, pools);
	struct scenario *s = NULL;
	char **overrides = NULL;
	if (yaml == NULL) goto out;
	struct rr_load_options options = rr_study_load_options(&o->study, &overrides);
	s = rr_scenario_load_bytes(yaml, strlen(yaml), "replay", ".", &options, &faults);
	if (s == NULL) goto out;
	if (o->write_scenario) {
		fputs(yaml, stdout);
		status = RR_EXIT_DONE;
	} else
		status = rr_study_run(s, &o->study, command);
out:
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	rr_trace_pools_free(pools);
	rr_scenario_free(s);
	g_strfreev(overrides);
	return status;
}

static bool sound_schedulers(char **schedulers)
{
	bool sound = true;
	for (char **s = schedulers; s != NULL && *s != NULL; s++) {
		struct scheduler_spec spec = {0};
		g_autoptr(GError) error = NULL;
		if (!rr_scheduler_parse(*s, &spec, &error)) {
			fprintf(stderr, "rackrent replay: --scheduler '%s': %s\n", *s, error->message);
			sound = false;
		}
		rr_scheduler_spec_done(&spec);
	}
	return sound;
}

static bool sound_usage(int argc, char **argv, const struct replay_options *o)
{
	if (argc != 2) {
		if (argc > 2)
			fprintf(stderr, "rackrent replay: one trace at a time, found '%s' too\n", argv[2]);
		else
			fputs("rackrent replay: name a trace, such as jobs.csv\n", stderr);
		return false;
	}
	if ((o->pool == NULL) == (o->pools == NULL)) {
		fprintf(stderr, "rackrent replay: say the fleet by %s --pool (64x8, flat:512) or --pools FILE.csv\n",
			o->pool == NULL ? "either" : "only one of");
		return false;
	}
	return sound_schedulers(o->schedulers);
}

int rr_command_replay(int argc, char **argv)
{
	g_autofree char *command = rr_command_line(argc, argv);
	struct replay_options o = {0};
	const GOptionEntry own[] = {
	    {"pool", 0, 0, G_OPTION_ARG_STRING, &o.pool, "The fleet: 64x8 (nodes x GPUs), 8xdgx-a100-40gb, flat:512",
	     "POOL"},
	    {"pools", 0, 0, G_OPTION_ARG_FILENAME, &o.pools,
	     "Virtual clusters: columns vc,nodes[,gpus_per_node]; or an openb node list", "FILE"},
	    {"scheduler", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.schedulers,
	     "Policy or preset (default fcfs); may be repeated: one fleet each", "NAME"},
	    {"trace-format", 0, 0, G_OPTION_ARG_STRING, &o.trace_format,
	     "Format of the trace (default: from its content)", "NAME"},
	    {"throughputs", 0, 0, G_OPTION_ARG_FILENAME, &o.throughputs, "Steps per second of gavel's job types",
	     "JSON"},
	    {"skip", 0, 0, G_OPTION_ARG_STRING, &o.skip, "Leave out jobs submitted in the first TIME", "TIME"},
	    {"window", 0, 0, G_OPTION_ARG_STRING, &o.window, "Take only jobs of so long a time", "TIME"},
	    {"time-scale", 0, 0, G_OPTION_ARG_STRING, &o.time_scale, "Submit times times this", "X"},
	    {"size-scale", 0, 0, G_OPTION_ARG_STRING, &o.size_scale, "GPUs of a job times this", "X"},
	    {"duration-scale", 0, 0, G_OPTION_ARG_STRING, &o.duration_scale, "Run times times this", "X"},
	    {"write-scenario", 0, 0, G_OPTION_ARG_NONE, &o.write_scenario, "Print the scenario and stop", NULL},
	};
	GOptionEntry entries[G_N_ELEMENTS(own) + RR_STUDY_ENTRIES + 1] = {{0}};
	memcpy(entries, own, sizeof own);
	rr_study_entries(&o.study, entries + G_N_ELEMENTS(own));
	int status = RR_EXIT_USAGE;
	if (rr_options_parse(&argc, &argv, entries, "TRACE",
			     "Replays a trace on a fleet given by flags, until its last job has ended.\n"
			     "  rackrent replay jobs.csv --pool 64x8 --scheduler fcfs --scheduler easy") &&
	    sound_usage(argc, argv, &o))
		status = replay(argv[1], &o, command);
	replay_options_done(&o);
	return status;
}
