/* dimensions.c - one table of units per dimension. */
#include "models/units/dimensions.h"

#include <string.h>

struct prefix {
	const char *text;
	int ten, two; /* worth 10^ten x 2^two */
	enum unit_flag set;
};

static const struct prefix prefixes[] = {
    {"k", 3, 0, RR_PREFIX_DECIMAL},  {"M", 6, 0, RR_PREFIX_DECIMAL},  {"G", 9, 0, RR_PREFIX_DECIMAL},
    {"T", 12, 0, RR_PREFIX_DECIMAL}, {"P", 15, 0, RR_PREFIX_DECIMAL}, {"E", 18, 0, RR_PREFIX_DECIMAL},
    {"Ki", 0, 10, RR_PREFIX_BINARY}, {"Mi", 0, 20, RR_PREFIX_BINARY}, {"Gi", 0, 30, RR_PREFIX_BINARY},
    {"Ti", 0, 40, RR_PREFIX_BINARY}, {"Pi", 0, 50, RR_PREFIX_BINARY}, {"Ei", 0, 60, RR_PREFIX_BINARY},
};

static const struct unit ratio_units[] = {{"%", -2, 1, 1, RR_PREFIX_NONE}};

static const struct unit ratio_per_year_units[] = {
    {"%/y %/yr %/year", -2, 1, 1, RR_PREFIX_NONE},
    {"/y /yr /year", 0, 1, 1, RR_PREFIX_NONE},
};

static const struct unit duration_units[] = {
    {"y yr year years", 0, RR_NS_PER_YEAR, 1, RR_PREFIX_NONE},
    {"d day days", 0, RR_NS_PER_DAY, 1, RR_PREFIX_NONE},
    {"h hr hour hours", 0, RR_NS_PER_HOUR, 1, RR_PREFIX_NONE},
    {"min mins minute minutes", 0, RR_NS_PER_MIN, 1, RR_PREFIX_NONE},
    {"s sec second seconds", 9, 1, 1, RR_PREFIX_NONE},
    {"ms", 6, 1, 1, RR_PREFIX_NONE},
    {"us µs", 3, 1, 1, RR_PREFIX_NONE},
    {"ns", 0, 1, 1, RR_PREFIX_NONE},
    {"w week weeks", 0, 7 * RR_NS_PER_DAY, 1, RR_UNIT_READ_ONLY},
    {"month months", 0, RR_NS_PER_MONTH, 1, RR_UNIT_READ_ONLY},
};

static const struct unit rate_units[] = {
    {"/s /sec /second", 0, 1, 1, RR_PREFIX_NONE},
    {"/min /minute", 0, 1, 60, RR_PREFIX_NONE},
    {"/h /hr /hour", 0, 1, RR_NS_PER_HOUR / RR_NS_PER_S, RR_PREFIX_NONE},
    {"/d /day", 0, 1, RR_NS_PER_DAY / RR_NS_PER_S, RR_PREFIX_NONE},
    {"/w /week", 0, 1, 7 * RR_NS_PER_DAY / RR_NS_PER_S, RR_PREFIX_NONE},
    {"/month", 0, 1, RR_NS_PER_MONTH / RR_NS_PER_S, RR_PREFIX_NONE},
    {"/y /yr /year", 0, 1, RR_NS_PER_YEAR / RR_NS_PER_S, RR_PREFIX_NONE},
};

static const struct unit byte_units[] = {
    {"B", 0, 1, 1, RR_PREFIX_DECIMAL | RR_PREFIX_BINARY},
    {"byte bytes", 0, 1, 1, RR_UNIT_READ_ONLY},
};

static const struct unit bandwidth_units[] = {
    {"B/s", 0, 1, 1, RR_PREFIX_DECIMAL | RR_PREFIX_BINARY},
    {"bit/s b/s bps", 0, 1, 8, RR_PREFIX_DECIMAL},
};

static const struct unit power_units[] = {{"W", 0, 1, 1, RR_PREFIX_DECIMAL}};

static const struct unit energy_units[] = {
    {"Wh", -3, 1, 1, RR_PREFIX_DECIMAL},
    {"J", -5, 1, 36, RR_PREFIX_DECIMAL | RR_UNIT_READ_ONLY},
};

static const struct unit flops_units[] = {{"FLOPS FLOP/s OPS", 0, 1, 1, RR_PREFIX_DECIMAL}};

static const struct unit money_units[] = {{"$", 6, 1, 1, RR_PREFIX_DECIMAL}};

static const struct unit money_per_hour_units[] = {{"$/h $/hr $/hour", 6, 1, 1, RR_PREFIX_DECIMAL}};

static const struct unit money_per_year_units[] = {
    {"$/y $/yr $/year", 6, 1, 1, RR_PREFIX_DECIMAL},
    {"$/month", 6, 12, 1, RR_PREFIX_DECIMAL | RR_UNIT_READ_ONLY},
};

static const struct unit money_per_kwh_units[] = {
    {"$/kWh", 6, 1, 1, RR_PREFIX_NONE},
    {"$/MWh", 3, 1, 1, RR_UNIT_READ_ONLY},
};

static const struct unit money_per_kw_month_units[] = {
    {"$/kW-month $/kW/month $/kW-mo", 6, 1, 1, RR_PREFIX_NONE},
};

static const struct unit count_per_units[] = {{"GPUs GPU gpus gpu", 0, 1, 1, RR_PREFIX_NONE}};

#define UNITS(table) .units = (table), .unit_count = G_N_ELEMENTS(table)

static const struct dimension dimensions[] = {
    [RR_DIM_COUNT] = {"a number", "12", .counted = true, .bare = true},
    [RR_DIM_RATIO] = {"a share", "30%", UNITS(ratio_units), .bare = true},
    [RR_DIM_RATIO_PER_YEAR] = {"a share per year", "20%/y", UNITS(ratio_per_year_units)},
    [RR_DIM_DURATION] = {"a duration", "45min", UNITS(duration_units), .counted = true, .compound = true},
    [RR_DIM_RATE] = {"a rate", "4/h", UNITS(rate_units)},
    [RR_DIM_BYTES] = {"a size in bytes", "80GiB", UNITS(byte_units), .counted = true},
    [RR_DIM_BANDWIDTH] = {"a bandwidth", "25GB/s", UNITS(bandwidth_units)},
    [RR_DIM_POWER] = {"a power", "6.5kW", UNITS(power_units)},
    [RR_DIM_ENERGY] = {"an energy", "1.2MWh", UNITS(energy_units)},
    [RR_DIM_FLOPS] = {"an arithmetic rate", "312TFLOPS", UNITS(flops_units)},
    [RR_DIM_MONEY] = {"an amount of money", "199000 USD", UNITS(money_units), .counted = true, .money = true,
		      .spaced = true},
    [RR_DIM_MONEY_PER_HOUR] = {"a price per hour", "0.45 USD/h", UNITS(money_per_hour_units), .counted = true,
			       .money = true, .spaced = true},
    [RR_DIM_MONEY_PER_YEAR] = {"an amount per year", "180 kUSD/y", UNITS(money_per_year_units), .counted = true,
			       .money = true, .spaced = true},
    [RR_DIM_MONEY_PER_KWH] = {"a price of energy", "0.12 USD/kWh", UNITS(money_per_kwh_units), .counted = true,
			      .money = true, .spaced = true},
    [RR_DIM_MONEY_PER_KW_MONTH] = {"a price of power per month", "190 USD/kW-month", UNITS(money_per_kw_month_units),
				   .counted = true, .money = true, .spaced = true},
    [RR_DIM_COUNT_PER] = {"a number of GPUs", "200 GPUs", UNITS(count_per_units), .counted = true, .spaced = true},
};

const struct dimension *rr_dimension(enum rr_dimension dim)
{
	g_assert((size_t)dim < G_N_ELEMENTS(dimensions));
	return &dimensions[dim];
}

const char *rr_dimension_noun(enum rr_dimension dim)
{
	return rr_dimension(dim)->noun;
}

const char *rr_dimension_example(enum rr_dimension dim)
{
	return rr_dimension(dim)->example;
}

static struct unit_value with_prefix(const struct unit *unit, const struct prefix *prefix)
{
	struct unit_value value = {unit->ten, unit->factor, unit->divisor};
	if (prefix != NULL) {
		value.ten += prefix->ten;
		value.factor <<= prefix->two;
	}
	return value;
}

/* Visits NAME (of LENGTH) of UNIT alone and behind each prefix it takes. */
static void each_prefix(const struct unit *unit, const char *name, size_t length, rr_unit_visitor each, void *data)
{
	char text[64];
	g_assert(length + 3 < sizeof text);
	for (size_t p = 0; p <= G_N_ELEMENTS(prefixes); p++) {
		const struct prefix *prefix = p == 0 ? NULL : &prefixes[p - 1];
		if (prefix != NULL && (unit->flags & prefix->set) == 0) continue;
		(void)g_snprintf(text, sizeof text, "%s%.*s", prefix == NULL ? "" : prefix->text, (int)length, name);
		struct unit_value value = with_prefix(unit, prefix);
		each(text, &value, data);
	}
}

void rr_unit_each(const struct dimension *dimension, bool printed_only, rr_unit_visitor each, void *data)
{
	for (size_t u = 0; u < dimension->unit_count; u++) {
		const struct unit *unit = &dimension->units[u];
		if (printed_only && (unit->flags & RR_UNIT_READ_ONLY) != 0) continue;
		for (const char *name = unit->names; *name != '\0';) {
			size_t length = strcspn(name, " ");
			each_prefix(unit, name, length, each, data);
			if (printed_only) break;
			name += length + (name[length] == ' ' ? 1 : 0);
		}
	}
}

struct search {
	const char *name;
	struct unit_value *out;
	bool found;
};

static void compare_name(const char *name, const struct unit_value *value, void *data)
{
	struct search *search = data;
	if (search->found || strcmp(name, search->name) != 0) return;
	*search->out = *value;
	search->found = true;
}

bool rr_unit_find(const struct dimension *dimension, const char *name, struct unit_value *out)
{
	struct search search = {name, out, false};
	rr_unit_each(dimension, false, compare_name, &search);
	return search.found;
}

bool rr_dimension_is_counted(enum rr_dimension dim)
{
	return rr_dimension(dim)->counted;
}

bool rr_dimension_is_money(enum rr_dimension dim)
{
	return rr_dimension(dim)->money;
}
