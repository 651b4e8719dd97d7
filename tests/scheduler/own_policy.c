/* own_policy.c - an order of one's own: widest first.
 *
 * This is all that a policy needs: its file and a row of a table. Jobs that ask for
 * many GPUs go first, so that narrow ones do not take the nodes apart before
 * them; with pre-emption (preempt: order) they make narrow ones stop. A key that
 * stays what it was when the job arrived costs its place in the queue, O(log n). */
#include "tests/scheduler/own_policy.h"

static int64_t widest(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)now;
	return -(int64_t)rr_job_gpus(s, job); /* the smaller key goes first */
}

const struct rr_order own_widest = {.key = widest};
