/* The queue, for waiting jobs and for ends of running ones, against sorted arrays. */
#include "models/random/random.h"
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

/* What stands next to SPOT, and how many GPUs before it. */
static void neighbours(const struct rr_queue *queue, const struct plain *plain, int32_t at, struct rr_spot spot)
{
	int32_t last = -1, first = -1;
	int64_t gpus = 0;
	for (int32_t j = 0; j < JOBS; j++) {
		if (!plain[j].in || j == at) continue;
		bool earlier = before(plain, j, at);
		gpus += earlier ? plain[j].gpus : 0;
		if (earlier && (last < 0 || before(plain, last, j))) last = j;
		if (!earlier && (first < 0 || before(plain, j, first))) first = j;
	}
	ck_assert_int_eq(rr_queue_before(queue, spot), last);
	ck_assert_int_eq(rr_queue_after(queue, spot), first);
	ck_assert_int_eq(rr_queue_gpus_before(queue, spot, NULL), gpus);
	/* Seen 3 later, keys are 3 less. */
	struct rr_lens lens = {3, 0};
	struct rr_spot seen = {spot.key - 3, spot.tie};
	ck_assert_int_eq(rr_queue_gpus_before(queue, seen, &lens), gpus);
}

START_TEST(queue_finds_what_a_scan_finds)
{
	static const struct rr_room all = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, true};
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct rr_stream luck;
		struct plain plain[JOBS] = {{0}};
		struct rr_member *storage = g_new0(struct rr_member, JOBS);
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
				rr_queue_insert(&queue, job, (struct rr_spot){p->key, job}, p->gpus, p->estimate_ns);
				count++;
			}
			p->in = !p->in;
			ck_assert_int_eq(queue.count, count);
			ck_assert_int_eq(rr_queue_first(&queue), scan(plain, -1, &all));
			struct rr_room room = {rr_stream_u32(&luck) % 10, rr_stream_u32(&luck) % 26,
					       rr_stream_u32(&luck) % 110, rr_stream_u32(&luck) % 6, false};
			/* Also after a job that has just left. */
			int32_t after = rr_stream_u32(&luck) % 4 == 0 ? -1 : job;
			struct rr_spot spot = after < 0 ? RR_SPOT_FRONT : (struct rr_spot){plain[after].key, after};
			ck_assert_int_eq(rr_queue_next(&queue, spot, &room), scan(plain, after, &room));
			if (after >= 0) neighbours(&queue, plain, after, spot);
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
		struct rr_member *storage = g_new0(struct rr_member, JOBS);
		struct rr_queue ends;
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 3);
		rr_queue_init(&ends, storage, INT32_MAX);
		for (int i = 0; i < STEPS; i++) {
			int32_t job = (int32_t)(rr_stream_u32(&luck) % JOBS);
			struct plain *p = &plain[job];
			if (p->in)
				rr_queue_remove(&ends, job);
			else {
				*p = (struct plain){false, 0, 1 + (int32_t)(rr_stream_u32(&luck) % 16),
						    rr_stream_u32(&luck) % 50};
				rr_queue_insert(&ends, job, (struct rr_spot){p->estimate_ns, job}, p->gpus, 0);
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
			ck_assert_int_eq(rr_queue_when(&ends, missing, &freed), expected);
			ck_assert_int_eq(freed, expected == INT64_MAX ? 0 : sum);
		}
		g_free(storage);
	}
}
END_TEST

RR_TEST_MAIN("queue", queue_finds_what_a_scan_finds, ends_tell_when_enough_is_free)
