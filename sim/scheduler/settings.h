/* settings.h - the parameters of policies: one row each (struct rr_parameter),
 * read from "name=value" options into one struct. Private to the scheduler. */
#ifndef RR_SIM_SCHEDULER_SETTINGS_H
#define RR_SIM_SCHEDULER_SETTINGS_H

#include "scenarios/scenarios.h"

enum { RR_STEPS_MOST = 8 };

/* So much for jobs of up to so many GPUs; the last row holds for all above. */
struct rr_by_size {
	int32_t count;
	int32_t gpus[RR_STEPS_MOST];
	sim_time ns[RR_STEPS_MOST];
};
sim_time rr_by_size_ns(const struct rr_by_size *rows, int32_t gpus);

enum rr_wake { RR_WAKE_EXACT, RR_WAKE_LATE };
enum rr_belief { RR_BELIEVE_USER, RR_BELIEVE_PERFECT, RR_BELIEVE_ERROR };
enum rr_forecast { RR_FORECAST_ESTIMATE, RR_FORECAST_PRIORITY, RR_FORECAST_HISTORY, RR_FORECAST_ERROR };
enum rr_ties { RR_TIES_SUBMIT, RR_TIES_WAITING_FIRST };

struct rr_settings {
	/* orders */
	sim_time quantum_ns;
	int32_t level_count;
	int64_t levels_us[RR_STEPS_MOST]; /* limits of attained service, GPU-microseconds */
	int32_t wake;                     /* enum rr_wake */
	double promote;
	sim_time every_ns, half_life_ns, ageing_ns, age_most_ns;
	double weight_age, weight_size, weight_share, weight_priority;
	int32_t predictor; /* enum rr_forecast */
	double prediction_error;
	int32_t newcomers_by_size;
	int32_t ties; /* enum rr_ties */
	/* backfills */
	int32_t reservations;
	int32_t belief; /* enum rr_belief */
	double estimate_error;
	/* pre-emption */
	struct rr_by_size restore, save;
	sim_time min_run_ns, round_ns, linger_ns;
	/* allocation */
	int32_t allocate;
	double resize_penalty;
};

/* How a parameter is read; the offset says where it goes. */
enum rr_parameter_kind {
	RR_PARAMETER_DURATION, /* sim_time */
	RR_PARAMETER_NUMBER,   /* double, 0 or more */
	RR_PARAMETER_COUNT,    /* int32_t, 1 or more */
	RR_PARAMETER_CHOICE,   /* int32_t; shape = "one|two" */
	RR_PARAMETER_LEVELS,   /* level_count and levels_us: "3250s/7200s" of one GPU */
	RR_PARAMETER_BY_SIZE,  /* "1:7s/8:30s/more:60s", or one duration for all */
	RR_PARAMETER_SPAN      /* sim_time of 1 ms or more: after each something happens again */
};
#define RR_PARAMETERS_END                                                                                              \
	{                                                                                                              \
		NULL, NULL, NULL, NULL, 0, 0                                                                           \
	}

/* Parameters that several words have. */
extern const struct rr_parameter rr_estimate_parameters[];

/* Defaults of WORDS (NULL-terminated), then OPTIONS. False and ERROR when an
 * option is none of their parameters or cannot be read. */
bool rr_settings_read(struct rr_settings *settings, const struct rr_word *const *words, char **options, GError **error);

#endif
