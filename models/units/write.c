/* write.c - from a quantity to the shortest text that reads back the same.
 *
 * Every unit of the dimension is tried and read back, so that this file knows
 * nothing of how a unit is read and cannot disagree with it. */
#include "models/units/dimensions.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum { MOST_DECIMALS = 12 };

struct writing {
	enum rr_dimension dim;
	const struct dimension *dimension;
	double value;
	int64_t exact;
	const char *currency;
	char *best; /* owned */
	bool best_whole;
};

/* VALUE / SIZE in decimals, or NULL when it takes more than a few. */
static char *quotient(int64_t value, int64_t size)
{
	uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	GString *text = g_string_new(value < 0 ? "-" : "");
	g_string_append_printf(text, "%" G_GUINT64_FORMAT, left / (uint64_t)size);
	wide rest = (wide)(left % (uint64_t)size);
	if (rest != 0) g_string_append_c(text, '.');
	for (int i = 0; i < MOST_DECIMALS && rest != 0; i++) {
		rest *= 10;
		g_string_append_c(text, (char)('0' + (int)(rest / size)));
		rest %= size;
	}
	if (rest == 0) return g_string_free(text, FALSE);
	g_string_free(text, TRUE);
	return NULL;
}

static bool reads_back(const struct writing *writing, const char *text)
{
	struct rr_quantity read;
	if (!rr_quantity_parse(text, writing->dim, &read, NULL)) return false;
	if (writing->dimension->counted && read.exact != writing->exact) return false;
	return writing->dimension->counted && !writing->dimension->bare ? true : read.value == writing->value;
}

/* Keeps NUMBER with UNIT when it is shorter than what was found so far. */
static void offer(struct writing *writing, const char *number, const char *unit)
{
	bool whole = strchr(number, '.') == NULL;
	bool spaced = writing->dimension->spaced;
	const char *sign = strchr(unit, '$');
	g_autofree char *text = sign == NULL ? g_strconcat(number, spaced ? " " : "", unit, NULL)
					     : g_strdup_printf("%s %.*s%s%s", number, (int)(sign - unit), unit,
							       writing->currency, sign + 1);
	if (writing->best != NULL) {
		size_t now = strlen(text), before = strlen(writing->best);
		if (now > before || (now == before && (writing->best_whole || !whole))) return;
	}
	if (!reads_back(writing, text)) return;
	g_free(writing->best);
	writing->best = g_steal_pointer(&text);
	writing->best_whole = whole;
}

static void try_counted(struct writing *writing, const char *name, const struct unit_value *unit)
{
	int64_t size = unit->factor;
	for (int ten = unit->ten; ten > 0; ten--)
		if (__builtin_mul_overflow(size, INT64_C(10), &size)) return;
	if (unit->ten < 0) return;
	g_autofree char *number = quotient(writing->exact, size);
	if (number != NULL) offer(writing, number, name);
}

static void try_unit(const char *name, const struct unit_value *unit, void *data)
{
	struct writing *writing = data;
	if (writing->dimension->counted) {
		try_counted(writing, name, unit);
		return;
	}
	double in_unit = writing->value * pow(10, -unit->ten) * (double)unit->divisor / (double)unit->factor;
	if (!isfinite(in_unit)) return;
	char number[32];
	/* 4/h is kept as 0.00111...: what was meant has few digits. */
	offer(writing, g_ascii_formatd(number, sizeof number, "%.12g", in_unit), name);
	offer(writing, rr_text_double(in_unit, number), name);
}

char *rr_quantity_text(enum rr_dimension dim, double value, int64_t exact, const char *currency)
{
	struct writing writing = {dim, rr_dimension(dim), value, exact, currency, NULL, false};
	g_assert(!writing.dimension->money || (currency != NULL && strlen(currency) == 3));
	rr_unit_each(writing.dimension, true, try_unit, &writing);
	char number[32];
	if (writing.dimension->bare) offer(&writing, rr_text_double(value, number), "");
	if (writing.best == NULL) return g_strdup(rr_text_double(value, number));
	return writing.best;
}
