/* engine.h - the clock and the set of pending events, earliest first.
 *
 * At equal times the lower phase runs first, then the event scheduled earlier.
 * A handle stays valid until its event runs or is cancelled; a stale handle is
 * detected, never followed. Scheduling in the past is a programming error.
 *
 * An indexed binary heap: keys of 16 bytes (time, phase, sequence, slot) are
 * compared as one 128-bit integer, so that an order is one comparison without a
 * branch to miss; the payload lies in a slab that knows where its key is. The
 * hole that a taken event leaves at the root is kept until the next operation:
 * an event that schedules its successor costs one sift instead of two. All
 * operations are O(log n); none allocates unless the set grows past its largest
 * size so far. Knows nothing of GPUs. */
#ifndef RR_SIM_ENGINE_H
#define RR_SIM_ENGINE_H

#include "models/units/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of what happens at one instant. After all of it the world makes one
 * scheduling pass (see sim/run.c). */
enum rr_phase { RR_PHASE_FINISH, RR_PHASE_FAILURE, RR_PHASE_REPAIR, RR_PHASE_ARRIVAL, RR_PHASE_LAST };

/* Limits of the key: pending events at once, and events scheduled in one run. */
#define RR_ENGINE_SLOTS_MAX    (UINT64_C(1) << 25)
#define RR_ENGINE_SEQUENCE_MAX (UINT64_C(1) << 36)

typedef void (*rr_handler)(void *world, sim_time now, uint64_t argument);

struct rr_event {
	uint32_t slot, generation;
};
#define RR_EVENT_NONE ((struct rr_event){UINT32_MAX, 0})

__extension__ typedef unsigned __int128 rr_event_key;

struct rr_engine_slot {
	uint64_t argument;
	uint32_t at;              /* place in the heap; next free slot when not pending */
	uint32_t generation : 24; /* odd while pending */
	uint32_t handler : 8;
};

struct rr_engine {
	rr_event_key *keys; /* root at 1 */
	struct rr_engine_slot *slots;
	const rr_handler *handlers;
	size_t count; /* keys in the heap, the hole included */
	size_t capacity;
	uint32_t free_slot;
	bool hole; /* the key at the root is taken */
	uint64_t sequence;
	sim_time now;
	uint64_t events; /* run so far */
};

/* HANDLERS is a constant table, at most 256 rows, named by index. CAPACITY is
 * how many events to make room for at once. */
void rr_engine_init(struct rr_engine *engine, const rr_handler *handlers, size_t capacity);
void rr_engine_done(struct rr_engine *engine);

struct rr_event rr_engine_at(struct rr_engine *engine, sim_time at, enum rr_phase phase, uint32_t handler,
			     uint64_t argument);
/* False when the handle was stale. */
bool rr_engine_cancel(struct rr_engine *engine, struct rr_event event);
/* To another time; counts as scheduled now for the order among equals. */
bool rr_engine_move(struct rr_engine *engine, struct rr_event event, sim_time at, enum rr_phase phase);

size_t rr_engine_pending(const struct rr_engine *engine);
/* Time of the earliest event; INT64_MAX when there is none. */
sim_time rr_engine_peek(const struct rr_engine *engine);
/* Takes the earliest event, sets the clock and runs its handler. There must be one. */
void rr_engine_step(struct rr_engine *engine, void *world);

#endif
