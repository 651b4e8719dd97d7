/* Node power and facility energy against published figures. */
#include "models/power/power.h"
#include "tests/support/test.h"

#include <math.h>

START_TEST(power_is_linear_between_idle_and_max)
{
	/* Frontier node, ExaDigiT/RAPS: 626.26 W idle, 2,704.26 W full. */
	ck_assert_double_eq(rr_node_power_w(626.26, 2704.26, 0), 626.26);
	ck_assert_double_eq_tol(rr_node_power_w(626.26, 2704.26, 1), 2704.26, 1e-9);
	ck_assert_double_eq_tol(rr_node_power_w(626.26, 2704.26, 0.25), 1145.76, 1e-9);
}
END_TEST

START_TEST(energy_is_the_integral_of_power)
{
	/* Two nodes of 100 W idle and 500 W full for an hour, one of them half busy:
	 * 100 + 300 Wh. */
	ck_assert_double_eq_tol(rr_node_energy_kwh(100, 500, 7200, 1800), 0.4, 1e-12);
	/* All the same whatever the order of busy and idle spans. */
	double sum = 0, node_s = 0, busy_s = 0;
	for (int i = 1; i <= 100; i++) {
		double busy = (i % 9) / 8.0, span_s = i;
		sum += rr_node_power_w(2100, 6848, busy) * span_s / 3.6e6;
		node_s += span_s;
		busy_s += span_s * busy;
	}
	ck_assert_double_eq_tol(rr_node_energy_kwh(2100, 6848, node_s, busy_s), sum, 1e-9);
}
END_TEST

START_TEST(the_warehouse_month_of_energy_costs_what_was_published)
{
	/* 8 MW at 80 %, PUE 1.45, 0.07 USD/kWh, 730 h: 474,208 USD (published, rounded:
	 * 475,000; Hennessy and Patterson, warehouse-scale case). */
	double kwh = rr_facility_energy_kwh(rr_node_energy_kwh(0, 8e6, 730 * 3600.0, 0.8 * 730 * 3600.0), 1.45);
	ck_assert_double_eq_tol(kwh * 0.07, 474208, 0.5);
}
END_TEST

START_TEST(five_years_of_17_nodes_take_the_published_electricity)
{
	/* gpu-tco: 17 nodes of 10.2 kW, PUE 1.5, 0.13 USD/kWh, 5 years: 1,481,009 USD. */
	double on_s = 17 * 5 * 8760 * 3600.0;
	double kwh = rr_facility_energy_kwh(rr_node_energy_kwh(10200, 10200, on_s, on_s), 1.5);
	ck_assert_double_eq_tol(kwh * 0.13, 1481009, 0.5);
}
END_TEST

START_TEST(pue_is_a_ratio_of_energies)
{
	/* A busy hour at 1.1 and an idle one at 2.0: not 1.55. */
	ck_assert_double_eq_tol(rr_pue(110 + 20, 100 + 10), 1.1818181818181819, 1e-15);
	ck_assert_double_nan(rr_pue(0, 0));
}
END_TEST

START_TEST(what_is_unknown_stays_unknown)
{
	ck_assert_double_nan(rr_node_power_w(NAN, 500, 0.5));
	ck_assert_double_nan(rr_node_energy_kwh(100, NAN, 10, 0));
	ck_assert_double_nan(rr_facility_energy_kwh(1, NAN));
}
END_TEST

RR_TEST_MAIN("power", power_is_linear_between_idle_and_max, energy_is_the_integral_of_power,
	     the_warehouse_month_of_energy_costs_what_was_published,
	     five_years_of_17_nodes_take_the_published_electricity, pue_is_a_ratio_of_energies,
	     what_is_unknown_stays_unknown)
