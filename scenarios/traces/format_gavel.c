/* format_gavel.c - Gavel's traces (Narayanan et al., OSDI 2020): no header, seven
 * fields between tabs: job type, command, step option, needs data, total steps,
 * arrival s, GPUs. There is no run time: it is steps divided by the steps per
 * second of the job type on the reference GPU, from the file of throughputs that
 * the scenario names: json[gpu]["('type', gpus)"]["null"]. */
#include "scenarios/traces/formats.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { TYPE, COMMAND, OPTION, DATA, STEPS, ARRIVAL, GPUS, COLUMNS };

/* Measured types; the first, the fastest of them, is the reference. */
static const char *const gpus_measured[] = {"v100", "p100", "k80"};
enum { MEASURED = G_N_ELEMENTS(gpus_measured) };

static bool detect(const char *head)
{
	g_autofree char *line = g_strndup(head, strcspn(head, "\r\n"));
	g_auto(GStrv) f = g_strsplit(line, "\t", -1);
	int64_t number = 0;
	return g_strv_length(f) == COLUMNS && trace_number(f[ARRIVAL], RR_NS_PER_S, &number) &&
	       trace_whole(f[GPUS], &number) && trace_number(f[STEPS], RR_NS_PER_S, &number);
}

/* All of a file that may be packed. */
static GString *unpack(const char *path, struct rr_faults *faults)
{
	struct trace_input *input = trace_input_open(path, faults);
	if (input == NULL) return NULL;
	GString *text = g_string_new(NULL);
	const char *bytes = NULL;
	ssize_t got = 0;
	while ((got = trace_input_next(input, &bytes, faults)) > 0) g_string_append_len(text, bytes, got);
	trace_input_close(input);
	if (got < 0) g_string_free(g_steal_pointer(&text), TRUE);
	return text;
}

/* Steps per second on each type, 0 = not measured or impossible. */
struct rates {
	double on[MEASURED];
};

static void take_rates(struct trace_reading *r, const json_t *gpu, size_t at)
{
	const char *key = NULL;
	json_t *entry = NULL;
	json_object_foreach((json_t *)(intptr_t)gpu, key, entry)
	{
		double rate = json_number_value(json_object_get(entry, "null"));
		struct rates *rates = g_hash_table_lookup(r->rates, key);
		if (rates == NULL) {
			rates = g_new0(struct rates, 1);
			g_hash_table_insert(r->rates, g_strdup(key), rates);
		}
		rates->on[at] = MAX(rate, 0);
	}
}

/* The job's speed on each type against the reference. */
static struct job_speeds speeds_of(struct trace_reading *r, const struct rates *rates)
{
	struct job_speeds speeds = {.count = MEASURED};
	for (size_t i = 0; i < MEASURED; i++) {
		speeds.gpu[i] = rr_jobs_text(r->jobs, gpus_measured[i], true);
		speeds.factor[i] = rates->on[i] / rates->on[0];
	}
	return speeds;
}

static bool begin(struct trace_reading *r, const struct trace_row *header)
{
	(void)header;
	for (int c = 0; c < COLUMNS; c++) r->column[c] = c;
	if (r->spec->throughputs == NULL) return true;
	GString *text = unpack(r->spec->throughputs, r->faults);
	if (text == NULL) return false;
	json_error_t error;
	json_t *root = json_loadb(text->str, text->len, 0, &error);
	g_string_free(text, TRUE);
	const json_t *gpu = json_object_get(root, gpus_measured[0]);
	r->rates = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (json_is_object(gpu))
		for (size_t i = 0; i < MEASURED; i++) take_rates(r, json_object_get(root, gpus_measured[i]), i);
	else if (root == NULL)
		rr_faults_add(r->faults, r->spec->throughputs, error.line, error.column, "not JSON: %s", error.text);
	else
		rr_faults_add(r->faults, r->spec->throughputs, 0, 0, "holds no throughputs of '%s'", gpus_measured[0]);
	bool good = json_is_object(gpu);
	json_decref(root);
	return good;
}

static void row(struct trace_reading *r, const struct trace_row *row)
{
	struct trace_raw raw = {.line = row->line, .gpu_milli = 1000, .name = row->field[TYPE]};
	int64_t gpus = 0, steps_ns = 0;
	bool good = row->count == COLUMNS && trace_number(row->field[ARRIVAL], RR_NS_PER_S, &raw.submit_ns) &&
		    trace_whole(row->field[GPUS], &gpus) && gpus >= 0 && gpus <= 10000000 &&
		    trace_number(row->field[STEPS], RR_NS_PER_S, &steps_ns);
	if (!good) {
		r->report->totals.rows++;
		trace_skip(r, RR_TRACE_BAD_FIELD, row->line, "seven fields between tabs were expected");
		return;
	}
	raw.has_submit = true;
	raw.gpus = (int32_t)gpus;
	raw.resources = (double)gpus;
	g_autofree char *key = g_strdup_printf("('%s', %d)", row->field[TYPE], raw.gpus);
	const struct rates *rates = r->rates == NULL ? NULL : g_hash_table_lookup(r->rates, key);
	if (rates != NULL && rates->on[0] > 0) {
		struct job_speeds speeds = speeds_of(r, rates);
		raw.has_run = true;
		raw.run_ns = (int64_t)llround(CLAMP((double)steps_ns / rates->on[0], 0, 9e18));
		raw.speeds = rr_jobs_speeds(r->jobs, &speeds);
	}
	trace_sink(r, &raw);
}

const struct trace_reader trace_reader_gavel = {
    .words =
	{"gavel", "Gavel traces; run times need 'throughputs'",
	 "rows without GPUs are skipped, and those whose job type has no throughput on a v100 for so many GPUs (no run "
	 "time); without a file of throughputs that is every row",
	 "Narayanan et al., OSDI 2020"},
    .split = SPLIT_TABS,
    .detect = detect,
    .begin = begin,
    .row = row};
