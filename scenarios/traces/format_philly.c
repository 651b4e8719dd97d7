/* format_philly.c - Microsoft's Philly log, cluster_job_log (Jeon et al., USENIX
 * ATC 2019): a JSON list of jobs with their attempts. A job asks for the GPUs of
 * its last attempt that had any; it runs for the sum of its attempts' times. Jobs
 * are read one by one: memory is that of one job. */
#include "scenarios/traces/formats.h"

#include <jansson.h>
#include <string.h>

static bool detect(const char *head)
{
	while (g_ascii_isspace(*head)) head++;
	return *head == '[' || *head == '{';
}

/* jansson asks for bytes; the list's commas and brackets are taken out between
 * its elements. */
struct source {
	struct trace_reading *r;
	struct trace_input *input;
	const char *bytes;
	size_t left;
	long line;
	bool failed;
};

static bool refill(struct source *s)
{
	if (s->left > 0) return true;
	ssize_t got = s->failed ? 0 : trace_input_next(s->input, &s->bytes, s->r->faults);
	s->failed = s->failed || got < 0;
	s->left = got > 0 ? (size_t)got : 0;
	return s->left > 0;
}

/* The next byte that is no space, not taken; 0 at the end. */
static char peek(struct source *s)
{
	while (refill(s)) {
		if (!g_ascii_isspace(*s->bytes)) return *s->bytes;
		s->line += *s->bytes == '\n';
		s->bytes++;
		s->left--;
	}
	return '\0';
}

static void take(struct source *s)
{
	s->bytes++;
	s->left--;
}

/* One byte at a time, so that nothing behind the element is swallowed. */
static size_t give(void *buffer, size_t size, void *data)
{
	struct source *s = data;
	(void)size;
	if (!refill(s)) return 0;
	*(char *)buffer = *s->bytes;
	s->line += *s->bytes == '\n';
	take(s);
	return 1;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text == NULL ? "" : text;
}

/* Adds up the attempts; false when a time cannot be read. */
static bool read_attempts(const json_t *attempts, struct trace_raw *raw)
{
	size_t i = 0;
	const json_t *attempt = NULL;
	json_array_foreach((json_t *)(intptr_t)attempts, i, attempt)
	{
		const char *start = text_of(attempt, "start_time"), *end = text_of(attempt, "end_time");
		int64_t from = 0, to = 0;
		size_t gpus = 0, k = 0;
		const json_t *machine = NULL;
		json_array_foreach(json_object_get(attempt, "detail"), k, machine) gpus +=
		    json_array_size(json_object_get(machine, "gpus"));
		if (gpus > 0 && gpus < 10000000) raw->gpus = (int32_t)gpus;
		if (trace_is_blank(start) || trace_is_blank(end)) continue;
		if (!trace_stamp(start, &from) || !trace_stamp(end, &to)) return false;
		raw->has_run = true;
		if (__builtin_sub_overflow(to, from, &from) || __builtin_add_overflow(raw->run_ns, from, &raw->run_ns))
			return false;
	}
	raw->resources = raw->gpus;
	return true;
}

static void read_job(struct trace_reading *r, const json_t *job, long line)
{
	struct trace_raw raw = {.line = line,
				.gpu_milli = 1000,
				.id = text_of(job, "jobid"),
				.tenant = text_of(job, "user"),
				.pool = text_of(job, "vc"),
				.state = text_of(job, "status")};
	const char *submit = text_of(job, "submitted_time");
	raw.has_submit = !trace_is_blank(submit);
	bool good = json_is_object(job) && (!raw.has_submit || trace_stamp(submit, &raw.submit_ns)) &&
		    read_attempts(json_object_get(job, "attempts"), &raw);
	raw.cancelled = strcmp(raw.state, "Killed") == 0 && !raw.has_run;
	if (good)
		trace_sink(r, &raw);
	else {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, line, NULL);
	}
}

static bool document(struct trace_reading *r, struct trace_input *input)
{
	struct source s = {.r = r, .input = input, .line = 1};
	r->epoch = r->stamps = true;
	bool list = peek(&s) == '[';
	if (list) take(&s);
	for (char next = peek(&s); next != '\0' && next != ']'; next = peek(&s)) {
		json_error_t error;
		long line = s.line;
		json_t *job = json_load_callback(give, &s, JSON_DISABLE_EOF_CHECK, &error);
		if (job == NULL) {
			if (!s.failed) trace_fault(r, line + error.line - 1, "not JSON: %s", error.text);
			return false;
		}
		read_job(r, job, line);
		json_decref(job);
		if (peek(&s) == ',')
			take(&s);
		else if (list && peek(&s) != ']') {
			if (!s.failed) trace_fault(r, s.line, "not JSON: a comma or the end of the list was expected");
			return false;
		}
	}
	if (list && !s.failed && peek(&s) != ']') trace_fault(r, s.line, "not JSON: the list has no end");
	return !s.failed && (!list || peek(&s) == ']');
}

const struct trace_reader trace_reader_philly = {
    .words = {"philly", "Microsoft Philly: the JSON log, or flattened to CSV",
	      "jobs without GPUs, submit or attempts with times, or with a run time of 0 or below are skipped; GPUs "
	      "are those "
	      "of the last attempt, the run time the sum of all attempts; stamps without a zone are UTC",
	      "Jeon et al., USENIX ATC 2019"},
    .split = SPLIT_JSON,
    .detect = detect,
    .document = document};
