/* format_openb.c - Alibaba openb pods of 2023 (Weng et al., USENIX ATC 2023). The
 * run time of a pod is deletion minus scheduling, whatever its last phase; a pod
 * that was never scheduled has none. */
#include "scenarios/traces/formats.h"

enum { NAME, GPUS, MILLI, QOS, PHASE, CREATED, DELETED, SCHEDULED, CPU, MEMORY, MODELS, COLUMNS };

static bool detect(const char *head)
{
	return trace_head_has(head,
			      (const char *const[]){"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", NULL});
}

static bool begin(struct trace_reading *r, const struct trace_row *header)
{
	static const char *const names[COLUMNS] = {[NAME] = "name",
						   [GPUS] = "num_gpu",
						   [MILLI] = "gpu_milli",
						   [QOS] = "qos",
						   [PHASE] = "pod_phase",
						   [CREATED] = "creation_time",
						   [DELETED] = "deletion_time",
						   [SCHEDULED] = "scheduled_time",
						   [CPU] = "cpu_milli",
						   [MEMORY] = "memory_mib",
						   [MODELS] = "gpu_spec"};
	trace_columns(r, header, names, COLUMNS);
	if (r->column[GPUS] >= 0 && r->column[MILLI] >= 0) return true;
	trace_fault(r, header->line, "there is no column 'num_gpu' or 'gpu_milli'");
	return false;
}

static bool read_times(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	const char *created = trace_field(r, row, CREATED), *scheduled = trace_field(r, row, SCHEDULED);
	const char *deleted = trace_field(r, row, DELETED);
	int64_t from = 0, to = 0;
	raw->has_submit = !trace_is_blank(created);
	if (raw->has_submit && !trace_number(created, RR_NS_PER_S, &raw->submit_ns)) return false;
	raw->has_run = !trace_is_blank(scheduled) && !trace_is_blank(deleted);
	if (!raw->has_run) return true;
	if (!trace_number(scheduled, RR_NS_PER_S, &from) || !trace_number(deleted, RR_NS_PER_S, &to)) return false;
	return !__builtin_sub_overflow(to, from, &raw->run_ns);
}

/* CPUs, memory and models: for placements that look into nodes. */
static bool read_needs(struct trace_reading *r, const struct trace_row *row, struct trace_raw *raw)
{
	const char *cpu = trace_field(r, row, CPU), *memory = trace_field(r, row, MEMORY);
	int64_t mebibytes = 0;
	if (!trace_is_blank(cpu) && !trace_whole(cpu, &raw->cpu_milli)) return false;
	if (!trace_is_blank(memory) && !trace_whole(memory, &mebibytes)) return false;
	if (raw->cpu_milli < 0 || mebibytes < 0 || mebibytes > INT64_MAX >> 20) return false;
	raw->ram_bytes = mebibytes << 20;
	raw->gpu_types = trace_field(r, row, MODELS);
	return true;
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	struct trace_raw raw = {.line = row->line,
				.id = trace_field(r, row, NAME),
				.klass = trace_field(r, row, QOS),
				.state = trace_field(r, row, PHASE)};
	const char *size = trace_field(r, row, GPUS), *share = trace_field(r, row, MILLI);
	int64_t gpus = 0, milli = 0;
	bool good = read_times(r, row, &raw) && read_needs(r, row, &raw) &&
		    (trace_is_blank(size) || trace_whole(size, &gpus)) && gpus >= 0 && gpus <= 10000000 &&
		    (trace_is_blank(share) || trace_whole(share, &milli)) && milli >= 0 && milli <= 1000;
	raw.gpus = milli > 0 ? (int32_t)gpus : 0;
	raw.gpu_milli = (int32_t)milli;
	raw.resources = (double)(gpus * milli) / 1000;
	if (good)
		trace_sink(r, &raw);
	else {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, NULL);
	}
}

const struct trace_reader trace_reader_openb = {
    .words = {"openb", "Alibaba openb pod lists of 2023 (node lists are read as pools)",
	      "pods without GPUs and pods never scheduled (no run time) are skipped; a share of a GPU holds a whole "
	      "one unless the "
	      "placement gives out shares",
	      "Weng et al., USENIX ATC 2023"},
    .split = SPLIT_CSV,
    .header = true,
    .detect = detect,
    .begin = begin,
    .row = row};
