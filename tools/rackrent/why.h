/* why.h - the story of one job. */
#ifndef RR_TOOLS_WHY_H
#define RR_TOOLS_WHY_H

#include "scenarios/scenarios.h"

/* Prints, for each fleet, what was decided about the job whose id is ID. The exit
 * status. */
int rr_why(const struct scenario *scenario, const struct job_list *jobs, const char *id);

#endif
