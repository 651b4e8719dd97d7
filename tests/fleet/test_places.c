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

/* What a placement sees of its scheduler when jobs ask for nothing but GPUs. */
struct stage {
	struct job_list jobs;
	struct job job;
	struct rr_scheduler scheduler;
	struct rr_partition partition;
};

static struct rr_partition *stage_init(struct stage *s)
{
	memset(s, 0, sizeof *s);
	s->jobs.jobs = &s->job;
	s->jobs.count = 1;
	s->scheduler.jobs = &s->jobs;
	s->partition.scheduler = &s->scheduler;
	return &s->partition;
}

enum { NODES = 13, GPUS = 8 };

struct held {
	int32_t gpus, nodes[NODES];
};

static void storm(const struct rr_word *word, uint64_t seed)
{
	const struct rr_placement *placement = word->policy;
	struct pool_spec spec = {.gpus_per_node = GPUS, .count_min = NODES, .count_max = NODES};
	struct stage stage;
	struct rr_partition *partition = stage_init(&stage);
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
			rr_pool_give(&pool, h.gpus, GPUS, h.nodes);
			g_array_remove_index(held, at);
		}
		struct held h = {.gpus =
				     1 + (int32_t)(rr_stream_u32(&luck) % (rr_stream_u32(&luck) % 4 == 0 ? 40 : 8))};
		int32_t expected[NODES];
		bool fits = rr_scan(word->name, pool.node_free, NODES, GPUS, h.gpus, expected);
		ck_assert_msg(placement->place(partition, &pool, 0, h.gpus, h.nodes) == fits, "%s", word->name);
		if (!fits) continue;
		int32_t count = rr_pool_nodes_of(&pool, h.gpus, GPUS);
		for (int32_t k = 0; k < count; k++)
			ck_assert_msg(h.nodes[k] == expected[k], "%s, seed %d: node %d, expected %d", word->name,
				      (int)seed, h.nodes[k], expected[k]);
		rr_pool_take(&pool, h.gpus, GPUS, h.nodes);
		g_array_append_val(held, h);
		int64_t used = 0;
		for (guint k = 0; k < held->len; k++) used += g_array_index(held, struct held, k).gpus;
		ck_assert_int_eq(pool.free_gpus, NODES * GPUS - used);
	}
	rr_pool_done(&pool);
}

START_TEST(placements_choose_what_a_scan_of_all_nodes_chooses)
{
	for (const struct rr_word *word = rr_placements; word->name != NULL; word++)
		for (uint64_t seed = 1; rr_scan_knows(word->name) && seed <= 20; seed++) storm(word, seed);
}
END_TEST

/* Racks of two nodes of 4 GPUs, of which so many are free. */
static struct rr_pool racks_of(const struct pool_spec *spec, const int32_t *free)
{
	struct rr_pool pool;
	rr_pool_init(&pool, spec);
	for (int32_t n = 0; n < spec->count_max; n++) {
		int32_t node = rr_pool_take_off(&pool);
		rr_pool_serve(&pool, node);
		if (free[n] < 4) rr_pool_take(&pool, 4 - free[n], 4, &node);
	}
	return pool;
}

static void expect_nodes(const char *name, const struct rr_pool *pool, struct job_needs needs, int32_t gpus,
			 const int32_t *expected)
{
	const struct rr_word *word = rr_placements;
	while (strcmp(word->name, name) != 0) word++;
	struct stage stage;
	struct rr_partition *partition = stage_init(&stage);
	int32_t nodes[16] = {-1, -1, -1, -1};
	stage.jobs.needs = &needs;
	stage.job.needs = 1;
	bool placed = ((const struct rr_placement *)word->policy)->place(partition, pool, 0, gpus, nodes);
	ck_assert_msg(placed == (expected[0] >= 0), "%s: %d GPUs", name, gpus);
	for (int k = 0; placed && expected[k] >= 0; k++)
		ck_assert_msg(nodes[k] == expected[k], "%s: %d GPUs on node %d, expected %d", name, gpus, nodes[k],
			      expected[k]);
}

START_TEST(racks_and_demands_of_a_job_are_kept_by_hand_worked_cases)
{
	struct pool_spec spec = {.gpus_per_node = 4, .count_max = 8, .nodes_per_rack = 2};
	/* racks:                                       5      8      3      6 free */
	struct rr_pool pool = racks_of(&spec, (int32_t[]){1, 4, 4, 4, 3, 0, 4, 2});
	const struct job_needs any = {0}, rack = {.same_rack = true}, node = {.same_node = true},
			       spread = {.spread = true};
	/* The fullest rack that holds it: 3 free in rack 2; then within it. */
	expect_nodes("topology", &pool, any, 2, (int32_t[]){4, -1});
	/* 5 GPUs: rack 0 has a whole node and 1 more. */
	expect_nodes("topology", &pool, any, 5, (int32_t[]){1, 0, -1});
	/* 8 in one rack: only rack 1. 12 over two: the emptiest racks first. */
	expect_nodes("topology", &pool, any, 8, (int32_t[]){2, 3, -1});
	expect_nodes("topology", &pool, any, 12, (int32_t[]){2, 3, 6, -1});
	/* The coolest rack is the emptiest. */
	expect_nodes("coolest", &pool, any, 2, (int32_t[]){2, -1});
	expect_nodes("best-fit", &pool, rack, 6, (int32_t[]){6, 7, -1});
	expect_nodes("best-fit", &pool, rack, 9, (int32_t[]){-1});
	expect_nodes("best-fit", &pool, node, 5, (int32_t[]){-1});
	expect_nodes("best-fit", &pool, node, 4, (int32_t[]){1, -1});
	/* One GPU on each node: the four empty ones, then 3 free, then 2. */
	expect_nodes("best-fit", &pool, spread, 6, (int32_t[]){1, 2, 3, 6, 4, 7, -1});
	expect_nodes("best-fit", &pool, spread, 8, (int32_t[]){-1});
	rr_pool_done(&pool);
}
END_TEST

START_TEST(a_pool_suits_a_job_by_type_memory_region_and_labels)
{
	struct job_list *jobs = rr_jobs_new();
	char *labels[] = {(char *)(intptr_t) "net=ib", (char *)(intptr_t) "tier=1", NULL};
	struct pool_spec spec = {.count_max = 4,
				 .gpu_type = (char *)(intptr_t) "a100-sxm-40",
				 .gpu_mem_bytes = 40,
				 .region = (char *)(intptr_t) "east",
				 .labels = labels};
	struct rr_pool pool;
	rr_pool_init(&pool, &spec);
	struct job_needs needs[] = {{.gpu_types = rr_jobs_text(jobs, "h100|A100-sxm-40", true)},
				    {.mem_bytes = 40, .region = rr_jobs_text(jobs, "east", true)},
				    {.labels = rr_jobs_text(jobs, "tier=1,net=ib", true)},
				    {.gpu_types = rr_jobs_text(jobs, "a100", true)},
				    {.mem_bytes = 41},
				    {.region = rr_jobs_text(jobs, "west", true)},
				    {.labels = rr_jobs_text(jobs, "net=ib,tier=2", true)}};
	for (size_t i = 0; i < G_N_ELEMENTS(needs); i++)
		ck_assert_msg(rr_pool_suits(&pool, jobs, &needs[i]) == (i < 3), "case %zu", i);
	rr_pool_done(&pool);
	rr_jobs_free(jobs);
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
	     racks_and_demands_of_a_job_are_kept_by_hand_worked_cases,
	     a_pool_suits_a_job_by_type_memory_region_and_labels, a_job_that_no_empty_pool_holds_is_not_admitted)
