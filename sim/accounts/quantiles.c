/* quantiles.c - percentiles of job times. */
#include "sim/accounts/parts.h"

#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/* Sorts by one digit, from FROM to TO. False when all digits are alike, and TO
 * was not written. */
static bool sort_by_digit(const sim_time *from, sim_time *to, size_t count, int shift)
{
	size_t starts[DIGITS] = {0};
	for (size_t i = 0; i < count; i++) starts[from[i] >> shift & (DIGITS - 1)]++;
	if (starts[from[0] >> shift & (DIGITS - 1)] == count) return false;
	size_t at = 0;
	for (int digit = 0; digit < DIGITS; digit++) {
		size_t here = starts[digit];
		starts[digit] = at;
		at += here;
	}
	for (size_t i = 0; i < count; i++) to[starts[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

void rr_sort_times(sim_time *times, size_t count)
{
	if (count < 2) return;
	sim_time *spare = g_new(sim_time, count), *from = times, *to = spare;
	for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!sort_by_digit(from, to, count, shift)) continue;
		sim_time *swap = from;
		from = to;
		to = swap;
	}
	if (from != times) memcpy(times, from, count * sizeof *times);
	g_free(spare);
}

sim_time rr_nearest_rank(const sim_time *sorted, size_t count, unsigned percent)
{
	g_assert(count > 0 && percent <= 100);
	size_t rank = (count * percent + 99) / 100;
	return sorted[rank == 0 ? 0 : rank - 1];
}
