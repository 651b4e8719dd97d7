/* The pending-event set against a plain list, and its promises one by one. */
#include "models/random/random.h"
#include "sim/engine/engine.h"
#include "tests/support/test.h"

#include <malloc.h>

enum { OPERATIONS = 4000, MOST = 512 };

/* What ran, in order. */
struct log {
	GArray *arguments; /* uint64_t */
};

static void note(void *world, sim_time now, uint64_t argument)
{
	struct log *log = world;
	(void)now;
	g_array_append_val(log->arguments, argument);
}
static const rr_handler handlers[] = {note};

/* An event of the oracle: a list searched from end to end. */
struct plain {
	sim_time at;
	int phase;
	uint64_t order, argument;
	struct rr_event handle;
};

static bool earlier(const struct plain *a, const struct plain *b)
{
	if (a->at != b->at) return a->at < b->at;
	if (a->phase != b->phase) return a->phase < b->phase;
	return a->order < b->order;
}

static guint first_of(const GArray *list)
{
	guint best = 0;
	for (guint i = 1; i < list->len; i++)
		if (earlier(&g_array_index(list, struct plain, i), &g_array_index(list, struct plain, best))) best = i;
	return best;
}

struct storm {
	struct rr_engine engine;
	GArray *list; /* struct plain */
	struct log log;
	struct rr_stream luck;
	uint64_t order, next;
};

static uint32_t below(struct storm *s, uint32_t limit)
{
	return rr_stream_u32(&s->luck) % limit;
}

static void schedule(struct storm *s)
{
	/* Few distinct times, so that ties are common. */
	struct plain p = {
	    .at = s->engine.now + below(s, 8), .phase = (int)below(s, RR_PHASE_LAST), .argument = s->next++};
	p.order = s->order++;
	p.handle = rr_engine_at(&s->engine, p.at, (enum rr_phase)p.phase, 0, p.argument);
	g_array_append_val(s->list, p);
}

static void step(struct storm *s)
{
	guint at = first_of(s->list);
	struct plain p = g_array_index(s->list, struct plain, at);
	ck_assert_int_eq(rr_engine_peek(&s->engine), p.at);
	rr_engine_step(&s->engine, &s->log);
	ck_assert_int_eq(s->engine.now, p.at);
	ck_assert_uint_eq(g_array_index(s->log.arguments, uint64_t, s->log.arguments->len - 1), p.argument);
	g_array_remove_index(s->list, at);
	/* Its handle is stale from now on. */
	ck_assert(!rr_engine_cancel(&s->engine, p.handle));
}

static void change(struct storm *s)
{
	guint at = below(s, s->list->len);
	struct plain *p = &g_array_index(s->list, struct plain, at);
	if (below(s, 2) == 0) {
		ck_assert(rr_engine_cancel(&s->engine, p->handle));
		ck_assert(!rr_engine_cancel(&s->engine, p->handle));
		g_array_remove_index(s->list, at);
		return;
	}
	p->at = s->engine.now + below(s, 8);
	p->phase = (int)below(s, RR_PHASE_LAST);
	p->order = s->order++;
	ck_assert(rr_engine_move(&s->engine, p->handle, p->at, (enum rr_phase)p->phase));
}

START_TEST(random_storms_run_in_the_order_of_a_sorted_list)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct storm s = {.list = g_array_new(FALSE, FALSE, sizeof(struct plain))};
		s.log.arguments = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		rr_engine_init(&s.engine, handlers, 1);
		rr_stream_init(&s.luck, seed, RR_PURPOSE_TEST, 0);
		for (int i = 0; i < OPERATIONS; i++) {
			uint32_t what = below(&s, 10);
			if (s.list->len == 0 || (what < 4 && s.list->len < MOST))
				schedule(&s);
			else if (what < 8)
				step(&s);
			else
				change(&s);
			ck_assert_uint_eq(rr_engine_pending(&s.engine), s.list->len);
		}
		while (s.list->len > 0) step(&s);
		ck_assert_int_eq(rr_engine_peek(&s.engine), INT64_MAX);
		rr_engine_done(&s.engine);
		g_array_unref(s.list);
		g_array_unref(s.log.arguments);
	}
}
END_TEST

START_TEST(same_instant_runs_by_phase_then_by_order_of_scheduling)
{
	struct rr_engine engine;
	struct log log = {g_array_new(FALSE, FALSE, sizeof(uint64_t))};
	rr_engine_init(&engine, handlers, 8);
	(void)rr_engine_at(&engine, 5, RR_PHASE_ARRIVAL, 0, 4);
	(void)rr_engine_at(&engine, 5, RR_PHASE_FINISH, 0, 1);
	(void)rr_engine_at(&engine, 5, RR_PHASE_REPAIR, 0, 3);
	(void)rr_engine_at(&engine, 5, RR_PHASE_FAILURE, 0, 2);
	(void)rr_engine_at(&engine, 5, RR_PHASE_ARRIVAL, 0, 5);
	(void)rr_engine_at(&engine, 4, RR_PHASE_ARRIVAL, 0, 0);
	for (uint64_t i = 0; i < 6; i++) {
		rr_engine_step(&engine, &log);
		ck_assert_uint_eq(g_array_index(log.arguments, uint64_t, (guint)i), i);
	}
	rr_engine_done(&engine);
	g_array_unref(log.arguments);
}
END_TEST

START_TEST(stale_handle_is_known_after_its_slot_is_used_again)
{
	struct rr_engine engine;
	rr_engine_init(&engine, handlers, 8);
	struct rr_event first = rr_engine_at(&engine, 1, RR_PHASE_FINISH, 0, 1);
	ck_assert(rr_engine_cancel(&engine, first));
	struct rr_event second = rr_engine_at(&engine, 2, RR_PHASE_FINISH, 0, 2);
	ck_assert_uint_eq(first.slot, second.slot);
	ck_assert(!rr_engine_cancel(&engine, first));
	ck_assert(!rr_engine_move(&engine, first, 9, RR_PHASE_FINISH));
	ck_assert(!rr_engine_cancel(&engine, RR_EVENT_NONE));
	ck_assert_int_eq(rr_engine_peek(&engine), 2);
	rr_engine_done(&engine);
}
END_TEST

static void hold(void *world, sim_time now, uint64_t argument)
{
	struct rr_engine *engine = world;
	(void)rr_engine_at(engine, now + 1 + (sim_time)(argument * 7919 % 1000), RR_PHASE_FINISH, 0, argument);
}

START_TEST(nothing_is_allocated_once_warm)
{
	static const rr_handler holding[] = {hold};
	struct rr_engine engine;
	rr_engine_init(&engine, holding, 1024);
	for (uint64_t i = 0; i < 1000; i++) (void)rr_engine_at(&engine, (sim_time)i, RR_PHASE_FINISH, 0, i);
	for (int i = 0; i < 1000; i++) rr_engine_step(&engine, &engine);
	struct mallinfo2 before = mallinfo2();
	for (int i = 0; i < 200000; i++) rr_engine_step(&engine, &engine);
	struct mallinfo2 after = mallinfo2();
	ck_assert_uint_eq(before.uordblks, after.uordblks);
	ck_assert_uint_eq(before.arena, after.arena);
	ck_assert_uint_eq(engine.capacity, 1024);
	rr_engine_done(&engine);
}
END_TEST

RR_TEST_MAIN("engine", random_storms_run_in_the_order_of_a_sorted_list,
	     same_instant_runs_by_phase_then_by_order_of_scheduling, stale_handle_is_known_after_its_slot_is_used_again,
	     nothing_is_allocated_once_warm)
