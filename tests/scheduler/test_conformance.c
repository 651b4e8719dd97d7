/* Every row of every table, and every preset, held to the promises that all
 * policies make (tests/support/promises.h), on random fleets, queues, jobs and
 * options. A new row is held to them by itself. Combinations without much sense
 * keep them, too. */
#include "tests/support/promises.h"
#include "tests/support/random_world.h"
#include "tests/support/test.h"

enum { WORLDS = 2, PRESET_WORLDS = 40, JOBS_MOST = 50 };

static gpointer run_again(gpointer world)
{
	return random_world_run(world);
}

/* One run, once more, and from time to time in a thread of its own. */
static void keeps_its_promises(struct random_world *w)
{
	struct usage *usage = random_world_run(w), *again = NULL;
	promise_all(usage);
	if (w->scenario.seed % 16 == 0)
		again = g_thread_join(g_thread_new("again", run_again, w));
	else
		again = random_world_run(w);
	promise_same(usage, again);
	rr_usage_free(again);
	rr_usage_free(usage);
}

START_TEST(every_combination_of_words_keeps_all_promises)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	uint64_t seed = 1;
	for (const struct rr_word *o = v->orders; o->name != NULL; o++)
		for (const struct rr_word *b = v->backfills; b->name != NULL; b++)
			for (const struct rr_word *p = v->placements; p->name != NULL; p++)
				for (const struct rr_word *e = v->preempts; e->name != NULL; e++)
					for (int i = 0; i < WORLDS; i++) {
						struct random_world w;
						random_world_init(&w, seed++, JOBS_MOST);
						random_world_schedule(&w, o->name, b->name, p->name, e->name);
						keeps_its_promises(&w);
						random_world_done(&w);
					}
}
END_TEST

START_TEST(every_preset_keeps_all_promises)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	uint64_t seed = 1000000;
	for (const struct rr_word *preset = v->presets; preset->name != NULL; preset++)
		for (int i = 0; i < PRESET_WORLDS; i++) {
			struct random_world w;
			random_world_init(&w, seed++, JOBS_MOST);
			random_world_preset(&w, preset->name);
			keeps_its_promises(&w);
			random_world_done(&w);
		}
}
END_TEST

RR_TEST_MAIN("conformance", every_combination_of_words_keeps_all_promises, every_preset_keeps_all_promises)
