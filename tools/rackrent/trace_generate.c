/* trace_generate.c - rackrent trace generate FILE.yaml: work drawn, as a CSV trace.
 *
 * FILE is a scenario, or a synthetic block alone as `trace fit` prints it, which
 * is then read as the one workload of a scenario: a year of it, unless options or
 * the block's own `jobs` say how much. */
#include "scenarios/format/format.h"
#include "scenarios/traces/traces.h"
#include "scenarios/workload/workload.h"
#include "sim/scheduler/scheduler.h"
#include "tools/rackrent/commands.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

struct generate_options {
	gint64 jobs, days;
	char *seed, *out;
};

/* What makes a block a scenario; its lines then stand so much lower and further
 * to the right than in the user's file. */
#define BLOCK_HEAD   "workloads:\n  generated:\n"
#define BLOCK_INDENT "    "
#define BLOCK_TAIL   "\nrackrent: 1\nname: generated\nfleets: {none: {pools: {none: {gpus: 1}}}}\n"
enum { BLOCK_LINES = 2, BLOCK_COLUMNS = sizeof BLOCK_INDENT - 1, BLOCK_DAYS = 365 };

static bool has_line(const char *text, const char *start)
{
	g_autofree char *inner = g_strdup_printf("\n%s", start);
	return g_str_has_prefix(text, start) || strstr(text, inner) != NULL;
}

static char *wrap_block(const char *block)
{
	GString *out = g_string_new(BLOCK_HEAD);
	g_auto(GStrv) lines = g_strsplit(block, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		g_string_append_printf(out, "%s%s\n", **line == '\0' ? "" : BLOCK_INDENT, *line);
	g_string_append(out, BLOCK_TAIL);
	return g_string_free(out, FALSE);
}

/* Places in the wrapped text to places in the user's file. */
static void move_places(struct rr_faults *faults, const char *file)
{
	g_autofree char *start = g_strdup_printf("%s:", file);
	for (guint i = 0; i < faults->texts->len; i++) {
		char *text = g_ptr_array_index(faults->texts, i), *rest = NULL, *more = NULL;
		if (!g_str_has_prefix(text, start)) continue;
		gint64 line = g_ascii_strtoll(text + strlen(start), &rest, 10);
		if (line <= BLOCK_LINES || *rest != ':') continue;
		gint64 column = g_ascii_strtoll(rest + 1, &more, 10);
		bool placed = more != rest + 1 && *more == ':';
		g_ptr_array_index(faults->texts, i) =
		    placed ? g_strdup_printf("%s%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT "%s", start, line - BLOCK_LINES,
					     MAX(column - BLOCK_COLUMNS, 1), more)
			   : g_strdup_printf("%s%" G_GINT64_FORMAT "%s", start, line - BLOCK_LINES, rest);
		g_free(text);
	}
}

/* LIMITED: a block that says itself how many jobs it has. */
static char **overrides_of(const struct generate_options *o, bool block, bool limited)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	bool unsaid = block && !limited && o->jobs == 0 && o->days == 0;
	gint64 days = unsaid ? BLOCK_DAYS : o->days;
	if (o->seed != NULL) g_ptr_array_add(list, g_strdup_printf("seed=%s", o->seed));
	if (days > 0) g_ptr_array_add(list, g_strdup_printf("horizon=%" G_GINT64_FORMAT "d", days));
	if (block && o->jobs > 0)
		g_ptr_array_add(list, g_strdup_printf("workloads.generated.synthetic.jobs=%" G_GINT64_FORMAT, o->jobs));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&list), FALSE);
}

static struct scenario *load(const char *file, const struct generate_options *o, struct rr_faults *faults)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	if (!g_file_get_contents(file, &text, NULL, &error)) {
		rr_faults_add(faults, file, 0, 0, "cannot be read (%s)", g_strerror(errno));
		return NULL;
	}
	bool block = has_line(text, "synthetic:") && !has_line(text, "rackrent:");
	g_auto(GStrv) overrides = overrides_of(o, block, has_line(text, "  jobs:"));
	struct rr_load_options options = {.words = rr_scheduler_vocabulary(),
					  .overrides = (const char *const *)overrides};
	if (!block) return rr_scenario_load(file, &options, faults);
	g_autofree char *wrapped = wrap_block(text), *folder = g_path_get_dirname(file);
	struct scenario *s = rr_scenario_load_bytes(wrapped, strlen(wrapped), file, folder, &options, faults);
	move_places(faults, file);
	return s;
}

/* Written under another name and renamed: a killed run leaves no half file. */
static bool write_to(const struct job_list *jobs, const char *path)
{
	if (path == NULL) {
		bool written = rr_trace_write_csv(jobs, stdout);
		return fflush(stdout) == 0 && written;
	}
	g_autofree char *part = g_strdup_printf("%s.part", path);
	FILE *to = g_fopen(part, "wb");
	if (to == NULL) return false;
	bool written = rr_trace_write_csv(jobs, to);
	written = fclose(to) == 0 && written;
	if (written && g_rename(part, path) == 0) return true;
	int why = errno;
	g_remove(part);
	errno = why;
	return false;
}

static int generate(const char *file, const struct generate_options *o, struct rr_faults *faults)
{
	struct scenario *s = load(file, o, faults);
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	struct rr_work *work = s != NULL ? rr_work_open(s, notes, faults) : NULL;
	int status = RR_EXIT_USAGE;
	if (work != NULL) {
		for (guint i = 0; i < notes->len; i++)
			fprintf(stderr, "note: %s\n", (char *)g_ptr_array_index(notes, i));
		bool shared = false;
		struct job_list *jobs = rr_work_jobs(work, 0, &shared);
		/* A scenario may have several workloads: its first jobs, whosever they are. */
		if (o->jobs > 0) jobs->count = MIN(jobs->count, (size_t)o->jobs);
		status = RR_EXIT_DONE;
		if (!write_to(jobs, o->out)) {
			fprintf(stderr, "rackrent trace generate: %s: cannot be written (%s)\n",
				o->out != NULL ? o->out : "standard output", g_strerror(errno));
			status = RR_EXIT_UNFINISHED;
		}
		if (!shared) rr_jobs_free(jobs);
	}
	rr_work_free(work);
	rr_scenario_free(s);
	return status;
}

int rr_command_trace_generate(int argc, char **argv)
{
	argv[0] = (char *)(intptr_t) "trace generate"; /* names the command in help and errors */
	struct generate_options o = {0};
	const GOptionEntry entries[] = {
	    {"jobs", 0, 0, G_OPTION_ARG_INT64, &o.jobs, "So many jobs and no more", "N"},
	    {"days", 0, 0, G_OPTION_ARG_INT64, &o.days, "So many days of work", "N"},
	    {"seed", 0, 0, G_OPTION_ARG_STRING, &o.seed, "Other luck", "S"},
	    {"out", 0, 0, G_OPTION_ARG_FILENAME, &o.out, "Where to write; without it, to standard output", "FILE.csv"},
	    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};
	int status = RR_EXIT_USAGE;
	struct rr_faults faults;
	rr_faults_init(&faults);
	if (!rr_options_parse(
		&argc, &argv, entries, "FILE.yaml",
		"Draws the work of a scenario, or of a synthetic block that `trace fit` printed, and writes it "
		"as a CSV trace.")) {
	} else if (argc != 2) {
		fputs("rackrent trace generate: name one scenario or synthetic block, such as fit.yaml\n", stderr);
	} else if (o.jobs < 0 || o.days < 0 || o.days > 36500) {
		fputs("rackrent trace generate: expected --jobs N of at least 1, --days N from 1 to 36500\n", stderr);
	} else {
		status = generate(argv[1], &o, &faults);
	}
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	g_free(o.seed);
	g_free(o.out);
	return status;
}
