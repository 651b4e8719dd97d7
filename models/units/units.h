/* units.h - quantities: read from text with their unit, printed for people.
 *
 * Everything that crosses a module is an integer in one base unit where it can
 * be counted (time, bytes, money) and a double in the SI unit otherwise; the
 * name of a variable carries the unit.  Reading is exact: "0.45 USD/h" is
 * 450,000 micros per hour, never 449,999.  Reading and printing ignore the
 * locale. */
#ifndef RR_MODELS_UNITS_H
#define RR_MODELS_UNITS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds since the scenario's start. */
typedef int64_t sim_time;

/* Integrals of thousandths of a GPU over nanoseconds: 100,000 GPUs over three
 * years do not fit into 64 bits. */
__extension__ typedef __int128 rr_milli_gpu_ns;

#define RR_NS_PER_S     INT64_C(1000000000)
#define RR_NS_PER_MIN   (60 * RR_NS_PER_S)
#define RR_NS_PER_HOUR  (3600 * RR_NS_PER_S)
#define RR_NS_PER_DAY   (24 * RR_NS_PER_HOUR)
#define RR_NS_PER_YEAR  (365 * RR_NS_PER_DAY) /* 365 days: a tariff year */
#define RR_NS_PER_MONTH (RR_NS_PER_YEAR / 12)
#define RR_MICROS       INT64_C(1000000) /* micros per unit of currency */

/* What a number measures, and the base unit in which it is kept. */
enum rr_dimension {
	RR_DIM_COUNT,              /* bare number */
	RR_DIM_RATIO,              /* "30%" or 0.3 -> 0.3 */
	RR_DIM_RATIO_PER_YEAR,     /* "20%/y" -> 0.2 */
	RR_DIM_DURATION,           /* "45min", "2h05min", "3y" -> ns, exact */
	RR_DIM_RATE,               /* "4/h", "10/day" -> per second */
	RR_DIM_BYTES,              /* "80GiB", "1.5TB" -> bytes, exact */
	RR_DIM_BANDWIDTH,          /* "2TB/s", "100Gbit/s" -> bytes per second */
	RR_DIM_POWER,              /* "400W", "6.5kW" -> W */
	RR_DIM_ENERGY,             /* "1.2MWh" -> kWh */
	RR_DIM_FLOPS,              /* "312TFLOPS" -> FLOP/s */
	RR_DIM_MONEY,              /* "199000 USD", "1.2 MUSD" -> micros, exact */
	RR_DIM_MONEY_PER_HOUR,     /* "0.45 USD/h" -> micros per hour, exact */
	RR_DIM_MONEY_PER_YEAR,     /* "180 kUSD/y" -> micros per year, exact */
	RR_DIM_MONEY_PER_KWH,      /* "0.12 USD/kWh" -> micros per kWh, exact */
	RR_DIM_MONEY_PER_KW_MONTH, /* "190 USD/kW-month" -> micros, exact */
	RR_DIM_COUNT_PER           /* "200 GPUs" -> 200 (a count with its noun) */
};

struct rr_quantity {
	double value;     /* in the base unit */
	int64_t exact;    /* the same for integer dimensions, rounded half away from zero */
	char currency[4]; /* ISO 4217 code of a money dimension, else "" */
};

#define RR_UNITS_ERROR (rr_units_error_quark())
GQuark rr_units_error_quark(void);
enum { RR_UNITS_ERROR_SYNTAX, RR_UNITS_ERROR_UNIT, RR_UNITS_ERROR_RANGE };

/* Reads TEXT, the whole of it, as a quantity of dimension DIM.  A missing unit
 * is an error for every dimension that has one (0 alone is allowed).  On
 * failure false and a message that says what was expected with an example
 * ("expected a duration such as 45min or 2h, found '45'"). */
bool rr_quantity_parse(const char *text, enum rr_dimension dim, struct rr_quantity *out, GError **error);

/* What this dimension is called and an example: "a duration", "45min". */
const char *rr_dimension_noun(enum rr_dimension dim);
const char *rr_dimension_example(enum rr_dimension dim);
/* Whether values of DIM are kept as integers (rr_quantity.exact). */
bool rr_dimension_is_counted(enum rr_dimension dim);
/* Whether values of DIM carry a currency. */
bool rr_dimension_is_money(enum rr_dimension dim);

/* The shortest exact text that rr_quantity_parse() reads back to the same
 * value ("45min", "80GiB", "0.45 USD/h").  CURRENCY may be NULL where the
 * dimension has none.  Caller frees. */
char *rr_quantity_text(enum rr_dimension dim, double value, int64_t exact, const char *currency);

/* For people; caller frees. */
char *rr_text_duration(double seconds);                    /* "2 h 05 min", "38 s", "1.4 y", "-" for NaN */
char *rr_text_money(int64_t micros, const char *currency); /* "1.23 M USD", "4.50 USD" */
char *rr_text_bytes(double bytes);                         /* "80 GiB" */
char *rr_text_count(double n);                             /* "10,650" */
char *rr_text_ratio(double ratio);                         /* "63.2 %" */
char *rr_text_energy(double kwh);                          /* "415.2 kWh", "1.29 GWh" */

/* Seconds with as many decimals as needed and no more: "12", "0.25".  Writes
 * at most 32 bytes with the final 0 into BUF and returns BUF. */
char *rr_text_seconds(sim_time ns, char buf[32]);

/* A double as the shortest text that reads back the same, '.' in any locale.
 * Writes into BUF (32 bytes) and returns it; "null" never appears here. */
char *rr_text_double(double value, char buf[32]);

/* Decimal seconds ("66.0", "1.5e3" is refused) to nanoseconds; decimals past the
 * ninth are rounded.  False when TEXT is not a plain decimal number or does not
 * fit. */
bool rr_seconds_parse(const char *text, sim_time *out_ns);

/* "YYYY-MM-DD[ T]HH:MM:SS[.fraction][Z]" or "YYYY-MM-DD", read as UTC, to
 * nanoseconds since 1970.  False when it is not such a stamp. */
bool rr_stamp_parse(const char *text, int64_t *out_epoch_ns);

/* The nearest of WORDS (NULL-terminated) to TEXT by edit distance, or NULL
 * when none is near enough to be what was meant. */
const char *rr_nearest_word(const char *text, const char *const *words);

#endif
