/* Bills by hand, published bills, and that parts add up. */
#include "models/pricing/pricing.h"
#include "models/random/random.h"
#include "tests/support/test.h"

static const sim_time second = RR_NS_PER_S, minute = RR_NS_PER_MIN, hour = RR_NS_PER_HOUR;

START_TEST(a_life_is_billed_in_whole_steps_with_a_minimum)
{
	ck_assert_int_eq(rr_billed_ns(10 * second, second, minute), minute);
	ck_assert_int_eq(rr_billed_ns(60 * second, second, minute), minute);
	ck_assert_int_eq(rr_billed_ns(60 * second + 1, second, minute), 61 * second);
	ck_assert_int_eq(rr_billed_ns(hour + 1, hour, hour), 2 * hour);
	ck_assert_int_eq(rr_billed_ns(90 * minute, hour, 0), 2 * hour);
	ck_assert_int_eq(rr_billed_ns(12345, 0, 0), 12345);
	ck_assert_int_eq(rr_billed_ns(0, second, minute), minute);
	ck_assert_int_eq(rr_billed_ns(0, second, 0), 0);
	ck_assert_int_eq(rr_billed_ns(INT64_MAX, second, minute), INT64_MAX);
}
END_TEST

START_TEST(a_bill_is_rounded_once_half_away_from_zero)
{
	ck_assert_int_eq(rr_charge_micros(hour, 450000), 450000);
	ck_assert_int_eq(rr_charge_micros(90 * minute, 32772600), 49158900); /* p4d.24xlarge, 32.7726 USD/h */
	ck_assert_int_eq(rr_charge_micros(61 * second, 32772600), 555314);   /* 555,313.5 */
	ck_assert_int_eq(rr_charge_micros(second, 1800), 1);                 /* 0.5 */
	ck_assert_int_eq(rr_charge_micros(second, 1799), 0);
	ck_assert_int_eq(rr_charge_micros(0, 32772600), 0);
	ck_assert_int_eq(rr_charge_micros(INT64_MAX, INT64_MAX), INT64_MAX);
}
END_TEST

START_TEST(a_year_of_use_costs_what_was_published)
{
	/* m5.xlarge, us-east-1, reserved for a year of 8,760 h (FOCUS_Spec issue 1057):
	 * nothing upfront 0.1210/h, partly 505.00 and 0.0580/h. */
	ck_assert_int_eq(rr_charge_micros(RR_NS_PER_YEAR, 121000), INT64_C(1059960000));
	ck_assert_int_eq(505 * RR_MICROS + rr_charge_micros(RR_NS_PER_YEAR, 58000), INT64_C(1013080000));
	/* 0.45 USD/h x 8,760 h. */
	ck_assert_int_eq(rr_charge_micros(RR_NS_PER_YEAR, 450000), 3942 * RR_MICROS);
}
END_TEST

START_TEST(the_parts_of_a_charge_add_up_to_it)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 0);
	for (int n = 0; n < 10000; n++) {
		sim_time from = (sim_time)(rr_stream_u64(&luck) % (uint64_t)RR_NS_PER_YEAR);
		sim_time to = from + (sim_time)(rr_stream_u64(&luck) % (uint64_t)RR_NS_PER_YEAR);
		int64_t micros = (int64_t)(rr_stream_u64(&luck) >> (1 + n % 50)), sum = 0, before = 0;
		for (int month = 0; month < 24; month++) {
			int64_t until = rr_charge_until(micros, from, to, (month + 1) * RR_NS_PER_MONTH);
			ck_assert_int_ge(until, before);
			sum += until - before;
			before = until;
		}
		ck_assert_int_eq(sum, micros);
	}
	ck_assert_int_eq(rr_charge_until(100, 10, 20, 15), 50);
	ck_assert_int_eq(rr_charge_until(100, 10, 10, 10), 100);
	ck_assert_int_eq(rr_charge_until(100, 10, 10, 9), 0);
}
END_TEST

START_TEST(a_yearly_amount_accrues_by_time)
{
	ck_assert_int_eq(rr_accrued_micros(120, RR_NS_PER_YEAR), 120);
	ck_assert_int_eq(rr_accrued_micros(120, RR_NS_PER_MONTH), 10);
	ck_assert_int_eq(rr_accrued_micros(120, 0), 0);
	ck_assert_int_eq(rr_accrued_micros(INT64_MAX, 3 * RR_NS_PER_YEAR), INT64_MAX);
}
END_TEST

START_TEST(an_amount_times_a_number_is_rounded_half_away_from_zero)
{
	ck_assert_int_eq(rr_micros_times(120000, 415.22), 49826400);
	ck_assert_int_eq(rr_micros_times(1, 2.5), 3);
	ck_assert_int_eq(rr_micros_times(-1, 2.5), -3);
	ck_assert_int_eq(rr_micros_times(INT64_MAX, 2), INT64_MAX);
	ck_assert_int_eq(rr_micros_times(INT64_MAX, -2), INT64_MIN);
}
END_TEST

RR_TEST_MAIN("pricing", a_life_is_billed_in_whole_steps_with_a_minimum, a_bill_is_rounded_once_half_away_from_zero,
	     a_year_of_use_costs_what_was_published, the_parts_of_a_charge_add_up_to_it,
	     a_yearly_amount_accrues_by_time, an_amount_times_a_number_is_rounded_half_away_from_zero)
