/* supply.h - nodes come and go.
 *
 * Bought nodes come at their lead time and stay. Rented ones are requested when
 * jobs wait, boot for a drawn time, serve, and are given back after they stood
 * idle for so long; at least count_min are kept, which serve from time 0, and
 * never more than count_max are held. Enough are requested for all that waits,
 * packed largest first into empty nodes, less those that boot already. What is
 * free on serving nodes is not counted: it did not suit what waits.
 *
 * A node whose idle time is over stays while the job at the head of the queue
 * could use it: else nodes would come and go without ever being enough for a
 * wide job. It goes when nobody waits for it any more. */
#ifndef RR_SIM_SUPPLY_H
#define RR_SIM_SUPPLY_H

#include "sim/engine/engine.h"
#include "sim/fleet/fleet.h"
#include "sim/meter/meter.h"
#include "sim/scheduler/scheduler.h"

/* Handlers that the world's table must give at these indexes; the argument is
 * pool << 32 | node. */
struct rr_supply_handlers {
	uint32_t ready, idle;
};

struct rr_supply {
	struct rr_pool *pool;
	int32_t index; /* of the pool */
	struct rr_engine *engine;
	struct rr_meter *meter;
	struct rr_supply_handlers handlers;
	uint64_t seed; /* of the replication */
	int32_t booting;
	uint64_t requests;
	int32_t *life;         /* by node: its row, or -1 */
	struct rr_event *idle; /* by node */
	bool *kept;            /* by node: idle for too long, kept for the head */
	int32_t kept_count;
	int64_t *sizes; /* scratch of the packing */
};

/* The nodes that are there from the start, and those on order. */
void rr_supply_begin(struct rr_supply *supply);
void rr_supply_done(struct rr_supply *supply);
/* Requests nodes for DEMAND, of which BOOTING nodes are on their way already. */
void rr_supply_request(struct rr_supply *supply, const struct rr_demand *demand, int32_t booting, sim_time now);
/* NODE has booted, or was delivered: it serves. */
void rr_supply_ready(struct rr_supply *supply, int32_t node, sim_time now);
/* NODE has stood idle for so long: given back unless it is one of the least, or
 * HEAD_GPUS (0 = nobody) wait that this pool could hold. */
void rr_supply_idle(struct rr_supply *supply, int32_t node, int32_t head_gpus, sim_time now);
/* Gives back what was kept for a head that is no longer there. */
void rr_supply_release(struct rr_supply *supply, int32_t head_gpus, sim_time now);
/* A job took or left NODES. */
void rr_supply_taken(struct rr_supply *supply, const int32_t *nodes, int32_t count);
void rr_supply_left(struct rr_supply *supply, const int32_t *nodes, int32_t count, sim_time now);

#endif
