/* decimal.c - decimal digits to integers and doubles. */
#include "models/units/decimal.h"

#include <glib.h>

__extension__ typedef unsigned __int128 wide;

enum {
	MOST_DIGITS = 19,     /* fit into 64 bits */
	MOST_EXPONENT = 9999, /* beyond it every number is 0 or too large */
	WIDE_DIGITS = 38      /* fit into 128 bits */
};

/* Takes one digit; PLACES is 1 behind the decimal point. */
static void take_digit(struct decimal *d, int *count, char digit, int places)
{
	if (*count == 0 && digit == '0') {
		d->exponent -= places;
	} else if (*count < MOST_DIGITS) {
		d->digits = d->digits * 10 + (uint64_t)(digit - '0');
		d->exponent -= places;
		(*count)++;
	} else {
		d->exponent += 1 - places;
	}
}

/* Reads "e-12" when that stands at TEXT; "EiB" and "e" alone are units. */
static const char *scan_exponent(const char *text, int *out)
{
	const char *at = text;
	*out = 0;
	if (*at != 'e' && *at != 'E') return text;
	at++;
	bool negative = *at == '-';
	if (*at == '-' || *at == '+') at++;
	if (!g_ascii_isdigit(*at)) return text;
	for (; g_ascii_isdigit(*at); at++)
		if (*out < MOST_EXPONENT) *out = *out * 10 + (*at - '0');
	*out = MIN(*out, MOST_EXPONENT);
	if (negative) *out = -*out;
	return at;
}

const char *rr_decimal_scan(const char *text, struct decimal *out)
{
	*out = (struct decimal){.text = text};
	const char *at = text;
	int count = 0;
	bool any = false;
	if (*at == '-' || *at == '+') out->negative = *at++ == '-';
	for (; g_ascii_isdigit(*at); at++, any = true) take_digit(out, &count, *at, 0);
	if (*at == '.' && (any || g_ascii_isdigit(at[1]))) {
		for (at++; g_ascii_isdigit(*at); at++, any = true) take_digit(out, &count, *at, 1);
	}
	if (!any) return NULL;
	out->mantissa_length = (size_t)(at - text);
	at = scan_exponent(at, &out->written_exponent);
	out->exponent += out->written_exponent;
	return at;
}

bool rr_decimal_to_integer(const struct decimal *decimal, int ten, int64_t factor, int64_t *out)
{
	g_assert(factor > 0);
	wide value = (wide)decimal->digits * (wide)factor;
	int exponent = decimal->exponent + ten;
	*out = 0;
	if (value == 0) return true;
	for (; exponent > 0; exponent--)
		if (__builtin_mul_overflow(value, (wide)10, &value)) return false;
	if (-exponent > WIDE_DIGITS) return true;
	wide divisor = 1;
	for (; exponent < 0; exponent++) divisor *= 10;
	wide rest = value % divisor;
	value = value / divisor + (rest >= divisor - rest ? 1 : 0);
	if (value > (wide)INT64_MAX) return false;
	*out = decimal->negative ? -(int64_t)value : (int64_t)value;
	return true;
}

double rr_decimal_to_double(const struct decimal *decimal, int ten)
{
	g_autofree char *text = g_strdup_printf("%.*se%d", (int)decimal->mantissa_length, decimal->text,
						CLAMP(decimal->written_exponent + ten, -MOST_EXPONENT, MOST_EXPONENT));
	return g_ascii_strtod(text, NULL);
}
