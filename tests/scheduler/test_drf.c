/* Dominant resource fairness: the paper's worked example. */
#include "sim/scheduler/drf.h"
#include "tests/support/test.h"

#include <math.h>

/* Hands out tasks until nobody's fits. */
static void fill(struct rr_drf *drf, double *held, int *tasks)
{
	for (int32_t user; (user = rr_drf_next(drf)) >= 0; tasks[user]++) {
		for (size_t r = 0; r < drf->resources; r++)
			held[(size_t)user * drf->resources + r] += drf->demand[(size_t)user * drf->resources + r];
		ck_assert_int_lt(tasks[user], 100);
	}
}

/* Ghodsi et al., NSDI 2011, section 4.1 and figure 2: 9 CPUs and 18 GB; A's tasks want
 * 1 and 4, B's 3 and 1. A gets 3, B 2; both then hold 2/3 of what they dominate. */
START_TEST(paper_example_gives_three_and_two_tasks)
{
	static const double capacity[] = {9, 18}, demand[] = {1, 4, 3, 1};
	double held[4] = {0};
	int tasks[2] = {0};
	struct rr_drf drf = {2, 2, held, demand, NULL, capacity};
	fill(&drf, held, tasks);
	ck_assert_int_eq(tasks[0], 3);
	ck_assert_int_eq(tasks[1], 2);
	ck_assert(rr_drf_dominant_share(&held[0], capacity, 2) == 12.0 / 18);
	ck_assert(rr_drf_dominant_share(&held[2], capacity, 2) == 6.0 / 9);
}
END_TEST

/* One resource of 12 and weights 2 and 1: 8 and 4. */
START_TEST(weights_divide_one_resource)
{
	static const double capacity[] = {12}, demand[] = {1, 1}, weights[] = {2, 1};
	double held[2] = {0};
	int tasks[2] = {0};
	struct rr_drf drf = {2, 1, held, demand, weights, capacity};
	fill(&drf, held, tasks);
	ck_assert_int_eq(tasks[0], 8);
	ck_assert_int_eq(tasks[1], 4);
}
END_TEST

START_TEST(poorer_user_whose_task_does_not_fit_is_passed_over)
{
	static const double capacity[] = {8, 8}, demand[] = {4, 9, 2, 2};
	double held[] = {0, 0, 4, 1};
	struct rr_drf drf = {2, 2, held, demand, NULL, capacity};
	ck_assert_int_eq(rr_drf_next(&drf), 1);
}
END_TEST

START_TEST(nothing_wanted_or_held_is_answered)
{
	static const double capacity[] = {8, 0}, demand[] = {0, 0}, all[] = {4, 1};
	double held[] = {0, 0};
	struct rr_drf drf = {1, 2, held, demand, NULL, capacity};
	ck_assert_int_eq(rr_drf_next(&drf), -1);
	drf.users = 0;
	ck_assert_int_eq(rr_drf_next(&drf), -1);
	ck_assert(rr_drf_dominant_share(held, capacity, 2) == 0);
	ck_assert(isinf(rr_drf_dominant_share(all, capacity, 2)));
}
END_TEST

RR_TEST_MAIN("drf", paper_example_gives_three_and_two_tasks, weights_divide_one_resource,
	     poorer_user_whose_task_does_not_fit_is_passed_over, nothing_wanted_or_held_is_answered)
