/* Rounds: worked by hand, and shares met in the long run. */
#include "models/random/random.h"
#include "sim/scheduler/lp.h"
#include "sim/scheduler/rounds.h"
#include "tests/support/test.h"

#include <math.h>

enum { MOST = 64 };

/* Runs ROUNDS rounds of a second; the largest distance of received from X. */
static double run(struct rr_round *round, double *received_s, int rounds)
{
	int32_t types[MOST];
	for (int r = 0; r < rounds; r++) {
		rr_rounds_next(round, types);
		int32_t used[MOST] = {0};
		for (int32_t i = 0; i < round->job_count; i++) {
			if (types[i] < 0) continue;
			received_s[i * round->type_count + types[i]] += 1;
			used[types[i]] += round->gpus[i];
			ck_assert_int_le(used[types[i]], round->capacity[types[i]]);
		}
	}
	double worst = 0;
	for (int32_t x = 0; x < round->job_count * round->type_count; x++)
		worst = fmax(worst, fabs(received_s[x] - round->share[x] * rounds));
	return worst;
}

/* The example allocation of Gavel's section 3, one GPU of each of three types:
 * X = (0.6, 0.4, 0; 0.2, 0.6, 0.2; 0.2, 0, 0.8). Round 1, all infinite, larger X first: job 2 on type
 * 2, job 0 on 0, job 1 on 1. Round 2 with f = 1 there: infinite are (0,1) 0.4, then
 * (1,0), (1,2), (2,0) at 0.2: job 0 on 1, job 1 on 0, and job 2 on 2, since type 0
 * is taken and its 0.8 / 1 comes after. Round 3: (1,2) and (2,0) are infinite, then
 * job 0 has 0.6 / 1 on type 0, taken, and 0.4 / 1 on type 1. */
START_TEST(three_jobs_on_three_types_by_hand)
{
	static const double share[] = {0.6, 0.4, 0, 0.2, 0.6, 0.2, 0.2, 0, 0.8};
	static const int32_t gpus[] = {1, 1, 1}, capacity[] = {1, 1, 1};
	static const int32_t expected[3][3] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}};
	double received_s[9] = {0};
	int32_t types[3];
	struct rr_round round = {3, 3, share, received_s, gpus, capacity};
	for (int r = 0; r < 3; r++) {
		ck_assert_int_eq(rr_rounds_next(&round, types), 3);
		for (int i = 0; i < 3; i++) {
			ck_assert_int_eq(types[i], expected[r][i]);
			received_s[i * 3 + types[i]] += 1;
		}
	}
}
END_TEST

START_TEST(fractions_converge_to_the_shares)
{
	static const double share[] = {0.6, 0.4, 0, 0.2, 0.6, 0.2, 0.2, 0, 0.8};
	static const int32_t gpus[] = {1, 1, 1}, capacity[] = {1, 1, 1};
	double received_s[9] = {0};
	struct rr_round round = {3, 3, share, received_s, gpus, capacity};
	for (int rounds = 1; rounds <= 100; rounds++) {
		run(&round, received_s, 1);
		for (int x = 0; x < 9; x++) ck_assert(fabs(received_s[x] - rounds * share[x]) < 2);
	}
}
END_TEST

/* Jobs alike on fewer GPUs than jobs: each has its turn, none twice before all once. */
START_TEST(equal_jobs_take_turns)
{
	static const double share[] = {0.4, 0.4, 0.4, 0.4, 0.4};
	static const int32_t gpus[] = {1, 1, 1, 1, 1}, capacity[] = {2};
	double received_s[5] = {0};
	struct rr_round round = {5, 1, share, received_s, gpus, capacity};
	for (int r = 1; r <= 50; r++) {
		run(&round, received_s, 1);
		double least = INFINITY, most = 0;
		for (int i = 0; i < 5; i++) {
			least = fmin(least, received_s[i]);
			most = fmax(most, received_s[i]);
		}
		ck_assert(most - least <= 1);
	}
}
END_TEST

START_TEST(gang_that_does_not_fit_is_passed_over)
{
	static const double share[] = {0.9, 0.5, 0.4};
	static const int32_t gpus[] = {3, 8, 4}, capacity[] = {8};
	double received_s[] = {0, 0, 0};
	int32_t types[3];
	struct rr_round round = {3, 1, share, received_s, gpus, capacity};
	ck_assert_int_eq(rr_rounds_next(&round, types), 2);
	ck_assert_int_eq(types[0], 0);
	ck_assert_int_eq(types[1], -1);
	ck_assert_int_eq(types[2], 0);
	received_s[0] = received_s[2] = 1; /* now the wide one is the furthest behind */
	ck_assert_int_eq(rr_rounds_next(&round, types), 1);
	ck_assert_int_eq(types[1], 0);
}
END_TEST

START_TEST(no_share_never_runs)
{
	static const double share[] = {0, 1};
	static const int32_t gpus[] = {1, 1}, capacity[] = {8};
	static const double received_s[] = {0, 100};
	int32_t types[2];
	struct rr_round round = {2, 1, share, received_s, gpus, capacity};
	ck_assert_int_eq(rr_rounds_next(&round, types), 1);
	ck_assert_int_eq(types[0], -1);
	round.job_count = 0;
	ck_assert_int_eq(rr_rounds_next(&round, types), 0);
}
END_TEST

/* Max-min shares of random one-GPU jobs: after many rounds every one is met but for
 * one round. */
START_TEST(shares_of_the_programme_are_met)
{
	enum { JOBS = 12, TYPES = 3, ROUNDS = 4000 };
	struct rr_stream luck;
	rr_stream_init(&luck, 41, RR_PURPOSE_TEST, 1);
	for (int trial = 0; trial < 8; trial++) {
		double t[JOBS * TYPES], received_s[JOBS * TYPES] = {0};
		int32_t gpus[JOBS], capacity[TYPES];
		for (int x = 0; x < JOBS * TYPES; x++) t[x] = 1 + rr_stream_u32(&luck) % 20;
		for (int i = 0; i < JOBS; i++) gpus[i] = 1;
		for (int j = 0; j < TYPES; j++) capacity[j] = 1 + (int32_t)(rr_stream_u32(&luck) % 3);
		struct rr_lp_problem p = {
		    .job_count = JOBS, .type_count = TYPES, .throughput = t, .gpus = gpus, .capacity = capacity};
		struct rr_lp_answer a;
		ck_assert(rr_lp_solve(&p, RR_LP_MAX_MIN, &a, NULL));
		struct rr_round round = {JOBS, TYPES, a.share, received_s, gpus, capacity};
		double off = run(&round, received_s, ROUNDS);
		ck_assert_msg(off <= 1, "off by %g rounds", off);
		rr_lp_answer_done(&a);
	}
}
END_TEST

/* Gangs of 1 to 8 on 16 GPUs do not pack: two of 8 never run while the jobs of 1 have
 * nearly all their time. Less than 8 GPUs lie idle as long as one of 8 waits, so more
 * than 8 / 16 of the shares are met, and the loss is the same part for all. */
START_TEST(gangs_that_do_not_pack_lose_the_same_part)
{
	enum { JOBS = 10, ROUNDS = 5000 };
	static const double t[JOBS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	static const int32_t gpus[JOBS] = {1, 2, 4, 8, 8, 4, 2, 1, 8, 4}, capacity[] = {16};
	struct rr_lp_problem p = {
	    .job_count = JOBS, .type_count = 1, .throughput = t, .gpus = gpus, .capacity = capacity};
	struct rr_lp_answer a;
	ck_assert(rr_lp_solve(&p, RR_LP_MAX_MIN, &a, NULL));
	double received_s[JOBS] = {0};
	struct rr_round round = {JOBS, 1, a.share, received_s, gpus, capacity};
	run(&round, received_s, ROUNDS);
	double least = INFINITY, most = 0;
	for (int i = 0; i < JOBS; i++) {
		double met = received_s[i] / ROUNDS / a.share[i];
		least = fmin(least, met);
		most = fmax(most, met);
	}
	ck_assert_msg(least > 0.5 && most <= 1 && most - least < 0.01, "%g to %g", least, most);
	rr_lp_answer_done(&a);
}
END_TEST

RR_TEST_MAIN("rounds", three_jobs_on_three_types_by_hand, fractions_converge_to_the_shares, equal_jobs_take_turns,
	     gang_that_does_not_fit_is_passed_over, no_share_never_runs, shares_of_the_programme_are_met,
	     gangs_that_do_not_pack_lose_the_same_part)
