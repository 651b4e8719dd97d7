/* rows.c - from bytes to rows of fields. Lines are cut here, so that a fault can
 * name its line; quoted fields are libcsv's business. */
#include "scenarios/traces/reading.h"

#include <csv.h>
#include <string.h>

struct splitting {
	struct trace_reading *r;
	struct trace_row row;
	GString *text;              /* of the row being put together */
	size_t at[ROW_FIELDS_MOST]; /* of its fields in TEXT */
	int count;
	long line;   /* being read */
	long begins; /* where the row began */
	bool header_due, stop;
	GString *rest; /* a line without its end yet */
	struct csv_parser csv;
};

/* Gives the row to the format. */
static void emit(struct splitting *s)
{
	s->row.count = s->count;
	s->row.line = s->begins;
	for (int f = 0; f < s->count; f++) s->row.field[f] = s->text->str + s->at[f];
	if (s->header_due) {
		s->header_due = false;
		if (s->r->reader->begin != NULL && !s->r->reader->begin(s->r, &s->row)) s->stop = true;
	} else
		s->r->reader->row(s->r, &s->row);
	g_string_truncate(s->text, 0);
	s->count = 0;
}

static void add_field(struct splitting *s, const char *text, size_t length)
{
	while (length > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		length--;
	}
	while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r'))
		length--;
	if (s->count < ROW_FIELDS_MOST) s->at[s->count++] = s->text->len;
	g_string_append_len(s->text, text, (gssize)length);
	g_string_append_c(s->text, '\0');
}

static void on_field(void *text, size_t length, void *data)
{
	struct splitting *s = data;
	if (!s->stop) add_field(s, text == NULL ? "" : text, length);
}

static void on_row(int end, void *data)
{
	struct splitting *s = data;
	(void)end;
	bool blank = s->count == 0 || (s->count == 1 && s->text->str[0] == '\0');
	if (!s->stop && !blank) emit(s);
	g_string_truncate(s->text, 0);
	s->count = 0;
	s->begins = s->line + 1;
}

static void split_csv(struct splitting *s, const char *line, size_t length)
{
	if (s->count == 0 && s->text->len == 0 && !s->csv.quoted) s->begins = s->line;
	if (csv_parse(&s->csv, line, length, on_field, on_row, s) == length) return;
	trace_fault(s->r, s->line,
		    csv_error(&s->csv) == CSV_EPARSE ? "not CSV: a quote stands inside a field"
						     : "not CSV: out of memory");
	s->stop = true;
}

static void split_plain(struct splitting *s, const char *line, size_t length, enum row_split split)
{
	while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
	const char *end = line + length;
	s->begins = s->line;
	if (split == SPLIT_SPACES) {
		for (const char *at = line; at < end;) {
			while (at < end && (*at == ' ' || *at == '\t')) at++;
			const char *begin = at;
			while (at < end && *at != ' ' && *at != '\t') at++;
			if (at > begin) add_field(s, begin, (size_t)(at - begin));
		}
	} else {
		char mark = split == SPLIT_TABS ? '\t' : '|';
		for (const char *at = line; at <= end && length > 0;) {
			const char *next = memchr(at, mark, (size_t)(end - at));
			if (next == NULL) next = end;
			add_field(s, at, (size_t)(next - at));
			at = next + 1;
		}
	}
	if (s->count > 0) emit(s);
}

static void take_line(struct splitting *s, const char *line, size_t length)
{
	s->line++;
	if (memchr(line, '\0', length) != NULL) {
		trace_fault(s->r, s->line, "not text: a byte 0x00");
		s->stop = true;
	} else if (s->r->reader->split == SPLIT_CSV)
		split_csv(s, line, length);
	else
		split_plain(s, line, length, s->r->reader->split);
	if (s->text->len <= ROW_BYTES_MOST) return;
	trace_fault(s->r, s->begins, "a row of more than 1 MiB; is a quote not closed?");
	s->stop = true;
}

/* Cuts BYTES into lines; what has no end yet is kept in REST. */
static void take_bytes(struct splitting *s, const char *bytes, size_t size)
{
	while (size > 0 && !s->stop) {
		const char *end = memchr(bytes, '\n', size);
		size_t length = end == NULL ? size : (size_t)(end - bytes) + 1;
		if (end == NULL || s->rest->len > 0) g_string_append_len(s->rest, bytes, (gssize)length);
		if (end != NULL && s->rest->len > 0) {
			take_line(s, s->rest->str, s->rest->len);
			g_string_truncate(s->rest, 0);
		} else if (end != NULL)
			take_line(s, bytes, length);
		if (s->rest->len > ROW_BYTES_MOST && !s->stop) {
			trace_fault(s->r, s->line + 1, "a line of more than 1 MiB: not a trace");
			s->stop = true;
		}
		bytes += length;
		size -= length;
	}
}

static void finish(struct splitting *s)
{
	if (!s->stop && s->rest->len > 0) take_line(s, s->rest->str, s->rest->len);
	if (s->r->reader->split != SPLIT_CSV) return;
	/* An open quote is told once, at the row in which it stands. */
	if (csv_fini(&s->csv, on_field, on_row, s) != 0 && !s->stop) {
		trace_fault(s->r, s->begins, "a quote is opened in this row and never closed");
		s->stop = true;
	}
}

bool trace_rows(struct trace_reading *r, struct trace_input *input)
{
	struct splitting *s = g_new0(struct splitting, 1);
	*s = (struct splitting){.r = r, .text = g_string_new(NULL), .rest = g_string_new(NULL), .begins = 1};
	s->header_due = r->reader->header;
	csv_init(&s->csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
	if (!r->reader->header && r->reader->begin != NULL) s->stop = !r->reader->begin(r, NULL);
	const char *bytes = NULL;
	ssize_t got = 0;
	bool first = true;
	while (!s->stop && (got = trace_input_next(input, &bytes, r->faults)) > 0) {
		size_t mark = first && got >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
		take_bytes(s, bytes + mark, (size_t)got - mark);
		first = false;
	}
	if (got == 0) finish(s);
	bool good = got >= 0 && !s->stop;
	if (good && s->header_due) {
		trace_fault(r, 0, "there is no header row");
		good = false;
	}
	csv_free(&s->csv);
	g_string_free(s->text, TRUE);
	g_string_free(s->rest, TRUE);
	g_free(s);
	return good;
}
