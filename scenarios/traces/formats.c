/* formats.c - the table of formats. Detection tries them in this order: those
 * that are sure of themselves first, plain CSV last. */
#include "scenarios/traces/formats.h"

#include <string.h>

static const struct trace_reader *const readers[] = {
    &trace_reader_helios, &trace_reader_acme,  &trace_reader_philly, &trace_reader_philly_csv,
    &trace_reader_muri,   &trace_reader_openb, &trace_reader_pai,    &trace_reader_tiresias,
    &trace_reader_gavel,  &trace_reader_swf,   &trace_reader_sacct,  &trace_reader_csv};

const struct rr_trace_format *rr_trace_format_row(size_t index)
{
	size_t nth = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++) {
		if (readers[i] == &trace_reader_philly_csv) continue; /* the other shape of philly */
		if (nth++ == index) return &readers[i]->words;
	}
	return NULL;
}

static void list_formats(const struct trace_reading *r, const char *why)
{
	g_autoptr(GString) all = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++)
		if (readers[i] != &trace_reader_philly_csv)
			g_string_append_printf(all, "%s%s", all->len > 0 ? ", " : "", readers[i]->words.name);
	trace_fault(r, 0, "%s; name the format if you know it: %s", why, all->str);
}

static const struct trace_reader *detect(const struct trace_reading *r, const char *head)
{
	const struct csv_columns *c = &r->spec->columns;
	if (c->submit != NULL || c->gpus != NULL || c->duration != NULL) return &trace_reader_csv;
	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++)
		if (readers[i]->detect(head)) return readers[i];
	list_formats(r, "the content is that of no known format");
	return NULL;
}

/* By name; the shape of a philly file is known by its content. */
static const struct trace_reader *find(const struct trace_reading *r, const char *name, const char *head)
{
	const char *names[G_N_ELEMENTS(readers) + 1] = {NULL};
	const struct trace_reader *found = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++) {
		names[i] = readers[i]->words.name;
		if (strcmp(names[i], name) == 0 && (found == NULL || readers[i]->detect(head))) found = readers[i];
	}
	if (found != NULL) return found;
	const char *near = rr_nearest_word(name, names);
	g_autofree char *why =
	    g_strdup_printf("unknown format '%s'%s%s%s", name, near != NULL ? ", did you mean '" : "",
			    near != NULL ? near : "", near != NULL ? "'?" : "");
	list_formats(r, why);
	return NULL;
}

static struct job_list *read_rows(struct trace_reading *r, struct trace_input *input)
{
	trace_sink_begin(r);
	bool good = r->reader->document != NULL ? r->reader->document(r, input) : trace_rows(r, input);
	trace_sink_end(r);
	if (good && r->report->totals.rows == 0)
		trace_fault(r, 0, "holds no row of data");
	else if (good && r->keep && r->report->used == 0) {
		g_autoptr(GString) why = g_string_new(NULL);
		for (int reason = 0; reason < RR_TRACE_NOT_SORTED; reason++)
			if (r->report->counts[reason] > 0)
				g_string_append_printf(why, "%s%" G_GINT64_FORMAT ": %s", why->len > 0 ? "; " : "",
						       r->report->counts[reason],
						       rr_trace_reason_text((enum rr_trace_reason)reason));
		trace_fault(r, 0, "not one usable job in %" G_GINT64_FORMAT " rows (%s)", r->report->totals.rows,
			    why->len > 0 ? why->str : "none in the window");
	}
	return r->jobs;
}

struct job_list *trace_read_input(const struct trace_spec *spec, struct trace_input *input, bool keep,
				  struct trace_report **report, struct rr_faults *faults)
{
	guint before = faults->texts->len;
	struct trace_reading r = {
	    .spec = spec, .file = spec->file, .faults = faults, .keep = keep, .unit_ns = RR_NS_PER_S};
	const char *head = trace_input_head(input, faults);
	r.reader = faults->texts->len > before ? NULL
		   : spec->format != NULL      ? find(&r, spec->format, head)
					       : detect(&r, head);
	struct job_list *jobs = NULL;
	r.report = g_new0(struct trace_report, 1);
	if (r.reader != NULL) {
		r.report->format = r.reader->words.name;
		r.jobs = rr_jobs_new();
		jobs = read_rows(&r, input);
		if (r.rates != NULL) g_hash_table_unref(r.rates);
	}
	trace_input_close(input);
	bool faulty = faults->texts->len > before;
	if (faulty) g_clear_pointer(&jobs, rr_jobs_free);
	if (report != NULL && !faulty)
		*report = g_steal_pointer(&r.report);
	else if (report != NULL)
		*report = NULL;
	rr_trace_report_free(r.report);
	return jobs;
}

struct job_list *rr_trace_read(const struct trace_spec *spec, struct trace_report **report, struct rr_faults *faults)
{
	if (report != NULL) *report = NULL;
	struct trace_input *input = trace_input_open(spec->file, faults);
	return input == NULL ? NULL : trace_read_input(spec, input, true, report, faults);
}

struct job_list *rr_trace_survey_jobs(const struct trace_spec *spec, struct trace_report **report,
				      struct rr_faults *faults)
{
	*report = NULL;
	struct trace_input *input = trace_input_open(spec->file, faults);
	return input == NULL ? NULL : trace_read_input(spec, input, false, report, faults);
}

void rr_trace_report_free(struct trace_report *report)
{
	if (report == NULL) return;
	if (report->totals.states != NULL) g_hash_table_unref(report->totals.states);
	g_free(report);
}
