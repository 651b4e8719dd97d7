/* Annuity and net present value against published cases. */
#include "models/tco/tco.h"
#include "tests/support/test.h"

#include <math.h>

START_TEST(annuities_are_those_of_the_warehouse_case)
{
	/* Hennessy and Patterson, warehouse-scale case at 5 % a year, as recalculated to
	 * the dollar (published rounded: 2,000,000; 290,000; 765,000; 170,000). */
	static const struct {
		double principal, months, payment;
	} rows[] = {
	    {66.7e6, 36, 1999059},
	    {12.81e6, 48, 295005},
	    {72.16e6, 120, 765369},
	    {15.84e6, 120, 168008},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		ck_assert_double_eq_tol(rr_annuity(rows[i].principal, 0.05 / 12, rows[i].months), rows[i].payment, 0.5);
}
END_TEST

START_TEST(without_interest_an_annuity_is_the_principal_in_parts)
{
	ck_assert_double_eq(rr_annuity(360, 0, 36), 10);
	ck_assert_double_eq_tol(rr_annuity(360, 1e-14, 36), 10, 1e-9);
}
END_TEST

START_TEST(the_accelerator_case_has_the_published_net_present_value)
{
	/* legitlads.com accelerator ROI page: 1,920,000 now, 784,896 - 182,170.25 saved
	 * at the end of each of four years, 10 %: -9,440. */
	double cash[49] = {0};
	cash[0] = -1920000;
	for (int year = 1; year <= 4; year++) cash[12 * year] = (3139584.0 - 728681.0) / 4;
	ck_assert_double_eq_tol(rr_npv(cash, 49, 0.10), -9440.47, 0.5);
}
END_TEST

START_TEST(an_annuity_is_worth_its_principal)
{
	double cash[37] = {0}, rate_per_month = pow(1.08, 1.0 / 12) - 1;
	for (int month = 1; month <= 36; month++) cash[month] = rr_annuity(1000, rate_per_month, 36);
	ck_assert_double_eq_tol(rr_npv(cash, 37, 0.08), 1000, 1e-9);
}
END_TEST

START_TEST(without_a_rate_present_value_is_the_sum)
{
	double cash[] = {1, 2, 3};
	ck_assert_double_eq(rr_npv(cash, 3, 0), 6);
	ck_assert_double_eq(rr_npv(cash, 0, 0.5), 0);
}
END_TEST

RR_TEST_MAIN("tco", annuities_are_those_of_the_warehouse_case, without_interest_an_annuity_is_the_principal_in_parts,
	     the_accelerator_case_has_the_published_net_present_value, an_annuity_is_worth_its_principal,
	     without_a_rate_present_value_is_the_sum)
