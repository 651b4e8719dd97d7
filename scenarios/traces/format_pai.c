/* format_pai.c - Alibaba PAI 2020, pai_task_table.csv (Weng et al., NSDI 2022): no
 * header; job_name, task_name, inst_num, status, start_time, end_time, plan_cpu,
 * plan_mem, plan_gpu (percent of a GPU per instance), gpu_type. There is no
 * submit time: a task counts as submitted when it started. */
#include "scenarios/traces/formats.h"

#include <math.h>
#include <string.h>

enum { JOB, TASK, INSTANCES, STATUS, START, END, CPU, MEM, GPU, TYPE, COLUMNS };

static const char *const statuses[] = {"Terminated", "Failed", "Running", "Waiting", "Interrupted", NULL};

static bool detect(const char *head)
{
	g_autofree char *line = g_strndup(head, strcspn(head, "\r\n"));
	g_auto(GStrv) f = g_strsplit(line, ",", -1);
	if (g_strv_length(f) != COLUMNS) return false;
	return strcmp(f[JOB], "job_name") == 0 || g_strv_contains(statuses, f[STATUS]);
}

static bool begin(struct trace_reading *r, const struct trace_row *header)
{
	(void)header;
	for (int c = 0; c < COLUMNS; c++) r->column[c] = c;
	r->epoch = false;
	return true;
}

static bool read_times(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	const char *start = trace_field(r, row, START), *end = trace_field(r, row, END);
	int64_t end_ns = 0;
	raw->has_submit = !trace_is_blank(start);
	if (raw->has_submit && !trace_number(start, RR_NS_PER_S, &raw->submit_ns)) return false;
	raw->has_run = raw->has_submit && !trace_is_blank(end);
	if (!raw->has_run) return true;
	return trace_number(end, RR_NS_PER_S, &end_ns) && !__builtin_sub_overflow(end_ns, raw->submit_ns, &raw->run_ns);
}

/* 25 % of a GPU by 4 instances: 4 GPUs, 250 thousandths of each. */
static bool read_gpus(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	const char *plan = trace_field(r, row, GPU), *count = trace_field(r, row, INSTANCES);
	double percent = 0;
	int64_t instances = 1;
	if (!trace_is_blank(plan) && !trace_decimal(plan, &percent)) return false;
	if (!trace_is_blank(count) && !trace_whole(count, &instances)) return false;
	if (percent < 0 || percent > 100000 || instances < 0 || instances > 1000000) return false;
	double each = ceil(percent / 100);
	if (each * (double)instances > 10000000) return false;
	raw->gpus = (int32_t)(each * (double)instances);
	raw->gpu_milli = each > 0 ? (int32_t)lround(percent * 10 / each) : 0;
	raw->resources = percent / 100 * (double)instances;
	return true;
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	if (strcmp(trace_field(r, row, JOB), "job_name") == 0 && r->report->totals.rows == 0)
		return; /* a header after all */
	g_autofree char *id = g_strdup_printf("%s/%s", trace_field(r, row, JOB), trace_field(r, row, TASK));
	struct trace_raw raw = {.line = row->line,
				.id = id,
				.name = trace_field(r, row, TASK),
				.klass = trace_field(r, row, TYPE),
				.state = trace_field(r, row, STATUS)};
	bool good = row->count == COLUMNS && read_times(r, row, &raw) && read_gpus(r, row, &raw);
	if (good)
		trace_sink(r, &raw);
	else {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, row->count == COLUMNS ? NULL : "ten fields were expected");
	}
}

const struct trace_reader trace_reader_pai = {
    .words =
	{"pai", "Alibaba PAI 2020 pai_task_table.csv, without header",
	 "tasks without GPUs, start or end, or with a run time of 0 or below are skipped; submitted = started; a share "
	 "of a GPU holds a whole one",
	 "Weng et al., NSDI 2022"},
    .split = SPLIT_CSV,
    .detect = detect,
    .begin = begin,
    .row = row};
