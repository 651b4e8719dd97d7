/* formats.h - the readers, one a file. Private to traces. */
#ifndef RR_SCENARIOS_TRACES_FORMATS_H
#define RR_SCENARIOS_TRACES_FORMATS_H

#include "scenarios/traces/reading.h"

extern const struct trace_reader trace_reader_csv, trace_reader_helios, trace_reader_acme, trace_reader_philly,
    trace_reader_philly_csv, trace_reader_muri, trace_reader_openb, trace_reader_pai, trace_reader_tiresias,
    trace_reader_gavel, trace_reader_swf, trace_reader_sacct;

#endif
