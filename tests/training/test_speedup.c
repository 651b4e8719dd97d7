/* Speed-up curves by hand. */
#include "models/training/training.h"
#include "tests/support/test.h"

#include <math.h>

static const struct rr_speedup LINEAR = {.kind = RR_SPEEDUP_LINEAR};

static void near(double got, double expected)
{
	ck_assert_msg(fabs(got - expected) <= 1e-12 * (1 + fabs(expected)), "%.15g, expected %.15g", got, expected);
}

START_TEST(curves_by_hand)
{
	static const int32_t gpus[] = {1, 4, 8};
	static const double speedups[] = {1, 2.5, 3};
	struct rr_speedup amdahl = {.kind = RR_SPEEDUP_AMDAHL, .serial = 0.2};
	struct rr_speedup table = {.kind = RR_SPEEDUP_TABLE, .gpus = gpus, .speedups = speedups, .count = 3};
	near(rr_speedup_at(&LINEAR, 7), 7);
	near(rr_speedup_at(&amdahl, 1), 1);
	near(rr_speedup_at(&amdahl, 4), 2.5); /* 1 / (0.2 + 0.8 / 4) */
	near(rr_speedup_at(&amdahl, 1000000000), 5 / (1 + 4e-9));
	near(rr_speedup_at(&table, 2), 1.5);
	near(rr_speedup_at(&table, 4), 2.5);
	near(rr_speedup_at(&table, 6), 2.75);
	near(rr_speedup_at(&table, 100), 3);
	table.gpus++; /* begins at 4: a line from (0, 0) */
	table.speedups++;
	table.count--;
	near(rr_speedup_at(&table, 2), 1.25);
	ck_assert(rr_speedup_at(&table, 0) == 0);
}
END_TEST

START_TEST(concave_and_valid_are_told_apart)
{
	static const int32_t gpus[] = {1, 2, 4}, twice[] = {1, 1, 4};
	static const double falls_off[] = {1, 1.8, 3}, jumps[] = {1, 1.2, 4}, sinks[] = {1, 2, 1.5}, none[] = {1, 0, 2};
	struct rr_speedup t = {.kind = RR_SPEEDUP_TABLE, .gpus = gpus, .speedups = falls_off, .count = 3};
	ck_assert(rr_speedup_valid(&t) && rr_speedup_concave(&t));
	t.speedups = jumps;
	ck_assert(rr_speedup_valid(&t) && !rr_speedup_concave(&t));
	t.speedups = sinks;
	ck_assert(rr_speedup_valid(&t) && !rr_speedup_concave(&t)); /* level again behind the end */
	t.speedups = none;
	ck_assert(!rr_speedup_valid(&t));
	t.speedups = jumps;
	t.gpus = twice;
	ck_assert(!rr_speedup_valid(&t));
	t.count = 0;
	ck_assert(!rr_speedup_valid(&t));
	struct rr_speedup amdahl = {.kind = RR_SPEEDUP_AMDAHL, .serial = 1.5};
	ck_assert(!rr_speedup_valid(&amdahl));
	amdahl.serial = NAN;
	ck_assert(!rr_speedup_valid(&amdahl));
	ck_assert(rr_speedup_valid(&LINEAR) && rr_speedup_concave(&LINEAR));
}
END_TEST

RR_TEST_MAIN("speedup", curves_by_hand, concave_and_valid_are_told_apart)
