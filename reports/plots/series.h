/* series.h - what the pictures show, as gnuplot scripts with their data inside.
 * Private to reports/plots. */
#ifndef RR_REPORTS_PLOTS_SERIES_H
#define RR_REPORTS_PLOTS_SERIES_H

#include "reports/reports.h"

/* Each appends a script; false when there is nothing to show. */
bool series_use(const struct study *study, GString *script);
bool series_fragments(const struct study *study, GString *script);
bool series_wait(const struct study *study, GString *script);
bool series_cost(const struct study *study, GString *script);

#endif
