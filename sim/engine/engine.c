/* engine.c - see engine.h for the idea. */
#include "sim/engine/engine.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_BITS = 25, SEQUENCE_BITS = 36, PHASE_SHIFT = SLOT_BITS + SEQUENCE_BITS };
#define SLOT_MASK (RR_ENGINE_SLOTS_MAX - 1)

static inline rr_event_key key_of(sim_time at, enum rr_phase phase, uint64_t sequence, uint32_t slot)
{
	uint64_t low = (uint64_t)phase << PHASE_SHIFT | sequence << SLOT_BITS | slot;
	return (rr_event_key)(uint64_t)at << 64 | low;
}

static inline uint32_t key_slot(rr_event_key key)
{
	return (uint32_t)((uint64_t)key & SLOT_MASK);
}

static inline sim_time key_time(rr_event_key key)
{
	return (sim_time)(uint64_t)(key >> 64);
}

static inline void put(struct rr_engine *e, size_t at, rr_event_key key)
{
	e->keys[at] = key;
	e->slots[key_slot(key)].at = (uint32_t)at;
}

static void sift_up(struct rr_engine *e, size_t at, rr_event_key key)
{
	while (at > 1 && key < e->keys[at / 2]) {
		put(e, at, e->keys[at / 2]);
		at /= 2;
	}
	put(e, at, key);
}

static void sift_down(struct rr_engine *e, size_t at, rr_event_key key)
{
	size_t end = e->count, child = 2 * at;
	while (child < end) { /* both children are there */
		/* The walk has no branch to predict, so the next level is asked for ahead. */
		__builtin_prefetch(&e->keys[2 * child]);
		child += e->keys[child + 1] < e->keys[child];
		rr_event_key smaller = e->keys[child];
		if (key < smaller) goto out;
		put(e, at, smaller);
		at = child;
		child = 2 * at;
	}
	if (child == end && e->keys[child] < key) {
		put(e, at, e->keys[child]);
		at = child;
	}
out:
	put(e, at, key);
}

/* Fills the hole at the root with the last key. */
static void settle(struct rr_engine *e)
{
	if (!e->hole) return;
	e->hole = false;
	rr_event_key last = e->keys[e->count--];
	if (e->count > 0) sift_down(e, 1, last);
}

static void free_slots(struct rr_engine *e, size_t from)
{
	for (size_t i = from; i < e->capacity; i++)
		e->slots[i] = (struct rr_engine_slot){.at = i + 1 < e->capacity ? (uint32_t)(i + 1) : UINT32_MAX};
	e->free_slot = (uint32_t)from;
}

static void grow(struct rr_engine *e)
{
	size_t capacity = e->capacity * 2;
	g_assert(capacity <= RR_ENGINE_SLOTS_MAX);
	/* Families of two keys must not straddle a cache line. */
	rr_event_key *keys = g_aligned_alloc(capacity + 2, sizeof *keys, 64);
	memcpy(keys, e->keys, (e->count + 1) * sizeof *keys);
	g_aligned_free(e->keys);
	e->keys = keys;
	e->slots = g_renew(struct rr_engine_slot, e->slots, capacity);
	size_t from = e->capacity;
	e->capacity = capacity;
	free_slots(e, from);
}

void rr_engine_init(struct rr_engine *e, const rr_handler *handlers, size_t capacity)
{
	*e = (struct rr_engine){.handlers = handlers, .capacity = MAX(capacity, 64)};
	e->keys = g_aligned_alloc(e->capacity + 2, sizeof *e->keys, 64);
	e->slots = g_new(struct rr_engine_slot, e->capacity);
	free_slots(e, 0);
}

void rr_engine_done(struct rr_engine *e)
{
	g_aligned_free(e->keys);
	g_free(e->slots);
}

struct rr_event rr_engine_at(struct rr_engine *e, sim_time at, enum rr_phase phase, uint32_t handler, uint64_t argument)
{
	g_assert(at >= e->now && handler < 256 && e->sequence < RR_ENGINE_SEQUENCE_MAX);
	if (e->free_slot == UINT32_MAX) grow(e);
	uint32_t slot = e->free_slot;
	struct rr_engine_slot *s = &e->slots[slot];
	e->free_slot = s->at;
	s->argument = argument;
	s->handler = (uint8_t)handler;
	s->generation++;
	rr_event_key key = key_of(at, phase, e->sequence++, slot);
	if (e->hole) {
		e->hole = false;
		sift_down(e, 1, key);
	} else
		sift_up(e, ++e->count, key);
	return (struct rr_event){slot, s->generation};
}

static bool is_pending(const struct rr_engine *e, struct rr_event event)
{
	return event.slot < e->capacity && (event.generation & 1) == 1 &&
	       e->slots[event.slot].generation == event.generation;
}

static void give_slot(struct rr_engine *e, uint32_t slot)
{
	e->slots[slot].generation++;
	e->slots[slot].at = e->free_slot;
	e->free_slot = slot;
}

/* Puts KEY at AT, whose key was larger or smaller. */
static void replace(struct rr_engine *e, size_t at, rr_event_key key)
{
	if (at > 1 && key < e->keys[at / 2])
		sift_up(e, at, key);
	else
		sift_down(e, at, key);
}

bool rr_engine_cancel(struct rr_engine *e, struct rr_event event)
{
	if (!is_pending(e, event)) return false;
	settle(e);
	size_t at = e->slots[event.slot].at;
	rr_event_key last = e->keys[e->count--];
	if (at <= e->count) replace(e, at, last);
	give_slot(e, event.slot);
	return true;
}

bool rr_engine_move(struct rr_engine *e, struct rr_event event, sim_time at, enum rr_phase phase)
{
	if (!is_pending(e, event)) return false;
	g_assert(at >= e->now);
	settle(e);
	replace(e, e->slots[event.slot].at, key_of(at, phase, e->sequence++, event.slot));
	return true;
}

size_t rr_engine_pending(const struct rr_engine *e)
{
	return e->count - e->hole;
}

sim_time rr_engine_peek(const struct rr_engine *e)
{
	if (rr_engine_pending(e) == 0) return INT64_MAX;
	if (!e->hole) return key_time(e->keys[1]);
	/* The next event is the smaller child of the hole. */
	sim_time at = key_time(e->keys[2]);
	return e->count > 2 ? MIN(at, key_time(e->keys[3])) : at;
}

void rr_engine_step(struct rr_engine *e, void *world)
{
	settle(e);
	g_assert(e->count > 0);
	rr_event_key key = e->keys[1];
	uint32_t slot = key_slot(key);
	struct rr_engine_slot s = e->slots[slot];
	give_slot(e, slot);
	e->hole = true;
	e->now = key_time(key);
	e->events++;
	e->handlers[s.handler](world, e->now, s.argument);
}
