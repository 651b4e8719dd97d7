/* trace_info.h - what a trace holds, as a table or as JSON. */
#ifndef RR_TOOLS_TRACE_INFO_H
#define RR_TOOLS_TRACE_INFO_H

#include "scenarios/traces/traces.h"

/* JOBS are those that can be used. */
void trace_info_print(const char *file, const struct trace_report *report, const struct job_list *jobs, bool json,
		      FILE *to);
void trace_info_print_pools(const char *file, const struct trace_pools *pools, bool json, FILE *to);
/* One line for each kind of row that is not used; nothing when all are. */
void trace_info_print_skips(const struct trace_report *report, FILE *to);

#endif
