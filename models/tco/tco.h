/* tco.h - money at different times made comparable.
 *
 *   NPV     = sum over months t of CF_t / (1 + w)^(t / 12)     w = cost of capital per year
 *   annuity = P i / (1 - (1 + i)^-n)                           i per month, n months
 *
 * Month 0 is now and is not discounted. (Brealey, Myers, Allen: Principles of
 * Corporate Finance, chapter 2.) Leaves out taxes and inflation: flows and rate are
 * either both nominal or both real. */
#ifndef RR_MODELS_TCO_H
#define RR_MODELS_TCO_H

#include <stddef.h>

/* Net present value of CASH[0 .. MONTHS) at WACC per year (> -1). */
double rr_npv(const double *cash, size_t months, double wacc);

/* The level payment a month that repays PRINCIPAL over MONTHS at RATE a month. */
double rr_annuity(double principal, double rate_per_month, double months);

#endif
