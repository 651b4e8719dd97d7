/* notes.c - what an account does not say, and why. */
#include "sim/accounts/parts.h"

enum { MOST_NAMED = 3 }; /* a trace may bring dozens of virtual clusters */

void rr_account_note(struct account *account, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_ptr_array_add(account->result->notes, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

void rr_account_note_pools(struct account *account, rr_pool_test test, const char *what)
{
	g_autoptr(GString) names = g_string_new(NULL);
	int count = 0;
	for (int32_t p = 0; p < account->fleet->pool_count; p++) {
		if (!test(account, p)) continue;
		if (count++ >= MOST_NAMED) continue;
		g_string_append_printf(names, "%s'%s'", count > 1 ? ", " : "", account->fleet->pools[p].name);
	}
	if (count == 0) return;
	if (count > MOST_NAMED) g_string_append_printf(names, " and %d more", count - MOST_NAMED);
	rr_account_note(account, "fleet '%s', pool%s %s: %s", account->fleet->name, count > 1 ? "s" : "", names->str,
			what);
}
