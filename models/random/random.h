/* random.h - streams of luck that belong to a thing, not to a program.
 *
 * A stream is keyed by (seed, purpose, entity) and counter-based (Philox4x32-10,
 * Salmon et al., SC 2011): the n-th number of a stream does not depend on who
 * else draws.  Two fleets, two policies, two threads therefore see the same
 * arrivals and the same failures.  A stream is a small value: copy it to
 * replay it, no allocation.  rr_stream_gsl() puts a stream behind GSL's
 * generator interface, so that every GSL distribution runs on it. */
#ifndef RR_MODELS_RANDOM_H
#define RR_MODELS_RANDOM_H

#include <glib.h>
#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a stream is for.  Never renumber: it would change every result. */
enum rr_purpose {
	RR_PURPOSE_TEST = 1,
	RR_PURPOSE_ARRIVAL = 2,
	RR_PURPOSE_JOB = 3, /* size, duration and the rest of one synthetic job */
	RR_PURPOSE_BOOT = 4,
	RR_PURPOSE_PLACEMENT = 5,
	RR_PURPOSE_FAILURE = 6,
	RR_PURPOSE_REPAIR = 7,
	RR_PURPOSE_PRICE = 8,
	RR_PURPOSE_ESTIMATE = 9,
	RR_PURPOSE_LABEL = 10 /* tenant and priority of one synthetic job */
};

struct rr_stream {
	uint32_t key[2];
	uint32_t counter[4];
	uint32_t out[4];
	uint32_t left; /* unused words of out */
};

/* The seed of replication R (0, 1, ...) of a scenario with SEED. */
uint64_t rr_replication_seed(uint64_t seed, int replication);

void rr_stream_init(struct rr_stream *stream, uint64_t seed, enum rr_purpose purpose, uint64_t entity);
uint32_t rr_stream_u32(struct rr_stream *stream);
uint64_t rr_stream_u64(struct rr_stream *stream);
double rr_stream_unit(struct rr_stream *stream); /* open interval (0, 1), 53 bits */
/* Standard normal, from two numbers (Box and Muller, Ann. Math. Statist. 29, 1958). */
double rr_stream_normal(struct rr_stream *stream);

/* A GSL generator whose state is STREAM: draws advance STREAM.  RNG is filled
 * in and valid as long as STREAM is; nothing to free. */
void rr_stream_gsl(struct rr_stream *stream, gsl_rng *rng);

enum rr_distribution_kind {
	RR_DIST_CONSTANT,    /* value */
	RR_DIST_UNIFORM,     /* min, max */
	RR_DIST_EXPONENTIAL, /* mean */
	RR_DIST_WEIBULL,     /* scale, shape */
	RR_DIST_LOGNORMAL,   /* median, sigma of the logarithm */
	RR_DIST_GAMMA,       /* shape, scale */
	RR_DIST_PARETO,      /* min, shape */
	RR_DIST_ERLANG,      /* phases (integer), mean */
	RR_DIST_EMPIRICAL    /* sorted values, drawn by inverse of the step function */
};

/* Parameters in the order named above, in the caller's unit. */
struct rr_distribution {
	enum rr_distribution_kind kind;
	double a, b;
	double *values; /* empirical only: sorted, owned */
	size_t value_count;
	char *file; /* empirical only: where the values came from, owned */
};

double rr_distribution_draw(const struct rr_distribution *d, struct rr_stream *stream);
double rr_distribution_mean(const struct rr_distribution *d); /* INFINITY where it has none */
double rr_distribution_quantile(const struct rr_distribution *d, double p);
void rr_distribution_done(struct rr_distribution *d);

/* Lognormal from two quantiles: the median and the 95th percentile. */
struct rr_distribution rr_lognormal_from_median_p95(double median, double p95);

/* One row per kind: name, parameters, one line of help (for the catalogue). */
struct rr_distribution_row {
	const char *name;
	enum rr_distribution_kind kind;
	const char *parameters;
	const char *about;
};
const struct rr_distribution_row *rr_distribution_rows(size_t *count);

/* Arrivals with a rate that changes through the week: a Poisson process with a
 * piecewise-constant rate, drawn exactly by time change (no thinning). Rates
 * are RATE_PER_S times WEIGHTS[hour of week], weights scaled to mean 1. */
struct rr_arrivals {
	double rate_per_s;
	double weights[168];            /* Monday 00:00 first, mean 1 */
	double start_hour;              /* hour of week at time 0 */
	double burst_on_s, burst_off_s; /* mean lengths of exponential on/off phases; 0 = always on */
	double growth_per_year;         /* rate grows as (1 + g)^(t / 1 y) */
};
struct rr_arrival_state {
	double at_s;
	bool on;
	double phase_ends_s;
	struct rr_stream *stream;
};
void rr_arrivals_begin(const struct rr_arrivals *a, struct rr_stream *stream, struct rr_arrival_state *state);
/* The next arrival in seconds since time 0. With bursts the mean rate over on
 * and off time stays RATE_PER_S.  INFINITY when the rate is 0 for good. */
double rr_arrivals_next(const struct rr_arrivals *a, struct rr_arrival_state *state);

#endif
