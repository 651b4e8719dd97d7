/* The index of free nodes and the placements, against scans of everything. */
#include "models/random/random.h"
#include "sim/fleet/fleet.h"
#include "sim/fleet/index.h"
#include "sim/scheduler/policy.h"
#include "tests/support/scan.h"
#include "tests/support/test.h"

#include <string.h>

START_TEST(index_finds_what_a_scan_finds)
{
	static const int32_t sizes[] = {1, 63, 64, 65, 4095, 4096, 4097, 300000};
	for (size_t n = 0; n < G_N_ELEMENTS(sizes); n++) {
		struct rr_index index;
		struct rr_stream luck;
		g_autofree bool *in = g_new0(bool, (size_t)sizes[n]);
		rr_index_init(&index, sizes[n]);
		rr_stream_init(&luck, 7, RR_PURPOSE_TEST, n);
		for (int i = 0; i < 3000; i++) {
			int32_t member = (int32_t)(rr_stream_u32(&luck) % (uint32_t)sizes[n]);
			ck_assert(rr_index_has(&index, member) == in[member]);
			if (in[member])
				rr_index_remove(&index, member);
			else
				rr_index_insert(&index, member);
			in[member] = !in[member];
			int32_t from = (int32_t)(rr_stream_u32(&luck) % (uint32_t)sizes[n]), next = from;
			while (next < sizes[n] && !in[next]) next++;
			ck_assert_int_eq(rr_index_next(&index, from), next < sizes[n] ? next : -1);
		}
		rr_index_done(&index);
	}
}
END_TEST

enum { NODES = 13, GPUS = 8 };
typedef bool (*rr_scan)(const int32_t *free, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes);

struct held {
	int32_t gpus, nodes[NODES];
};

static void storm(const char *name, rr_scan scan, uint64_t seed)
{
	const struct rr_word *word = rr_placements;
	while (strcmp(word->name, name) != 0) word++;
	const struct rr_placement *placement = word->policy;
	struct pool_spec spec = {.gpus_per_node = GPUS, .count_min = NODES, .count_max = NODES};
	struct rr_pool pool;
	struct rr_stream luck;
	g_autoptr(GArray) held = g_array_new(FALSE, FALSE, sizeof(struct held));
	rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 1);
	rr_pool_init(&pool, &spec);
	for (int32_t n = 0; n < NODES; n++) rr_pool_serve(&pool, rr_pool_take_off(&pool));
	for (int i = 0; i < 2000; i++) {
		if (held->len > 0 && rr_stream_u32(&luck) % 2 == 0) {
			guint at = rr_stream_u32(&luck) % held->len;
			struct held h = g_array_index(held, struct held, at);
			rr_pool_give(&pool, h.gpus, h.nodes);
			g_array_remove_index(held, at);
		}
		struct held h = {.gpus =
				     1 + (int32_t)(rr_stream_u32(&luck) % (rr_stream_u32(&luck) % 4 == 0 ? 40 : 8))};
		int32_t expected[NODES];
		bool fits = scan(pool.node_free, NODES, GPUS, h.gpus, expected);
		ck_assert(placement->place(&pool, h.gpus, h.nodes) == fits);
		if (!fits) continue;
		int32_t count = rr_pool_nodes_of(&pool, h.gpus);
		for (int32_t k = 0; k < count; k++) ck_assert_int_eq(h.nodes[k], expected[k]);
		rr_pool_take(&pool, h.gpus, h.nodes);
		g_array_append_val(held, h);
		int64_t used = 0;
		for (guint k = 0; k < held->len; k++) used += g_array_index(held, struct held, k).gpus;
		ck_assert_int_eq(pool.free_gpus, NODES * GPUS - used);
	}
	rr_pool_done(&pool);
}

START_TEST(placements_choose_what_a_scan_of_all_nodes_chooses)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		storm("best-fit", rr_scan_best, seed);
		storm("first-fit", rr_scan_first, seed);
	}
}
END_TEST

START_TEST(a_job_that_no_empty_pool_holds_is_not_admitted)
{
	struct pool_spec spec = {.gpus_per_node = 8, .count_max = 3}, flat = {.count_max = 10};
	struct rr_pool pool, whole;
	rr_pool_init(&pool, &spec);
	rr_pool_init(&whole, &flat);
	ck_assert(rr_pool_admits(&pool, 24));
	ck_assert(rr_pool_admits(&pool, 17));
	ck_assert(!rr_pool_admits(&pool, 25));
	ck_assert(rr_pool_admits(&whole, 10));
	ck_assert(!rr_pool_admits(&whole, 11));
	rr_pool_done(&pool);
	rr_pool_done(&whole);
}
END_TEST

RR_TEST_MAIN("places", index_finds_what_a_scan_finds, placements_choose_what_a_scan_of_all_nodes_chooses,
	     a_job_that_no_empty_pool_holds_is_not_admitted)
