/* power.c - node power, linear in the share of busy GPUs; constant PUE. */
#include "models/power/power.h"

#include <math.h>

static const double joules_per_kwh = 3.6e6;

double rr_node_power_w(double idle_w, double max_w, double busy)
{
	return idle_w + (max_w - idle_w) * busy;
}

double rr_node_energy_kwh(double idle_w, double max_w, double node_s, double busy_node_s)
{
	return (idle_w * node_s + (max_w - idle_w) * busy_node_s) / joules_per_kwh;
}

double rr_facility_energy_kwh(double it_kwh, double pue)
{
	return it_kwh * pue;
}

double rr_pue(double total_kwh, double it_kwh)
{
	return it_kwh > 0 ? total_kwh / it_kwh : NAN;
}
