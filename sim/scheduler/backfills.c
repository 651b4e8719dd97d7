/* backfills.c - who may overtake a head that cannot start.
 *
 *   none  the head blocks. A pass costs O(log n) per start.
 *   skip  whoever fits starts, in order. A pass costs O(log n) per start and per
 *         job that seems to fit by count but finds no nodes.
 *   easy  the head gets a reservation at the earliest time at which the running
 *         jobs' estimated ends leave room; a later job may start now if by its
 *         own estimate it ends before, or if it takes only what is left over
 *         beside the head. The reservation is computed anew after each start.
 *         Lifka, The ANL/IBM SP scheduling system, JSSPP 1995; Mu'alem and
 *         Feitelson, IEEE TPDS 12(6), 2001. In pools of nodes the reservation
 *         counts GPUs, those of rented nodes still to come included; nodes are
 *         chosen at the start. A pass costs O(log n) per start.
 *
 * conservative, and easy with several reservations, stand in plan.c. */
#include "sim/scheduler/plan.h"

static void pass_none(struct rr_partition *p, sim_time now)
{
	(void)rr_partition_start_heads(p, now);
}

static void pass_skip(struct rr_partition *p, sim_time now)
{
	int32_t head = rr_partition_start_heads(p, now);
	if (head >= 0) rr_partition_pass_over(p, head);
	for (;;) {
		struct rr_room room = rr_partition_room(p);
		int32_t at = rr_partition_next(p, RR_SPOT_FRONT, &room);
		if (at < 0) return;
		if (!rr_partition_start(p, at, -1, now)) rr_partition_pass_over(p, at);
	}
}

struct reservation {
	int32_t pool;
	sim_time at_ns;
	int64_t extra; /* GPUs left over beside the head at that time */
};

/* Where and when the head can start by the estimates; the earliest pool. */
static struct reservation reserve(const struct rr_partition *p, int32_t head, sim_time now)
{
	int32_t gpus = rr_job_gpus(p->scheduler, head);
	struct reservation best = {.pool = -1, .at_ns = INT64_MAX};
	for (int32_t i = 0; i < p->pool_count; i++) {
		const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		if (!rr_pool_admits(pool, gpus) || !rr_partition_allows(p, i, head)) continue;
		/* Nodes that boot or can be asked for come soon: what is there must
		 * not be given away meanwhile, or a wide job waits for ever. */
		int64_t coming = pool->gpu_limit - pool->serving_gpus;
		int64_t freed = 0, missing = gpus - pool->free_gpus - coming;
		sim_time at = now; /* enough GPUs, but on the wrong nodes */
		if (missing > 0) at = MAX(now, rr_queue_when(rr_partition_ends(p, p->pools[i]), missing, &freed));
		if (at >= best.at_ns) continue;
		best = (struct reservation){p->pools[i], at, pool->free_gpus + coming + freed - gpus};
	}
	return best;
}

static void pass_easy(struct rr_partition *p, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	if (p->plan != NULL) {
		rr_pass_reserving(p, now);
		return;
	}
	int32_t head = rr_partition_start_heads(p, now);
	if (head < 0) return;
	rr_partition_pass_over(p, head);
	for (;;) {
		struct reservation held = reserve(p, head, now);
		struct rr_room room = rr_partition_room(p);
		bool alone = p->pool_count == 1;
		if (alone && held.pool >= 0) {
			room.limit_ns = held.at_ns == INT64_MAX ? INT64_MAX : held.at_ns - now;
			room.extra = held.extra;
		}
		int32_t at = rr_partition_next(p, RR_SPOT_FRONT, &room);
		if (at < 0) return;
		int32_t gpus = rr_job_gpus(s, at);
		bool harmless = held.pool < 0 || held.at_ns == INT64_MAX ||
				rr_job_estimate(s, at) <= held.at_ns - now || gpus <= held.extra;
		/* One that would delay the head may still go where the head does not wait. */
		if (!rr_partition_start(p, at, harmless ? -1 : held.pool, now)) rr_partition_pass_over(p, at);
	}
}

static const struct rr_backfill none = {.pass = pass_none}, skip = {.pass = pass_skip},
				easy = {.uses_ends = true, .pass = pass_easy},
				conservative = {.plans = true, .pass = rr_pass_conservative};

#define ESTIMATES                                                                                                      \
	{"estimates",                                                                                                  \
	 "user",                                                                                                       \
	 "user|perfect|error",                                                                                         \
	 "plans believe the user's estimate (else the truth), the truth, or the truth with an error",                  \
	 RR_PARAMETER_CHOICE,                                                                                          \
	 offsetof(struct rr_settings, belief)},                                                                        \
	{                                                                                                              \
		"error", "0", "a number", "estimates=error: standard deviation of the logarithm of the error",         \
		    RR_PARAMETER_NUMBER, offsetof(struct rr_settings, estimate_error)                                  \
	}

static const struct rr_parameter conservative_parameters[] = {ESTIMATES, RR_PARAMETERS_END};
static const struct rr_parameter easy_parameters[] = {{"reservations", "1", "a whole number",
						       "so many of the first that cannot start get a reservation",
						       RR_PARAMETER_COUNT, offsetof(struct rr_settings, reservations)},
						      ESTIMATES,
						      RR_PARAMETERS_END};

const struct rr_word rr_backfills[] = {
    {"none", "the head of the queue blocks all behind it", NULL, NULL, &none},
    {"skip", "whoever fits starts, in order", NULL, NULL, &skip},
    {"easy", "later jobs may start if they do not delay the first by the estimates",
     "Lifka, JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS 2001", easy_parameters, &easy},
    {"conservative", "every job has a reservation, and nobody may delay one", "Mu'alem and Feitelson, IEEE TPDS 2001",
     conservative_parameters, &conservative},
    {NULL, NULL, NULL, NULL, NULL},
};
