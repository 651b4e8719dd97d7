/* text.c - quantities for people: a few digits, the unit that suits. */
#include "models/units/units.h"

#include <math.h>
#include <string.h>

/* "%.*f" whatever the locale; caller frees. */
static char *fixed(double value, int decimals)
{
	char format[8];
	char text[400];
	(void)g_snprintf(format, sizeof format, "%%.%df", decimals);
	return g_strdup(g_ascii_formatd(text, sizeof text, format, value));
}

/* Three digits that count: "1.23", "12.3", "123". */
static char *three_digits(double value)
{
	double size = fabs(value);
	return fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/* "0.50" -> "0.5", "2.00" -> "2". */
static void drop_zeros(char *text)
{
	if (strchr(text, '.') == NULL) return;
	char *end = text + strlen(text);
	while (end[-1] == '0') *--end = '\0';
	if (end[-1] == '.') end[-1] = '\0';
}

/* Puts a comma before each three digits of a whole number. */
static char *grouped(const char *digits)
{
	GString *text = g_string_new(NULL);
	size_t sign = *digits == '-' ? 1 : 0, length = strlen(digits);
	for (size_t i = 0; i < length; i++) {
		if (i > sign && (length - i) % 3 == 0) g_string_append_c(text, ',');
		g_string_append_c(text, digits[i]);
	}
	return g_string_free(text, FALSE);
}

char *rr_text_double(double value, char buf[32])
{
	static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(buf, 32, formats[i], value);
		if (isnan(value) || g_ascii_strtod(buf, NULL) == value) break;
	}
	return buf;
}

/* Two units side by side: "2 h 05 min". */
static char *two_parts(double seconds, double large, const char *large_name, double small, const char *small_name)
{
	double parts = round(seconds / small), ratio = large / small;
	return g_strdup_printf("%.0f %s %02.0f %s", floor(parts / ratio), large_name, fmod(parts, ratio), small_name);
}

static char *short_duration(double seconds)
{
	static const struct {
		double size;
		const char *name;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
	size_t u = 0;
	while (u + 1 < G_N_ELEMENTS(units) && seconds < units[u].size * 0.9995) u++;
	g_autofree char *number = three_digits(seconds / units[u].size);
	drop_zeros(number);
	return g_strconcat(number, " ", units[u].name, NULL);
}

char *rr_text_duration(double seconds)
{
	enum { MINUTE = 60, HOUR = 3600, DAY = 86400, YEAR = 365 * DAY };
	if (isnan(seconds)) return g_strdup("-");
	if (isinf(seconds)) return g_strdup(seconds > 0 ? "endless" : "-endless");
	if (seconds == 0) return g_strdup("0 s");
	if (seconds < 0) {
		g_autofree char *size = rr_text_duration(-seconds);
		return g_strconcat("-", size, NULL);
	}
	/* Half the last printed unit below each limit, so that no "60 s" appears. */
	if (seconds < 59.95) return short_duration(seconds);
	if (seconds < HOUR - 0.5) return two_parts(seconds, MINUTE, "min", 1, "s");
	if (seconds < 2 * DAY - MINUTE / 2) return two_parts(seconds, HOUR, "h", MINUTE, "min");
	if (seconds < 30.0 * DAY) return two_parts(seconds, DAY, "d", HOUR, "h");
	bool years = seconds >= 0.9995 * YEAR;
	g_autofree char *number = years ? fixed(seconds / YEAR, 1) : fixed(seconds / DAY, 0);
	drop_zeros(number);
	return g_strconcat(number, years ? " y" : " d", NULL);
}

/* Below a unit of currency: the first two digits that count, at least cents. */
static int money_decimals(double amount)
{
	if (amount == 0 || amount >= 0.095) return 2;
	return amount >= 0.0095 ? 3 : amount >= 0.00095 ? 4 : 6;
}

char *rr_text_money(int64_t micros, const char *currency)
{
	double amount = (double)micros / (double)RR_MICROS, size = fabs(amount);
	g_autofree char *number = NULL;
	const char *scale = "";
	if (size < 999.995) {
		number = fixed(amount, money_decimals(size));
	} else if (size < 999999.5) {
		g_autofree char *digits = fixed(amount, 0);
		number = grouped(digits);
	} else {
		bool billions = size >= 999.5e6;
		number = three_digits(amount / (billions ? 1e9 : 1e6));
		scale = billions ? "bn " : "M ";
	}
	return g_strconcat(number, " ", scale, currency, NULL);
}

char *rr_text_bytes(double bytes)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	size_t n = 0;
	if (!isfinite(bytes)) return g_strdup("-");
	for (; fabs(bytes) >= 1023.5 && n + 1 < G_N_ELEMENTS(names); n++) bytes /= 1024;
	g_autofree char *number = three_digits(bytes);
	drop_zeros(number);
	return g_strconcat(number, " ", names[n], NULL);
}

char *rr_text_count(double n)
{
	if (!isfinite(n)) return g_strdup("-");
	bool whole = n == round(n) || fabs(n) >= 999.5;
	g_autofree char *number = whole ? fixed(n, 0) : three_digits(n);
	if (whole) return grouped(number);
	drop_zeros(number);
	return g_steal_pointer(&number);
}

char *rr_text_ratio(double ratio)
{
	if (!isfinite(ratio)) return g_strdup("-");
	g_autofree char *number = fixed(100 * ratio, 1);
	return g_strconcat(number, " %", NULL);
}

char *rr_text_energy(double kwh)
{
	static const char *const names[] = {"kWh", "MWh", "GWh", "TWh"};
	size_t n = 0;
	if (!isfinite(kwh)) return g_strdup("-");
	for (; fabs(kwh) >= 999.95 && n + 1 < G_N_ELEMENTS(names); n++) kwh /= 1000;
	g_autofree char *number = fixed(kwh, fabs(kwh) < 9.995 ? 2 : 1);
	drop_zeros(number);
	return g_strconcat(number, " ", names[n], NULL);
}
