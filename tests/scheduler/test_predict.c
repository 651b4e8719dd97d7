/* Predictions from histories worked by hand, errors against their law. */
#include "sim/scheduler/predict.h"
#include "tests/support/test.h"

#include <math.h>

static void asks(const struct rr_predictor *p, uint32_t user, const char *name, int32_t gpus, double expected_s,
		 enum rr_predict_source expected)
{
	enum rr_predict_source source;
	double got = rr_predict_ask(p, user, name, gpus, 77, &source);
	ck_assert_int_eq(source, expected);
	ck_assert_msg(fabs(got - expected_s) < 1e-9, "%.12g, expected %.12g", got, expected_s);
	ck_assert(rr_predict_ask(p, user, name, gpus, 77, NULL) == got);
}

START_TEST(nearest_history_answers)
{
	struct rr_predictor *p = rr_predict_new(1);
	asks(p, 1, "train_a", 8, 77, RR_PREDICT_NOTHING);
	rr_predict_learn(p, 1, "train_a", 8, 100);
	rr_predict_learn(p, 1, "train_a", 4, 200);
	rr_predict_learn(p, 1, "train_b", 8, 600);
	rr_predict_learn(p, 1, NULL, 4, 1000);
	rr_predict_learn(p, 2, "x", 2, 50);
	asks(p, 1, "train_a", 1, 150, RR_PREDICT_NAME);
	asks(p, 1, "train_c", 1, 300, RR_PREDICT_SIMILAR_NAME); /* a, a, b share train_ */
	asks(p, 1, "eval", 4, 600, RR_PREDICT_USER_GPUS);       /* 200, 1000 */
	asks(p, 1, NULL, 8, 350, RR_PREDICT_USER_GPUS);         /* 100, 600 */
	asks(p, 1, "", 2, 475, RR_PREDICT_USER);
	asks(p, 3, "train_a", 2, 50, RR_PREDICT_GPUS); /* another's name says nothing */
	asks(p, 3, "train_a", 16, 390, RR_PREDICT_ALL);
	rr_predict_free(p);
}
END_TEST

/* Decay 1/2: (100/4 + 200/2 + 400) / (1/4 + 1/2 + 1) = 525 / 1.75 = 300. */
START_TEST(recent_jobs_weigh_more)
{
	struct rr_predictor *p = rr_predict_new(0.5);
	rr_predict_learn(p, 1, "job", 1, 100);
	rr_predict_learn(p, 1, "job", 1, 200);
	rr_predict_learn(p, 1, "job", 1, 400);
	asks(p, 1, "job", 1, 300, RR_PREDICT_NAME);
	asks(p, 1, "other", 1, 300, RR_PREDICT_USER_GPUS);
	rr_predict_free(p);
}
END_TEST

/* "resnet-17" shares 7 of the 9 bytes of "resnet-99", 6 of the 12 of "resnetlarge1",
 * 5 of the 11 of "resnextbig1" (too few). */
START_TEST(half_of_the_name_makes_it_similar)
{
	struct rr_predictor *p = rr_predict_new(1);
	rr_predict_learn(p, 1, "resnet-17", 1, 10);
	asks(p, 1, "resnet-99", 2, 10, RR_PREDICT_SIMILAR_NAME);
	asks(p, 1, "resnetlarge1", 2, 10, RR_PREDICT_SIMILAR_NAME);
	asks(p, 1, "resnextbig1", 2, 10, RR_PREDICT_USER);
	asks(p, 1, "resnet", 2, 10, RR_PREDICT_SIMILAR_NAME); /* a start, not the name */
	asks(p, 1, "resnet-171", 2, 10, RR_PREDICT_SIMILAR_NAME);
	rr_predict_free(p);
}
END_TEST

START_TEST(no_error_is_the_truth)
{
	for (uint64_t job = 0; job < 50; job++) ck_assert(rr_predict_blurred(123.5, 0, 7, job) == 123.5);
}
END_TEST

/* The logarithm of the error has mean 0 and deviation SIGMA: five standard errors. */
START_TEST(error_is_lognormal_around_the_truth_and_the_jobs_own)
{
	enum { JOBS = 20000 };
	const double sigma = 0.7;
	double sum = 0, squares = 0;
	for (uint64_t job = 0; job < JOBS; job++) {
		double error = log(rr_predict_blurred(1000, sigma, 7, job) / 1000);
		sum += error;
		squares += error * error;
		ck_assert(fabs(log(rr_predict_blurred(5, sigma, 7, job) / 5) - error) < 1e-12);
	}
	ck_assert(fabs(sum / JOBS) < 5 * sigma / sqrt(JOBS));
	ck_assert(fabs(sqrt(squares / JOBS) - sigma) < 5 * sigma / sqrt(2.0 * JOBS));
	ck_assert(rr_predict_blurred(1000, sigma, 7, 1) != rr_predict_blurred(1000, sigma, 7, 2));
	ck_assert(rr_predict_blurred(1000, sigma, 7, 1) != rr_predict_blurred(1000, sigma, 8, 1));
}
END_TEST

RR_TEST_MAIN("predict", nearest_history_answers, recent_jobs_weigh_more, half_of_the_name_makes_it_similar,
	     no_error_is_the_truth, error_is_lognormal_around_the_truth_and_the_jobs_own)
