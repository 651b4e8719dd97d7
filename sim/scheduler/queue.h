/* queue.h - the waiting jobs of one partition, in the policy's order.
 *
 * A treap over job indexes, ordered by (key, job): jobs are indexed by submit
 * and then by their order in the file, which settles ties. Every subtree knows
 * the fewest GPUs and the shortest estimate in it, so that "the next job in
 * order that could fit" does not walk over those that cannot. Insert, remove and
 * the first are O(log n); a search is O(log n) when one condition decides, and
 * visits more only where a subtree holds a small job and a short one that are
 * not the same. Nodes lie in one array made at the start: nothing allocates. */
#ifndef RR_SIM_SCHEDULER_QUEUE_H
#define RR_SIM_SCHEDULER_QUEUE_H

#include "models/units/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rr_waiting {
	int64_t key;
	sim_time estimate_ns, shortest_ns; /* own; of the subtree */
	int32_t left, right;               /* jobs, -1 = none */
	uint32_t rank;                     /* heap order of the treap */
	int32_t gpus;
	int32_t fewest, fewest_wide; /* of the subtree: any job; jobs wider than a node */
};

/* Storage shared by the queues of a fleet: a job waits in one of them. */
struct rr_queue {
	struct rr_waiting *waiting; /* by job; not owned */
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
};

void rr_queue_init(struct rr_queue *queue, struct rr_waiting *waiting, int32_t node_gpus);
void rr_queue_insert(struct rr_queue *queue, int32_t job, int64_t key, int32_t gpus, sim_time estimate_ns);
void rr_queue_remove(struct rr_queue *queue, int32_t job); /* must wait here */
int32_t rr_queue_first(const struct rr_queue *queue);      /* -1 = empty */
/* The first job after AFTER (-1 = from the front) that fits ROOM, or -1. AFTER
 * need not wait any more; its key must still stand in the storage. */
int32_t rr_queue_next(const struct rr_queue *queue, int32_t after, const struct rr_room *room);

#endif
