/* A fit of recorded jobs: known answers, and draws whose parameters come back. */
#include "scenarios/workload/fit.h"
#include "scenarios/workload/parts.h"
#include "scenarios/workload/workload.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

/* Two-sided 99.9 % of the normal distribution. */
#define Z999 3.2905
/* 2025-01-06 was a Monday. */
#define MONDAY_EPOCH_S 1736121600

START_TEST(lognormal_comes_back_within_its_confidence)
{
	const struct rr_distribution d = {.kind = RR_DIST_LOGNORMAL, .a = 900, .b = 1.8};
	enum { N = 20000 };
	double *x = g_new(double, N);
	/* Quantiles in place of draws: the fit must find the parameters all but exactly. */
	for (int i = 0; i < N; i++) x[i] = rr_distribution_quantile(&d, (i + 0.5) / N);
	struct fit_duration fit;
	fit_duration(x, N, 100, &fit);
	ck_assert_int_eq(fit.fitted.kind, RR_DIST_LOGNORMAL);
	ck_assert_double_eq_tol(fit.fitted.a, 900, 1e-6 * 900);
	ck_assert_double_eq_tol(fit.fitted.b, 1.8, 1e-3);
	ck_assert_double_lt(fit.distance, 1e-3);
	g_free(x);
}
END_TEST

START_TEST(two_humps_become_values_that_keep_the_mean)
{
	enum { N = 400 };
	double x[N], sum = 0;
	for (int i = 0; i < N; i++) x[i] = i < N / 2 ? 10 + i * 0.01 : 100000 + i;
	for (int i = 0; i < N; i++) sum += x[i];
	struct fit_duration fit;
	fit_duration(x, N, 100, &fit);
	ck_assert_int_eq(fit.fitted.kind, RR_DIST_EMPIRICAL);
	ck_assert_uint_eq(fit.fitted.value_count, 100);
	ck_assert_double_eq_tol(fit.fitted.values[0], 10.015, 1e-9); /* mean of 10.00, .01, .02, .03 */
	ck_assert_double_eq_tol(rr_distribution_mean(&fit.fitted), sum / N, 1e-6);
	ck_assert_double_eq_tol(fit.median_s, (11.99 + 100200) / 2, 1e-9);
	ck_assert_double_gt(fit.lognormal_distance, 0.2);
	ck_assert_double_le(fit.distance, 0.01);
	rr_distribution_done(&fit.fitted);
}
END_TEST

START_TEST(a_tail_with_other_work_is_refused_though_its_shape_fits)
{
	/* Forty of ten thousand jobs are fifty times as long: the distance hardly sees it. */
	const struct rr_distribution d = {.kind = RR_DIST_LOGNORMAL, .a = 100, .b = 1.5};
	enum { N = 10000 };
	double *x = g_new(double, N);
	for (int i = 0; i < N; i++) x[i] = rr_distribution_quantile(&d, (i + 0.5) / N) * (i >= N - 40 ? 50 : 1);
	struct fit_duration fit;
	fit_duration(x, N, 100, &fit);
	ck_assert_double_lt(fit.lognormal_distance, 0.03);
	ck_assert_int_eq(fit.fitted.kind, RR_DIST_EMPIRICAL);
	ck_assert_double_eq_tol(rr_distribution_mean(&fit.fitted), fit.mean_s, 1e-6 * fit.mean_s);
	rr_distribution_done(&fit.fitted);
	g_free(x);
}
END_TEST

START_TEST(equal_run_times_stay_what_they_are)
{
	double x[50];
	for (int i = 0; i < 50; i++) x[i] = 7;
	struct fit_duration fit;
	fit_duration(x, 50, 100, &fit);
	ck_assert_int_eq(fit.fitted.kind, RR_DIST_EMPIRICAL);
	ck_assert_double_eq(rr_distribution_quantile(&fit.fitted, 0.5), 7);
	ck_assert_double_eq(fit.distance, 0);
	rr_distribution_done(&fit.fitted);
}
END_TEST

static struct job_list *draw(const struct workload *w, uint64_t seed, sim_time horizon_ns)
{
	struct work_target target = {rr_jobs_new(), w, 0, false};
	work_draw(&target, seed, horizon_ns);
	rr_jobs_seal(target.list);
	return target.list;
}

static struct size_share sizes[] = {
    {.gpus = 1, .share = 0.7, .has_duration = true, .duration = {.kind = RR_DIST_LOGNORMAL, .a = 1200, .b = 2}},
    {.gpus = 8, .share = 0.3, .has_duration = true, .duration = {.kind = RR_DIST_LOGNORMAL, .a = 20000, .b = 1.2}}};

static struct workload known(void)
{
	struct workload w = {.kind = RR_WORKLOAD_SYNTHETIC};
	w.synthetic.arrivals.rate_per_s = 20 / 3600.0;
	for (int h = 0; h < 168; h++) w.synthetic.arrivals.weights[h] = (h % 24 < 12 ? 0.5 : 1.5);
	w.synthetic.sizes = sizes;
	w.synthetic.size_count = 2;
	return w;
}

START_TEST(fit_of_drawn_work_recovers_its_parameters)
{
	struct workload w = known();
	struct job_list *list = draw(&w, 21, 52 * 7 * RR_NS_PER_DAY);
	struct work_fit *fit = work_fit_new(list, MONDAY_EPOCH_S, 100);
	double n = (double)fit->jobs, rate = 20 / 3600.0;
	ck_assert_int_eq(fit->profile, FIT_WEEK);
	ck_assert_double_eq_tol(fit->arrivals.rate_per_s, rate, Z999 * rate / sqrt(n));
	int outside = 0;
	for (int h = 0; h < 168; h++) {
		double expected = h % 24 < 12 ? 0.5 : 1.5, sd = expected / sqrt(expected * 20 * 52);
		outside += fabs(fit->arrivals.weights[h] - expected) > 1.96 * sd;
	}
	/* 5 % of 168 hours: 8.4, at most 20 in 99.9 % of cases. */
	ck_assert_int_le(outside, 20);
	ck_assert_double_lt(fit->gap_distance, 1.95 / sqrt(n)); /* Kolmogorov, 0.1 % */
	ck_assert_double_eq_tol(fit->gap_variation, 1, Z999 * sqrt(8 / n));
	ck_assert_int_eq(fit->size_count, 2);
	for (int s = 0; s < 2; s++) {
		const struct fit_size *size = &fit->sizes[s];
		double m = (double)size->duration.jobs, sigma = sizes[s].duration.b, p = sizes[s].share;
		ck_assert_int_eq(size->gpus, sizes[s].gpus);
		ck_assert_double_eq_tol(size->share, p, Z999 * sqrt(p * (1 - p) / n));
		ck_assert_int_eq(size->duration.fitted.kind, RR_DIST_LOGNORMAL);
		ck_assert_double_eq_tol(log(size->duration.fitted.a / sizes[s].duration.a), 0, Z999 * sigma / sqrt(m));
		ck_assert_double_eq_tol(size->duration.fitted.b, sigma, Z999 * sigma / sqrt(2 * m));
	}
	work_fit_free(fit);
	rr_jobs_free(list);
}
END_TEST

START_TEST(the_weekday_of_time_zero_turns_the_profile)
{
	struct workload w = known();
	struct job_list *list = draw(&w, 21, 26 * 7 * RR_NS_PER_DAY);
	struct work_fit *monday = work_fit_new(list, MONDAY_EPOCH_S, 100);
	struct work_fit *later = work_fit_new(list, MONDAY_EPOCH_S + 30 * 3600, 100);
	for (int h = 0; h < 168; h++)
		ck_assert_double_eq_tol(monday->arrivals.weights[h], later->arrivals.weights[(h + 30) % 168], 1e-9);
	work_fit_free(monday);
	work_fit_free(later);
	rr_jobs_free(list);
}
END_TEST

START_TEST(short_records_get_no_profile_that_they_cannot_bear)
{
	struct workload w = known();
	struct job_list *day = draw(&w, 2, RR_NS_PER_DAY), *week = draw(&w, 2, 7 * RR_NS_PER_DAY);
	struct work_fit *a = work_fit_new(day, MONDAY_EPOCH_S, 100), *b = work_fit_new(week, MONDAY_EPOCH_S, 100);
	ck_assert_int_eq(a->profile, FIT_FLAT);
	ck_assert_int_eq(b->profile, FIT_DAY);
	ck_assert_double_lt(b->arrivals.weights[3], 1);
	ck_assert_double_gt(b->arrivals.weights[15], 1);
	work_fit_free(a);
	work_fit_free(b);
	rr_jobs_free(day);
	rr_jobs_free(week);
}
END_TEST

static struct job_list *of_sizes(const int32_t *gpus, int count)
{
	struct job_list *list = rr_jobs_new();
	for (int i = 0; i < count; i++) {
		struct job job = {.submit_ns = i * RR_NS_PER_MIN,
				  .duration_ns = (1 + i % 7) * RR_NS_PER_S,
				  .estimate_ns = -1,
				  .gpus = gpus[i],
				  .gpu_milli = 1000};
		rr_jobs_append(list, &job);
	}
	rr_jobs_seal(list);
	return list;
}

START_TEST(rare_sizes_are_counted_with_the_nearest)
{
	int32_t gpus[200];
	for (int i = 0; i < 200; i++) gpus[i] = i < 160 ? 1 + i % 32 : 1000 + i;
	struct job_list *list = of_sizes(gpus, 200);
	struct work_fit *fit = work_fit_new(list, 0, 100);
	ck_assert_int_eq(fit->merged, 40);
	ck_assert_int_eq(fit->size_count, 32);
	ck_assert_int_eq(fit->sizes[31].gpus, 32);
	ck_assert_double_eq_tol(fit->sizes[31].share, 45 / 200.0, 1e-12);
	work_fit_free(fit);
	rr_jobs_free(list);
}
END_TEST

START_TEST(one_job_is_enough_for_a_block)
{
	const int32_t gpus[] = {4};
	struct job_list *list = of_sizes(gpus, 1);
	g_autofree char *yaml = rr_work_fit_yaml(list, MONDAY_EPOCH_S, RR_FIT_VALUES);
	ck_assert_ptr_nonnull(strstr(yaml, "synthetic:\n"));
	ck_assert_ptr_nonnull(strstr(yaml, "    4:\n      share: 100%\n"));
	ck_assert_ptr_null(strstr(yaml, "profile"));
	rr_jobs_free(list);
}
END_TEST

START_TEST(block_says_how_well_it_fits)
{
	struct workload w = known();
	struct job_list *list = draw(&w, 21, 52 * 7 * RR_NS_PER_DAY);
	g_autofree char *yaml = rr_work_fit_yaml(list, MONDAY_EPOCH_S, RR_FIT_VALUES);
	static const char *const parts[] = {"# fitted to 17",
					    " jobs over ",
					    "KS distance 0.0",
					    "variance / mean^2 ",
					    "    profile: # hours of the week",
					    "duration: {lognormal: {median: ",
					    "  duration_max: "};
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		ck_assert_msg(strstr(yaml, parts[i]) != NULL, "no '%s' in\n%s", parts[i], yaml);
	rr_jobs_free(list);
}
END_TEST

RR_TEST_MAIN("fit", lognormal_comes_back_within_its_confidence, two_humps_become_values_that_keep_the_mean,
	     a_tail_with_other_work_is_refused_though_its_shape_fits, equal_run_times_stay_what_they_are,
	     fit_of_drawn_work_recovers_its_parameters, the_weekday_of_time_zero_turns_the_profile,
	     short_records_get_no_profile_that_they_cannot_bear, rare_sizes_are_counted_with_the_nearest,
	     one_job_is_enough_for_a_block, block_says_how_well_it_fits)
