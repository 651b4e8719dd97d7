/* input.h - bytes of a file, unpacked while they are read. Private to traces. */
#ifndef RR_SCENARIOS_TRACES_INPUT_H
#define RR_SCENARIOS_TRACES_INPUT_H

#include "scenarios/scenarios.h"

struct trace_input;

/* A file, plain or packed by gzip, zstd, xz or in a zip (its first member).
 * NULL after a fault. */
struct trace_input *trace_input_open(const char *path, struct rr_faults *faults);
/* The same from memory, under NAME; the bytes are not copied. */
struct trace_input *trace_input_open_bytes(const void *bytes, size_t size, const char *name, struct rr_faults *faults);
void trace_input_close(struct trace_input *input);

/* The next unpacked bytes; 0 at the end, -1 after a fault. */
ssize_t trace_input_next(struct trace_input *input, const char **bytes, struct rr_faults *faults);
/* The first bytes again, at least one line where there is one; does not move on.
 * A text ended by 0. */
const char *trace_input_head(struct trace_input *input, struct rr_faults *faults);

#endif
