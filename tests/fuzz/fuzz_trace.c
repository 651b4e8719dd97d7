/* Any bytes as a trace: the first byte names the format (or none: by content),
 * the others are the file. Faults or jobs, never a crash; jobs are sound. */
#include "scenarios/traces/reading.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2) return 0;
	size_t formats = 0;
	while (rr_trace_format_row(formats) != NULL) formats++;
	size_t chosen = data[0] % (formats + 1);
	char *name = chosen == formats ? NULL : g_strdup(rr_trace_format_row(chosen)->name);
	struct trace_spec spec = {.file = (char *)(intptr_t) "fuzz", .format = name, .strict = (data[0] & 0x80) != 0};
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct trace_input *input = trace_input_open_bytes(data + 1, size - 1, "fuzz", &faults);
	struct trace_report *report = NULL;
	struct job_list *jobs = input == NULL ? NULL : trace_read_input(&spec, input, true, &report, &faults);
	if ((jobs != NULL) == rr_faults_any(&faults)) abort();
	for (size_t i = 0; jobs != NULL && i < jobs->count; i++)
		if (jobs->jobs[i].gpus <= 0 || jobs->jobs[i].duration_ns <= 0 || jobs->jobs[i].submit_ns < 0) abort();
	rr_trace_report_free(report);
	rr_jobs_free(jobs);
	rr_faults_done(&faults);
	g_free(name);
	return 0;
}
