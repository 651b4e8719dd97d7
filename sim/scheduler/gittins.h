/* gittins.h - how soon a job may end for the service it still needs.
 *
 *   G(a) = max over d > 0 of  P(S - a <= d | S > a) / E[min(S - a, d) | S > a]
 *
 * S service a job needs in all, a service it has had, both in GPU-seconds; G in
 * ends per GPU-second. Serving the largest G first is the least mean wait on one
 * server when only the distribution of S is known (Gittins 1979); Tiresias, NSDI
 * 2019, section 3.2 uses it with GPUs times time as service.
 *
 * With c(v) = samples <= v and W(v) = sum of min(sample, v) it reads
 *
 *   G(a) = max over v > a of  (c(v) - c(a)) / (W(v) - W(a)):
 *
 * the steepest line from the point (W(a), c(a)) of a curve to a later point of it, a
 * tangent to the upper hull of what follows. Between two corners of the curve the
 * tangent moves back over just those corners that the hull loses when the next one
 * joins it; every corner is lost once. So the table has at most twice as many rows
 * as the curve has corners.
 *
 * The curve is the step function of the samples, or passes through GROUPS of them
 * with a straight line in each. The step function is the exact answer for just these
 * samples, but it knows to the second when the next one ends, so that G has a peak
 * before each, however many there are; a sample of a smooth distribution wants
 * groups, of which about the square root of the samples is a fair number.
 *
 * Holds for jobs like the samples. Leaves out: what the job's size tells of its
 * length (give each size its own table). */
#ifndef RR_SIM_SCHEDULER_GITTINS_H
#define RR_SIM_SCHEDULER_GITTINS_H

#include <stddef.h>

/* From row's ATTAINED on, with d = a - attained:
 * G(a) = (ends - d * ends_rate) / (work - d * work_rate). */
struct rr_gittins_row {
	double attained, ends, work, ends_rate, work_rate;
};

struct rr_gittins {
	struct rr_gittins_row *rows; /* by attained service, the first at 0 */
	size_t count;                /* 0 = no positive sample */
	double most;                 /* the largest sample */
};

/* Builds the table of COUNT samples of service in GPU-seconds, in any order; those
 * that are not positive numbers are left out. GROUPS 0 = the step function, else the
 * number of groups of equal count (equal samples are never parted). O(n log n). */
void rr_gittins_init(struct rr_gittins *gittins, const double *service, size_t count, size_t groups);
void rr_gittins_done(struct rr_gittins *gittins);

/* G at ATTAINED GPU-seconds (below 0 counts as 0). 0 from the largest sample on:
 * nothing is known of such a job, so it goes last, as the longest served. O(log n). */
double rr_gittins_index(const struct rr_gittins *gittins, double attained);

#endif
