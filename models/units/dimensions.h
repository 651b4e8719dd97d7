/* dimensions.h - the tables of units, one per dimension. Private to models/units. */
#ifndef RR_MODELS_UNITS_DIMENSIONS_H
#define RR_MODELS_UNITS_DIMENSIONS_H

#include "models/units/units.h"

/* A unit is worth FACTOR / DIVISOR x 10^TEN of the dimension's base unit. */
struct unit {
	const char *names; /* space between aliases; the first is the one that is printed; '$' = the currency */
	int ten;
	int64_t factor, divisor;
	unsigned flags; /* enum unit_flag */
};

enum unit_flag { RR_PREFIX_NONE = 0, RR_PREFIX_DECIMAL = 1, RR_PREFIX_BINARY = 2, RR_UNIT_READ_ONLY = 4 };

struct dimension {
	const char *noun, *example;
	const struct unit *units;
	size_t unit_count;
	bool counted;  /* kept as an integer */
	bool money;    /* carries a currency */
	bool bare;     /* a number without a unit is meant */
	bool compound; /* "2h05min" */
	bool spaced;   /* printed "200 GPUs", not "200GPUs" */
};

/* Where a unit was found: the unit, with the prefix already in it. */
struct unit_value {
	int ten;
	int64_t factor, divisor;
};

const struct dimension *rr_dimension(enum rr_dimension dim);

/* Looks NAME up, prefixes and aliases included. */
bool rr_unit_find(const struct dimension *dimension, const char *name, struct unit_value *out);

/* Calls EACH with every name that rr_unit_find() knows, or only with those that
 * are printed. */
typedef void (*rr_unit_visitor)(const char *name, const struct unit_value *value, void *data);
void rr_unit_each(const struct dimension *dimension, bool printed_only, rr_unit_visitor each, void *data);

#endif
