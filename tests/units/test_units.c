/* Quantities: what is read, what is printed, and that both agree. */
#include "models/random/random.h"
#include "models/units/units.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

static int64_t exact_of(const char *text, enum rr_dimension dim)
{
	struct rr_quantity q;
	g_autoptr(GError) error = NULL;
	bool read = rr_quantity_parse(text, dim, &q, &error);
	ck_assert_msg(read, "%s: %s", text, error != NULL ? error->message : "no message");
	return q.exact;
}

static double value_of(const char *text, enum rr_dimension dim)
{
	struct rr_quantity q;
	g_autoptr(GError) error = NULL;
	bool read = rr_quantity_parse(text, dim, &q, &error);
	ck_assert_msg(read, "%s: %s", text, error != NULL ? error->message : "no message");
	return q.value;
}

START_TEST(durations_are_exact)
{
	static const struct {
		const char *text;
		int64_t ns;
	} cases[] = {
	    {"45min", 45 * RR_NS_PER_MIN},
	    {"45 min", 45 * RR_NS_PER_MIN},
	    {"2h05min", 125 * RR_NS_PER_MIN},
	    {"1d 12h", 36 * RR_NS_PER_HOUR},
	    {"1d12h30min15s", 131415 * RR_NS_PER_S},
	    {"-2h05min", -125 * RR_NS_PER_MIN},
	    {"3y", 3 * RR_NS_PER_YEAR},
	    {"2 years", 2 * RR_NS_PER_YEAR},
	    {"7 days", 7 * RR_NS_PER_DAY},
	    {"2w", 14 * RR_NS_PER_DAY},
	    {"36 months", 3 * RR_NS_PER_YEAR},
	    {"0.1s", RR_NS_PER_S / 10},
	    {".5h", 30 * RR_NS_PER_MIN},
	    {"1e3s", 1000 * RR_NS_PER_S},
	    {"250ms", 250000000},
	    {"3us", 3000},
	    {"3µs", 3000},
	    {"0", 0},
	    {"0.4ns", 0},
	    {"0.5ns", 1},
	    {"-0.5ns", -1},
	    {"9223372036854775807ns", INT64_MAX},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		int64_t got = exact_of(cases[i].text, RR_DIM_DURATION);
		ck_assert_msg(got == cases[i].ns, "%s: %" G_GINT64_FORMAT " is not %" G_GINT64_FORMAT, cases[i].text,
			      got, cases[i].ns);
	}
}
END_TEST

START_TEST(money_is_exact_and_knows_its_currency)
{
	static const struct {
		const char *text;
		enum rr_dimension dim;
		int64_t micros;
		const char *currency;
	} cases[] = {
	    {"0.45 USD/h", RR_DIM_MONEY_PER_HOUR, 450000, "USD"},
	    {"0.45USD/hour", RR_DIM_MONEY_PER_HOUR, 450000, "USD"},
	    {"$0.45/h", RR_DIM_MONEY_PER_HOUR, 450000, "USD"},
	    {"0.45 $/h", RR_DIM_MONEY_PER_HOUR, 450000, "USD"},
	    {"3.5 CNY/h", RR_DIM_MONEY_PER_HOUR, 3500000, "CNY"},
	    {"199000 USD", RR_DIM_MONEY, INT64_C(199000000000), "USD"},
	    {"1.2 MUSD", RR_DIM_MONEY, INT64_C(1200000000000), "USD"},
	    {"1.23 M USD", RR_DIM_MONEY, INT64_C(1230000000000), "USD"},
	    {"$1.2M", RR_DIM_MONEY, INT64_C(1200000000000), "USD"},
	    {"5 MKD", RR_DIM_MONEY, 5000000, "MKD"},
	    {"5 kMKD", RR_DIM_MONEY, INT64_C(5000000000), "MKD"},
	    {"180 kUSD/y", RR_DIM_MONEY_PER_YEAR, INT64_C(180000000000), "USD"},
	    {"15 kEUR/month", RR_DIM_MONEY_PER_YEAR, INT64_C(180000000000), "EUR"},
	    {"0.12 USD/kWh", RR_DIM_MONEY_PER_KWH, 120000, "USD"},
	    {"120 USD/MWh", RR_DIM_MONEY_PER_KWH, 120000, "USD"},
	    {"190 USD/kW-month", RR_DIM_MONEY_PER_KW_MONTH, 190000000, "USD"},
	    {"0", RR_DIM_MONEY, 0, ""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rr_quantity q;
		ck_assert_msg(rr_quantity_parse(cases[i].text, cases[i].dim, &q, NULL), "%s", cases[i].text);
		ck_assert_msg(q.exact == cases[i].micros, "%s gave %" G_GINT64_FORMAT, cases[i].text, q.exact);
		ck_assert_str_eq(q.currency, cases[i].currency);
	}
}
END_TEST

START_TEST(other_dimensions_are_read_in_their_base_unit)
{
	ck_assert_int_eq(exact_of("80GiB", RR_DIM_BYTES), INT64_C(80) << 30);
	ck_assert_int_eq(exact_of("1.5TB", RR_DIM_BYTES), INT64_C(1500000000000));
	ck_assert_int_eq(exact_of("0.5 KiB", RR_DIM_BYTES), 512);
	ck_assert_int_eq(exact_of("1EB", RR_DIM_BYTES), INT64_C(1000000000000000000));
	ck_assert_int_eq(exact_of("200 GPUs", RR_DIM_COUNT_PER), 200);
	ck_assert_int_eq(exact_of("1000000000000000001", RR_DIM_COUNT), INT64_C(1000000000000000001));
	ck_assert_double_eq(value_of("0.7", RR_DIM_COUNT), 0.7);
	ck_assert_double_eq(value_of("30%", RR_DIM_RATIO), 0.3);
	ck_assert_double_eq(value_of("63.2 %", RR_DIM_RATIO), 0.632);
	ck_assert_double_eq(value_of("0.3", RR_DIM_RATIO), 0.3);
	ck_assert_double_eq(value_of("20%/y", RR_DIM_RATIO_PER_YEAR), 0.2);
	ck_assert_double_eq(value_of("0.2/year", RR_DIM_RATIO_PER_YEAR), 0.2);
	ck_assert_double_eq(value_of("4/h", RR_DIM_RATE), 4.0 / 3600);
	ck_assert_double_eq(value_of("10/day", RR_DIM_RATE), 10.0 / 86400);
	ck_assert_double_eq(value_of("2TB/s", RR_DIM_BANDWIDTH), 2e12);
	ck_assert_double_eq(value_of("100Gbit/s", RR_DIM_BANDWIDTH), 12.5e9);
	ck_assert_double_eq(value_of("6.5kW", RR_DIM_POWER), 6500);
	ck_assert_double_eq(value_of("1.2MWh", RR_DIM_ENERGY), 1200);
	ck_assert_double_eq(value_of("3.6MJ", RR_DIM_ENERGY), 1);
	ck_assert_double_eq(value_of("312TFLOPS", RR_DIM_FLOPS), 312e12);
}
END_TEST

START_TEST(bad_text_is_refused_with_a_remedy)
{
	static const struct {
		const char *text;
		enum rr_dimension dim;
		int code;
		const char *message;
	} cases[] = {
	    {"45", RR_DIM_DURATION, RR_UNITS_ERROR_UNIT,
	     "expected a duration such as 45min, found '45' without a unit"},
	    {"1h30", RR_DIM_DURATION, RR_UNITS_ERROR_UNIT,
	     "expected a duration such as 45min, found '1h30' without a unit"},
	    {"0h0", RR_DIM_DURATION, RR_UNITS_ERROR_UNIT,
	     "expected a duration such as 45min, found '0h0' without a unit"},
	    {"45 mnis", RR_DIM_DURATION, RR_UNITS_ERROR_UNIT,
	     "expected a duration such as 45min, found '45 mnis': unknown unit 'mnis', did you mean 'mins'?"},
	    {"2min 1h", RR_DIM_DURATION, RR_UNITS_ERROR_SYNTAX,
	     "expected a duration such as 45min, found '2min 1h': larger units come first"},
	    {"1h 1h", RR_DIM_DURATION, RR_UNITS_ERROR_SYNTAX,
	     "expected a duration such as 45min, found '1h 1h': larger units come first"},
	    {"", RR_DIM_DURATION, RR_UNITS_ERROR_SYNTAX,
	     "expected a duration such as 45min, found '': a number is missing"},
	    {"soon", RR_DIM_DURATION, RR_UNITS_ERROR_SYNTAX,
	     "expected a duration such as 45min, found 'soon': a number is missing"},
	    {"293y", RR_DIM_DURATION, RR_UNITS_ERROR_RANGE,
	     "expected a duration such as 45min, found '293y': too large"},
	    {"292y 360d", RR_DIM_DURATION, RR_UNITS_ERROR_RANGE,
	     "expected a duration such as 45min, found '292y 360d': too large"},
	    {"1e400W", RR_DIM_POWER, RR_UNITS_ERROR_RANGE, "expected a power such as 6.5kW, found '1e400W': too large"},
	    {"10EiB", RR_DIM_BYTES, RR_UNITS_ERROR_RANGE,
	     "expected a size in bytes such as 80GiB, found '10EiB': too large"},
	    {"80gib", RR_DIM_BYTES, RR_UNITS_ERROR_UNIT,
	     "expected a size in bytes such as 80GiB, found '80gib': unknown unit 'gib', did you mean 'GiB'?"},
	    {"400 watt", RR_DIM_POWER, RR_UNITS_ERROR_UNIT,
	     "expected a power such as 6.5kW, found '400 watt': unknown unit 'watt'"},
	    {"inf W", RR_DIM_POWER, RR_UNITS_ERROR_SYNTAX,
	     "expected a power such as 6.5kW, found 'inf W': a number is missing"},
	    {"nan", RR_DIM_COUNT, RR_UNITS_ERROR_SYNTAX,
	     "expected a number such as 12, found 'nan': a number is missing"},
	    {"0x10", RR_DIM_COUNT, RR_UNITS_ERROR_UNIT,
	     "expected a number such as 12, found '0x10': no unit belongs here"},
	    {"1,000", RR_DIM_COUNT, RR_UNITS_ERROR_UNIT,
	     "expected a number such as 12, found '1,000': no unit belongs here"},
	    {"0.45 EUR/d", RR_DIM_MONEY_PER_HOUR, RR_UNITS_ERROR_UNIT,
	     "expected a price per hour such as 0.45 USD/h, found '0.45 EUR/d': unknown unit 'EUR/d', did you mean "
	     "'EUR/h'?"},
	    {"5 \xe2\x82\xac", RR_DIM_MONEY, RR_UNITS_ERROR_UNIT,
	     "expected an amount of money such as 199000 USD, found '5 \xe2\x82\xac': the currency is three capital "
	     "letters (ISO 4217)"},
	    {"5 usd", RR_DIM_MONEY, RR_UNITS_ERROR_UNIT,
	     "expected an amount of money such as 199000 USD, found '5 usd': the currency is three capital letters "
	     "(ISO 4217)"},
	    {"5", RR_DIM_MONEY, RR_UNITS_ERROR_UNIT,
	     "expected an amount of money such as 199000 USD, found '5' without a unit"},
	    {"30 %/y", RR_DIM_RATIO, RR_UNITS_ERROR_UNIT,
	     "expected a share such as 30%, found '30 %/y': unknown unit '%/y'"},
	    {"20%", RR_DIM_RATIO_PER_YEAR, RR_UNITS_ERROR_UNIT,
	     "expected a share per year such as 20%/y, found '20%': unknown unit '%'"},
	    {"3\n\x01 \xff", RR_DIM_COUNT, RR_UNITS_ERROR_UNIT,
	     "expected a number such as 12, found '3   \xef\xbf\xbd': no unit belongs here"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rr_quantity q;
		g_autoptr(GError) error = NULL;
		ck_assert_msg(!rr_quantity_parse(cases[i].text, cases[i].dim, &q, &error), "%s", cases[i].text);
		ck_assert_str_eq(error->message, cases[i].message);
		ck_assert(error->domain == RR_UNITS_ERROR);
		ck_assert_int_eq(error->code, cases[i].code);
	}
}
END_TEST

START_TEST(a_very_long_text_gives_a_short_message)
{
	g_autofree char *text = g_strnfill(1000000, '7');
	struct rr_quantity q;
	g_autoptr(GError) error = NULL;
	ck_assert(!rr_quantity_parse(text, RR_DIM_DURATION, &q, &error));
	ck_assert_uint_lt(strlen(error->message), 200);
}
END_TEST

START_TEST(the_shortest_text_is_printed)
{
	static const struct {
		enum rr_dimension dim;
		const char *given, *text;
	} cases[] = {
	    {RR_DIM_DURATION, "45min", "45min"},
	    {RR_DIM_DURATION, "90min", "1.5h"},
	    {RR_DIM_DURATION, "1095d", "3y"},
	    {RR_DIM_DURATION, "0", "0y"},
	    {RR_DIM_DURATION, "1ns", "1ns"},
	    {RR_DIM_BYTES, "80GiB", "80GiB"},
	    {RR_DIM_BYTES, "1.5TB", "1.5TB"},
	    {RR_DIM_MONEY_PER_HOUR, "0.45 USD/h", "0.45 USD/h"},
	    {RR_DIM_MONEY_PER_YEAR, "180000 USD/y", "180 kUSD/y"},
	    {RR_DIM_MONEY_PER_KW_MONTH, "190 EUR/kW/month", "190 EUR/kW-month"},
	    {RR_DIM_RATIO, "0.3", "30%"},
	    {RR_DIM_RATIO_PER_YEAR, "0.2/y", "20%/y"},
	    {RR_DIM_RATE, "4/h", "4/h"},
	    {RR_DIM_BANDWIDTH, "2TB/s", "2TB/s"},
	    {RR_DIM_POWER, "6500W", "6500W"},
	    {RR_DIM_POWER, "125000W", "125kW"},
	    {RR_DIM_ENERGY, "1.2MWh", "1.2MWh"},
	    {RR_DIM_FLOPS, "312TFLOPS", "312TFLOPS"},
	    {RR_DIM_COUNT, "12", "12"},
	    {RR_DIM_COUNT, "0.7", "0.7"},
	    {RR_DIM_COUNT_PER, "200 gpus", "200 GPUs"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rr_quantity q;
		ck_assert(rr_quantity_parse(cases[i].given, cases[i].dim, &q, NULL));
		g_autofree char *text = rr_quantity_text(cases[i].dim, q.value, q.exact, q.currency);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

static double random_size(struct rr_stream *luck, double low, double high)
{
	return exp(log(low) + rr_stream_unit(luck) * (log(high) - log(low)));
}

static bool is_money(enum rr_dimension dim)
{
	return dim >= RR_DIM_MONEY && dim <= RR_DIM_MONEY_PER_KW_MONTH;
}

START_TEST(what_is_printed_reads_back_the_same_in_every_dimension)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 1);
	for (int n = 0; n < 16 * 1000; n++) {
		enum rr_dimension dim = (enum rr_dimension)(n % (RR_DIM_COUNT_PER + 1));
		bool counted =
		    dim == RR_DIM_DURATION || dim == RR_DIM_BYTES || dim == RR_DIM_COUNT_PER || is_money(dim);
		double value = random_size(&luck, 1e-9, 9e18) * (n % 7 == 0 ? -1 : 1);
		int64_t exact = n % 3 == 0 ? (int64_t)(rr_stream_u64(&luck) >> (n % 64)) : (int64_t)value;
		if (dim == RR_DIM_COUNT) exact = (int64_t)round(value);
		g_autofree char *text = rr_quantity_text(dim, value, exact, is_money(dim) ? "USD" : NULL);
		struct rr_quantity q;
		g_autoptr(GError) error = NULL;
		ck_assert_msg(rr_quantity_parse(text, dim, &q, &error), "%s", text);
		if (counted)
			ck_assert_msg(q.exact == exact, "%s is not %" G_GINT64_FORMAT, text, exact);
		else
			ck_assert_msg(q.value == value, "%s is not %.17g", text, value);
		if (is_money(dim)) ck_assert_str_eq(q.currency, "USD");
	}
}
END_TEST

START_TEST(no_random_text_is_read_with_a_guess_or_a_crash)
{
	static const char letters[] = "0123456789.eE+-$ /%kMGTiBWhsdymUSDnw\x80";
	struct rr_stream luck;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 2);
	for (int n = 0; n < 100000; n++) {
		char text[16];
		size_t length = rr_stream_u32(&luck) % sizeof text;
		for (size_t i = 0; i < length; i++) text[i] = letters[rr_stream_u32(&luck) % (sizeof letters - 1)];
		text[length] = '\0';
		struct rr_quantity q;
		g_autoptr(GError) error = NULL;
		enum rr_dimension dim = (enum rr_dimension)(n % (RR_DIM_COUNT_PER + 1));
		bool read = rr_quantity_parse(text, dim, &q, &error);
		ck_assert_msg(read == (error == NULL), "%s", text);
		if (read) ck_assert_msg(isfinite(q.value), "%s", text);
	}
}
END_TEST

static void check_text(char *text, const char *expected)
{
	ck_assert_str_eq(text, expected);
	g_free(text);
}

START_TEST(people_read_few_digits)
{
	check_text(rr_text_duration(7500), "2 h 05 min");
	check_text(rr_text_duration(7499.9), "2 h 05 min");
	check_text(rr_text_duration(38), "38 s");
	check_text(rr_text_duration(59.96), "1 min 00 s");
	check_text(rr_text_duration(3599.6), "1 h 00 min");
	check_text(rr_text_duration(0.25), "250 ms");
	check_text(rr_text_duration(1.4 * 365 * 86400), "1.4 y");
	check_text(rr_text_duration(3.0 * 365 * 86400), "3 y");
	check_text(rr_text_duration(3 * 86400 + 7200), "3 d 02 h");
	check_text(rr_text_duration(-38), "-38 s");
	check_text(rr_text_duration(0), "0 s");
	check_text(rr_text_duration(NAN), "-");
	check_text(rr_text_duration(INFINITY), "endless");
	check_text(rr_text_money(4500000, "USD"), "4.50 USD");
	check_text(rr_text_money(INT64_C(1234567000000), "USD"), "1.23 M USD");
	check_text(rr_text_money(INT64_C(999999990000), "USD"), "1.00 M USD");
	check_text(rr_text_money(INT64_C(16531809000000), "EUR"), "16.5 M EUR");
	check_text(rr_text_money(INT64_C(27059814400000000), "USD"), "27.1 bn USD");
	check_text(rr_text_money(INT64_C(-32770000000), "USD"), "-32,770 USD");
	check_text(rr_text_money(999999000, "USD"), "1,000 USD");
	check_text(rr_text_money(12300, "USD"), "0.012 USD");
	check_text(rr_text_bytes(80.0 * 1073741824), "80 GiB");
	check_text(rr_text_bytes(1500), "1.46 KiB");
	check_text(rr_text_count(10650), "10,650");
	check_text(rr_text_count(-1234567), "-1,234,567");
	check_text(rr_text_count(999), "999");
	check_text(rr_text_count(2.5), "2.5");
	check_text(rr_text_count(NAN), "-");
	check_text(rr_text_ratio(0.632), "63.2 %");
	check_text(rr_text_energy(415.22), "415.2 kWh");
	check_text(rr_text_energy(1.29e6), "1.29 GWh");
	check_text(rr_text_energy(999.96), "1 MWh");
}
END_TEST

START_TEST(seconds_have_as_many_decimals_as_needed)
{
	char buf[32];
	ck_assert_str_eq(rr_text_seconds(12 * RR_NS_PER_S, buf), "12");
	ck_assert_str_eq(rr_text_seconds(RR_NS_PER_S / 4, buf), "0.25");
	ck_assert_str_eq(rr_text_seconds(-1, buf), "-0.000000001");
	ck_assert_str_eq(rr_text_seconds(0, buf), "0");
	ck_assert_str_eq(rr_text_seconds(INT64_MIN, buf), "-9223372036.854775808");
	ck_assert_str_eq(rr_text_seconds(INT64_MAX, buf), "9223372036.854775807");
}
END_TEST

START_TEST(decimal_seconds_are_read_exactly_or_not_at_all)
{
	sim_time ns = 0;
	ck_assert(rr_seconds_parse("66.0", &ns) && ns == 66 * RR_NS_PER_S);
	ck_assert(rr_seconds_parse("0.1", &ns) && ns == 100000000);
	ck_assert(rr_seconds_parse("-1.5", &ns) && ns == -1500000000);
	ck_assert(rr_seconds_parse(".5", &ns) && ns == 500000000);
	ck_assert(rr_seconds_parse("5.", &ns) && ns == 5 * RR_NS_PER_S);
	ck_assert(rr_seconds_parse("1.9999999999", &ns) && ns == 2 * RR_NS_PER_S);
	ck_assert(rr_seconds_parse("9223372036.854775807", &ns) && ns == INT64_MAX);
	static const char *const bad[] = {"",
					  "-",
					  ".",
					  "1.5e3",
					  "9223372036.854775808",
					  "99999999999999999999",
					  "1 ",
					  " 1",
					  "1..2",
					  "0x10",
					  "12:30:00",
					  "nan",
					  "1,5",
					  "--1"};
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) ck_assert_msg(!rr_seconds_parse(bad[i], &ns), "%s", bad[i]);
}
END_TEST

START_TEST(seconds_printed_read_back_the_same)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 3);
	for (int n = 0; n < 100000; n++) {
		sim_time ns = (sim_time)(rr_stream_u64(&luck) >> 1 >> (n % 63)) * (n % 2 == 0 ? 1 : -1), back = 0;
		char buf[32];
		ck_assert(rr_seconds_parse(rr_text_seconds(ns, buf), &back));
		ck_assert_int_eq(back, ns);
	}
}
END_TEST

START_TEST(doubles_printed_read_back_the_same)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 4);
	char buf[32];
	ck_assert_str_eq(rr_text_double(0.1, buf), "0.1");
	ck_assert_str_eq(rr_text_double(3, buf), "3");
	ck_assert_str_eq(rr_text_double(0.1 + 0.2, buf), "0.30000000000000004");
	for (int n = 0; n < 100000; n++) {
		union {
			uint64_t bits;
			double value;
		} any = {rr_stream_u64(&luck)};
		if (!isfinite(any.value)) continue;
		ck_assert(g_ascii_strtod(rr_text_double(any.value, buf), NULL) == any.value);
	}
}
END_TEST

START_TEST(stamps_are_read_as_utc)
{
	static const struct {
		const char *text;
		int64_t epoch_s;
	} cases[] = {
	    {"1970-01-01", 0},
	    {"1970-01-01 00:00:00", 0},
	    {"2000-03-01T00:00:00Z", 951868800},
	    {"2017-08-07 09:35:41", 1502098541}, /* date -u -d '2017-08-07 09:35:41' +%s */
	    {"2024-02-29 23:59:59", 1709251199},
	    {"1969-12-31 23:59:59", -1},
	    {"2262-04-11 23:47:16", 9223372036},
	};
	int64_t ns = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		ck_assert_msg(rr_stamp_parse(cases[i].text, &ns), "%s", cases[i].text);
		ck_assert_int_eq(ns, cases[i].epoch_s * RR_NS_PER_S);
	}
	ck_assert(rr_stamp_parse("1970-01-01 00:00:01.25Z", &ns) && ns == 1250000000);
}
END_TEST

START_TEST(stamps_agree_with_glib_on_every_day)
{
	for (int64_t day = -100000; day < 100000; day += 37) {
		g_autoptr(GDateTime) when = g_date_time_new_from_unix_utc(day * 86400 + 3661);
		g_autofree char *text = g_date_time_format(when, "%Y-%m-%d %H:%M:%S");
		int64_t ns = 0;
		ck_assert(rr_stamp_parse(text, &ns));
		ck_assert_int_eq(ns, (day * 86400 + 3661) * RR_NS_PER_S);
	}
}
END_TEST

START_TEST(what_is_no_stamp_is_refused)
{
	static const char *const bad[] = {"",
					  "2023",
					  "2023-13-01",
					  "2023-02-29",
					  "2023-1-1",
					  "2023-01-32",
					  "2023-01-01 24:00:00",
					  "2023-01-01 00:60:00",
					  "2023-01-01 00:00:60",
					  "2023-01-01 00:00",
					  "2023-01-01 ",
					  "2023-01-01 00:00:00.",
					  "2023-01-01 00:00:00+01:00",
					  "2262-04-12",
					  "1600-01-01",
					  "None",
					  "2023-01-01Z"};
	int64_t ns = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) ck_assert_msg(!rr_stamp_parse(bad[i], &ns), "%s", bad[i]);
}
END_TEST

START_TEST(the_nearest_word_is_what_was_meant)
{
	static const char *const words[] = {"fcfs", "sjf", "priority", "easy", "exponential", "count_min", NULL};
	ck_assert_str_eq(rr_nearest_word("esay", words), "easy");
	ck_assert_str_eq(rr_nearest_word("FCFS", words), "fcfs");
	ck_assert_str_eq(rr_nearest_word("prioritty", words), "priority");
	ck_assert_str_eq(rr_nearest_word("exp", words), "exponential");
	ck_assert_str_eq(rr_nearest_word("count-min", words), "count_min");
	ck_assert_ptr_null(rr_nearest_word("banana", words));
	ck_assert_ptr_null(rr_nearest_word("", words));
	ck_assert_ptr_null(rr_nearest_word("x", words));
	g_autofree char *endless = g_strnfill(100000, 'a');
	ck_assert_ptr_null(rr_nearest_word(endless, words));
}
END_TEST

RR_TEST_MAIN("units", durations_are_exact, money_is_exact_and_knows_its_currency,
	     other_dimensions_are_read_in_their_base_unit, bad_text_is_refused_with_a_remedy,
	     a_very_long_text_gives_a_short_message, the_shortest_text_is_printed,
	     what_is_printed_reads_back_the_same_in_every_dimension, no_random_text_is_read_with_a_guess_or_a_crash,
	     people_read_few_digits, seconds_have_as_many_decimals_as_needed,
	     decimal_seconds_are_read_exactly_or_not_at_all, seconds_printed_read_back_the_same,
	     doubles_printed_read_back_the_same, stamps_are_read_as_utc, stamps_agree_with_glib_on_every_day,
	     what_is_no_stamp_is_refused, the_nearest_word_is_what_was_meant)
