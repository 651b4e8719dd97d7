/* random_world.h - fleets, queues, jobs and options drawn at random, for promises
 * that hold whatever they are. */
#ifndef RR_TESTS_SUPPORT_RANDOM_WORLD_H
#define RR_TESTS_SUPPORT_RANDOM_WORLD_H

#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"

enum { RANDOM_POOLS_MOST = 4, RANDOM_QUEUES_MOST = 5 };

struct random_world {
	struct pool_spec pools[RANDOM_POOLS_MOST];
	struct queue_spec queues[RANDOM_QUEUES_MOST];
	struct fleet_spec fleet;
	struct scenario scenario;
	struct job_list *jobs;
	struct rr_stream luck;
};

/* All but the scheduler, with at most JOBS_MOST jobs. */
void random_world_init(struct random_world *w, uint64_t seed, uint32_t jobs_most);
void random_world_done(struct random_world *w);
/* A number in [0, LIMIT). */
uint32_t random_below(struct random_world *w, uint32_t limit);

/* The four words, and a random half of the options that they have. */
void random_world_schedule(struct random_world *w, const char *order, const char *backfill, const char *placement,
			   const char *preempt);
/* A preset, and a random half of the options of its words. */
void random_world_preset(struct random_world *w, const char *preset);
/* Words drawn from all tables. */
void random_world_any_schedule(struct random_world *w);

struct usage *random_world_run(struct random_world *w);

#endif
