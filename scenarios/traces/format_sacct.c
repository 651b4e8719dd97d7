/* format_sacct.c - Slurm's accounting, `sacct --parsable2` (or --parsable) with at
 * least JobID, Submit, Elapsed or Start and End, and AllocTRES or ReqTRES. Steps
 * (123.batch) are part of their job and are not rows. Times are [D-]HH:MM:SS. */
#include "scenarios/traces/formats.h"

#include <string.h>

enum {
	ID,
	SUBMIT,
	START,
	END,
	ELAPSED,
	LIMIT,
	STATE,
	ALLOCATED,
	REQUESTED,
	GENERIC,
	PARTITION,
	USER,
	NAME,
	QOS,
	PRIORITY,
	COLUMNS
};

static bool detect(const char *head)
{
	g_autofree char *line = g_strndup(head, strcspn(head, "\r\n"));
	return strstr(line, "|") != NULL && strstr(line, "JobID") != NULL && strstr(line, "Submit") != NULL;
}

static bool begin(struct trace_reading *r, const struct trace_row *header)
{
	static const char *const names[COLUMNS] = {[ID] = "JobIDRaw|JobID",
						   [SUBMIT] = "Submit",
						   [START] = "Start",
						   [END] = "End",
						   [ELAPSED] = "ElapsedRaw|Elapsed",
						   [LIMIT] = "Timelimit|TimelimitRaw",
						   [STATE] = "State",
						   [ALLOCATED] = "AllocTRES",
						   [REQUESTED] = "ReqTRES",
						   [GENERIC] = "ReqGRES|AllocGRES|ReqGres|AllocGres",
						   [PARTITION] = "Partition",
						   [USER] = "User",
						   [NAME] = "JobName",
						   [QOS] = "QOS",
						   [PRIORITY] = "Priority"};
	trace_columns(r, header, names, COLUMNS);
	r->epoch = r->stamps = true;
	bool run = r->column[ELAPSED] >= 0 || (r->column[START] >= 0 && r->column[END] >= 0);
	bool gpus = r->column[ALLOCATED] >= 0 || r->column[REQUESTED] >= 0 || r->column[GENERIC] >= 0;
	if (!run)
		trace_fault(r, header->line, "there is no Elapsed, nor Start and End: ask sacct for them by --format");
	if (!gpus)
		trace_fault(r, header->line,
			    "there is no AllocTRES, ReqTRES or ReqGRES: ask sacct for one by --format");
	if (r->column[SUBMIT] < 0 || r->column[ID] < 0) trace_fault(r, header->line, "there is no JobID or no Submit");
	return run && gpus && r->column[SUBMIT] >= 0 && r->column[ID] >= 0;
}

/* A part of a time above this is no part of a time; sums stay far below the range. */
static const int64_t part_most_ns = 1000000 * RR_NS_PER_S;

/* "1-02:03:04", "02:03:04", "03:04", or bare seconds (ElapsedRaw). */
static bool read_span(const char *text, int64_t *ns)
{
	int64_t days = 0, parts[3] = {0};
	int count = 0;
	const char *at = strchr(text, '-');
	if (strchr(text, ':') == NULL && at == NULL) return trace_number(text, RR_NS_PER_S, ns);
	if (at != NULL && at != text) {
		g_autofree char *before = g_strndup(text, (gsize)(at - text));
		if (!trace_whole(before, &days) || days < 0 || days > 50000) return false;
		at++;
	} else
		at = text;
	g_auto(GStrv) fields = g_strsplit(at, ":", -1);
	for (char **f = fields; *f != NULL; f++) {
		/* Slurm prints parts of a second for some fields. */
		int64_t value = 0;
		if (count == 3 || !trace_number(*f, RR_NS_PER_S, &value)) return false;
		if (value < 0 || value > part_most_ns) return false;
		parts[count++] = value;
	}
	static const int64_t worth[4][3] = {{0}, {3600}, {3600, 60}, {3600, 60, 1}};
	static const int64_t short_worth[3] = {60, 1, 0}; /* "03:04" without days is minutes and seconds */
	const int64_t *factor = at == text && count == 2 ? short_worth : worth[count];
	*ns = days * RR_NS_PER_DAY;
	for (int i = 0; i < count; i++) *ns += parts[i] * factor[i];
	return count > 0;
}

/* GPUs of "cpu=8,gres/gpu=4,mem=64G", "gres/gpu:a100=4", or GRES "gpu:a100:4" and
 * "gpu:4"; -1 when it names none. The untyped number counts those of all types. */
static int64_t gpus_of(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	int64_t all = -1, typed = -1, number = 0;
	for (char **part = parts; *part != NULL; part++) {
		const char *word = g_str_has_prefix(*part, "gres/") ? *part + 5 : *part;
		if (!g_str_has_prefix(word, "gpu") || (word[3] != '=' && word[3] != ':')) continue;
		const char *mark = strrchr(word, '=') != NULL ? strrchr(word, '=') : strrchr(word, ':');
		g_autofree char *digits = g_strndup(mark + 1, strspn(mark + 1, "0123456789"));
		if (!trace_whole(digits, &number)) continue;
		bool plain = mark == word + 3;
		if (plain)
			all = number;
		else
			typed = MAX(typed, 0) + number;
	}
	return all >= 0 ? all : typed;
}

static bool read_gpus(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	int64_t gpus = gpus_of(trace_field(r, row, ALLOCATED));
	if (gpus < 0) gpus = gpus_of(trace_field(r, row, REQUESTED));
	if (gpus < 0) gpus = gpus_of(trace_field(r, row, GENERIC));
	if (gpus > 10000000) return false;
	raw->gpus = (int32_t)MAX(gpus, 0);
	raw->resources = raw->gpus;
	return true;
}

static bool read_times(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	const char *submit = trace_field(r, row, SUBMIT), *elapsed = trace_field(r, row, ELAPSED);
	const char *start = trace_field(r, row, START), *end = trace_field(r, row, END),
		   *limit = trace_field(r, row, LIMIT);
	int64_t start_ns = 0, end_ns = 0;
	raw->has_submit = !trace_is_blank(submit);
	if (raw->has_submit && !trace_stamp(submit, &raw->submit_ns)) return false;
	bool started = r->column[START] < 0 || !trace_is_blank(start);
	if (!trace_is_blank(elapsed)) {
		raw->has_run = true;
		if (!read_span(elapsed, &raw->run_ns)) return false;
	} else if (!trace_is_blank(start) && !trace_is_blank(end)) {
		raw->has_run = true;
		if (!trace_stamp(start, &start_ns) || !trace_stamp(end, &end_ns)) return false;
		if (__builtin_sub_overflow(end_ns, start_ns, &raw->run_ns)) return false;
	}
	bool cancelled = g_str_has_prefix(trace_field(r, row, STATE), "CANCELLED");
	raw->cancelled = cancelled && (!started || !raw->has_run || raw->run_ns == 0);
	if (trace_is_blank(limit) || strcmp(limit, "UNLIMITED") == 0 || strcmp(limit, "Partition_Limit") == 0)
		return true;
	raw->has_estimate = true;
	return read_span(limit, &raw->estimate_ns);
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	const char *id = trace_field(r, row, ID);
	if (strchr(id, '.') != NULL) return; /* a step */
	g_autofree char *state = g_strndup(trace_field(r, row, STATE), strcspn(trace_field(r, row, STATE), " "));
	struct trace_raw raw = {.line = row->line,
				.gpu_milli = 1000,
				.id = id,
				.state = state,
				.name = trace_field(r, row, NAME),
				.tenant = trace_field(r, row, USER),
				.klass = trace_field(r, row, QOS),
				.pool = trace_field(r, row, PARTITION)};
	int64_t priority = 0;
	const char *rank = trace_field(r, row, PRIORITY);
	bool good = read_times(r, row, &raw) && read_gpus(r, row, &raw) &&
		    (trace_is_blank(rank) || trace_whole(rank, &priority));
	raw.priority = (int32_t)CLAMP(priority, -2000000000, 2000000000);
	if (good)
		trace_sink(r, &raw);
	else {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, NULL);
	}
}

const struct trace_reader trace_reader_sacct = {
    .words = {"sacct", "Slurm accounting: sacct --parsable2 with JobID, Submit, Elapsed, AllocTRES",
	      "job steps are not rows; jobs without GPUs, cancelled before the start, or without or with a run time of "
	      "0 are "
	      "skipped; the time limit is the estimate, the partition the virtual cluster",
	      "Slurm documentation, sacct"},
    .split = SPLIT_PIPES,
    .header = true,
    .detect = detect,
    .begin = begin,
    .row = row};
