/* store.h - result.db: the whole study as SQLite tables.
 *
 *   run(key, value)                      what was run, as texts
 *   fleet(id, name, scheduler)
 *   metric(fleet, id, value, low, high, unit)
 *   job(fleet, replication, id, ..., lost_gpu_s)       as jobs.csv; times in seconds
 *   node(fleet, replication, pool, node, from_s, ready_s, to_s)   one life a row
 *   series(fleet, replication, pool, hour, busy_gpu_s, idle_gpu_s, booting_gpu_s,
 *          down_gpu_s, draining_gpu_s, waiting_gpu_s)
 *   ledger(fleet, replication, kind, name, pool, month, micros)   kind: ledger or outlook
 *   event(fleet, replication, at_s, kind, pool, node)             nodes that come and go
 *
 * The same study gives the same bytes. */
#ifndef RR_REPORTS_STORE_H
#define RR_REPORTS_STORE_H

#include "reports/reports.h"

bool store_write(const struct study *study, const char *folder, GError **error);

#endif
