/* plots.h - three pictures by gnuplot, as SVG. */
#ifndef RR_REPORTS_PLOTS_H
#define RR_REPORTS_PLOTS_H

#include "reports/reports.h"

enum plot { PLOT_USE, PLOT_WAIT, PLOT_FRAGMENTS, PLOT_COST, PLOT_COUNT };

/* File name ("use.svg") and what the picture shows, in a sentence. */
const char *plots_name(enum plot plot);
const char *plots_caption(enum plot plot);

/* Writes those pictures that have something to show into FOLDER/plots. A fleet
 * without costs has no line in the last one. */
bool plots_write(const struct study *study, const char *folder, GError **error);

#endif
