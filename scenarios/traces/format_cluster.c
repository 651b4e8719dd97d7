/* format_cluster.c - logs with civil stamps and final states: Helios (Hu et al.,
 * SC 2021) and Acme (Hu et al., NSDI 2024); and Philly flattened to CSV (as in
 * AdaptDL's artifact, OSDI 2021). */
#include "scenarios/traces/formats.h"

#include <string.h>

enum { ID, SUBMIT, GPUS, DURATION, START, STATE, POOL, TENANT, NAME, KIND, COLUMNS };

static bool begin_named(struct trace_reading *r, const struct trace_row *header, const char *const *names)
{
	static const char *const needed[] = {
	    [SUBMIT] = "submit time", [GPUS] = "number of GPUs", [DURATION] = "run time"};
	trace_columns(r, header, names, COLUMNS);
	r->epoch = r->stamps = true;
	bool good = true;
	for (int c = SUBMIT; c <= DURATION; c++) {
		if (r->column[c] >= 0) continue;
		trace_fault(r, header->line, "there is no column '%s' (%s)", names[c], needed[c]);
		good = false;
	}
	return good;
}

static bool begin_log(struct trace_reading *r, const struct trace_row *header)
{
	static const char *const names[COLUMNS] = {
	    [ID] = "job_id",         [SUBMIT] = "submit_time", [GPUS] = "gpu_num",
	    [DURATION] = "duration", [START] = "start_time",   [STATE] = "state",
	    [POOL] = "vc",           [TENANT] = "user",        [NAME] = "jobname|job_name",
	    [KIND] = "type"};
	return begin_named(r, header, names);
}

static bool begin_philly(struct trace_reading *r, const struct trace_row *header)
{
	static const char *const names[COLUMNS] = {[ID] = "id",
						   [SUBMIT] = "timestamp",
						   [GPUS] = "num_gpus",
						   [DURATION] = "duration",
						   [START] = "start_time",
						   [STATE] = "state",
						   [POOL] = "cluster",
						   [TENANT] = "user",
						   [NAME] = "name",
						   [KIND] = "type"};
	return begin_named(r, header, names);
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	struct trace_raw raw = {.line = row->line,
				.gpu_milli = 1000,
				.id = trace_field(r, row, ID),
				.name = trace_field(r, row, NAME),
				.tenant = trace_field(r, row, TENANT),
				.klass = trace_field(r, row, KIND),
				.pool = trace_field(r, row, POOL),
				.state = trace_field(r, row, STATE)};
	const char *submit = trace_field(r, row, SUBMIT), *duration = trace_field(r, row, DURATION);
	int64_t gpus = 0;
	const char *size = trace_field(r, row, GPUS);
	raw.has_submit = !trace_is_blank(submit);
	raw.has_run = !trace_is_blank(duration);
	bool good = !raw.has_submit || trace_stamp(submit, &raw.submit_ns);
	good = good && (!raw.has_run || trace_number(duration, RR_NS_PER_S, &raw.run_ns));
	good = good && (trace_is_blank(size) || trace_whole(size, &gpus)) && gpus >= 0 && gpus <= 10000000;
	/* A job cancelled in the queue has no start. */
	raw.cancelled = r->column[START] >= 0 && trace_is_blank(trace_field(r, row, START));
	raw.gpus = (int32_t)gpus;
	raw.resources = (double)gpus;
	if (good)
		trace_sink(r, &raw);
	else {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, NULL);
	}
}

static bool is_helios(const char *head)
{
	return trace_head_has(head,
			      (const char *const[]){"job_id", "gpu_num", "submit_time", "state", "queue", NULL}) &&
	       !trace_head_has(head, (const char *const[]){"type", NULL}) &&
	       !trace_head_has(head, (const char *const[]){"gpu_time", NULL});
}

static bool is_acme(const char *head)
{
	return trace_head_has(head,
			      (const char *const[]){"job_id", "gpu_num", "submit_time", "state", "queue", NULL}) &&
	       !is_helios(head);
}

static bool is_philly(const char *head)
{
	return trace_head_has(head, (const char *const[]){"timestamp", "duration", "num_gpus", "cluster", NULL});
}

#define POLICY                                                                                                         \
	"rows without GPUs, without a start (cancelled in the queue), without submit or run time, or with a run time " \
	"of 0 "                                                                                                        \
	"or below are skipped; stamps without a zone are UTC"

const struct trace_reader trace_reader_helios = {
    .words = {"helios", "SenseTime Helios cluster_log.csv", POLICY, "Hu et al., SC 2021"},
    .split = SPLIT_CSV,
    .header = true,
    .detect = is_helios,
    .begin = begin_log,
    .row = row};
const struct trace_reader trace_reader_acme = {
    .words = {"acme", "Shanghai AI Laboratory Acme trace_seren.csv, trace_kalos.csv", POLICY, "Hu et al., NSDI 2024"},
    .split = SPLIT_CSV,
    .header = true,
    .detect = is_acme,
    .begin = begin_log,
    .row = row};
const struct trace_reader trace_reader_philly_csv = {
    .words = {"philly", "Microsoft Philly: the JSON log, or flattened to CSV", POLICY, "Jeon et al., USENIX ATC 2019"},
    .split = SPLIT_CSV,
    .header = true,
    .detect = is_philly,
    .begin = begin_philly,
    .row = row};
