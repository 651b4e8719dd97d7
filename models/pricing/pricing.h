/* pricing.h - what is charged for a span of use.
 *
 * Money is integer micros. Each bill is rounded once, half away from zero; where
 * it is split (by month) the parts are differences of one running total, so that
 * they add up to the bill whatever the split. Amounts too large for 64 bits come
 * out as INT64_MAX. */
#ifndef RR_MODELS_PRICING_H
#define RR_MODELS_PRICING_H

#include "models/units/units.h"

/* How long one life of an instance is billed for: at least MINIMUM, in whole
 * STEPs (rounded up; STEP 0 = to the nanosecond). Amazon EC2 and Google Compute
 * Engine bill by the second with a minimum of 60 s. */
sim_time rr_billed_ns(sim_time life_ns, sim_time step_ns, sim_time minimum_ns);

/* BILLED x price per hour. */
int64_t rr_charge_micros(sim_time billed_ns, int64_t micros_per_hour);

/* The part of a charge for [FROM, TO) that belongs before UNTIL, in proportion to
 * time; all of it when UNTIL >= TO. */
int64_t rr_charge_until(int64_t micros, sim_time from_ns, sim_time to_ns, sim_time until_ns);

/* What an amount per year comes to from 0 to UNTIL. */
int64_t rr_accrued_micros(int64_t micros_per_year, sim_time until_ns);

/* An amount times a plain number: a share of a price, kWh at a price per kWh. */
int64_t rr_micros_times(int64_t micros, double factor);

#endif
