/* bench_traces.c - rows read per second of CPU, per format, on the shared traces;
 * beside it the same bytes through libcsv alone, on which the CSV readers stand.
 * usage: bench_traces [SHARED_FOLDER] */
#include "scenarios/traces/traces.h"

#include <csv.h>
#include <stdio.h>
#include <time.h>

struct input {
	const char *format, *file;
};

static const struct input inputs[] = {
    {"philly", "traces/philly-adaptdl/philly.csv"},
    {"muri", "traces/philly-muri/trace2.csv"},
    {"openb", "traces/alibaba-openb-v2023/openb_pod_list_default.csv"},
    {"tiresias", "traces/tiresias/60_job.csv"},
    {"gavel", "traces/philly-gavel/0e4a51.trace"},
    {"swf", "traces/swf-cerit-wagap-2013/wagap-2013.swf"},
    {"swf", "traces/swf-lcg-2005/LCG.swf.gz"},
    {"csv", "reference/helios/jobs.csv"},
};

static const double measured_s = 0.3;

static double cpu_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Rows of PATH, counted with all that a replay does to them; 0 after printing why. */
static int64_t read_once(const char *path)
{
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct trace_spec spec = {.file = (char *)(intptr_t)path};
	struct trace_report *report = NULL;
	struct job_list *jobs = rr_trace_survey_jobs(&spec, &report, &faults);
	int64_t rows = report != NULL ? report->totals.rows : 0;
	if (rows == 0) rr_faults_print(&faults, stdout);
	if (report != NULL) rr_trace_report_free(report);
	if (jobs != NULL) rr_jobs_free(jobs);
	rr_faults_done(&faults);
	return rows;
}

static double reader_rows_per_s(const char *path)
{
	int64_t rows = 0;
	double start = cpu_s(), spent = 0;
	do {
		int64_t once = read_once(path);
		if (once == 0) return 0;
		rows += once;
		spent = cpu_s() - start;
	} while (spent < measured_s);
	return (double)rows / spent;
}

static void row_end(int end, void *rows)
{
	(void)end;
	++*(int64_t *)rows;
}

/* 0 when PATH is compressed or has no commas. */
static double libcsv_rows_per_s(const char *path)
{
	g_autofree char *text = NULL;
	gsize size = 0;
	if (!g_str_has_suffix(path, ".csv") || !g_file_get_contents(path, &text, &size, NULL)) return 0;
	int64_t rows = 0;
	double start = cpu_s(), spent = 0;
	do {
		struct csv_parser parser;
		csv_init(&parser, 0);
		csv_parse(&parser, text, size, NULL, row_end, &rows);
		csv_fini(&parser, NULL, row_end, &rows);
		csv_free(&parser);
		spent = cpu_s() - start;
	} while (spent < measured_s);
	return (double)rows / spent;
}

int main(int argc, char **argv)
{
	const char *shared = argc > 1 ? argv[1] : "../shared";
	printf("Trace rows read per second of CPU\n");
	printf("  %-9s %-52s %12s %12s %6s\n", "format", "file", "rows/s", "libcsv alone", "ratio");
	bool failed = false;
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		g_autofree char *path = g_build_filename(shared, inputs[i].file, NULL);
		printf("  %-9s %-52s ", inputs[i].format, inputs[i].file);
		if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
			printf("not there\n");
			continue;
		}
		double ours = reader_rows_per_s(path), floor = libcsv_rows_per_s(path);
		failed = failed || ours <= 0;
		if (floor > 0)
			printf("%12.0f %12.0f %6.2f\n", ours, floor, ours / floor);
		else
			printf("%12.0f %12s %6s\n", ours, "-", "-");
	}
	return failed ? 1 : 0;
}
