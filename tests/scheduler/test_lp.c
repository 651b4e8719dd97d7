/* Gavel's allocation against examples worked by hand and against random allocations. */
#include "models/random/random.h"
#include "sim/scheduler/lp.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { MOST_JOBS = 12, MOST_TYPES = 4 };

static void near(double got, double expected, double within)
{
	ck_assert_msg(fabs(got - expected) <= within, "%.12g, expected %.12g", got, expected);
}

static struct rr_lp_answer solved(const struct rr_lp_problem *p, enum rr_lp_policy policy)
{
	struct rr_lp_answer answer;
	GError *error = NULL;
	ck_assert_msg(rr_lp_solve(p, policy, &answer, &error), "%s", error != NULL ? error->message : "");
	return answer;
}

static void shares_are(const struct rr_lp_answer *answer, const double *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) near(answer->share[i], expected[i], 1e-6);
}

/* The example of Gavel's section 4.1: one V100 and one K80, jobs of 40 and 10, 12 and
 * 4, 100 and 50. Spread evenly they have 25, 8 and 75. At level z each:
 *   job 0 on the V100 alone:  40 a = 25 z
 *   job 1:  12 b + 4 c = 8 z      job 2:  100 d + 50 e = 75 z
 * with a + b + d = 1, c + e = 1, d + e = 1. Then c = d, a = 5z/8, b = (8z - 4d)/12,
 * e = 1 - d gives 50 + 50 d = 75 z, d = 1.5 z - 1; the V100's row reads
 * 5z/8 + 2z/3 - d/3 + d = 1, so 55z/24 = 5/3 and z = 8/11: a = 5/11, b = 5/11,
 * c = d = 1/11, e = 10/11. The paper rounds to 0.45, 0.45, 0.09, 0.09, 0.91; a third
 * of the time on each type would be z = 2/3. */
START_TEST(gavel_paper_example_of_max_min)
{
	static const double t[] = {40, 10, 12, 4, 100, 50};
	static const int32_t gpus[] = {1, 1, 1}, capacity[] = {1, 1};
	struct rr_lp_problem p = {.job_count = 3, .type_count = 2, .throughput = t, .gpus = gpus, .capacity = capacity};
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_MIN);
	near(a.objective, 8.0 / 11, 1e-8);
	shares_are(&a, (const double[]){5.0 / 11, 0, 5.0 / 11, 1.0 / 11, 1.0 / 11, 10.0 / 11}, 6);
	ck_assert_int_eq(a.classes, 3);
	rr_lp_answer_done(&a);
}
END_TEST

/* Two jobs, one GPU of each type, T = (4, 1; 1, 1). Evenly: 2.5 and 1. With x of the
 * first on type 0 and the second on type 1, x left over: job 0 alone on type 0 has
 * 4 / 2.5 = 1.6, job 1 has 1. Job 1 cannot rise above 1 (its time is used up). */
START_TEST(two_jobs_each_where_it_is_best)
{
	static const double t[] = {4, 1, 1, 1};
	static const int32_t gpus[] = {1, 1}, capacity[] = {1, 1};
	struct rr_lp_problem p = {.job_count = 2, .type_count = 2, .throughput = t, .gpus = gpus, .capacity = capacity};
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_MIN);
	near(a.objective, 1, 1e-8);
	/* Water filling: the second level is job 0's 1.6, not just 1. */
	shares_are(&a, (const double[]){1, 0, 0, 1}, 4);
	rr_lp_answer_done(&a);
}
END_TEST

/* Weights 3 and 1 on two GPUs of one type, gangs of 2: shares 3/4 and 1/4. Gangs of 2
 * and 1 with equal weights: 2 x0 = 1 x1 and 2 x0 + x1 = 2: 1/2 and 1. */
START_TEST(weights_and_gangs_divide_gpu_time)
{
	static const double t[] = {5, 7};
	static const int32_t both[] = {2, 2}, mixed[] = {2, 1}, capacity[] = {2};
	static const double weights[] = {3, 1};
	struct rr_lp_problem p = {
	    .job_count = 2, .type_count = 1, .throughput = t, .gpus = both, .weights = weights, .capacity = capacity};
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_MIN);
	shares_are(&a, (const double[]){0.75, 0.25}, 2);
	rr_lp_answer_done(&a);
	p.gpus = mixed;
	p.weights = NULL;
	a = solved(&p, RR_LP_MAX_MIN);
	shares_are(&a, (const double[]){0.5, 1}, 2);
	rr_lp_answer_done(&a);
}
END_TEST

/* Four one-GPU jobs that run only on type 0 (1 GPU), one that runs only on type 1 (4
 * GPUs, so it needs one): the four are level at a quarter, the fifth has all its time. */
START_TEST(water_filling_goes_on_after_the_bottleneck)
{
	static const double t[] = {1, 0, 1, 0, 1, 0, 1, 0, 0, 1};
	static const int32_t gpus[] = {1, 1, 1, 1, 1}, capacity[] = {1, 4};
	struct rr_lp_problem p = {.job_count = 5, .type_count = 2, .throughput = t, .gpus = gpus, .capacity = capacity};
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_MIN);
	shares_are(&a, (const double[]){0.25, 0, 0.25, 0, 0.25, 0, 0.25, 0, 0, 1}, 10);
	ck_assert_int_eq(a.classes, 2);
	rr_lp_answer_done(&a);
}
END_TEST

/* The jobs of the paper's example are one class to who does not see throughputs: a
 * third of each type to each, level 2/3 of a GPU's time for an even spread of 1. */
START_TEST(blind_max_min_levels_time)
{
	static const double t[] = {40, 10, 12, 4, 100, 50};
	static const int32_t gpus[] = {1, 1, 1}, capacity[] = {1, 1};
	struct rr_lp_problem p = {.job_count = 3, .type_count = 2, .throughput = t, .gpus = gpus, .capacity = capacity};
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_MIN_BLIND);
	near(a.objective, 2.0 / 3, 1e-8);
	double third = 1.0 / 3;
	shares_are(&a, (const double[]){third, third, third, third, third, third}, 6);
	ck_assert_int_eq(a.classes, 1);
	rr_lp_answer_done(&a);
}
END_TEST

/* Speeds 10 and 4 at 3 and 1 an hour: per unit of work type 1 is cheaper (1/4 < 3/10).
 * A floor of 4 is met there; a floor of 7 needs y = 1 - x, 10x + 4(1 - x) = 7: half
 * of each, 2 an hour. A floor of 50 is cut to the job's best, 10. */
START_TEST(least_cost_meets_the_floor_by_hand)
{
	static const double t[] = {10, 4}, price[] = {3, 1};
	static const int32_t gpus[] = {1}, capacity[] = {1, 1};
	double floors[] = {4};
	struct rr_lp_problem p = {.job_count = 1,
				  .type_count = 2,
				  .throughput = t,
				  .gpus = gpus,
				  .floors = floors,
				  .capacity = capacity,
				  .price_per_gpu_hour = price};
	static const double floor[] = {4, 7, 50, 0}, cost[] = {1, 2, 3, 0};
	static const double shares[][2] = {{0, 1}, {0.5, 0.5}, {1, 0}, {0, 0}};
	for (int i = 0; i < 4; i++) {
		floors[0] = floor[i];
		struct rr_lp_answer a = solved(&p, RR_LP_LEAST_COST);
		near(a.objective, cost[i], 1e-7);
		near(a.floors_kept, 1, 1e-8);
		shares_are(&a, shares[i], 2);
		rr_lp_answer_done(&a);
	}
}
END_TEST

/* Two jobs that both need all of the one GPU, and one that has another type alone: the
 * two keep half of their floors, the third all of its own. */
START_TEST(floors_beyond_the_fleet_are_kept_in_part)
{
	static const double t[] = {2, 0, 6, 0, 0, 5}, price[] = {1, 1}, floors[] = {2, 6, 5};
	static const int32_t gpus[] = {1, 1, 1}, capacity[] = {1, 1};
	struct rr_lp_problem p = {.job_count = 3,
				  .type_count = 2,
				  .throughput = t,
				  .gpus = gpus,
				  .floors = floors,
				  .capacity = capacity,
				  .price_per_gpu_hour = price};
	struct rr_lp_answer a = solved(&p, RR_LP_LEAST_COST);
	near(a.floors_kept, 0.5, 1e-8);
	near(a.objective, 2, 1e-7);
	shares_are(&a, (const double[]){0.5, 0, 0.5, 0, 0, 1}, 6);
	rr_lp_answer_done(&a);
}
END_TEST

/* T = (4, 1; 3, 2): 4 + 2 beats 3 + 1. With weights 1 and 3 too: 4 + 6 = 10 against
 * 9 + 1 = 10 at weight 3: at weight 4 the second job takes type 0 (12 + 1 > 4 + 8). */
START_TEST(max_total_by_hand)
{
	static const double t[] = {4, 1, 3, 2};
	static const int32_t gpus[] = {1, 1}, capacity[] = {1, 1};
	static const double weights[] = {1, 4};
	struct rr_lp_problem p = {.job_count = 2, .type_count = 2, .throughput = t, .gpus = gpus, .capacity = capacity};
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_TOTAL);
	near(a.objective, 6, 1e-8);
	shares_are(&a, (const double[]){1, 0, 0, 1}, 4);
	rr_lp_answer_done(&a);
	p.weights = weights;
	a = solved(&p, RR_LP_MAX_TOTAL);
	near(a.objective, 13, 1e-8);
	shares_are(&a, (const double[]){0, 1, 1, 0}, 4);
	rr_lp_answer_done(&a);
}
END_TEST

struct random_problem {
	double t[MOST_JOBS * MOST_TYPES], weights[MOST_JOBS], floors[MOST_JOBS], price[MOST_TYPES];
	int32_t gpus[MOST_JOBS], capacity[MOST_TYPES];
	struct rr_lp_problem problem;
};

static void draw_problem(struct random_problem *r, struct rr_stream *luck)
{
	int32_t jobs = 1 + (int32_t)(rr_stream_u32(luck) % MOST_JOBS);
	int32_t types = 1 + (int32_t)(rr_stream_u32(luck) % MOST_TYPES);
	for (int32_t j = 0; j < types; j++) {
		r->capacity[j] = (int32_t)(rr_stream_u32(luck) % 9);
		r->price[j] = rr_stream_unit(luck) * 10;
	}
	for (int32_t i = 0; i < jobs; i++) {
		r->gpus[i] = 1 << rr_stream_u32(luck) % 4;
		r->weights[i] = 1 + rr_stream_u32(luck) % 3;
		for (int32_t j = 0; j < types; j++)
			r->t[i * types + j] = rr_stream_u32(luck) % 4 == 0 ? 0 : 1 + rr_stream_u32(luck) % 50;
		r->floors[i] = rr_stream_unit(luck) * 20;
	}
	r->problem = (struct rr_lp_problem){jobs, types, r->t, r->gpus, r->weights, r->floors, r->capacity, r->price};
}

static void within_limits(const struct rr_lp_problem *p, const double *share)
{
	for (int32_t i = 0; i < p->job_count; i++) {
		double time = 0;
		for (int32_t j = 0; j < p->type_count; j++) {
			double x = share[i * p->type_count + j];
			ck_assert(x >= 0);
			ck_assert(x == 0 || (p->throughput[i * p->type_count + j] > 0 && p->gpus[i] <= p->capacity[j]));
			time += x;
		}
		ck_assert_msg(time <= 1 + 1e-7, "job %d has %.12g of its time", i, time);
	}
	for (int32_t j = 0; j < p->type_count; j++) {
		double used = 0;
		for (int32_t i = 0; i < p->job_count; i++) used += p->gpus[i] * share[i * p->type_count + j];
		ck_assert_msg(used <= p->capacity[j] * (1 + 1e-7), "type %d has %.12g of %d", j, used, p->capacity[j]);
	}
}

START_TEST(capacity_and_time_hold_for_every_policy)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 21, RR_PURPOSE_TEST, 1);
	struct random_problem r;
	for (int round = 0; round < 300; round++) {
		draw_problem(&r, &luck);
		for (int policy = RR_LP_MAX_MIN; policy <= RR_LP_MAX_TOTAL; policy++) {
			struct rr_lp_answer a = solved(&r.problem, (enum rr_lp_policy)policy);
			within_limits(&r.problem, a.share);
			rr_lp_answer_done(&a);
		}
	}
}
END_TEST

/* The level of a job, INFINITY for one that can run nowhere. */
static double level(const struct rr_lp_problem *p, const double *share, int32_t i)
{
	double total = 0, even = 0, has = 0;
	for (int32_t j = 0; j < p->type_count; j++) total += p->capacity[j];
	for (int32_t j = 0; j < p->type_count; j++) {
		double t = p->throughput[i * p->type_count + j];
		if (p->gpus[i] > p->capacity[j]) continue;
		even += t * p->capacity[j] / total;
		has += t * share[i * p->type_count + j];
	}
	return even > 0 ? p->gpus[i] * has / (p->weights[i] * even) : INFINITY;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* A random allocation, then filled up in random order as far as time and GPUs go. */
static void draw_shares(const struct rr_lp_problem *p, struct rr_stream *luck, double *share)
{
	double room[MOST_TYPES], time[MOST_JOBS];
	for (int32_t j = 0; j < p->type_count; j++) room[j] = p->capacity[j];
	for (int32_t i = 0; i < p->job_count; i++) time[i] = 1;
	memset(share, 0, sizeof *share * (size_t)(p->job_count * p->type_count));
	for (int step = 0; step < 4 * p->job_count * p->type_count; step++) {
		int32_t i = (int32_t)(rr_stream_u32(luck) % (uint32_t)p->job_count);
		int32_t j = (int32_t)(rr_stream_u32(luck) % (uint32_t)p->type_count);
		if (!(p->throughput[i * p->type_count + j] > 0) || p->gpus[i] > p->capacity[j]) continue;
		double most = fmin(time[i], room[j] / p->gpus[i]);
		double x = step % 2 == 0 ? most * rr_stream_unit(luck) * 0.3 : most;
		share[i * p->type_count + j] += x;
		time[i] -= x;
		room[j] -= x * p->gpus[i];
	}
}

/* The sorted levels of a random feasible allocation, and of ones between it and the
 * optimum, never come after the optimum's in lexicographic order. */
START_TEST(no_random_allocation_beats_max_min)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 22, RR_PURPOSE_TEST, 1);
	struct random_problem r;
	for (int round = 0; round < 150; round++) {
		draw_problem(&r, &luck);
		const struct rr_lp_problem *p = &r.problem;
		size_t jobs = (size_t)p->job_count;
		struct rr_lp_answer a = solved(p, RR_LP_MAX_MIN);
		double best[MOST_JOBS], other[MOST_JOBS], share[MOST_JOBS * MOST_TYPES];
		for (int32_t i = 0; i < p->job_count; i++) best[i] = level(p, a.share, i);
		qsort(best, jobs, sizeof *best, ascending);
		for (int trial = 0; trial < 60; trial++) {
			draw_shares(p, &luck, share);
			double mix = trial % 2 == 0 ? 1 : 0.02;
			for (int32_t x = 0; x < p->job_count * p->type_count; x++)
				share[x] = mix * share[x] + (1 - mix) * a.share[x];
			for (int32_t i = 0; i < p->job_count; i++) other[i] = level(p, share, i);
			qsort(other, jobs, sizeof *other, ascending);
			size_t i = 0;
			while (i < jobs && fabs(best[i] - other[i]) <= 1e-6 * (1 + best[i])) i++;
			ck_assert_msg(i == jobs || !(other[i] > best[i]), "level %zu: %.12g above %.12g", i,
				      i < jobs ? other[i] : 0, i < jobs ? best[i] : 0);
		}
		rr_lp_answer_done(&a);
	}
}
END_TEST

START_TEST(shares_do_not_depend_on_the_order_of_jobs)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 23, RR_PURPOSE_TEST, 1);
	struct random_problem r, back;
	for (int round = 0; round < 100; round++) {
		draw_problem(&r, &luck);
		int32_t jobs = r.problem.job_count, types = r.problem.type_count;
		back = r;
		back.problem = (struct rr_lp_problem){jobs,         types,       back.t,        back.gpus,
						      back.weights, back.floors, back.capacity, back.price};
		for (int32_t i = 0; i < jobs; i++) {
			back.gpus[i] = r.gpus[jobs - 1 - i];
			back.weights[i] = r.weights[jobs - 1 - i];
			memcpy(&back.t[i * types], &r.t[(jobs - 1 - i) * types], sizeof(double) * (size_t)types);
		}
		back.problem.floors = r.problem.floors = NULL;
		struct rr_lp_answer a = solved(&r.problem, RR_LP_MAX_MIN), b = solved(&back.problem, RR_LP_MAX_MIN);
		for (int32_t i = 0; i < jobs; i++)
			for (int32_t j = 0; j < types; j++)
				ck_assert(a.share[i * types + j] == b.share[(jobs - 1 - i) * types + j]);
		rr_lp_answer_done(&a);
		rr_lp_answer_done(&b);
	}
}
END_TEST

/* Enough classes that a level each would be felt, and a crowd in each of them. */
START_TEST(many_alike_jobs_make_few_classes)
{
	enum { JOBS = 2000, TYPES = 3, KINDS = 40 };
	g_autofree double *t = g_new(double, JOBS *TYPES);
	g_autofree int32_t *gpus = g_new(int32_t, JOBS);
	static const int32_t capacity[] = {300, 200, 100};
	for (int i = 0; i < JOBS; i++) {
		int kind = i % KINDS;
		gpus[i] = 1 << kind % 4;
		for (int j = 0; j < TYPES; j++) t[i * TYPES + j] = 1 + (kind * 7 + j * j * 3) % 11;
	}
	struct rr_lp_problem p = {
	    .job_count = JOBS, .type_count = TYPES, .throughput = t, .gpus = gpus, .capacity = capacity};
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_MIN);
	ck_assert_int_le(a.classes, KINDS);
	ck_assert_int_le(a.solutions, KINDS);
	within_limits(&p, a.share);
	rr_lp_answer_done(&a);
}
END_TEST

enum { SOLVED_EACH = 60 };

/* The sums of shares of a row of random problems, one stream each. */
static void *solve_row(void *data)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 24, RR_PURPOSE_TEST, (uint64_t)GPOINTER_TO_INT(data));
	double *sums = g_new0(double, SOLVED_EACH);
	struct random_problem r;
	for (int n = 0; n < SOLVED_EACH; n++) {
		draw_problem(&r, &luck);
		struct rr_lp_answer a;
		if (!rr_lp_solve(&r.problem, RR_LP_MAX_MIN, &a, NULL)) continue;
		for (int32_t x = 0; x < r.problem.job_count * r.problem.type_count; x++)
			sums[n] += (x + 1) * a.share[x];
		rr_lp_answer_done(&a);
	}
	return sums;
}

START_TEST(threads_solve_as_one_after_another)
{
	enum { THREADS = 4 };
	GThread *threads[THREADS];
	for (int i = 0; i < THREADS; i++) threads[i] = g_thread_new("lp", solve_row, GINT_TO_POINTER(i));
	for (int i = 0; i < THREADS; i++) {
		g_autofree double *together = g_thread_join(threads[i]);
		g_autofree double *alone = solve_row(GINT_TO_POINTER(i));
		for (int n = 0; n < SOLVED_EACH; n++) ck_assert(together[n] == alone[n]);
	}
}
END_TEST

START_TEST(nobody_and_nowhere_are_answered)
{
	static const double t[] = {0, 3};
	static const int32_t gpus[] = {1, 9}, capacity[] = {8}, none[] = {0};
	struct rr_lp_problem p = {.job_count = 0, .type_count = 1, .throughput = t, .gpus = gpus, .capacity = capacity};
	for (int policy = RR_LP_MAX_MIN; policy <= RR_LP_MAX_TOTAL; policy++) {
		static const double price[] = {1};
		p.price_per_gpu_hour = price;
		p.job_count = 0;
		struct rr_lp_answer a = solved(&p, (enum rr_lp_policy)policy);
		near(a.objective, 0, 0);
		rr_lp_answer_done(&a);
		p.job_count = 2; /* one runs nowhere, one is wider than the fleet */
		a = solved(&p, (enum rr_lp_policy)policy);
		shares_are(&a, (const double[]){0, 0}, 2);
		rr_lp_answer_done(&a);
	}
	p.capacity = none;
	struct rr_lp_answer a = solved(&p, RR_LP_MAX_MIN);
	shares_are(&a, (const double[]){0, 0}, 2);
	rr_lp_answer_done(&a);
}
END_TEST

START_TEST(numbers_out_of_range_are_named)
{
	double t[] = {1, NAN}, weights[] = {1, 1};
	int32_t gpus[] = {1, 1}, capacity[] = {8};
	struct rr_lp_problem p = {
	    .job_count = 2, .type_count = 1, .throughput = t, .gpus = gpus, .weights = weights, .capacity = capacity};
	struct rr_lp_answer a;
	g_autoptr(GError) error = NULL;
	ck_assert(!rr_lp_solve(&p, RR_LP_MAX_MIN, &a, &error));
	ck_assert(g_error_matches(error, RR_LP_ERROR, RR_LP_ERROR_INPUT));
	ck_assert_str_eq(error->message, "job 1: throughputs must not be negative");
	g_clear_error(&error);
	t[1] = 1;
	weights[0] = 0;
	ck_assert(!rr_lp_solve(&p, RR_LP_MAX_MIN, &a, &error));
	ck_assert_str_eq(error->message, "job 0: the weight must be above 0");
	g_clear_error(&error);
	weights[0] = 1;
	ck_assert(!rr_lp_solve(&p, RR_LP_LEAST_COST, &a, &error));
	ck_assert_str_eq(error->message, "type 0: capacity and price must be known and not negative");
	ck_assert_ptr_null(a.share);
}
END_TEST

RR_TEST_MAIN("lp", gavel_paper_example_of_max_min, two_jobs_each_where_it_is_best, weights_and_gangs_divide_gpu_time,
	     water_filling_goes_on_after_the_bottleneck, blind_max_min_levels_time, least_cost_meets_the_floor_by_hand,
	     floors_beyond_the_fleet_are_kept_in_part, max_total_by_hand, capacity_and_time_hold_for_every_policy,
	     no_random_allocation_beats_max_min, shares_do_not_depend_on_the_order_of_jobs,
	     many_alike_jobs_make_few_classes, threads_solve_as_one_after_another, nobody_and_nowhere_are_answered,
	     numbers_out_of_range_are_named)
