/* predict.h - how long a job will run, from what ended before it.
 *
 * QSSF (Hu et al., SC 2021, section 4.2) orders jobs by predicted GPU time, the
 * GPUs asked for times a prediction of the duration. Its rolling estimate looks at
 * the nearest past jobs that there are; here, in this order:
 *   1. the same user's jobs of the same name
 *   2. the same user's jobs whose names share the longest start with it, when that
 *      is at least half of the name
 *   3. the same user's jobs with as many GPUs
 *   4. the same user's jobs
 *   5. everybody's jobs with as many GPUs
 *   6. everybody's jobs
 * and takes their mean, in which the last one weighs 1, the one before it DECAY, then
 * DECAY squared and so on. Feed it as jobs end: it knows nothing of the future, and
 * the answers do not depend on anything but the order of learning.
 *
 * Leaves out: the paper's second estimate, by gradient-boosted trees, and its
 * clustering of names by edit distance, for which the common start stands in. */
#ifndef RR_SIM_SCHEDULER_PREDICT_H
#define RR_SIM_SCHEDULER_PREDICT_H

#include <stdint.h>

struct rr_predictor;

enum rr_predict_source {
	RR_PREDICT_NAME,
	RR_PREDICT_SIMILAR_NAME,
	RR_PREDICT_USER_GPUS,
	RR_PREDICT_USER,
	RR_PREDICT_GPUS,
	RR_PREDICT_ALL,
	RR_PREDICT_NOTHING
};

struct rr_predictor *rr_predict_new(double decay); /* 0 < DECAY <= 1 */
void rr_predict_free(struct rr_predictor *predictor);

/* A job has ended. NAME is copied; NULL or "" = has none. Costs the name's length. */
void rr_predict_learn(struct rr_predictor *predictor, uint32_t user, const char *name, int32_t gpus, double duration_s);

/* The duration in seconds to be expected, and in *SOURCE (may be NULL) from what.
 * OTHERWISE_S when nothing has been learnt. */
double rr_predict_ask(const struct rr_predictor *predictor, uint32_t user, const char *name, int32_t gpus,
		      double otherwise_s, enum rr_predict_source *source);

/* A prediction of known quality: TRUTH_S times exp(SIGMA * z) with z standard normal
 * from JOB's own stream under SEED, so that every policy sees the same error. The
 * median is the truth; SIGMA 0 gives it exactly. */
double rr_predict_blurred(double truth_s, double sigma, uint64_t seed, uint64_t job);

#endif
