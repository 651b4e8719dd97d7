/* queue.h - jobs in an order: those that wait, those that run, those that end.
 *
 * A treap over job indexes, ordered by (key, tie). Every subtree knows the fewest
 * GPUs, the shortest estimate and the sum of GPUs in it, so that "the next job in
 * order that could fit", "how many GPUs stand before this place" and "when will
 * so many have come free" are descents. Insert, remove and sums are O(log n); a
 * search for a fit is O(log n) when one condition decides, and visits more only
 * where a subtree holds a small job and a short one that are not the same. Nodes
 * lie in one array made at the start: nothing allocates. */
#ifndef RR_SIM_SCHEDULER_QUEUE_H
#define RR_SIM_SCHEDULER_QUEUE_H

#include "models/units/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the order. */
struct rr_spot {
	int64_t key, tie;
};
#define RR_SPOT_FRONT ((struct rr_spot){INT64_MIN, INT64_MIN})
#define RR_SPOT_BACK  ((struct rr_spot){INT64_MAX, INT64_MAX})

static inline bool rr_spot_before(struct rr_spot a, struct rr_spot b)
{
	return a.key < b.key || (a.key == b.key && a.tie < b.tie);
}

struct rr_member {
	struct rr_spot spot;
	sim_time estimate_ns, shortest_ns; /* own; of the subtree */
	int64_t sum;                       /* GPUs of the subtree */
	int32_t left, right;               /* jobs, -1 = none */
	uint32_t rank;                     /* heap order of the treap */
	int32_t gpus;
	int32_t fewest, fewest_wide; /* of the subtree: any job; jobs wider than a node */
};

/* Storage may be shared by queues: a job stands in one of them at a time. */
struct rr_queue {
	struct rr_member *members; /* by job; not owned */
	int32_t root;
	int32_t node_gpus; /* wider jobs are wide; INT32_MAX = none is */
	int64_t count, gpus;
};

/* What could run now. A job fits when it is narrow and asks for at most NARROW,
 * or wide and asks for at most WIDE; and it either ends by its estimate within
 * LIMIT_NS or asks for at most EXTRA. */
struct rr_room {
	int64_t narrow, wide;
	sim_time limit_ns; /* INT64_MAX = no limit */
	int64_t extra;
	bool later; /* what is free now does not matter: room in a plan, or among those that may be stopped */
};

/* How keys that were stored earlier read now: key - since_ns, times gpus in
 * GPU-microseconds when gpus > 0. The order of stored keys stays the same. */
struct rr_lens {
	sim_time since_ns;
	int32_t gpus;
};
int64_t rr_lens_read(const struct rr_lens *lens, int64_t key);

/* NS of GPUS in GPU-microseconds, INT64_MAX when that is beyond the range. */
int64_t rr_gpu_us(sim_time ns, int64_t gpus);

void rr_queue_init(struct rr_queue *queue, struct rr_member *members, int32_t node_gpus);
void rr_queue_insert(struct rr_queue *queue, int32_t job, struct rr_spot spot, int32_t gpus, sim_time estimate_ns);
void rr_queue_remove(struct rr_queue *queue, int32_t job); /* must stand here */
int32_t rr_queue_first(const struct rr_queue *queue);      /* -1 = empty */
int32_t rr_queue_last(const struct rr_queue *queue);
/* The first after SPOT, and the last before it; -1 = none. */
int32_t rr_queue_after(const struct rr_queue *queue, struct rr_spot spot);
int32_t rr_queue_before(const struct rr_queue *queue, struct rr_spot spot);
/* The first job after SPOT that fits ROOM, or -1. */
int32_t rr_queue_next(const struct rr_queue *queue, struct rr_spot spot, const struct rr_room *room);
/* GPUs of all that stand before SPOT, read through LENS (NULL = as stored). */
int64_t rr_queue_gpus_before(const struct rr_queue *queue, struct rr_spot spot, const struct rr_lens *lens);

/* Keys are times: when MISSING more GPUs (> 0) will have come free, and in
 * *FREED all that is free by then. INT64_MAX when that never happens. */
sim_time rr_queue_when(const struct rr_queue *queue, int64_t missing, int64_t *freed);

#endif
