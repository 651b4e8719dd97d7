/* format_simple.c - simulators' own inputs with relative times: Muri (Zhao et
 * al., SIGCOMM 2022; milliseconds) and Tiresias (Gu et al., NSDI 2019; seconds). */
#include "scenarios/traces/formats.h"

enum { ID, SUBMIT, GPUS, DURATION, NAME, PRIORITY, COLUMNS };

static bool begin(struct trace_reading *r, const struct trace_row *header, int64_t unit_ns)
{
	static const char *const names[COLUMNS] = {
	    [ID] = "job_id",         [SUBMIT] = "submit_time", [GPUS] = "num_gpu",
	    [DURATION] = "duration", [NAME] = "model_name",    [PRIORITY] = "priority"};
	trace_columns(r, header, names, COLUMNS);
	r->unit_ns = unit_ns;
	bool good = true;
	for (int c = SUBMIT; c <= DURATION; c++) {
		if (r->column[c] >= 0) continue;
		trace_fault(r, header->line, "there is no column '%s'", names[c]);
		good = false;
	}
	return good;
}

static bool begin_ms(struct trace_reading *r, const struct trace_row *header)
{
	return begin(r, header, RR_NS_PER_S / 1000);
}

static bool begin_s(struct trace_reading *r, const struct trace_row *header)
{
	return begin(r, header, RR_NS_PER_S);
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	struct trace_raw raw = {
	    .line = row->line, .gpu_milli = 1000, .id = trace_field(r, row, ID), .name = trace_field(r, row, NAME)};
	const char *submit = trace_field(r, row, SUBMIT), *duration = trace_field(r, row, DURATION);
	const char *size = trace_field(r, row, GPUS), *priority = trace_field(r, row, PRIORITY);
	int64_t gpus = 0, rank = 0;
	raw.has_submit = !trace_is_blank(submit);
	raw.has_run = !trace_is_blank(duration);
	bool good = (!raw.has_submit || trace_number(submit, r->unit_ns, &raw.submit_ns)) &&
		    (!raw.has_run || trace_number(duration, r->unit_ns, &raw.run_ns)) &&
		    (trace_is_blank(size) || trace_whole(size, &gpus)) && gpus >= 0 && gpus <= 10000000 &&
		    (trace_is_blank(priority) || trace_whole(priority, &rank));
	raw.gpus = (int32_t)gpus;
	raw.resources = (double)gpus;
	raw.priority = (int32_t)CLAMP(rank, -2000000000, 2000000000);
	if (good)
		trace_sink(r, &raw);
	else {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, NULL);
	}
}

static bool is_muri(const char *head)
{
	return trace_head_has(head, (const char *const[]){"job_id", "num_gpu", "submit_time", "duration",
							  "iteration_time", "resource_time_0", NULL});
}

static bool is_tiresias(const char *head)
{
	const char *const common[] = {"job_id", "num_gpu", "submit_time", "duration", "model_name", NULL};
	return trace_head_has(head, common) && !trace_head_has(head, (const char *const[]){"iteration_time", NULL}) &&
	       (trace_head_has(head, (const char *const[]){"iterations", "interval", NULL}) ||
		trace_head_has(head, (const char *const[]){"model_size", "aggr_interval", NULL}));
}

#define POLICY                                                                                                         \
	"rows without GPUs, submit or run time, with a run time of 0 or below, or with an identifier seen before are " \
	"skipped"

const struct trace_reader trace_reader_muri = {
    .words = {"muri", "Muri simulator input, milliseconds; 'interval' and 'iterations' are not used", POLICY,
	      "Zhao et al., SIGCOMM 2022"},
    .split = SPLIT_CSV,
    .header = true,
    .detect = is_muri,
    .begin = begin_ms,
    .row = row};
const struct trace_reader trace_reader_tiresias = {
    .words = {"tiresias", "Tiresias simulator input, seconds", POLICY, "Gu et al., NSDI 2019"},
    .split = SPLIT_CSV,
    .header = true,
    .detect = is_tiresias,
    .begin = begin_s,
    .row = row};
