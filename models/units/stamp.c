/* stamp.c - seconds and civil time, to and from nanoseconds.
 *
 * Traces hold millions of these: no allocation, one pass over the text. */
#include "models/units/units.h"

#include <string.h>

enum { DECIMALS = 9 };

/* Reads "[.digits]" at *AT as nanoseconds, rounded half up; 1e9 = a whole
 * second. False when no digit follows the point. */
static bool read_fraction(const char **at, int64_t *ns, bool need_digit)
{
	*ns = 0;
	if (**at != '.') return true;
	const char *digit = *at + 1;
	if (need_digit && !g_ascii_isdigit(*digit)) return false;
	int64_t weight = RR_NS_PER_S / 10;
	for (int i = 0; g_ascii_isdigit(*digit); digit++, i++) {
		if (i < DECIMALS) *ns += (*digit - '0') * weight;
		if (i == DECIMALS && *digit >= '5') (*ns)++;
		weight /= 10;
	}
	*at = digit;
	return true;
}

bool rr_seconds_parse(const char *text, sim_time *out_ns)
{
	const char *at = text;
	bool negative = *at == '-';
	if (*at == '-' || *at == '+') at++;
	if (!g_ascii_isdigit(*at) && !(*at == '.' && g_ascii_isdigit(at[1]))) return false;
	int64_t whole = 0, fraction = 0, ns = 0;
	for (; g_ascii_isdigit(*at); at++)
		if (__builtin_mul_overflow(whole, INT64_C(10), &whole) ||
		    __builtin_add_overflow(whole, (int64_t)(*at - '0'), &whole))
			return false;
	if (!read_fraction(&at, &fraction, false) || *at != '\0') return false;
	if (__builtin_mul_overflow(whole, RR_NS_PER_S, &ns) || __builtin_add_overflow(ns, fraction, &ns)) return false;
	*out_ns = negative ? -ns : ns;
	return true;
}

char *rr_text_seconds(sim_time ns, char buf[32])
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	uint64_t whole = size / (uint64_t)RR_NS_PER_S, rest = size % (uint64_t)RR_NS_PER_S;
	int decimals = DECIMALS;
	for (; decimals > 0 && rest % 10 == 0; decimals--) rest /= 10;
	const char *sign = ns < 0 ? "-" : "";
	if (decimals == 0)
		(void)g_snprintf(buf, 32, "%s%" G_GUINT64_FORMAT, sign, whole);
	else
		(void)g_snprintf(buf, 32, "%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT, sign, whole, decimals, rest);
	return buf;
}

/* COUNT digits at *AT followed by AFTER ('\0' = anything). */
static bool read_digits(const char **at, int count, char after, int *out)
{
	*out = 0;
	for (int i = 0; i < count; i++, (*at)++) {
		if (!g_ascii_isdigit(**at)) return false;
		*out = *out * 10 + (**at - '0');
	}
	if (after == '\0') return true;
	return *(*at)++ == after;
}

static bool is_leap(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

/* Days since 1970-01-01 in the Gregorian calendar; the year is counted from
 * March, so that the leap day is its last. */
static int64_t days_since_1970(int year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t m = (month + 9) % 12;
	int64_t before_march_0 = y * 365 + y / 4 - y / 100 + y / 400;
	return before_march_0 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

bool rr_stamp_parse(const char *text, int64_t *out_epoch_ns)
{
	const char *at = text;
	int year, month, day, hour = 0, minute = 0, second = 0;
	int64_t fraction = 0, ns = 0;
	if (!read_digits(&at, 4, '-', &year) || !read_digits(&at, 2, '-', &month) || !read_digits(&at, 2, 0, &day))
		return false;
	if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return false;
	if (*at == ' ' || *at == 'T') {
		at++;
		if (!read_digits(&at, 2, ':', &hour) || !read_digits(&at, 2, ':', &minute) ||
		    !read_digits(&at, 2, 0, &second) || !read_fraction(&at, &fraction, true))
			return false;
		if (*at == 'Z') at++;
	}
	if (*at != '\0' || hour > 23 || minute > 59 || second > 59) return false;
	int64_t seconds = days_since_1970(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
	if (__builtin_mul_overflow(seconds, RR_NS_PER_S, &ns) || __builtin_add_overflow(ns, fraction, &ns))
		return false;
	*out_epoch_ns = ns;
	return true;
}
