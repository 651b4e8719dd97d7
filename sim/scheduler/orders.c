/* orders.c - who is next. A key is computed once, when a job begins to wait. */
#include "sim/scheduler/policy.h"

static int64_t by_arrival(const struct job *job)
{
	(void)job;
	return 0; /* ties go by submit and the file's order */
}

static int64_t shortest(const struct job *job)
{
	return job->duration_ns;
}

static int64_t longest(const struct job *job)
{
	return -job->duration_ns;
}

static int64_t by_priority(const struct job *job)
{
	return -(int64_t)job->priority;
}

static const struct rr_order fcfs = {by_arrival}, sjf = {shortest}, ljf = {longest}, priority = {by_priority};

const struct rr_word rr_orders[] = {
    {"fcfs", "first come, first served", NULL, NULL, &fcfs},
    {"sjf", "shortest job first, by true run time", "Conway, Maxwell and Miller, Theory of Scheduling, 1967", NULL,
     &sjf},
    {"ljf", "longest job first, by true run time", NULL, NULL, &ljf},
    {"priority", "highest priority first", NULL, NULL, &priority},
    {NULL, NULL, NULL, NULL, NULL},
};
