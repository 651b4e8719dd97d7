/* sim.h - one replication of one fleet: scenario and jobs in, usage out.
 *
 * Pure: no globals, no file, no terminal, no wall clock. The same arguments give
 * the same bytes on any thread. */
#ifndef RR_SIM_H
#define RR_SIM_H

#include "scenarios/scenarios.h"
#include "sim/meter/meter.h"

/* Runs FLEET (index) over JOBS until the scenario's horizon, or without one
 * until the last job ends. JOBS must outlive the usage. NULL and ERROR when the
 * fleet cannot be simulated (never for lack of work). */
struct usage *rr_sim_run(const struct scenario *scenario, int32_t fleet, const struct job_list *jobs,
			 int32_t replication, GError **error);

/* Whoever wants the story of one job: each line of it, at NOW. */
struct rr_watch {
	int32_t job; /* index */
	void (*tell)(void *data, sim_time now, const char *text);
	void *data;
};
/* The same, and WATCH (may be NULL) is told about its job. */
struct usage *rr_sim_watch(const struct scenario *scenario, int32_t fleet, const struct job_list *jobs,
			   int32_t replication, const struct rr_watch *watch, GError **error);

#endif
