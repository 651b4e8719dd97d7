/* jobs.c - jobs.csv: every job of every fleet and replication. Rows are put
 * together by hand: a million of them are written, and printf costs more than
 * the simulation. */
#include "reports/files.h"
#include "reports/tables/tables.h"

#include <string.h>

static const char header[] = "fleet,replication,id,name,tenant,class,submit_s,start_s,end_s,gpus,pool,nodes,state,"
			     "wait_s,run_s,preemptions,restarts,migrations,lost_gpu_s\n";

enum { FLUSH_AT = 1 << 20 };

static void append_int(GString *row, int64_t value)
{
	char digits[24];
	int at = sizeof digits;
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
	do digits[--at] = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (value < 0) digits[--at] = '-';
	g_string_append_len(row, digits + at, (gssize)sizeof digits - at);
}

/* Quoted where a comma, a quote or a line end asks for it (RFC 4180). */
static void append_text(GString *row, const char *text)
{
	if (strpbrk(text, ",\"\r\n") == NULL) {
		g_string_append(row, text);
		return;
	}
	g_string_append_c(row, '"');
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '"') g_string_append_c(row, '"');
		g_string_append_c(row, *c);
	}
	g_string_append_c(row, '"');
}

static void append_time(GString *row, sim_time ns)
{
	char buffer[32];
	if (ns >= 0 && ns % RR_NS_PER_S == 0)
		append_int(row, ns / RR_NS_PER_S);
	else if (ns != -1)
		g_string_append(row, rr_text_seconds(ns, buffer));
}

/* Lost GPU time in seconds, with the thousandths that it may have. */
static void append_gpu_seconds(GString *row, rr_milli_gpu_ns lost)
{
	append_time(row, (sim_time)(lost / 1000));
}

void tables_append_nodes(GString *text, const struct usage *usage, const struct job_record *record)
{
	if (record->start_ns < 0 || record->node_count == 0) return;
	const char *pool = usage->scenario->fleets[usage->fleet].pools[record->pool].name;
	for (int32_t k = 0; k < record->node_count; k++) {
		if (k > 0) g_string_append_c(text, ';');
		g_string_append(text, pool);
		g_string_append_c(text, '-');
		append_int(text, g_array_index(usage->nodes, int32_t, record->nodes_at + (uint32_t)k) + 1);
	}
}

/* What all rows of one run begin with: "fleet,replication,". */
struct run {
	const struct usage *usage;
	char *begin;
	GString *nodes; /* scratch */
};

static void append_job(GString *row, const struct run *run, size_t index)
{
	const struct usage *u = run->usage;
	const struct job *job = &u->jobs->jobs[index];
	const struct job_record *r = &u->records[index];
	const uint32_t texts[] = {job->id, job->name, job->tenant, job->klass};
	g_string_append(row, run->begin);
	for (size_t t = 0; t < G_N_ELEMENTS(texts); t++) {
		append_text(row, rr_jobs_get_text(u->jobs, texts[t]));
		g_string_append_c(row, ',');
	}
	const sim_time times[] = {job->submit_ns, r->start_ns, r->end_ns};
	for (size_t t = 0; t < G_N_ELEMENTS(times); t++) {
		append_time(row, times[t]);
		g_string_append_c(row, ',');
	}
	append_int(row, job->gpus);
	g_string_append_c(row, ',');
	if (r->pool >= 0) append_text(row, u->scenario->fleets[u->fleet].pools[r->pool].name);
	g_string_append_c(row, ',');
	g_string_truncate(run->nodes, 0);
	tables_append_nodes(run->nodes, u, r);
	append_text(row, run->nodes->str);
	g_string_append_c(row, ',');
	g_string_append(row, rr_job_state_text((enum rr_job_state)r->state));
	g_string_append_c(row, ',');
	append_time(row, r->wait_ns);
	g_string_append_c(row, ',');
	append_time(row, r->run_ns);
	const int32_t counts[] = {r->preemptions, r->restarts, r->migrations};
	for (size_t c = 0; c < G_N_ELEMENTS(counts); c++) {
		g_string_append_c(row, ',');
		append_int(row, counts[c]);
	}
	g_string_append_c(row, ',');
	append_gpu_seconds(row, r->lost);
	g_string_append_c(row, '\n');
}

static void write_run(FILE *stream, GString *rows, const struct usage *usage)
{
	GString *begin = g_string_new(NULL);
	append_text(begin, usage->scenario->fleets[usage->fleet].name);
	g_string_append_printf(begin, ",%d,", usage->replication);
	struct run run = {usage, g_string_free(begin, FALSE), g_string_new(NULL)};
	for (size_t i = 0; i < usage->jobs->count; i++) {
		append_job(rows, &run, i);
		if (rows->len < FLUSH_AT) continue;
		fwrite(rows->str, 1, rows->len, stream);
		g_string_truncate(rows, 0);
	}
	g_free(run.begin);
	g_string_free(run.nodes, TRUE);
}

bool tables_write_jobs(const struct study *study, const char *folder, GError **error)
{
	struct report_file file;
	if (!report_file_open(&file, folder, "jobs.csv", error)) return false;
	GString *rows = g_string_sized_new(FLUSH_AT + 65536);
	g_string_append(rows, header);
	for (int32_t i = 0; i < study->fleet_count * study->replications; i++)
		write_run(file.stream, rows, study->results[i]->usage);
	fwrite(rows->str, 1, rows->len, file.stream);
	g_string_free(rows, TRUE);
	return report_file_close(&file, true, error);
}
