/* pricing.c - on-demand bills, shares of them, yearly amounts; all in integers. */
#include "models/pricing/pricing.h"

#include <math.h>

__extension__ typedef __int128 wide;

static int64_t narrow(wide value)
{
	return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

sim_time rr_billed_ns(sim_time life_ns, sim_time step_ns, sim_time minimum_ns)
{
	g_assert(life_ns >= 0 && step_ns >= 0);
	wide billed = life_ns;
	if (step_ns > 0) billed = (billed + step_ns - 1) / step_ns * step_ns;
	return narrow(MAX(billed, (wide)minimum_ns));
}

int64_t rr_charge_micros(sim_time billed_ns, int64_t micros_per_hour)
{
	g_assert(billed_ns >= 0 && micros_per_hour >= 0);
	return narrow(((wide)billed_ns * micros_per_hour + RR_NS_PER_HOUR / 2) / RR_NS_PER_HOUR);
}

int64_t rr_charge_until(int64_t micros, sim_time from_ns, sim_time to_ns, sim_time until_ns)
{
	if (until_ns >= to_ns) return micros;
	if (until_ns <= from_ns) return 0;
	return narrow((wide)micros * (until_ns - from_ns) / (to_ns - from_ns));
}

int64_t rr_accrued_micros(int64_t micros_per_year, sim_time until_ns)
{
	return narrow((wide)micros_per_year * until_ns / RR_NS_PER_YEAR);
}

int64_t rr_micros_times(int64_t micros, double factor)
{
	double value = round((double)micros * factor);
	/* 2^63 itself no longer fits, and is the first double that does not. */
	if (value >= 0x1p63) return INT64_MAX;
	if (value < -0x1p63) return INT64_MIN;
	return (int64_t)value;
}
