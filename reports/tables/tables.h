/* tables.h - summary.json and jobs.csv. */
#ifndef RR_REPORTS_TABLES_H
#define RR_REPORTS_TABLES_H

#include "reports/reports.h"

bool tables_write_summary(const struct study *study, const char *folder, GError **error);
bool tables_write_jobs(const struct study *study, const char *folder, GError **error);
/* Names of the nodes of JOB joined by ';', appended to TEXT; nothing for flat pools. */
void tables_append_nodes(GString *text, const struct usage *usage, const struct job_record *record);

#endif
