/* study.c - from a loaded scenario to its outputs, on as many threads as there
 * are processors. Replications are independent; results stand in an array by
 * fleet and replication, so the number of threads leaves no trace. */
#include "tools/rackrent/study.h"

#include "models/units/units.h"
#include "reports/reports.h"
#include "scenarios/workload/workload.h"
#include "sim/scheduler/scheduler.h"
#include "tools/rackrent/commands.h"
#include "tools/rackrent/why.h"

#include <string.h>
#include <unistd.h>

struct draw {
	GMutex lock;
	struct job_list *jobs;
	bool shared; /* belongs to the work, not to us */
};

struct crew {
	const struct scenario *scenario;
	struct rr_work *work;
	struct draw *draws;      /* one per replication */
	struct usage **usages;   /* [fleet * replications + replication] */
	struct result **results; /* the same order */
	GError **errors;
	gint next, done, total;
	bool show_progress;
};

void rr_study_entries(struct study_options *o, GOptionEntry *entries)
{
	const GOptionEntry rows[] = {
	    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &o->out, "Write results here (default out/NAME)", "DIR"},
	    {"only", 0, 0, G_OPTION_ARG_STRING, &o->only, "Write just these: summary,jobs,database,plots,html", "LIST"},
	    {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->sets, "Override a key of the scenario; may be repeated",
	     "PATH=VALUE"},
	    {"seed", 0, 0, G_OPTION_ARG_STRING, &o->seed, "Seed of all luck", "N"},
	    {"replications", 0, 0, G_OPTION_ARG_STRING, &o->replications, "Runs with different luck", "N"},
	    {"catalogue", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->catalogues, "Your own catalogue file; may be repeated",
	     "FILE"},
	    {"threads", 0, 0, G_OPTION_ARG_INT, &o->threads, "Threads (default: one per processor)", "N"},
	    {"why", 0, 0, G_OPTION_ARG_STRING, &o->why, "Why did this job wait? Its story, instead of results", "JOB"},
	    {"strict", 0, 0, G_OPTION_ARG_NONE, &o->strict, "Rows of a trace that cannot be used are errors", NULL},
	    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o->quiet, "No summary and no progress", NULL},
	};
	G_STATIC_ASSERT(G_N_ELEMENTS(rows) == RR_STUDY_ENTRIES);
	memcpy(entries, rows, sizeof rows);
}

void rr_study_options_done(struct study_options *o)
{
	g_free(o->out);
	g_free(o->only);
	g_free(o->seed);
	g_free(o->replications);
	g_free(o->why);
	g_strfreev(o->sets);
	g_strfreev(o->catalogues);
}

struct rr_load_options rr_study_load_options(const struct study_options *o, char ***overrides)
{
	GPtrArray *all = g_ptr_array_new();
	for (char **s = o->sets; s != NULL && *s != NULL; s++) g_ptr_array_add(all, g_strdup(*s));
	if (o->seed != NULL) g_ptr_array_add(all, g_strconcat("seed=", o->seed, NULL));
	if (o->replications != NULL) g_ptr_array_add(all, g_strconcat("replications=", o->replications, NULL));
	g_ptr_array_add(all, NULL);
	*overrides = (char **)g_ptr_array_free(all, FALSE);
	return (struct rr_load_options){
	    .words = rr_scheduler_vocabulary(),
	    .overrides = (const char *const *)*overrides,
	    .catalogue_files = (const char *const *)o->catalogues,
	};
}

/* How many words the option WORD takes (FOLLOWED by one or not) if it leaves no
 * trace in the results: they must be the same bytes whatever the threads and the
 * folder. 0 = it matters. */
static int words_without_trace(const char *word, bool followed)
{
	static const char *const valued[] = {"--threads", "--out", "-o"};
	if (strcmp(word, "--quiet") == 0 || strcmp(word, "-q") == 0) return 1;
	for (size_t i = 0; i < G_N_ELEMENTS(valued); i++) {
		size_t length = strlen(valued[i]);
		if (strncmp(word, valued[i], length) != 0) continue;
		if (word[length] == '\0') return followed ? 2 : 1;
		if (word[length] == '=' || length == 2) return 1;
	}
	return 0;
}

char *rr_command_line(int argc, char *const *argv)
{
	GString *line = g_string_new("rackrent");
	for (int i = 0; i < argc; i++) {
		int skipped = words_without_trace(argv[i], i + 1 < argc);
		i += MAX(skipped - 1, 0);
		if (skipped > 0) continue;
		bool plain = argv[i][0] != '\0';
		for (const char *c = argv[i]; *c != '\0'; c++)
			plain = plain && (g_ascii_isalnum(*c) || strchr("-_./:,=+@%", *c) != NULL);
		g_autofree char *quoted = plain ? g_strdup(argv[i]) : g_shell_quote(argv[i]);
		g_string_append_printf(line, " %s", quoted);
	}
	return g_string_free(line, FALSE);
}

static const struct job_list *draw_jobs(struct crew *crew, int32_t replication)
{
	struct draw *draw = &crew->draws[replication];
	g_mutex_lock(&draw->lock);
	if (draw->jobs == NULL) draw->jobs = rr_work_jobs(crew->work, replication, &draw->shared);
	g_mutex_unlock(&draw->lock);
	return draw->jobs;
}

static void show_progress(struct crew *crew)
{
	gint done = g_atomic_int_add(&crew->done, 1) + 1;
	if (!crew->show_progress) return;
	fprintf(stderr, "\r%d of %d runs%s", done, crew->total, done == crew->total ? "\r\033[K" : "");
	fflush(stderr);
}

static gpointer work_on(gpointer data)
{
	struct crew *crew = data;
	int32_t fleets = crew->scenario->fleet_count, replications = crew->scenario->replications;
	for (;;) {
		/* Replication by replication, so that few job lists are drawn early. */
		gint task = g_atomic_int_add(&crew->next, 1);
		if (task >= crew->total) return NULL;
		int32_t replication = task / fleets, fleet = task % fleets, at = fleet * replications + replication;
		const struct job_list *jobs = draw_jobs(crew, replication);
		crew->usages[at] = rr_sim_run(crew->scenario, fleet, jobs, replication, &crew->errors[at]);
		if (crew->usages[at] != NULL) crew->results[at] = rr_account(crew->usages[at]);
		show_progress(crew);
	}
}

static void run_all(struct crew *crew, gint threads)
{
	if (threads <= 0) threads = (gint)g_get_num_processors();
	threads = MIN(threads, crew->total);
	if (threads <= 1) {
		(void)work_on(crew);
		return;
	}
	g_autofree GThread **team = g_new0(GThread *, (gsize)threads);
	for (gint i = 0; i < threads; i++) team[i] = g_thread_new("replication", work_on, crew);
	for (gint i = 0; i < threads; i++) g_thread_join(team[i]);
}

static void add_note(GPtrArray *notes, const char *text)
{
	if (!g_ptr_array_find_with_equal_func(notes, text, g_str_equal, NULL)) g_ptr_array_add(notes, g_strdup(text));
}

static void note_fractions(const struct scenario *scenario, const struct job_list *jobs, GPtrArray *notes)
{
	int64_t count = 0;
	bool whole = false;
	for (int32_t f = 0; f < scenario->fleet_count; f++)
		whole |= !rr_scheduler_shares(&scenario->fleets[f].scheduler);
	if (!whole) return;
	for (size_t i = 0; i < jobs->count; i++) count += jobs->jobs[i].gpu_milli < 1000;
	if (count == 0) return;
	g_autofree char *number = rr_text_count((double)count);
	g_autofree char *text = g_strdup_printf(
	    "%s jobs ask for a share of a GPU; each holds a whole GPU where the placement gives out no shares (fgd, "
	    "pack and others do), so use is overstated.",
	    number);
	add_note(notes, text);
}

static int report(struct crew *crew, GPtrArray *notes, const struct study_options *o, unsigned outputs,
		  const char *command)
{
	const struct scenario *s = crew->scenario;
	size_t fleets = (size_t)s->fleet_count, replications = (size_t)s->replications;
	note_fractions(crew->scenario, crew->draws[0].jobs, notes);
	for (size_t i = 0; i < fleets * replications; i++)
		for (guint k = 0; k < crew->results[i]->notes->len; k++)
			add_note(notes, g_ptr_array_index(crew->results[i]->notes, k));
	struct study study = {.scenario = s,
			      .results = crew->results,
			      .fleet_count = s->fleet_count,
			      .replications = s->replications,
			      .summaries = g_new0(struct metric_summary *, fleets),
			      .summary_counts = g_new0(size_t, fleets),
			      .notes = notes,
			      .command = (char *)(intptr_t)command,
			      .version = rr_program_version()};
	for (size_t f = 0; f < fleets; f++)
		study.summaries[f] =
		    rr_summarise(&crew->results[f * replications], replications, &study.summary_counts[f]);
	g_autofree char *folder = o->out != NULL ? g_strdup(o->out) : g_build_filename("out", s->name, NULL);
	g_autoptr(GError) error = NULL;
	bool written = rr_report_write(&study, folder, outputs, &error);
	if (!o->quiet) rr_report_print(&study, stdout, isatty(STDOUT_FILENO) == 1);
	if (!written)
		fprintf(stderr, "rackrent: %s\n", error->message);
	else if (!o->quiet && (outputs & RR_OUTPUT_HTML) != 0)
		printf("\nReport: %s/report.html\n", folder);
	else if (!o->quiet)
		printf("\nResults: %s\n", folder);
	for (size_t f = 0; f < fleets; f++) g_free(study.summaries[f]);
	g_free(study.summaries);
	g_free(study.summary_counts);
	return written ? RR_EXIT_DONE : RR_EXIT_UNFINISHED;
}

static void crew_done(struct crew *crew)
{
	size_t fleets = (size_t)crew->scenario->fleet_count, replications = (size_t)crew->scenario->replications;
	for (size_t i = 0; i < fleets * replications; i++) {
		rr_result_free(crew->results[i]);
		rr_usage_free(crew->usages[i]);
		g_clear_error(&crew->errors[i]);
	}
	for (size_t r = 0; r < replications; r++) {
		if (!crew->draws[r].shared) rr_jobs_free(crew->draws[r].jobs);
		g_mutex_clear(&crew->draws[r].lock);
	}
	rr_work_free(crew->work);
	g_free(crew->usages);
	g_free(crew->results);
	g_free(crew->errors);
	g_free(crew->draws);
}

static int run_crew(struct scenario *scenario, struct rr_work *work, GPtrArray *notes, const struct study_options *o,
		    unsigned outputs, const char *command)
{
	size_t replications = (size_t)scenario->replications, runs = (size_t)scenario->fleet_count * replications;
	struct crew crew = {.scenario = scenario,
			    .work = work,
			    .draws = g_new0(struct draw, replications),
			    .usages = g_new0(struct usage *, runs),
			    .results = g_new0(struct result *, runs),
			    .errors = g_new0(GError *, runs),
			    .total = (gint)runs,
			    .show_progress = !o->quiet && isatty(STDERR_FILENO) == 1};
	for (size_t r = 0; r < replications; r++) g_mutex_init(&crew.draws[r].lock);
	run_all(&crew, o->threads);
	int status = RR_EXIT_DONE;
	for (size_t i = 0; i < runs && status == RR_EXIT_DONE; i++) {
		if (crew.errors[i] == NULL) continue;
		fprintf(stderr, "rackrent: %s\n", crew.errors[i]->message);
		status = RR_EXIT_UNFINISHED;
	}
	if (status == RR_EXIT_DONE) status = report(&crew, notes, o, outputs, command);
	crew_done(&crew);
	return status;
}

static int tell_why(const struct scenario *scenario, struct rr_work *work, const char *id)
{
	bool shared = false;
	struct job_list *jobs = rr_work_jobs(work, 0, &shared);
	int status = rr_why(scenario, jobs, id);
	if (!shared) rr_jobs_free(jobs);
	rr_work_free(work);
	return status;
}

int rr_study_run(struct scenario *scenario, const struct study_options *o, const char *command)
{
	unsigned outputs = RR_OUTPUT_ALL;
	g_autoptr(GError) error = NULL;
	if (o->only != NULL && !rr_outputs_parse(o->only, &outputs, &error)) {
		fprintf(stderr, "rackrent: --only: %s\n", error->message);
		return RR_EXIT_USAGE;
	}
	for (int32_t w = 0; o->strict && w < scenario->workload_count; w++) scenario->workloads[w].trace.strict = true;
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < scenario->notes->len; i++) add_note(notes, g_ptr_array_index(scenario->notes, i));
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct rr_work *work = rr_work_open(scenario, notes, &faults);
	rr_faults_print(&faults, stderr);
	rr_faults_done(&faults);
	if (work == NULL) return RR_EXIT_USAGE;
	if (o->why != NULL) return tell_why(scenario, work, o->why);
	return run_crew(scenario, work, notes, o, outputs, command);
}
