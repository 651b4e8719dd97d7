/* scheduler.h - queue order x backfill x placement x pre-emption.
 *
 * Four small tables of policies that combine; presets name a combination. Rows
 * are constant; the words go up to the scenario format as a vocabulary. */
#ifndef RR_SIM_SCHEDULER_H
#define RR_SIM_SCHEDULER_H

#include "scenarios/scenarios.h"

/* All words of the tables; constant. */
const struct rr_vocabulary *rr_scheduler_vocabulary(void);

/* Fills SPEC's four words from TEXT: a preset ("easy") with options after
 * commas ("tiresias,wake=late"). False and ERROR with the nearest word. */
bool rr_scheduler_parse(const char *text, struct scheduler_spec *spec, GError **error);

#endif
