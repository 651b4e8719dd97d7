/* watch.h - private to sim/: the story of one job: what the scheduler decided about it, in words. */
#ifndef RR_SIM_WATCH_H
#define RR_SIM_WATCH_H

#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"

struct rr_story {
	const struct rr_watch *watch; /* whom it is told to, about which job */
	struct rr_why last;           /* what was told last */
	bool waits;
	int64_t overtook; /* jobs that started since */
	GString *others;  /* the first few of them */
};

void rr_story_begin(struct rr_story *story, const struct rr_watch *watch);
void rr_story_end(struct rr_story *story);
/* JOB has arrived, started on NODE_COUNT nodes of POOL, stopped or ended; any job. */
void rr_story_arrived(struct rr_story *story, const struct job_list *jobs, int32_t job, bool taken, sim_time now);
void rr_story_started(struct rr_story *story, const struct job_list *jobs, int32_t job, const struct pool_spec *pool,
		      int32_t node, int32_t gpus, sim_time wait_ns, sim_time now);
void rr_story_stopped(struct rr_story *story, int32_t job, sim_time now);
void rr_story_ended(struct rr_story *story, int32_t job, sim_time now);
/* After a pass: why it waits, when that has changed. */
void rr_story_look(struct rr_story *story, struct rr_scheduler *scheduler, const struct job_list *jobs, sim_time now);

#endif
