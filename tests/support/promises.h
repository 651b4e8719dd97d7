/* promises.h - what every policy promises, whatever its words and options are.
 *
 * Each function holds a finished run against one promise and fails the test with
 * the words of the scheduler and the seed. None of them looks into the scheduler:
 * they know the scenario, the jobs and what happened. */
#ifndef RR_TESTS_SUPPORT_PROMISES_H
#define RR_TESTS_SUPPORT_PROMISES_H

#include "sim/meter/meter.h"

#include <stdbool.h>

/* Busy, idle, booting, down and draining add up to each pool's lifetime, and are
 * what jobs held and waited for. */
void promise_gpu_time_is_conserved(const struct usage *usage);
/* No GPU serves two jobs, none that is not there, none that the job may not have. */
void promise_nothing_is_held_twice(const struct usage *usage);
/* Every job that its pools and its quota can hold gets its work done, and what was
 * lost with each stop; its waits and runs fill the time from submit to end. */
void promise_every_job_gets_its_work(const struct usage *usage);
/* No tenant, nor one above it, ever holds more than its limits. */
void promise_quotas_hold(const struct usage *usage);
/* Nobody is stopped before min_run. */
void promise_min_run_is_kept(const struct usage *usage);
/* All of the above. */
void promise_all(const struct usage *usage);
/* Byte for byte the same run. */
void promise_same(const struct usage *a, const struct usage *b);

#endif
