/* text.h - the summary for a terminal. */
#ifndef RR_REPORTS_TEXT_H
#define RR_REPORTS_TEXT_H

#include "reports/reports.h"

void text_print(const struct study *study, FILE *to, bool colour);

#endif
