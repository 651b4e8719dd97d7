/* format_csv.c - any CSV whose columns are named, by the scenario or by their
 * usual names; our own files among them. */
#include "scenarios/traces/formats.h"

#include <string.h>

enum {
	ID,
	SUBMIT,
	GPUS,
	DURATION,
	ESTIMATE,
	POOL,
	TENANT,
	CLASS,
	PRIORITY,
	NAME,
	MEM,
	MILLI,
	STATE,
	DEADLINE,
	CPUS,
	RAM,
	TYPES,
	COLUMNS
};

static const char *const usual[COLUMNS] = {
    [ID] = "id|job_id|job|jobid|job_name",
    [SUBMIT] = "submit|submit_s|submit_time|arrival|arrival_time|timestamp",
    [GPUS] = "gpus|num_gpu|gpu_num|num_gpus",
    [DURATION] = "duration|duration_s|run_time|runtime",
    [ESTIMATE] = "estimate|estimate_s|requested_time|time_limit",
    [POOL] = "pool|vc|partition|cluster|queue_name",
    [TENANT] = "tenant|user|group",
    [CLASS] = "class|qos",
    [PRIORITY] = "priority",
    [NAME] = "name|model_name",
    [MEM] = "mem|mem_bytes",
    [MILLI] = "gpu_milli",
    [STATE] = "state|status",
    [DEADLINE] = "deadline|deadline_s",
    [CPUS] = "cpus",
    [RAM] = "memory_bytes|ram_bytes",
    [TYPES] = "gpu_types|gpu_spec",
};

static bool detect(const char *head)
{
	static const char *const submits[] = {"submit", "submit_s", "submit_time", NULL};
	static const char *const gpus[] = {"gpus", "num_gpu", "gpu_num", NULL};
	static const char *const durations[] = {"duration", "duration_s", NULL};
	const char *const *const groups[] = {submits, gpus, durations};
	for (size_t g = 0; g < G_N_ELEMENTS(groups); g++) {
		bool any = false;
		for (const char *const *word = groups[g]; *word != NULL && !any; word++)
			any = trace_head_has(head, (const char *const[]){*word, NULL});
		if (!any) return false;
	}
	return true;
}

/* Names from the scenario win over the usual ones. */
static void name_columns(const struct csv_columns *given, const char **names)
{
	const char *const own[COLUMNS] = {[ID] = given->id,
					  [SUBMIT] = given->submit,
					  [GPUS] = given->gpus,
					  [DURATION] = given->duration,
					  [ESTIMATE] = given->estimate,
					  [POOL] = given->pool,
					  [TENANT] = given->tenant,
					  [CLASS] = given->klass,
					  [PRIORITY] = given->priority,
					  [NAME] = given->name,
					  [MEM] = given->mem,
					  [DEADLINE] = given->deadline,
					  [CPUS] = given->cpus,
					  [RAM] = given->memory,
					  [TYPES] = given->gpu_types};
	for (int c = 0; c < COLUMNS; c++) names[c] = own[c] != NULL ? own[c] : usual[c];
}

static bool begin(struct trace_reading *r, const struct trace_row *header)
{
	const struct csv_columns *given = &r->spec->columns;
	const char *names[COLUMNS];
	static const char *const what[] = {
	    [SUBMIT] = "submit time", [GPUS] = "number of GPUs", [DURATION] = "run time"};
	name_columns(given, names);
	trace_columns(r, header, names, COLUMNS);
	bool good = true;
	for (int c = SUBMIT; c <= DURATION; c++) {
		if (r->column[c] >= 0) continue;
		g_auto(GStrv) words = g_strsplit(names[c], "|", -1);
		g_autofree char *all = g_strjoinv(", ", words);
		trace_fault(r, header->line, "there is no column for the %s (looked for: %s); name it under 'columns'",
			    what[c], all);
		good = false;
	}
	const char *const asked[] = {given->id,       given->estimate, given->pool,   given->tenant,
				     given->klass,    given->priority, given->name,   given->mem,
				     given->deadline, given->cpus,     given->memory, given->gpu_types};
	const int at[] = {ID, ESTIMATE, POOL, TENANT, CLASS, PRIORITY, NAME, MEM, DEADLINE, CPUS, RAM, TYPES};
	for (size_t i = 0; i < G_N_ELEMENTS(at); i++) {
		if (asked[i] == NULL || r->column[at[i]] >= 0) continue;
		trace_fault(r, header->line, "there is no column '%s'", asked[i]);
		good = false;
	}
	r->unit_ns = g_strcmp0(given->time_unit, "ms") == 0 ? RR_NS_PER_S / 1000 : RR_NS_PER_S;
	r->stamps = r->epoch = g_strcmp0(given->time_unit, "stamp") == 0;
	return good;
}

/* Fifteen years: no relative trace begins so late, every time since 1970 that
 * matters is later. */
static const int64_t epoch_least_ns = INT64_C(500000000) * RR_NS_PER_S;

static bool read_submit(struct trace_reading *r, const char *text, struct trace_raw *raw)
{
	if (trace_is_blank(text)) return true;
	bool first = r->report->totals.rows == 0;
	raw->has_submit = true;
	if (!r->stamps && trace_number(text, r->unit_ns, &raw->submit_ns)) {
		if (first && raw->submit_ns >= epoch_least_ns) r->epoch = true;
		return true;
	}
	if (!trace_stamp(text, &raw->submit_ns)) return false;
	if (first && !r->stamps) r->stamps = r->epoch = true;
	return r->stamps;
}

static bool read_gpus(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	int64_t gpus = 0, milli = 1000;
	const char *text = trace_field(r, row, GPUS), *share = trace_field(r, row, MILLI);
	if (!trace_is_blank(text) && (!trace_whole(text, &gpus) || gpus < 0 || gpus > 10000000)) return false;
	if (share[0] != '\0' && (!trace_whole(share, &milli) || milli < 0 || milli > 1000)) return false;
	raw->gpus = (int32_t)gpus;
	raw->gpu_milli = (int32_t)milli;
	raw->resources = (double)(gpus * milli) / 1000;
	return true;
}

static bool read_run(struct trace_reading *r, const char *text, struct trace_raw *raw)
{
	raw->has_run = !trace_is_blank(text);
	return !raw->has_run || trace_number(text, r->unit_ns, &raw->run_ns);
}

static bool read_estimate(struct trace_reading *r, const char *text, struct trace_raw *raw)
{
	if (trace_is_blank(text)) return true;
	if (!trace_number(text, r->unit_ns, &raw->estimate_ns)) return false;
	raw->has_estimate = raw->estimate_ns > 0; /* 0 and -1 stand for none */
	return true;
}

static bool read_priority(const char *text, struct trace_raw *raw)
{
	double number = 0; /* some traces hold weights with decimals: the whole part is kept */
	if (trace_is_blank(text)) return true;
	if (!trace_decimal(text, &number)) return false;
	raw->priority = (int32_t)CLAMP(number, -2e9, 2e9);
	return true;
}

/* On the clock of the submits, which the row's own submit has told by now. */
static bool read_deadline(struct trace_reading *r, const char *text, struct trace_raw *raw)
{
	if (trace_is_blank(text)) return true;
	if (!(r->stamps ? trace_stamp(text, &raw->deadline_ns) : trace_number(text, r->unit_ns, &raw->deadline_ns)))
		return false;
	raw->deadline_ns = MAX(raw->deadline_ns, 0); /* 0 and -1 stand for none */
	return true;
}

/* The text that cannot be read, or NULL. */
static const char *read_needs(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	const char *deadline = trace_field(r, row, DEADLINE), *cpus = trace_field(r, row, CPUS);
	const char *memory = trace_field(r, row, RAM);
	raw->gpu_types = trace_field(r, row, TYPES);
	if (!read_deadline(r, deadline, raw)) return deadline;
	if (!trace_cpus(cpus, &raw->cpu_milli)) return cpus;
	return trace_bytes(memory, &raw->ram_bytes) ? NULL : memory;
}

/* The text that cannot be read, or NULL. */
static const char *read_row(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	const char *submit = trace_field(r, row, SUBMIT), *run = trace_field(r, row, DURATION);
	const char *estimate = trace_field(r, row, ESTIMATE), *priority = trace_field(r, row, PRIORITY);
	const char *memory = trace_field(r, row, MEM);
	if (!read_submit(r, submit, raw)) return submit;
	if (!read_gpus(r, row, raw)) return trace_field(r, row, GPUS);
	if (!read_run(r, run, raw)) return run;
	if (!read_estimate(r, estimate, raw)) return estimate;
	if (!read_priority(priority, raw)) return priority;
	return trace_bytes(memory, &raw->mem_bytes) ? read_needs(r, row, raw) : memory;
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	struct trace_raw raw = {.line = row->line,
				.id = trace_field(r, row, ID),
				.name = trace_field(r, row, NAME),
				.tenant = trace_field(r, row, TENANT),
				.klass = trace_field(r, row, CLASS),
				.pool = trace_field(r, row, POOL),
				.state = trace_field(r, row, STATE)};
	const char *bad = read_row(r, row, &raw);
	if (bad == NULL)
		trace_sink(r, &raw);
	else {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, bad);
	}
}

const struct trace_reader trace_reader_csv = {
    .words =
	{"csv", "any CSV with named columns; our own files",
	 "rows without GPUs, submit or run time, with a run time of 0 or below, or with an identifier seen before are "
	 "skipped; order is restored",
	 NULL},
    .split = SPLIT_CSV,
    .header = true,
    .detect = detect,
    .begin = begin,
    .row = row};
