/* view.h - what people are shown, the same in the terminal and on the page.
 * Private to reports. */
#ifndef RR_REPORTS_VIEW_H
#define RR_REPORTS_VIEW_H

#include "reports/reports.h"

enum view_form { VIEW_COUNT, VIEW_DURATION, VIEW_RATIO, VIEW_NUMBER, VIEW_ENERGY, VIEW_MONEY, VIEW_MONEY_PER_HOUR };

struct view_row {
	const char *group; /* a new heading where it changes */
	const char *label;
	const char *metric;
	enum view_form form;
};

/* The rows worth showing: those known for at least one fleet, without lines of
 * nothing but zeros. NULL-terminated by metric; caller frees the array. */
struct view_row *view_rows(const struct study *study);

const struct metric_summary *view_metric(const struct study *study, int32_t fleet, const char *id);
/* "4 min 10 s ± 12 s", "-" when unknown. Caller frees. */
char *view_value(const struct study *study, int32_t fleet, const struct view_row *row);
/* Against the baseline: "-38 %", "" for the baseline itself or where nothing can
 * be said. *BETTER: -1 worse, 0 undecided (intervals overlap), +1 better. */
char *view_difference(const struct study *study, int32_t fleet, const struct view_row *row, int *better);
/* The answer in a sentence or two of plain words. Caller frees. */
char *view_answer(const struct study *study);
/* "1 y, 26,280 jobs, 4 replications, seed 1". Caller frees. */
char *view_frame(const struct study *study);

#endif
