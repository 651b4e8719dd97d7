/* The queue and the ends of running jobs, against sorted arrays. */
#include "models/random/random.h"
#include "sim/scheduler/ends.h"
#include "sim/scheduler/queue.h"
#include "tests/support/test.h"

enum { JOBS = 300, STEPS = 4000, NODE_GPUS = 8 };

struct plain {
	bool in;
	int64_t key;
	int32_t gpus;
	sim_time estimate_ns;
};

static bool before(const struct plain *p, int32_t a, int32_t b)
{
	return p[a].key < p[b].key || (p[a].key == p[b].key && a < b);
}

static bool fits(const struct plain *p, const struct rr_room *room)
{
	int64_t most = p->gpus > NODE_GPUS ? room->wide : room->narrow;
	return p->gpus <= most && (p->estimate_ns <= room->limit_ns || p->gpus <= room->extra);
}

/* First after AFTER that fits, by looking at all. */
static int32_t scan(const struct plain *p, int32_t after, const struct rr_room *room)
{
	int32_t best = -1;
	for (int32_t j = 0; j < JOBS; j++) {
		if (!p[j].in || (after >= 0 && !before(p, after, j)) || !fits(&p[j], room)) continue;
		if (best < 0 || before(p, j, best)) best = j;
	}
	return best;
}

START_TEST(queue_finds_what_a_scan_finds)
{
	static const struct rr_room all = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct rr_stream luck;
		struct plain plain[JOBS] = {{0}};
		struct rr_waiting *storage = g_new0(struct rr_waiting, JOBS);
		struct rr_queue queue;
		int64_t count = 0;
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 2);
		rr_queue_init(&queue, storage, NODE_GPUS);
		for (int i = 0; i < STEPS; i++) {
			int32_t job = (int32_t)(rr_stream_u32(&luck) % JOBS);
			struct plain *p = &plain[job];
			if (p->in) {
				rr_queue_remove(&queue, job);
				count--;
			} else {
				*p = (struct plain){false, rr_stream_u32(&luck) % 5,
						    1 + (int32_t)(rr_stream_u32(&luck) % 24),
						    rr_stream_u32(&luck) % 100};
				rr_queue_insert(&queue, job, p->key, p->gpus, p->estimate_ns);
				count++;
			}
			p->in = !p->in;
			ck_assert_int_eq(queue.count, count);
			ck_assert_int_eq(rr_queue_first(&queue), scan(plain, -1, &all));
			struct rr_room room = {rr_stream_u32(&luck) % 10, rr_stream_u32(&luck) % 26,
					       rr_stream_u32(&luck) % 110, rr_stream_u32(&luck) % 6};
			/* Also after a job that has just left. */
			int32_t after = rr_stream_u32(&luck) % 4 == 0 ? -1 : job;
			ck_assert_int_eq(rr_queue_next(&queue, after, &room), scan(plain, after, &room));
		}
		g_free(storage);
	}
}
END_TEST

START_TEST(ends_tell_when_enough_is_free)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct rr_stream luck;
		struct plain plain[JOBS] = {{0}}; /* estimate_ns = the end */
		struct rr_ending *storage = g_new0(struct rr_ending, JOBS);
		struct rr_ends ends;
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 3);
		rr_ends_init(&ends, storage);
		for (int i = 0; i < STEPS; i++) {
			int32_t job = (int32_t)(rr_stream_u32(&luck) % JOBS);
			struct plain *p = &plain[job];
			if (p->in)
				rr_ends_remove(&ends, job);
			else {
				*p = (struct plain){false, 0, 1 + (int32_t)(rr_stream_u32(&luck) % 16),
						    rr_stream_u32(&luck) % 50};
				rr_ends_insert(&ends, job, p->estimate_ns, p->gpus);
			}
			p->in = !p->in;
			int64_t missing = 1 + rr_stream_u32(&luck) % 1500, freed = -1, sum = 0;
			sim_time expected = INT64_MAX;
			for (sim_time t = 0; t < 50 && expected == INT64_MAX; t++) {
				sum = 0;
				for (int32_t j = 0; j < JOBS; j++)
					if (plain[j].in && plain[j].estimate_ns <= t) sum += plain[j].gpus;
				if (sum >= missing) expected = t;
			}
			ck_assert_int_eq(rr_ends_when(&ends, missing, &freed), expected);
			ck_assert_int_eq(freed, expected == INT64_MAX ? 0 : sum);
		}
		g_free(storage);
	}
}
END_TEST

RR_TEST_MAIN("queue", queue_finds_what_a_scan_finds, ends_tell_when_enough_is_free)
