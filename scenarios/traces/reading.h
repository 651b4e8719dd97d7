/* reading.h - what all readers share: rows come in, raw jobs go to the sink.
 * Private to traces.
 *
 * A format is one file with one row in the table of formats.c: how its lines are
 * split, how its content is known, and what a row means. The sink counts every
 * row, applies the common rules for rows that cannot be used, and keeps jobs. */
#ifndef RR_SCENARIOS_TRACES_READING_H
#define RR_SCENARIOS_TRACES_READING_H

#include "scenarios/traces/input.h"
#include "scenarios/traces/traces.h"

enum { ROW_FIELDS_MOST = 256, ROW_BYTES_MOST = 1 << 20, COLUMNS_MOST = 24 };

struct trace_row {
	const char *field[ROW_FIELDS_MOST]; /* texts ended by 0, spaces around them taken off */
	int count;
	long line; /* where it begins */
};

enum row_split { SPLIT_CSV, SPLIT_SPACES, SPLIT_TABS, SPLIT_PIPES, SPLIT_JSON };

struct trace_reading;

struct trace_reader {
	struct rr_trace_format words;
	enum row_split split;
	bool header; /* the first row names the columns */
	/* Whether the first line(s) of a file look like this format. */
	bool (*detect)(const char *head);
	/* The header row, or NULL before the first row of a format without. False
	 * after a fault. */
	bool (*begin)(struct trace_reading *reading, const struct trace_row *header);
	void (*row)(struct trace_reading *reading, const struct trace_row *row);
	bool (*document)(struct trace_reading *reading, struct trace_input *input); /* SPLIT_JSON */
};

/* One row as its format understands it; texts NULL or "" = none. */
struct trace_raw {
	const char *id, *name, *tenant, *klass, *pool, *state;
	bool has_submit, has_run, has_estimate, cancelled;
	int64_t submit_ns; /* on the file's own clock */
	int64_t run_ns, estimate_ns;
	double resources; /* GPUs or processors, fractions included */
	int32_t gpus, gpu_milli;
	int64_t mem_bytes;
	int32_t priority;
	int32_t speeds;               /* as in struct job */
	int64_t deadline_ns;          /* on the file's clock; 0 = none */
	int64_t cpu_milli, ram_bytes; /* of the job on each node; 0 = any */
	const char *gpu_types;        /* parted by '|'; NULL or "" = any */
	long line;
};

struct trace_reading {
	const struct trace_spec *spec;
	const struct trace_reader *reader;
	const char *file;
	struct rr_faults *faults;
	struct trace_report *report;
	struct job_list *jobs;
	/* of the format being read */
	int column[COLUMNS_MOST];
	int64_t unit_ns;   /* of bare numbers that are times */
	bool stamps;       /* times are civil stamps */
	int64_t base_ns;   /* of the file's clock: SWF's UnixStartTime; 0 = none */
	bool epoch;        /* times are civil or since 1970: shifted so that the first is 0 */
	GHashTable *rates; /* gavel: "('type', gpus)" -> steps per second on each type */
	/* the sink's */
	GArray *runs, *runs_with_resources; /* double */
	int64_t last_submit_ns;
	struct id_set *ids;
	bool keep; /* jobs are wanted, not only totals */
};

/* Counts a row that is not used (or, NOT_SORTED, that is used all the same); with
 * a strict trace it becomes a fault. */
void trace_skip(struct trace_reading *reading, enum rr_trace_reason reason, long line, const char *detail);
void trace_sink(struct trace_reading *reading, const struct trace_raw *raw);
void trace_sink_begin(struct trace_reading *reading);
/* Medians and means, shift of civil times, window and scales; frees what the sink holds. */
void trace_sink_end(struct trace_reading *reading);
void trace_fault(const struct trace_reading *reading, long line, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Splits the input into rows for the reading's reader. */
bool trace_rows(struct trace_reading *reading, struct trace_input *input);
/* Reads all of INPUT; takes it. */
struct job_list *trace_read_input(const struct trace_spec *spec, struct trace_input *input, bool keep,
				  struct trace_report **report, struct rr_faults *faults);

/* ------------------------------------------------------------- for the formats */

/* Finds each of NAMES ("submit|submit_s|submit_time") in HEADER; -1 = not there. */
void trace_columns(struct trace_reading *reading, const struct trace_row *header, const char *const *names, int count);
/* Text of a column; "" when the row has none. */
const char *trace_field(const struct trace_reading *reading, const struct trace_row *row, int which);
/* Whether HEAD's first line holds all of WORDS (NULL-terminated) as fields. */
bool trace_head_has(const char *head, const char *const *words);

/* CPUs with decimals as thousandths; bytes. Blank = any; false as below, or below 0. */
bool trace_cpus(const char *text, int64_t *milli);
bool trace_bytes(const char *text, int64_t *bytes);
/* Plain decimals. False when TEXT is none, or too large. */
bool trace_number(const char *text, int64_t unit_ns, int64_t *ns);
bool trace_whole(const char *text, int64_t *value); /* "8" and "8.0" */
bool trace_decimal(const char *text, double *value);
/* "2023-03-01 00:00:12", with Z or +08:00; blank, None, NaT, Unknown = not there. */
bool trace_is_blank(const char *text);
bool trace_stamp(const char *text, int64_t *epoch_ns);

#endif
