/* fit.h - what recorded jobs look like, in few numbers; private to this folder. */
#ifndef RR_SCENARIOS_WORKLOAD_FIT_H
#define RR_SCENARIOS_WORKLOAD_FIT_H

#include "scenarios/scenarios.h"

/* Run times of some jobs.  A lognormal by maximum likelihood where it fits, else
 * values that each stand for an equal share of the jobs: the mean of these, so
 * that the work in total is kept. */
struct fit_duration {
	int64_t jobs;
	double median_s, mean_s, max_s; /* as recorded */
	struct rr_distribution fitted;  /* seconds; owned */
	double distance;                /* Kolmogorov-Smirnov, recorded against fitted (lognormal: even if refused) */
	double lognormal_distance;
};

struct fit_size {
	int32_t gpus;
	double share;
	bool has_duration; /* enough jobs for run times of their own */
	struct fit_duration duration;
};

enum fit_profile { FIT_FLAT, FIT_DAY, FIT_WEEK };

struct work_fit {
	int64_t jobs, fractional; /* all; those that asked for parts of a GPU */
	double span_s;
	struct rr_arrivals arrivals;
	enum fit_profile profile;
	double gap_distance;  /* Kolmogorov-Smirnov: gaps in the fitted clock against the exponential */
	double gap_variation; /* their variance / mean^2; 1 = Poisson, above = in bursts */
	struct fit_size *sizes;
	int32_t size_count, merged; /* rare sizes counted with the nearest kept one */
	struct fit_duration all;
	double mean_gpu_s; /* GPUs x run time of a job, mean */
};

/* VALUES: most values of an empirical distribution. */
struct work_fit *work_fit_new(const struct job_list *jobs, int64_t start_epoch_s, int values);
void work_fit_free(struct work_fit *fit);

/* Run times SORTED_S (ascending, above 0), COUNT of them, at least 1. */
void fit_duration(const double *sorted_s, size_t count, int values, struct fit_duration *out);

/* Arrivals part of FIT, whose jobs and span_s are known. */
void fit_arrivals(const struct job_list *jobs, int64_t start_epoch_s, struct work_fit *fit);

#endif
