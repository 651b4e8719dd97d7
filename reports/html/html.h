/* html.h - report.html: one file that opens offline. */
#ifndef RR_REPORTS_HTML_H
#define RR_REPORTS_HTML_H

#include "reports/reports.h"

/* Takes in the pictures that stand in FOLDER/plots. */
bool html_write(const struct study *study, const char *folder, GError **error);

#endif
