/* fields.c - columns and numbers, as all formats need them. */
#include "scenarios/traces/reading.h"

#include <math.h>
#include <string.h>

static bool names_hold(const char *names, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = names; at != NULL; at = strchr(at, '|')) {
		at += *at == '|';
		if (strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0')) return length > 0;
	}
	return false;
}

void trace_columns(struct trace_reading *r, const struct trace_row *header, const char *const *names, int count)
{
	for (int c = 0; c < count; c++) {
		r->column[c] = -1;
		for (int f = 0; f < header->count && r->column[c] < 0; f++)
			if (names_hold(names[c], header->field[f])) r->column[c] = f;
	}
}

const char *trace_field(const struct trace_reading *r, const struct trace_row *row, int which)
{
	int at = r->column[which];
	return at >= 0 && at < row->count ? row->field[at] : "";
}

bool trace_head_has(const char *head, const char *const *words)
{
	if (strncmp(head, "\xef\xbb\xbf", 3) == 0) head += 3;
	g_autofree char *line = g_strndup(head, strcspn(head, "\r\n"));
	g_auto(GStrv) fields = g_strsplit(line, ",", -1);
	for (char **f = fields; *f != NULL; f++) {
		g_strstrip(*f);
		size_t length = strlen(*f);
		if (length >= 2 && (*f)[0] == '"' && (*f)[length - 1] == '"')
			memmove(*f, *f + 1, length - 1), (*f)[length - 2] = '\0';
	}
	for (const char *const *w = words; *w != NULL; w++)
		if (!g_strv_contains((const char *const *)fields, *w)) return false;
	return true;
}

/* Digits before the point, times UNIT_NS: most numbers need no exact decimals. */
static bool whole_part(const char **at, int64_t unit_ns, int64_t *ns)
{
	int64_t value = 0;
	int digits = 0;
	for (; g_ascii_isdigit(**at) && digits < 18; digits++) value = value * 10 + (*(*at)++ - '0');
	return digits > 0 && !__builtin_mul_overflow(value, unit_ns, ns);
}

bool trace_number(const char *text, int64_t unit_ns, int64_t *ns)
{
	int64_t whole_ns = 0, part_ns = 0;
	const char *at = text + (*text == '-');
	bool whole = whole_part(&at, unit_ns, &whole_ns);
	if (whole && *at == '.') {
		char part[32] = "0";
		if (strlen(at) >= sizeof part - 1) return false;
		g_strlcpy(part + 1, at, sizeof part - 1);
		if (at[1] != '\0' && !rr_seconds_parse(part, &part_ns)) return false;
		part_ns = (int64_t)((rr_milli_gpu_ns)part_ns * unit_ns / RR_NS_PER_S);
	} else if (!whole || *at != '\0')
		return false;
	if (__builtin_add_overflow(whole_ns, part_ns, ns)) return false;
	if (*text == '-') *ns = -*ns;
	return true;
}

bool trace_whole(const char *text, int64_t *value)
{
	int64_t ns = 0;
	if (!trace_number(text, RR_NS_PER_S, &ns) || ns % RR_NS_PER_S != 0) return false;
	*value = ns / RR_NS_PER_S;
	return true;
}

bool trace_cpus(const char *text, int64_t *milli)
{
	if (trace_is_blank(text)) return true;
	return trace_number(text, 1000, milli) && *milli >= 0;
}

bool trace_bytes(const char *text, int64_t *bytes)
{
	if (trace_is_blank(text)) return true;
	return trace_number(text, 1, bytes) && *bytes >= 0; /* trace_whole ends at 9 GB */
}

bool trace_decimal(const char *text, double *value)
{
	char *end = NULL;
	*value = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*value);
}

bool trace_is_blank(const char *text)
{
	static const char *const blanks[] = {"",    "None", "none",    "null", "NULL", "NaT",
					     "nan", "NaN",  "Unknown", "N/A",  NULL};
	if (g_ascii_isdigit(text[0])) return false; /* nearly always */
	return g_strv_contains(blanks, text);
}

bool trace_stamp(const char *text, int64_t *epoch_ns)
{
	size_t length = strlen(text);
	if (rr_stamp_parse(text, epoch_ns)) return true;
	/* A zone of hours and minutes: "+08:00". */
	if (length < 16 || length > 63 || text[length - 3] != ':') return false;
	const char *zone = text + length - 6;
	if ((*zone != '+' && *zone != '-') || !g_ascii_isdigit(zone[1]) || !g_ascii_isdigit(zone[2]) ||
	    !g_ascii_isdigit(zone[4]) || !g_ascii_isdigit(zone[5]))
		return false;
	char local[64];
	memcpy(local, text, length - 6);
	local[length - 6] = '\0';
	int64_t minutes = ((zone[1] - '0') * 10 + zone[2] - '0') * 60 + (zone[4] - '0') * 10 + zone[5] - '0';
	if (!rr_stamp_parse(local, epoch_ns)) return false;
	return !__builtin_sub_overflow(*epoch_ns, (*zone == '-' ? -minutes : minutes) * RR_NS_PER_MIN, epoch_ns);
}
