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
 *         chosen at the start. A pass costs O(log n) per start. */
#include "sim/scheduler/policy.h"

static void pass_none(struct rr_partition *p, sim_time now)
{
	(void)rr_partition_start_heads(p, now);
}

static void pass_skip(struct rr_partition *p, sim_time now)
{
	int32_t at = rr_partition_start_heads(p, now);
	while (at >= 0) {
		struct rr_room room = rr_partition_room(p);
		at = rr_queue_next(&p->queue, at, &room);
		if (at >= 0) (void)rr_partition_start(p, at, -1, now);
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
	int32_t gpus = p->queue.waiting[head].gpus;
	struct reservation best = {.pool = -1, .at_ns = INT64_MAX};
	for (int32_t i = 0; i < p->pool_count; i++) {
		const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
		if (!rr_pool_admits(pool, gpus)) continue;
		/* Nodes that boot or can be asked for come soon: what is there must
		 * not be given away meanwhile, or a wide job waits for ever. */
		int64_t coming = pool->gpu_limit - pool->serving_gpus;
		int64_t freed = 0, missing = gpus - pool->free_gpus - coming;
		sim_time at = now; /* enough GPUs, but on the wrong nodes */
		if (missing > 0) at = MAX(now, rr_ends_when(rr_partition_ends(p, p->pools[i]), missing, &freed));
		if (at >= best.at_ns) continue;
		best = (struct reservation){p->pools[i], at, pool->free_gpus + coming + freed - gpus};
	}
	return best;
}

static void pass_easy(struct rr_partition *p, sim_time now)
{
	int32_t head = rr_partition_start_heads(p, now);
	for (int32_t at = head; at >= 0;) {
		struct reservation held = reserve(p, head, now);
		struct rr_room room = rr_partition_room(p);
		bool alone = p->pool_count == 1;
		if (alone && held.pool >= 0) {
			room.limit_ns = held.at_ns == INT64_MAX ? INT64_MAX : held.at_ns - now;
			room.extra = held.extra;
		}
		at = rr_queue_next(&p->queue, at, &room);
		if (at < 0) break;
		const struct rr_waiting *w = &p->queue.waiting[at];
		bool harmless = held.pool < 0 || held.at_ns == INT64_MAX || w->estimate_ns <= held.at_ns - now ||
				w->gpus <= held.extra;
		/* One that would delay the head may still go where the head does not wait. */
		(void)rr_partition_start(p, at, harmless ? -1 : held.pool, now);
	}
}

static const struct rr_backfill none = {false, pass_none}, skip = {false, pass_skip}, easy = {true, pass_easy};

const struct rr_word rr_backfills[] = {
    {"none", "the head of the queue blocks all behind it", NULL, NULL, &none},
    {"skip", "whoever fits starts, in order", NULL, NULL, &skip},
    {"easy", "later jobs may start if they do not delay the head by the estimates",
     "Lifka, JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS 2001", NULL, &easy},
    {NULL, NULL, NULL, NULL, NULL},
};
