/* Who gets how many GPUs, by hand and against all plans. */
#include "models/random/random.h"
#include "sim/scheduler/elastic.h"
#include "tests/support/test.h"

#include <math.h>

enum { MOST = 5, ENTRIES = 4 };

static const struct rr_speedup LINEAR = {.kind = RR_SPEEDUP_LINEAR};

static void gives(const int32_t *gpus, const int32_t *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) ck_assert_int_eq(gpus[i], expected[i]);
}

/* The next GPU gains the first job 1/3 at most; the second 0.82, 0.68, 0.58 and 0.49. */
START_TEST(goodput_gives_to_who_gains_most)
{
	struct rr_speedup poor = {.kind = RR_SPEEDUP_AMDAHL, .serial = 0.5};
	struct rr_speedup good = {.kind = RR_SPEEDUP_AMDAHL, .serial = 0.1};
	struct rr_elastic jobs[] = {{1, 8, 0, &poor}, {1, 4, 0, &good}};
	int32_t gpus[2];
	ck_assert_int_eq(rr_elastic_goodput(jobs, 2, 5, 0, false, gpus), 5);
	gives(gpus, (const int32_t[]){1, 4}, 2);
	jobs[1].max = 8;
	ck_assert_int_eq(rr_elastic_goodput(jobs, 2, 6, 0, false, gpus), 6);
	gives(gpus, (const int32_t[]){1, 5}, 2);
	ck_assert_int_eq(rr_elastic_goodput(jobs, 2, 100, 0, false, gpus), 16);
}
END_TEST

START_TEST(max_fills_up_in_order)
{
	struct rr_elastic jobs[] = {{2, 4, 0, &LINEAR}, {1, 8, 0, &LINEAR}, {2, 8, 0, &LINEAR}};
	int32_t gpus[3];
	ck_assert_int_eq(rr_elastic_max(jobs, 3, 10, false, gpus), 10);
	gives(gpus, (const int32_t[]){4, 4, 2}, 3);
	ck_assert_int_eq(rr_elastic_max(jobs, 3, 100, false, gpus), 20);
	gives(gpus, (const int32_t[]){4, 8, 8}, 3);
}
END_TEST

START_TEST(admission_stops_or_passes_over)
{
	struct rr_elastic jobs[] = {{2, 2, 0, &LINEAR}, {9, 9, 0, &LINEAR}, {1, 3, 0, &LINEAR}};
	int32_t gpus[3];
	ck_assert_int_eq(rr_elastic_max(jobs, 3, 6, false, gpus), 2);
	gives(gpus, (const int32_t[]){2, 0, 0}, 3);
	ck_assert_int_eq(rr_elastic_max(jobs, 3, 6, true, gpus), 5);
	gives(gpus, (const int32_t[]){2, 0, 3}, 3);
	ck_assert_int_eq(rr_elastic_goodput(jobs, 3, 6, 0, true, gpus), 5);
	gives(gpus, (const int32_t[]){2, 0, 3}, 3);
	ck_assert_int_eq(rr_elastic_goodput(jobs, 0, 6, 0, true, gpus), 0);
}
END_TEST

/* A job of 4 with room for 8 and s = 0.5 gains 0.178 from 4 more: not worth a penalty
 * of 0.2, worth one of 0.1 (0.078 over four GPUs). */
START_TEST(penalty_keeps_a_size_that_is_good_enough)
{
	struct rr_speedup half = {.kind = RR_SPEEDUP_AMDAHL, .serial = 0.5};
	struct rr_elastic job = {1, 8, 4, &half};
	int32_t gpus[1];
	rr_elastic_goodput(&job, 1, 8, 0.2, false, gpus);
	ck_assert_int_eq(gpus[0], 4);
	rr_elastic_goodput(&job, 1, 8, 0.1, false, gpus);
	ck_assert_int_eq(gpus[0], 8);
	rr_elastic_goodput(&job, 1, 3, 0.2, false, gpus); /* must shrink */
	ck_assert_int_eq(gpus[0], 3);
}
END_TEST

struct drawn {
	struct rr_elastic jobs[MOST];
	struct rr_speedup curves[MOST];
	int32_t gpus[MOST][ENTRIES];
	double speedups[MOST][ENTRIES];
	size_t count;
	int64_t capacity;
};

static void draw(struct drawn *d, struct rr_stream *luck, bool concave)
{
	d->count = 1 + rr_stream_u32(luck) % MOST;
	d->capacity = rr_stream_u32(luck) % 20;
	for (size_t i = 0; i < d->count; i++) {
		struct rr_speedup *c = &d->curves[i];
		int32_t at = 0;
		double speedup = 0, slope = 1;
		*c = (struct rr_speedup){.kind = (enum rr_speedup_kind)(rr_stream_u32(luck) % 3),
					 .serial = rr_stream_unit(luck),
					 .gpus = d->gpus[i],
					 .speedups = d->speedups[i],
					 .count = ENTRIES};
		for (int e = 0; e < ENTRIES; e++) {
			int32_t step = 1 + (int32_t)(rr_stream_u32(luck) % 3);
			slope = concave ? slope * rr_stream_unit(luck) : rr_stream_unit(luck);
			d->gpus[i][e] = at += step;
			d->speedups[i][e] = speedup += slope * step;
		}
		int32_t min = 1 + (int32_t)(rr_stream_u32(luck) % 3), wide = (int32_t)(rr_stream_u32(luck) % 7);
		int32_t current = rr_stream_u32(luck) % 2 == 0 ? 0 : min + (int32_t)(rr_stream_u32(luck) % 7);
		d->jobs[i] = (struct rr_elastic){min, min + wide, MIN(current, min + wide), c};
	}
}

static double worth(const struct drawn *d, double penalty, size_t job, int32_t gpus)
{
	int32_t current = d->jobs[job].current;
	return rr_speedup_at(d->jobs[job].curve, gpus) - (current > 0 && gpus != current ? penalty : 0);
}

/* The best sum of all plans in which just the ADMITTED jobs run. */
static double best_of_all(const struct drawn *d, double penalty, const int32_t *admitted, size_t job, int64_t left)
{
	if (job == d->count) return 0;
	if (admitted[job] == 0) return best_of_all(d, penalty, admitted, job + 1, left);
	double best = -INFINITY;
	for (int32_t g = d->jobs[job].min; g <= d->jobs[job].max && g <= left; g++)
		best = fmax(best, worth(d, penalty, job, g) + best_of_all(d, penalty, admitted, job + 1, left - g));
	return best;
}

/* How far goodput is from the best of all plans; checks the limits. */
static double shortfall(const struct drawn *d, double penalty)
{
	int32_t gpus[MOST];
	int64_t used = 0;
	double sum = 0;
	ck_assert_int_le(rr_elastic_goodput(d->jobs, d->count, d->capacity, penalty, true, gpus), d->capacity);
	for (size_t i = 0; i < d->count; i++) {
		if (gpus[i] == 0) continue;
		ck_assert(gpus[i] >= d->jobs[i].min && gpus[i] <= d->jobs[i].max);
		used += gpus[i];
		sum += worth(d, penalty, i, gpus[i]);
	}
	ck_assert_int_le(used, d->capacity);
	return best_of_all(d, penalty, gpus, 0, d->capacity) - sum;
}

START_TEST(goodput_is_the_best_of_all_plans_with_concave_curves)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 51, RR_PURPOSE_TEST, 1);
	struct drawn d;
	for (int round = 0; round < 400; round++) {
		draw(&d, &luck, true);
		for (size_t i = 0; i < d.count; i++) ck_assert(rr_speedup_concave(&d.curves[i]));
		ck_assert(fabs(shortfall(&d, 0)) < 1e-9);
	}
}
END_TEST

/* The largest gain of any one step bounds what may be missed. */
START_TEST(goodput_falls_short_by_less_than_one_step)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 52, RR_PURPOSE_TEST, 1);
	struct drawn d;
	for (int round = 0; round < 400; round++) {
		draw(&d, &luck, round % 2 == 0);
		double penalty = rr_stream_unit(&luck) * 0.5, largest = 0;
		for (size_t i = 0; i < d.count; i++)
			for (int32_t from = d.jobs[i].min; from < d.jobs[i].max; from++)
				for (int32_t to = from + 1; to <= d.jobs[i].max; to++)
					largest =
					    fmax(largest, worth(&d, penalty, i, to) - worth(&d, penalty, i, from));
		double missed = shortfall(&d, penalty);
		ck_assert(missed > -1e-9);
		ck_assert_msg(missed < 1e-9 || missed < largest, "misses %g, a step gains %g", missed, largest);
	}
}
END_TEST

/* With room for all that anybody wants there is no step that does not fit. */
START_TEST(goodput_is_the_best_of_all_plans_when_all_fits)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 53, RR_PURPOSE_TEST, 1);
	struct drawn d;
	for (int round = 0; round < 200; round++) {
		draw(&d, &luck, round % 2 == 0);
		d.count = MIN(d.count, 3);
		d.capacity = 100;
		ck_assert(fabs(shortfall(&d, rr_stream_unit(&luck) * 0.5)) < 1e-9);
	}
}
END_TEST

RR_TEST_MAIN("elastic", goodput_gives_to_who_gains_most, max_fills_up_in_order, admission_stops_or_passes_over,
	     penalty_keeps_a_size_that_is_good_enough, goodput_is_the_best_of_all_plans_with_concave_curves,
	     goodput_falls_short_by_less_than_one_step, goodput_is_the_best_of_all_plans_when_all_fits)
