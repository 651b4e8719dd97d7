/* format_swf.c - the Standard Workload Format (Chapin et al., JSSPP 1999; Parallel
 * Workloads Archive): 18 numbers a line, -1 = unknown, ';' begins a comment.
 * Processors stand for GPUs: those allocated, else those requested. */
#include "scenarios/traces/formats.h"

#include <string.h>

enum {
	ID,
	SUBMIT,
	WAIT,
	RUN,
	ALLOCATED,
	CPU,
	MEMORY,
	REQUESTED,
	LIMIT,
	REQUESTED_MEMORY,
	STATUS,
	USER,
	GROUP,
	PROGRAM,
	QUEUE,
	PARTITION,
	PRECEDING,
	THINK,
	COLUMNS
};

static const int64_t epoch_least_ns = INT64_C(500000000) * RR_NS_PER_S;

static bool detect(const char *head)
{
	if (head[0] == ';') return true;
	g_autofree char *line = g_strndup(head, strcspn(head, "\r\n"));
	int fields = 0;
	for (char *at = line; *at != '\0';) {
		at += strspn(at, " \t");
		size_t length = strcspn(at, " \t");
		if (length == 0) break;
		/* Fields behind the 18 of the standard may be anything. */
		if (fields < COLUMNS && strspn(at, "-0123456789.") < length) return false;
		fields++;
		at += length;
	}
	return fields >= COLUMNS;
}

static bool begin(struct trace_reading *r, const struct trace_row *header)
{
	(void)header;
	for (int c = 0; c < COLUMNS; c++) r->column[c] = c;
	r->report->totals.unit = "proc";
	return true;
}

static void comment(struct trace_reading *r, const struct trace_row *row)
{
	/* "; UnixStartTime: 749458803", with or without the space. */
	for (int f = 0; f + 1 < row->count; f++) {
		const char *word = row->field[f];
		while (*word == ';') word++;
		int64_t ns = 0;
		if (strcmp(word, "UnixStartTime:") == 0 && r->base_ns == 0 &&
		    trace_number(row->field[f + 1], RR_NS_PER_S, &ns) && ns > 0)
			r->base_ns = ns;
	}
}

/* A number of seconds; -1 leaves *HAS false. */
static bool read_time(const char *text, bool *has, int64_t *ns)
{
	if (!trace_number(text, RR_NS_PER_S, ns)) return false;
	*has = *ns != -RR_NS_PER_S;
	return true;
}

static bool read_row(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	int64_t allocated = 0, requested = 0;
	if (row->count < COLUMNS) return false;
	if (!read_time(row->field[SUBMIT], &raw->has_submit, &raw->submit_ns)) return false;
	if (!read_time(row->field[RUN], &raw->has_run, &raw->run_ns)) return false;
	if (!read_time(row->field[LIMIT], &raw->has_estimate, &raw->estimate_ns)) return false;
	raw->has_estimate = raw->has_estimate && raw->estimate_ns > 0;
	if (!trace_whole(row->field[ALLOCATED], &allocated) || !trace_whole(row->field[REQUESTED], &requested))
		return false;
	int64_t size = allocated > 0 ? allocated : requested;
	if (size > 10000000) return false;
	raw->gpus = (int32_t)MAX(size, 0);
	raw->resources = raw->gpus;
	if (r->report->totals.rows == 0 && r->base_ns == 0 && raw->submit_ns >= epoch_least_ns) r->epoch = true;
	return true;
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	if (row->field[0][0] == ';') {
		comment(r, row);
		return;
	}
	char state[32] = "", user[32] = "", queue[32] = "";
	struct trace_raw raw = {
	    .line = row->line, .gpu_milli = 1000, .id = row->field[ID], .state = state, .tenant = user, .pool = queue};
	bool good = read_row(r, row, &raw);
	if (!good) {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, row->count < COLUMNS ? "fewer than 18 fields" : NULL);
		return;
	}
	g_snprintf(state, sizeof state, "status_%.20s", row->field[STATUS]);
	if (strcmp(row->field[USER], "-1") != 0) g_strlcpy(user, row->field[USER], sizeof user);
	if (strcmp(row->field[PARTITION], "-1") != 0) g_strlcpy(queue, row->field[PARTITION], sizeof queue);
	/* Status 5: cancelled; with no time spent it never started. */
	raw.cancelled = strcmp(row->field[STATUS], "5") == 0 && (!raw.has_run || raw.run_ns <= 0);
	trace_sink(r, &raw);
}

const struct trace_reader trace_reader_swf = {
    .words = {"swf", "Standard Workload Format; processors stand for GPUs",
	      "rows without processors, submit or run time, with a run time of 0 or below, cancelled before the start "
	      "or with "
	      "an identifier seen before are skipped; the partition is the virtual cluster",
	      "Chapin et al., JSSPP 1999"},
    .split = SPLIT_SPACES,
    .detect = detect,
    .begin = begin,
    .row = row};
