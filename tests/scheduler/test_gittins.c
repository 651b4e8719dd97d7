/* The Gittins index against distributions worked by hand and against its definition. */
#include "models/random/random.h"
#include "sim/scheduler/gittins.h"
#include "tests/support/test.h"

#include <math.h>

/* The definition, looking at every sample as the end of the interval. */
static double by_definition(const double *s, size_t n, double a)
{
	double best = 0;
	for (size_t j = 0; j < n; j++) {
		if (s[j] <= a) continue;
		double ends = 0, work = 0;
		for (size_t i = 0; i < n; i++) {
			if (s[i] <= a) continue;
			if (s[i] <= s[j]) ends++;
			work += fmin(s[i], s[j]) - a;
		}
		best = fmax(best, ends / work);
	}
	return best;
}

static void near(double got, double expected, double relative)
{
	ck_assert_msg(fabs(got - expected) <= relative * fabs(expected), "%.17g, expected %.17g", got, expected);
}

START_TEST(fixed_length_gives_one_over_what_is_left)
{
	static const double s[] = {100, 100, 100};
	struct rr_gittins g;
	rr_gittins_init(&g, s, 3, 0);
	near(rr_gittins_index(&g, 0), 1.0 / 100, 1e-15);
	near(rr_gittins_index(&g, 60), 1.0 / 40, 1e-15);
	near(rr_gittins_index(&g, 99), 1.0, 1e-13);
	ck_assert(rr_gittins_index(&g, 100) == 0);
	ck_assert(rr_gittins_index(&g, 1e9) == 0);
	rr_gittins_done(&g);
}
END_TEST

/* Samples 1 and 10. At 0: to 1: 1 end for 1 + 1 = 2 of work, 1/2; to 10: 2 ends for
 * 1 + 10 = 11, less. Up to 1: 1 / (2 - 2a) against 2 / (11 - 2a): the first. From
 * 1 on: 1 / (10 - a). So the job just past 1 falls far behind a fresh one. */
START_TEST(two_points_by_hand)
{
	static const double s[] = {10, 1};
	struct rr_gittins g;
	rr_gittins_init(&g, s, 2, 0);
	near(rr_gittins_index(&g, 0), 1.0 / 2, 1e-15);
	near(rr_gittins_index(&g, 0.5), 1.0, 1e-15);
	near(rr_gittins_index(&g, 1), 1.0 / 9, 1e-15);
	near(rr_gittins_index(&g, 8), 1.0 / 2, 1e-15);
	rr_gittins_done(&g);
}
END_TEST

/* Samples 4, 5, 30. At 0: to 4: 1/12; to 5: 2 / (4 + 5 + 5) = 1/7; to 30: 3/39 = 1/13.
 * At a: 1 / (12 - 3a) against 2 / (14 - 3a): equal when 14 - 3a = 24 - 6a, a = 10/3. */
START_TEST(three_points_by_hand_change_target_between_samples)
{
	static const double s[] = {4, 5, 30};
	struct rr_gittins g;
	rr_gittins_init(&g, s, 3, 0);
	near(rr_gittins_index(&g, 0), 1.0 / 7, 1e-15);
	near(rr_gittins_index(&g, 3), 2.0 / 5, 1e-14);
	near(rr_gittins_index(&g, 10.0 / 3), 1.0 / 2, 1e-14);
	near(rr_gittins_index(&g, 3.5), 1.0 / 1.5, 1e-14); /* 2 / 3.5 would be less */
	near(rr_gittins_index(&g, 4), 1.0 / 2, 1e-14);     /* to 5: 1 / (1 + 1) */
	near(rr_gittins_index(&g, 5), 1.0 / 25, 1e-14);
	rr_gittins_done(&g);
}
END_TEST

START_TEST(table_equals_the_definition)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 11, RR_PURPOSE_TEST, 1);
	for (int round = 0; round < 300; round++) {
		double s[24];
		size_t n = 1 + rr_stream_u32(&luck) % 24;
		bool whole = rr_stream_u32(&luck) % 2 == 0; /* many equal values */
		for (size_t i = 0; i < n; i++)
			s[i] = whole ? 1 + rr_stream_u32(&luck) % 9 : pow(rr_stream_unit(&luck), -2);
		struct rr_gittins g;
		rr_gittins_init(&g, s, n, 0);
		ck_assert_uint_le(g.count, 2 * n);
		for (size_t i = 0; i < 60; i++) {
			double a = i < n ? s[i] : g.most * rr_stream_unit(&luck);
			near(rr_gittins_index(&g, a), by_definition(s, n, a), 1e-9);
		}
		near(rr_gittins_index(&g, -5), by_definition(s, n, 0), 1e-9);
		rr_gittins_done(&g);
	}
}
END_TEST

/* Without memory the index is the rate, whatever was attained. A group of N / GROUPS
 * samples knows its rate to a share of 1 / sqrt(N / GROUPS); the maximum over the
 * ends may pick any: five such errors. */
START_TEST(exponential_index_is_the_rate)
{
	enum { N = 100000, GROUPS = 100 };
	double *s = g_new(double, N);
	for (int i = 0; i < N; i++) {
		struct rr_stream luck;
		rr_stream_init(&luck, 5, RR_PURPOSE_TEST, (uint64_t)i);
		s[i] = -50 * log(rr_stream_unit(&luck));
	}
	struct rr_gittins g;
	rr_gittins_init(&g, s, N, GROUPS);
	ck_assert_uint_le(g.count, 2 * (GROUPS + 1));
	for (double a = 0; a <= 150; a += 7) near(rr_gittins_index(&g, a), 1.0 / 50, 5 / sqrt(N / (double)GROUPS));
	rr_gittins_done(&g);
	g_free(s);
}
END_TEST

/* Quantiles of a Pareto distribution with shape 1.2: the hazard falls, so who has had
 * more goes later, as least attained service says (looked at where samples end). */
START_TEST(falling_hazard_orders_as_least_attained_service)
{
	enum { N = 400 };
	double s[N];
	for (int i = 0; i < N; i++) s[i] = 10 * pow(1 - (i + 0.5) / N, -1 / 1.2);
	struct rr_gittins g;
	rr_gittins_init(&g, s, N, 0);
	for (int i = 1; i < N - 1; i++) ck_assert(rr_gittins_index(&g, s[i]) < rr_gittins_index(&g, s[i - 1]));
	rr_gittins_done(&g);
}
END_TEST

/* Samples 2, 4, 5, 5 in two groups: corners (v 0, W 0, c 0), (4, 14, 2), (5, 16, 4).
 * From 0: 2/14 against 4/16. At 2, half of the first group: (7, 1): 1/7 against 3/9.
 * In the second group 2/2 all along. */
START_TEST(groups_by_hand)
{
	static const double s[] = {5, 2, 4, 5};
	struct rr_gittins g;
	rr_gittins_init(&g, s, 4, 2);
	near(rr_gittins_index(&g, 0), 1.0 / 4, 1e-15);
	near(rr_gittins_index(&g, 2), 1.0 / 3, 1e-15);
	near(rr_gittins_index(&g, 4), 1, 1e-15);
	near(rr_gittins_index(&g, 4.5), 1, 1e-15);
	near(rr_gittins_index(&g, 5 - 1e-15), 1, 1e-9);
	ck_assert(rr_gittins_index(&g, 5) == 0);
	rr_gittins_done(&g);
}
END_TEST

/* The curve through the groups, each corner as the end of the interval. */
START_TEST(groups_equal_the_steepest_line)
{
	enum { N = 200, GROUPS = 20 };
	struct rr_stream luck;
	rr_stream_init(&luck, 12, RR_PURPOSE_TEST, 1);
	for (int round = 0; round < 50; round++) {
		double s[N], value[GROUPS + 1] = {0}, work[GROUPS + 1] = {0};
		for (int i = 0; i < N; i++) s[i] = (i + rr_stream_unit(&luck)) * (1 + i / (10 + 10 * round));
		for (int k = 1; k <= GROUPS; k++) {
			value[k] = s[k * N / GROUPS - 1];
			for (int i = 0; i < N; i++) work[k] += fmin(s[i], value[k]);
		}
		struct rr_gittins g;
		rr_gittins_init(&g, s, N, GROUPS);
		for (int i = 0; i < GROUPS * 4; i++) {
			int k = i / 4;
			double part = (i % 4) / 4.0, best = 0, a = value[k] + part * (value[k + 1] - value[k]);
			for (int to = k + 1; to <= GROUPS; to++)
				best = fmax(best, (to - k - part) * (N / GROUPS) /
						      (work[to] - work[k] - part * (work[k + 1] - work[k])));
			near(rr_gittins_index(&g, a), best, 1e-9);
		}
		rr_gittins_done(&g);
	}
}
END_TEST

START_TEST(no_usable_sample_gives_zero)
{
	static const double s[] = {0, -3, NAN, INFINITY};
	struct rr_gittins g;
	rr_gittins_init(&g, s, 4, 0);
	ck_assert_uint_eq(g.count, 0);
	ck_assert(rr_gittins_index(&g, 0) == 0);
	rr_gittins_done(&g);
	rr_gittins_init(&g, NULL, 0, 0);
	ck_assert(rr_gittins_index(&g, 7) == 0);
	rr_gittins_done(&g);
}
END_TEST

RR_TEST_MAIN("gittins", fixed_length_gives_one_over_what_is_left, two_points_by_hand,
	     three_points_by_hand_change_target_between_samples, table_equals_the_definition,
	     exponential_index_is_the_rate, falling_hazard_orders_as_least_attained_service, groups_by_hand,
	     groups_equal_the_steepest_line, no_usable_sample_gives_zero)
