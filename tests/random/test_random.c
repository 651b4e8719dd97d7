/* Streams, distributions and arrivals against published and textbook values. */
#include "models/random/philox.h"
#include "models/random/random.h"
#include "tests/support/test.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* 99.9 % two-sided. */
#define Z_999 3.2905267314919255

START_TEST(philox_gives_the_published_known_answers)
{
	/* Random123 1.14, tests/kat_vectors: philox4x32 10, counter, key, result. */
	static const struct {
		uint32_t counter[4], key[2], out[4];
	} cases[] = {
	    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
	    {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
	     {UINT32_MAX, UINT32_MAX},
	     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
	    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
	     {0xa4093822, 0x299f31d0},
	     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		uint32_t out[4];
		rr_philox4x32(cases[i].counter, cases[i].key, out);
		for (int word = 0; word < 4; word++) ck_assert_uint_eq(out[word], cases[i].out[word]);
	}
}
END_TEST

START_TEST(a_stream_does_not_depend_on_who_else_draws)
{
	struct rr_stream alone, first, second;
	rr_stream_init(&alone, 7, RR_PURPOSE_JOB, 3);
	rr_stream_init(&first, 7, RR_PURPOSE_JOB, 3);
	rr_stream_init(&second, 7, RR_PURPOSE_JOB, 4);
	for (int n = 0; n < 1000; n++) {
		for (int other = 0; other < n % 5; other++) (void)rr_stream_u32(&second);
		ck_assert_uint_eq(rr_stream_u64(&first), rr_stream_u64(&alone));
	}
}
END_TEST

START_TEST(a_copied_stream_replays)
{
	struct rr_stream stream;
	rr_stream_init(&stream, 7, RR_PURPOSE_JOB, 3);
	(void)rr_stream_u32(&stream);
	struct rr_stream copy = stream;
	for (int n = 0; n < 100; n++) ck_assert_uint_eq(rr_stream_u32(&copy), rr_stream_u32(&stream));
}
END_TEST

START_TEST(no_two_streams_begin_alike)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	int streams = 0;
	for (uint64_t seed = 0; seed < 20; seed++)
		for (int purpose = RR_PURPOSE_TEST; purpose <= RR_PURPOSE_ESTIMATE; purpose++)
			for (uint64_t entity = 0; entity < 100; entity++, streams++) {
				struct rr_stream stream;
				rr_stream_init(&stream, seed, (enum rr_purpose)purpose, entity << (entity % 2 * 32));
				uint64_t first = rr_stream_u64(&stream);
				g_hash_table_add(seen, g_memdup2(&first, sizeof first));
			}
	ck_assert_uint_eq(g_hash_table_size(seen), (guint)streams);
}
END_TEST

START_TEST(replications_have_seeds_of_their_own)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	for (uint64_t seed = 0; seed < 50; seed++)
		for (int replication = 0; replication < 50; replication++) {
			uint64_t own = rr_replication_seed(seed, replication);
			ck_assert_uint_eq(own, rr_replication_seed(seed, replication));
			g_hash_table_add(seen, g_memdup2(&own, sizeof own));
		}
	ck_assert_uint_eq(g_hash_table_size(seen), 2500);
}
END_TEST

START_TEST(gsl_draws_advance_the_stream)
{
	struct rr_stream stream, same;
	gsl_rng rng;
	rr_stream_init(&stream, 1, RR_PURPOSE_TEST, 0);
	same = stream;
	rr_stream_gsl(&stream, &rng);
	ck_assert_uint_eq(gsl_rng_get(&rng), rr_stream_u32(&same));
	ck_assert_double_eq(gsl_rng_uniform(&rng), rr_stream_unit(&same));
	ck_assert_uint_eq(gsl_rng_max(&rng), UINT32_MAX);
}
END_TEST

/* Every distribution once, with moments to hold it to. VARIANCE NAN = not
 * finite or its estimate is too wide to say anything. */
struct sample_case {
	struct rr_distribution d;
	double mean, variance, kurtosis; /* kurtosis: fourth central moment / variance^2 */
};

static double four_values[] = {1, 2, 2, 7};

static const struct sample_case cases[] = {
    {{RR_DIST_UNIFORM, 2, 5, NULL, 0, NULL}, 3.5, 0.75, 1.8},
    {{RR_DIST_EXPONENTIAL, 3, 0, NULL, 0, NULL}, 3, 9, 9},
    {{RR_DIST_WEIBULL, 2, 2, NULL, 0, NULL}, 1.772453850905516, 0.8584073464102064, 3.245089300687638},
    {{RR_DIST_LOGNORMAL, 2, 0.25, NULL, 0, NULL}, 2.0634868149982055, 0.27461597659586706, 4.09593127473018},
    {{RR_DIST_GAMMA, 2.5, 2, NULL, 0, NULL}, 5, 10, 5.4},
    {{RR_DIST_GAMMA, 0.5, 2, NULL, 0, NULL}, 1, 2, 15},
    {{RR_DIST_PARETO, 1, 10, NULL, 0, NULL}, 1.1111111111111112, 0.015432098765432098, 17.828571428571429},
    {{RR_DIST_ERLANG, 4, 2, NULL, 0, NULL}, 2, 1, 4.5},
    {{RR_DIST_EMPIRICAL, 0, 0, four_values, 4, NULL}, 3, 5.5, 2.2644628099173554},
};

START_TEST(draws_have_the_mean_and_variance_of_their_distribution)
{
	enum { N = 200000 };
	for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
		struct rr_stream stream;
		rr_stream_init(&stream, 11, RR_PURPOSE_TEST, c);
		double sum = 0, squares = 0;
		for (int n = 0; n < N; n++) {
			double x = rr_distribution_draw(&cases[c].d, &stream) - cases[c].mean;
			sum += x;
			squares += x * x;
		}
		double mean_limit = Z_999 * sqrt(cases[c].variance / N);
		double variance_limit = Z_999 * cases[c].variance * sqrt((cases[c].kurtosis - 1) / N);
		ck_assert_double_eq_tol(rr_distribution_mean(&cases[c].d), cases[c].mean, 1e-12 * cases[c].mean);
		ck_assert_msg(fabs(sum / N) < mean_limit, "case %zu: mean is off by %g", c, sum / N);
		ck_assert_msg(fabs(squares / N - cases[c].variance) < variance_limit, "case %zu: variance %g", c,
			      squares / N);
	}
}
END_TEST

static double cdf(const struct rr_distribution *d, double x)
{
	switch (d->kind) {
	case RR_DIST_UNIFORM: return gsl_cdf_flat_P(x, d->a, d->b);
	case RR_DIST_EXPONENTIAL: return gsl_cdf_exponential_P(x, d->a);
	case RR_DIST_WEIBULL: return gsl_cdf_weibull_P(x, d->a, d->b);
	case RR_DIST_LOGNORMAL: return gsl_cdf_lognormal_P(x, log(d->a), d->b);
	case RR_DIST_GAMMA: return gsl_cdf_gamma_P(x, d->a, d->b);
	case RR_DIST_PARETO: return gsl_cdf_pareto_P(x, d->b, d->a);
	case RR_DIST_ERLANG: return gsl_cdf_gamma_P(x, d->a, d->b / d->a);
	default: return NAN;
	}
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

START_TEST(draws_follow_their_distribution)
{
	/* Kolmogorov-Smirnov; D < 1.9495 / sqrt(n) at 99.9 % (Kolmogorov's limit law). */
	enum { N = 20000 };
	static double x[N];
	for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
		if (cases[c].d.kind == RR_DIST_EMPIRICAL) continue;
		struct rr_stream stream;
		rr_stream_init(&stream, 13, RR_PURPOSE_TEST, c);
		for (int n = 0; n < N; n++) x[n] = rr_distribution_draw(&cases[c].d, &stream);
		qsort(x, N, sizeof *x, by_size);
		double worst = 0;
		for (int n = 0; n < N; n++) {
			double p = cdf(&cases[c].d, x[n]);
			worst = MAX(worst, MAX(p - (double)n / N, (double)(n + 1) / N - p));
		}
		ck_assert_msg(worst < 1.9495 / sqrt(N), "case %zu: distance %g", c, worst);
	}
}
END_TEST

START_TEST(quantiles_invert_the_distribution)
{
	for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
		if (cases[c].d.kind == RR_DIST_EMPIRICAL) continue;
		for (double p = 0.001; p < 1; p += 0.037)
			ck_assert_double_eq_tol(cdf(&cases[c].d, rr_distribution_quantile(&cases[c].d, p)), p, 1e-9);
	}
}
END_TEST

START_TEST(gamma_quantiles_are_found_for_extreme_shapes)
{
	static const double shapes[] = {0.01, 0.05, 0.3, 1, 7, 150, 1e4, 1e5};
	for (size_t s = 0; s < G_N_ELEMENTS(shapes); s++) {
		struct rr_distribution d = {.kind = RR_DIST_GAMMA, .a = shapes[s], .b = 3};
		double before = 0;
		for (double p = 0.01; p < 1; p += 0.07) {
			double x = rr_distribution_quantile(&d, p);
			ck_assert_double_eq_tol(gsl_cdf_gamma_P(x, d.a, d.b), p, 1e-6);
			ck_assert_double_ge(x, before);
			before = x;
		}
		ck_assert_double_eq(rr_distribution_quantile(&d, 0), 0);
		ck_assert(isinf(rr_distribution_quantile(&d, 1)));
	}
}
END_TEST

START_TEST(quantiles_of_very_large_shapes_are_nearly_normal)
{
	/* Cornish-Fisher: z + (z^2 - 1) / (3 sqrt(shape)) to order 1 / shape. */
	double shape = 1e8;
	struct rr_distribution d = {.kind = RR_DIST_ERLANG, .a = shape, .b = shape};
	for (double p = 0.01; p < 1; p += 0.07) {
		double z = gsl_cdf_ugaussian_Pinv(p);
		double got = (rr_distribution_quantile(&d, p) - shape) / sqrt(shape);
		ck_assert_double_eq_tol(got, z + (z * z - 1) / (3 * sqrt(shape)), 1e-6);
	}
}
END_TEST

START_TEST(empirical_quantiles_are_values_that_were_given)
{
	struct rr_distribution d = {.kind = RR_DIST_EMPIRICAL, .values = four_values, .value_count = 4};
	ck_assert_double_eq(rr_distribution_quantile(&d, 0), 1);
	ck_assert_double_eq(rr_distribution_quantile(&d, 0.25), 1);
	ck_assert_double_eq(rr_distribution_quantile(&d, 0.26), 2);
	ck_assert_double_eq(rr_distribution_quantile(&d, 0.75), 2);
	ck_assert_double_eq(rr_distribution_quantile(&d, 1), 7);
}
END_TEST

START_TEST(a_pareto_without_a_mean_says_so)
{
	struct rr_distribution d = {.kind = RR_DIST_PARETO, .a = 1, .b = 1};
	ck_assert(isinf(rr_distribution_mean(&d)));
}
END_TEST

START_TEST(a_lognormal_has_the_quantiles_that_it_was_made_from)
{
	struct rr_distribution d = rr_lognormal_from_median_p95(1800, 72000);
	ck_assert_double_eq_tol(rr_distribution_quantile(&d, 0.5), 1800, 1e-6);
	ck_assert_double_eq_tol(rr_distribution_quantile(&d, 0.95), 72000, 1e-5);
}
END_TEST

START_TEST(every_distribution_has_a_row)
{
	size_t count = 0;
	const struct rr_distribution_row *rows = rr_distribution_rows(&count);
	ck_assert_uint_eq(count, RR_DIST_EMPIRICAL + 1);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(rows[i].kind, i);
		ck_assert_uint_gt(strlen(rows[i].name), 0);
		ck_assert_uint_gt(strlen(rows[i].about), 0);
	}
}
END_TEST

/* Weights of mean 1: nights of 0, mornings of 0.5, working hours above. */
static struct rr_arrivals office_hours(double rate_per_s)
{
	struct rr_arrivals a = {.rate_per_s = rate_per_s, .start_hour = 30.5};
	double sum = 0;
	for (int h = 0; h < 168; h++) sum += a.weights[h] = h % 24 < 6 ? 0 : h % 24 < 9 ? 0.5 : 1 + h / 24;
	for (int h = 0; h < 168; h++) a.weights[h] *= 168 / sum;
	return a;
}

START_TEST(arrivals_follow_the_hours_of_the_week)
{
	enum { WEEKS = 40 };
	struct rr_arrivals a = office_hours(10.0 / 3600);
	struct rr_stream stream;
	struct rr_arrival_state state;
	int64_t counts[168] = {0};
	rr_stream_init(&stream, 17, RR_PURPOSE_ARRIVAL, 0);
	rr_arrivals_begin(&a, &stream, &state);
	double before = 0;
	for (double t = rr_arrivals_next(&a, &state); t < WEEKS * 604800.0; t = rr_arrivals_next(&a, &state)) {
		ck_assert_double_gt(t, before);
		before = t;
		counts[(int)floor(t / 3600 + a.start_hour) % 168]++;
	}
	double chi = 0, kinds = 0;
	for (int h = 0; h < 168; h++) {
		double expected = 10.0 * a.weights[h] * WEEKS;
		if (expected == 0) {
			ck_assert_int_eq(counts[h], 0);
			continue;
		}
		chi += ((double)counts[h] - expected) * ((double)counts[h] - expected) / expected;
		kinds++;
	}
	ck_assert_double_lt(chi, gsl_cdf_chisq_Pinv(0.999, kinds));
	ck_assert_double_gt(chi, gsl_cdf_chisq_Pinv(0.001, kinds));
}
END_TEST

START_TEST(a_constant_rate_gives_exponential_gaps)
{
	enum { N = 20000 };
	static double gaps[N];
	struct rr_arrivals a = {.rate_per_s = 0.01};
	for (int h = 0; h < 168; h++) a.weights[h] = 1;
	struct rr_stream stream;
	struct rr_arrival_state state;
	rr_stream_init(&stream, 19, RR_PURPOSE_ARRIVAL, 0);
	rr_arrivals_begin(&a, &stream, &state);
	double before = 0;
	for (int n = 0; n < N; n++) {
		double t = rr_arrivals_next(&a, &state);
		gaps[n] = t - before;
		before = t;
	}
	qsort(gaps, N, sizeof *gaps, by_size);
	double worst = 0;
	for (int n = 0; n < N; n++) {
		double p = gsl_cdf_exponential_P(gaps[n], 100);
		worst = MAX(worst, MAX(p - (double)n / N, (double)(n + 1) / N - p));
	}
	ck_assert_double_lt(worst, 1.9495 / sqrt(N));
}
END_TEST

/* Arrivals before END_S. */
static double count_until(const struct rr_arrivals *a, uint64_t entity, double end_s)
{
	struct rr_stream stream;
	struct rr_arrival_state state;
	double count = 0;
	rr_stream_init(&stream, 23, RR_PURPOSE_ARRIVAL, entity);
	rr_arrivals_begin(a, &stream, &state);
	while (rr_arrivals_next(a, &state) < end_s) count++;
	return count;
}

START_TEST(bursts_keep_the_mean_rate)
{
	enum { RUNS = 200 };
	struct rr_arrivals a = office_hours(20.0 / 3600);
	for (int h = 0; h < 168; h++) a.weights[h] = 1;
	a.burst_on_s = 900;
	a.burst_off_s = 2700;
	double sum = 0, squares = 0, expected = 20.0 * 168;
	for (int run = 0; run < RUNS; run++) {
		double count = count_until(&a, (uint64_t)run, 604800);
		sum += count;
		squares += count * count;
	}
	double mean = sum / RUNS, variance = (squares - RUNS * mean * mean) / (RUNS - 1);
	ck_assert_double_eq_tol(mean, expected, Z_999 * sqrt(variance / RUNS));
	/* Arrivals in on phases only: far more spread than a Poisson count, whose
	 * variance is its mean. Two-state process: variance / mean grows to
	 * 1 + 2 rate off^2 / (on + off) (Fischer, Meier-Hellstern, 1993). */
	double ratio = 1 + 2 * a.rate_per_s * 2700.0 * 2700.0 / 3600.0;
	ck_assert_double_gt(variance / mean, 0.7 * ratio);
	ck_assert_double_lt(variance / mean, 1.4 * ratio);
}
END_TEST

START_TEST(growth_compounds_by_the_year)
{
	enum { RUNS = 40 };
	struct rr_arrivals a = office_hours(2.0 / 3600);
	a.growth_per_year = 0.5;
	double sum = 0, year = 365 * 86400.0;
	for (int run = 0; run < RUNS; run++) sum += count_until(&a, (uint64_t)run, 2 * year);
	/* Integral of 1.5^t over two years, weights of mean 1; the year is not a
	 * whole number of weeks, hence half a day's work of slack. */
	double expected = RUNS * 2.0 * 8760 * (1.5 * 1.5 - 1) / log(1.5);
	ck_assert_double_eq_tol(sum, expected, Z_999 * sqrt(expected) + RUNS * 24);
}
END_TEST

START_TEST(no_rate_means_no_arrival)
{
	struct rr_arrivals none = office_hours(0), weightless = {.rate_per_s = 1};
	struct rr_stream stream;
	struct rr_arrival_state state;
	rr_stream_init(&stream, 1, RR_PURPOSE_ARRIVAL, 0);
	rr_arrivals_begin(&none, &stream, &state);
	ck_assert(isinf(rr_arrivals_next(&none, &state)));
	struct rr_arrivals dying = office_hours(1);
	dying.growth_per_year = -1;
	rr_arrivals_begin(&dying, &stream, &state);
	ck_assert(isinf(rr_arrivals_next(&dying, &state)));
	rr_arrivals_begin(&weightless, &stream, &state);
	ck_assert(isinf(rr_arrivals_next(&weightless, &state)));
	ck_assert(isinf(rr_arrivals_next(&weightless, &state)));
}
END_TEST

RR_TEST_MAIN("random", philox_gives_the_published_known_answers, a_stream_does_not_depend_on_who_else_draws,
	     a_copied_stream_replays, no_two_streams_begin_alike, replications_have_seeds_of_their_own,
	     gsl_draws_advance_the_stream, draws_have_the_mean_and_variance_of_their_distribution,
	     draws_follow_their_distribution, quantiles_invert_the_distribution,
	     gamma_quantiles_are_found_for_extreme_shapes, quantiles_of_very_large_shapes_are_nearly_normal,
	     empirical_quantiles_are_values_that_were_given, a_pareto_without_a_mean_says_so,
	     a_lognormal_has_the_quantiles_that_it_was_made_from, every_distribution_has_a_row,
	     arrivals_follow_the_hours_of_the_week, a_constant_rate_gives_exponential_gaps, bursts_keep_the_mean_rate,
	     growth_compounds_by_the_year, no_rate_means_no_arrival)
