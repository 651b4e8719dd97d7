/* Shares of GPUs through the whole simulation, and the scored placements against
 * plain formulas over all nodes. */
#include "models/random/random.h"
#include "sim/scheduler/scoring.h"
#include "tests/support/small.h"
#include "tests/support/test.h"

START_TEST(two_halves_share_a_gpu_and_a_third_waits)
{
	struct small w;
	small_init(&w, 1, 1); /* one node of one GPU */
	for (int i = 0; i < 3; i++) small_job(&w, i, 1, 100, -1, 0)->gpu_milli = 500;
	struct usage *usage = small_run(&w, "openb-fgd");
	ck_assert_int_eq(usage->records[0].start_ns, 0);
	ck_assert_int_eq(usage->records[1].start_ns, RR_NS_PER_S);
	ck_assert_int_eq(usage->records[2].start_ns, 100 * RR_NS_PER_S);
	/* 3 x 100 s of half a GPU. */
	ck_assert(usage->pools[0].use[RR_USE_BUSY] == (rr_milli_gpu_ns)3 * 100 * 500 * RR_NS_PER_S);
	rr_usage_free(usage);
	usage = small_run(&w, "fit"); /* whole GPUs alone */
	ck_assert_int_eq(usage->records[1].start_ns, 100 * RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(cpus_and_memory_of_a_node_are_kept)
{
	struct small w;
	small_init(&w, 1, 8);
	w.pool.node_cpu_milli = 10000;
	w.pool.node_ram_bytes = 100;
	struct job_needs cpus = {.cpu_milli = 6000}, memory = {.ram_bytes = 60};
	for (int i = 0; i < 2; i++) small_job(&w, 0, 1, 10, -1, 0)->needs = rr_jobs_needs(w.jobs, &cpus);
	for (int i = 0; i < 2; i++) small_job(&w, 0, 1, 10, -1, 0)->needs = rr_jobs_needs(w.jobs, &memory);
	struct usage *usage = small_run(&w, "openb-fgd");
	const int starts[] = {0, 10, 0, 10};
	for (int i = 0; i < 4; i++) ck_assert_int_eq(usage->records[i].start_ns, starts[i] * RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(fragmentation_of_a_node_by_hand)
{
	/* Typical: 6 of 10 want a whole GPU and 4 CPUs, 3 want half a GPU, 1 no GPU. */
	struct rr_ask asks[10];
	for (int i = 0; i < 10; i++)
		asks[i] = (struct rr_ask){i < 9 ? 4000 : 1000, 0, i < 9, i < 6 ? 1000 : i < 9 ? 500 : 0, UINT64_MAX};
	struct rr_typical *typical = rr_typical_new(asks, 10);
	struct rr_shares shares;
	rr_shares_init(&shares, 1);
	rr_shares_set(&shares, 0, 0, 2, 8000, INT64_MAX);
	rr_shares_serve(&shares, 0, true);
	ck_assert_int_eq(rr_typical_kinds(typical), 3);
	ck_assert_int_eq(rr_typical_weight(typical), 10);
	/* Empty: only the one without GPU cannot use the 2,000. */
	ck_assert_int_eq(rr_fragmentation(typical, &shares.nodes[0]), 1 * 2000);
	/* 300 of the first GPU gone: a whole one fits on the other, the 700 are lost to it. */
	struct rr_ask third = {0, 0, 1, 300, UINT64_MAX};
	rr_shares_take(&shares, 0, &third, 1);
	ck_assert_int_eq(rr_fragmentation(typical, &shares.nodes[0]), 1 * 1700 + 6 * 700);
	/* 600 of it gone: half a GPU does not fit there any more either. */
	rr_shares_take(&shares, 0, &third, 1);
	ck_assert_int_eq(rr_fragmentation(typical, &shares.nodes[0]), 1 * 1400 + 6 * 400 + 3 * 400);
	/* 5 of 8 CPUs gone: nobody can use what is left. */
	struct rr_ask cpus = {5000, 0, 0, 0, UINT64_MAX};
	rr_shares_take(&shares, 0, &cpus, 0);
	ck_assert_int_eq(rr_fragmentation(typical, &shares.nodes[0]), 10 * 1400);
	rr_shares_done(&shares);
	rr_typical_free(typical);
}
END_TEST

/* --------------------------------------------------- picks against looking at all */

enum { NODES = 40, STEPS = 1500, KINDS = 9 };

struct held {
	int32_t node, kind;
	uint32_t mask;
};

static struct rr_ask random_ask(struct rr_stream *luck)
{
	bool share = rr_stream_u32(luck) % 2 == 0;
	return (struct rr_ask){.cpu_milli = 1000 * (int64_t)(rr_stream_u32(luck) % 16),
			       .ram_bytes = (int64_t)(rr_stream_u32(luck) % 64),
			       .gpus = share ? 1 : 1 << rr_stream_u32(luck) % 4,
			       .gpu_milli = share ? 100 + 50 * (int32_t)(rr_stream_u32(luck) % 17) : 1000,
			       .pools = rr_stream_u32(luck) % 3 == 0 ? 1 : UINT64_MAX};
}

/* The first in order with the highest score, by looking at all of them. */
static int32_t look_at_all(enum rr_scoring scoring, const struct rr_typical *typical, const struct rr_shares *shares,
			   const struct rr_ask *ask)
{
	int32_t best = -1, best_score = -1;
	for (int32_t place = 0; place < shares->count; place++) {
		int32_t node = shares->node_at[place];
		uint32_t mask = 0;
		if (!rr_share_fits(&shares->nodes[node], ask)) continue;
		int32_t score = rr_score(scoring, typical, &shares->nodes[node], ask, &mask);
		ck_assert(score >= 0 && score <= 100);
		if (score <= best_score) continue;
		best_score = score;
		best = node;
	}
	return best;
}

static void storm(enum rr_scoring scoring, uint64_t seed)
{
	struct rr_stream luck;
	struct rr_shares shares;
	struct rr_ask asks[KINDS];
	int32_t order[NODES];
	rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 77);
	rr_shares_init(&shares, NODES);
	for (int32_t i = 0; i < NODES; i++) {
		rr_shares_set(&shares, i, (int32_t)(i % 2), 1 << i % 4, 64000, 256);
		rr_shares_serve(&shares, i, i % 7 != 0);
		order[i] = (i * 17 + 5) % NODES;
	}
	rr_shares_order(&shares, order);
	for (int i = 0; i < KINDS; i++) asks[i] = random_ask(&luck);
	struct rr_typical *typical = rr_typical_new(asks, KINDS);
	struct rr_scorer *scorer = rr_scorer_new(&shares, scoring, typical, seed);
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct held));
	for (int step = 0; step < STEPS; step++) {
		if (all->len > 0 && rr_stream_u32(&luck) % 2 == 0) {
			guint at = rr_stream_u32(&luck) % all->len;
			const struct held *h = &g_array_index(all, struct held, at);
			rr_shares_give(&shares, h->node, &asks[h->kind], h->mask);
			g_array_remove_index(all, at);
		}
		struct held h = {.kind = (int32_t)(rr_stream_u32(&luck) % KINDS)};
		struct rr_pick pick;
		int32_t expected = look_at_all(scoring, typical, &shares, &asks[h.kind]);
		bool found = rr_scorer_pick(scorer, rr_scorer_kind(scorer, &asks[h.kind]), &pick);
		ck_assert(found == (expected >= 0));
		if (!found) continue;
		if (scoring != RR_SCORE_RANDOM) ck_assert_int_eq(pick.node, expected);
		ck_assert(rr_share_fits(&shares.nodes[pick.node], &asks[h.kind]));
		h.node = pick.node;
		h.mask = pick.mask;
		rr_shares_take(&shares, h.node, &asks[h.kind], h.mask);
		g_array_append_val(all, h);
	}
	rr_scorer_free(scorer);
	rr_typical_free(typical);
	rr_shares_done(&shares);
}

START_TEST(picks_are_those_of_looking_at_all_nodes)
{
	for (int scoring = RR_SCORE_FGD; scoring <= RR_SCORE_WORST_FIT; scoring++)
		for (uint64_t seed = 1; seed <= 4; seed++) storm((enum rr_scoring)scoring, seed);
}
END_TEST

RR_TEST_MAIN("shares", two_halves_share_a_gpu_and_a_third_waits, cpus_and_memory_of_a_node_are_kept,
	     fragmentation_of_a_node_by_hand, picks_are_those_of_looking_at_all_nodes)
