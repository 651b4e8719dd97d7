/* quantity.c - from text to a quantity. */
#include "models/units/decimal.h"
#include "models/units/dimensions.h"

#include <math.h>
#include <string.h>

G_DEFINE_QUARK(rr - units - error - quark, rr_units_error)

/* One call of rr_quantity_parse(). */
struct reading {
	const struct dimension *dimension;
	const char *text;
	struct quantity_part {
		const char *at;   /* next character to read */
		bool dollar;      /* "$" stood before the number */
		bool negative;    /* of the first number: "-2h05min" is -125 min */
		int64_t smallest; /* unit of the part before, in base units; 0 = none */
	} part;
};

/* TEXT for a message: short, on one line, valid UTF-8. */
static char *shown(const char *text)
{
	enum { MOST = 60 };
	bool cut = strlen(text) > MOST;
	g_autofree char *start = g_strndup(text, MOST);
	g_autofree char *valid = g_utf8_make_valid(start, -1);
	for (char *at = valid; *at != '\0'; at++)
		if (g_ascii_iscntrl(*at)) *at = ' ';
	return g_strconcat("'", valid, cut ? "..." : "", "'", NULL);
}

G_GNUC_PRINTF(4, 5)
static bool fail(const struct reading *reading, int code, GError **error, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *why = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *found = shown(reading->text);
	g_set_error(error, RR_UNITS_ERROR, code, "expected %s such as %s, found %s%s", reading->dimension->noun,
		    reading->dimension->example, found, why);
	return false;
}

static void collect(const char *name, const struct unit_value *value, void *data)
{
	(void)value;
	g_ptr_array_add(data, g_strdup(name));
}

/* NAME with the first '$' replaced by CURRENCY. */
static char *with_currency(const char *name, const char *currency)
{
	const char *sign = strchr(name, '$');
	if (sign == NULL || currency == NULL || *currency == '\0') return g_strdup(name);
	return g_strdup_printf("%.*s%s%s", (int)(sign - name), name, currency, sign + 1);
}

static bool fail_unknown_unit(const struct reading *reading, const char *unit, const char *currency, GError **error)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	rr_unit_each(reading->dimension, false, collect, names);
	for (guint i = 0; i < names->len; i++)
		g_ptr_array_add(words, with_currency(g_ptr_array_index(names, i), currency));
	g_ptr_array_add(words, NULL);
	const char *nearest = rr_nearest_word(unit, (const char *const *)words->pdata);
	g_autofree char *unit_shown = shown(unit);
	if (words->len == 1) return fail(reading, RR_UNITS_ERROR_UNIT, error, ": no unit belongs here");
	if (nearest == NULL) return fail(reading, RR_UNITS_ERROR_UNIT, error, ": unknown unit %s", unit_shown);
	return fail(reading, RR_UNITS_ERROR_UNIT, error, ": unknown unit %s, did you mean '%s'?", unit_shown, nearest);
}

static bool three_capitals(const char *text)
{
	return g_ascii_isupper(text[0]) && g_ascii_isupper(text[1]) && g_ascii_isupper(text[2]);
}

/* Takes the currency out of UNIT: "kUSD/y" -> "k$/y" and "USD". */
static char *split_currency(const struct reading *reading, const char *unit, char currency[4], GError **error)
{
	size_t head = strcspn(unit, "/");
	if (reading->part.dollar || memchr(unit, '$', head) != NULL) {
		memcpy(currency, "USD", 4);
		if (!reading->part.dollar) return g_strdup(unit);
		return g_strdup_printf("%.*s$%s", (int)head, unit, unit + head);
	}
	size_t before = head == 4 ? 1 : 0;
	if (head != before + 3 || !three_capitals(unit + before)) {
		fail(reading, RR_UNITS_ERROR_UNIT, error, ": the currency is three capital letters (ISO 4217)");
		return NULL;
	}
	memcpy(currency, unit + before, 3);
	currency[3] = '\0';
	return g_strdup_printf("%.*s$%s", (int)before, unit, unit + head);
}

/* The unit at reading->part.at without its blanks; moves behind it. */
static char *take_unit(struct reading *reading)
{
	GString *unit = g_string_new(NULL);
	const char *at = reading->part.at;
	for (; *at != '\0' && !(reading->dimension->compound && g_ascii_isdigit(*at)); at++)
		if (!g_ascii_isspace(*at)) g_string_append_c(unit, *at);
	reading->part.at = at;
	return g_string_free(unit, FALSE);
}

static bool find_unit(const struct reading *reading, const char *unit, char currency[4], struct unit_value *value,
		      GError **error)
{
	g_autofree char *plain =
	    reading->dimension->money ? split_currency(reading, unit, currency, error) : g_strdup(unit);
	if (plain == NULL) return false;
	if (rr_unit_find(reading->dimension, plain, value)) return true;
	g_autofree char *written = with_currency(plain, reading->part.dollar ? "$" : currency);
	return fail_unknown_unit(reading, written, currency, error);
}

static bool add_number(const struct reading *reading, struct decimal number, const struct unit_value *unit,
		       struct rr_quantity *out, GError **error)
{
	const struct dimension *dimension = reading->dimension;
	int64_t counted = 0;
	number.negative = reading->part.negative;
	double value = rr_decimal_to_double(&number, unit->ten) * (double)unit->factor / (double)unit->divisor;
	if (!isfinite(value)) return fail(reading, RR_UNITS_ERROR_RANGE, error, ": too large");
	if (dimension->counted) {
		g_assert(unit->divisor == 1);
		if (!rr_decimal_to_integer(&number, unit->ten, unit->factor, &counted) ||
		    __builtin_add_overflow(out->exact, counted, &out->exact))
			return fail(reading, RR_UNITS_ERROR_RANGE, error, ": too large");
		if (!dimension->bare) value = (double)counted;
	}
	out->value = dimension->counted && !dimension->bare ? (double)out->exact : value;
	return true;
}

static bool smaller_than_before(struct reading *reading, const struct unit_value *unit)
{
	int64_t size = unit->factor;
	for (int ten = unit->ten; ten > 0; ten--) size *= 10;
	bool smaller = reading->part.smallest == 0 || size < reading->part.smallest;
	reading->part.smallest = size;
	return smaller;
}

/* One number with its unit. */
static bool read_part(struct reading *reading, struct rr_quantity *out, GError **error)
{
	bool first = reading->part.smallest == 0;
	struct decimal number;
	struct unit_value unit = {0, 1, 1};
	const char *end = rr_decimal_scan(reading->part.at, &number);
	if (end == NULL) return fail(reading, RR_UNITS_ERROR_SYNTAX, error, ": a number is missing");
	if (first) reading->part.negative = number.negative;
	reading->part.at = end;
	g_autofree char *name = take_unit(reading);
	if (*name == '\0' && !reading->part.dollar) {
		bool zero = first && number.digits == 0 && *reading->part.at == '\0';
		if (!zero && !reading->dimension->bare)
			return fail(reading, RR_UNITS_ERROR_UNIT, error, " without a unit");
	} else if (!find_unit(reading, name, out->currency, &unit, error)) {
		return false;
	}
	if (reading->dimension->compound && !smaller_than_before(reading, &unit))
		return fail(reading, RR_UNITS_ERROR_SYNTAX, error, ": larger units come first");
	return add_number(reading, number, &unit, out, error);
}

bool rr_quantity_parse(const char *text, enum rr_dimension dim, struct rr_quantity *out, GError **error)
{
	struct reading reading = {.dimension = rr_dimension(dim), .text = text, .part = {.at = text}};
	*out = (struct rr_quantity){0};
	while (g_ascii_isspace(*reading.part.at)) reading.part.at++;
	if (reading.dimension->money && *reading.part.at == '$') {
		reading.part.dollar = true;
		reading.part.at++;
	}
	do {
		if (!read_part(&reading, out, error)) return false;
	} while (*reading.part.at != '\0');
	return true;
}
