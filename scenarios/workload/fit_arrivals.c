/* fit_arrivals.c - the rate of submits by hour of the week.
 *
 * Rate of an hour = submits in it / time of the record that falls into it: the
 * maximum likelihood of a Poisson process with a piecewise-constant rate.  A week
 * is told apart by the hour when the record holds two weeks and ten submits an
 * hour of the week on average, else a day likewise, else one rate is all.  How
 * well: with that rate's integral as the clock, gaps would be exponential with
 * mean 1. */
#include "scenarios/workload/fit.h"

#include <math.h>
#include <stdlib.h>

enum { WEEK_HOURS = 168, DAY_HOURS = 24, SUBMITS_PER_HOUR = 10 };
#define HOUR_S 3600.0
#define DAY_S  86400.0

/* The week's hours begin on Monday; 1970-01-01 was a Thursday. */
#define EPOCH_HOUR (3 * DAY_HOURS)

static int slot(const struct work_fit *fit, int64_t hour)
{
	int of_week = (int)(((hour % WEEK_HOURS) + WEEK_HOURS) % WEEK_HOURS);
	return fit->profile == FIT_WEEK ? of_week : fit->profile == FIT_DAY ? of_week % DAY_HOURS : 0;
}

static double hour_of(const struct job_list *jobs, size_t i, int64_t start_epoch_s)
{
	double epoch_s = (double)jobs->jobs[i].submit_ns / (double)RR_NS_PER_S + (double)start_epoch_s;
	return epoch_s / HOUR_S + EPOCH_HOUR;
}

/* Hours of the record, from the first submit to one mean gap after the last,
 * that fall into each slot. */
static void expose(const struct work_fit *fit, double from, double to, double *hours)
{
	for (double at = from; at < to;) {
		double end = fmin(floor(at) + 1, to);
		hours[slot(fit, (int64_t)floor(at))] += end - at;
		at = end;
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Integral of the fitted rate from hour FROM to TO. */
static double expected(const struct work_fit *fit, double from, double to)
{
	double sum = 0;
	for (double at = from; at < to;) {
		double end = fmin(floor(at) + 1, to);
		int of_week = (int)fmod(floor(at), WEEK_HOURS);
		sum += (end - at) * HOUR_S * fit->arrivals.rate_per_s * fit->arrivals.weights[of_week];
		at = end;
	}
	return sum;
}

static void judge_gaps(const struct job_list *jobs, int64_t start_epoch_s, struct work_fit *fit)
{
	fit->gap_distance = fit->gap_variation = NAN;
	if (jobs->count < 3 || fit->arrivals.rate_per_s <= 0) return;
	size_t count = jobs->count - 1;
	double *gaps = g_new(double, count), mean = 0, square = 0;
	for (size_t i = 0; i < count; i++) {
		gaps[i] = expected(fit, hour_of(jobs, i, start_epoch_s), hour_of(jobs, i + 1, start_epoch_s));
		double d = gaps[i] - mean;
		mean += d / (double)(i + 1);
		square += d * (gaps[i] - mean);
	}
	qsort(gaps, count, sizeof *gaps, compare);
	double most = 0;
	for (size_t i = 0; i < count; i++) {
		double p = -expm1(-gaps[i]);
		most = fmax(most, fmax(p - (double)i / (double)count, (double)(i + 1) / (double)count - p));
	}
	fit->gap_distance = most;
	fit->gap_variation = square / (double)count / (mean * mean);
	g_free(gaps);
}

void fit_arrivals(const struct job_list *jobs, int64_t start_epoch_s, struct work_fit *fit)
{
	double days = fit->span_s / DAY_S, per_hour = (double)jobs->count / SUBMITS_PER_HOUR;
	fit->profile = days >= 14 && per_hour >= WEEK_HOURS ? FIT_WEEK
		       : days >= 2 && per_hour >= DAY_HOURS ? FIT_DAY
							    : FIT_FLAT;
	double counts[WEEK_HOURS] = {0}, hours[WEEK_HOURS] = {0}, sum = 0;
	for (size_t i = 0; i < jobs->count; i++) counts[slot(fit, (int64_t)floor(hour_of(jobs, i, start_epoch_s)))]++;
	double from = hour_of(jobs, 0, start_epoch_s);
	expose(fit, from, from + fit->span_s / HOUR_S, hours);
	for (int h = 0; h < WEEK_HOURS; h++) {
		int s = slot(fit, h);
		fit->arrivals.weights[h] = hours[s] > 0 ? counts[s] / (hours[s] * HOUR_S) : 0;
		sum += fit->arrivals.weights[h];
	}
	fit->arrivals.rate_per_s = sum / WEEK_HOURS;
	for (int h = 0; h < WEEK_HOURS; h++)
		fit->arrivals.weights[h] = sum > 0 ? fit->arrivals.weights[h] * WEEK_HOURS / sum : 1;
	judge_gaps(jobs, start_epoch_s, fit);
}
