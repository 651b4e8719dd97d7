/* decimal.h - a number as it was written, before any rounding.
 *
 * Private to models/units. Counted quantities (time, bytes, money) go from
 * these digits to an integer without passing through a double: 0.45 has no
 * exact double, and 450,000 micros must not become 449,999. */
#ifndef RR_MODELS_UNITS_DECIMAL_H
#define RR_MODELS_UNITS_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* (-1)^negative x digits x 10^exponent; digits past the 19th that counts are left
 * out here, never in the double. */
struct decimal {
	uint64_t digits;
	int exponent;
	bool negative;
	const char *text;
	size_t mantissa_length; /* of text, without a written exponent */
	int written_exponent;
};

/* Reads [+-]digits[.digits][e[+-]digits] at the start of TEXT and returns
 * where it ends, or NULL when no number stands there. No "inf", no "0x". */
const char *rr_decimal_scan(const char *text, struct decimal *out);

/* DECIMAL x 10^TEN x FACTOR as an integer, rounded half away from zero. False
 * when it does not fit. */
bool rr_decimal_to_integer(const struct decimal *decimal, int ten, int64_t factor, int64_t *out);

/* DECIMAL x 10^TEN, the nearest double; may be infinite. */
double rr_decimal_to_double(const struct decimal *decimal, int ten);

#endif
