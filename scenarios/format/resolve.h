/* resolve.h - what a scenario's words refer to: the catalogue, sites, each other. */
#ifndef RR_SCENARIOS_FORMAT_RESOLVE_H
#define RR_SCENARIOS_FORMAT_RESOLVE_H

#include "scenarios/format/table.h"

/* Fills the resolved members of S and loads its catalogue; faults for what does
 * not fit together, notes for what is assumed. */
void resolve_scenario(struct rr_reader *reader, struct scenario *s);

#endif
