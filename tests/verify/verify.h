/* verify.h - the ledger of all published and reference results that rackrent
 * holds itself to. `published` is always read from the shared data, `ours` is
 * always computed; no row is written by hand. */
#ifndef RR_TESTS_VERIFY_H
#define RR_TESTS_VERIFY_H

#include "sim/sim.h"
#include "tests/support/table.h"

#include <glib.h>
#include <stdbool.h>

/* How far apart two values are, in the measure of the row's limit. */
enum verify_measure { VERIFY_ABSOLUTE, VERIFY_PERCENT, VERIFY_COUNT };

struct verify_row {
	char *experiment, *name, *metric, *unit;
	double published, ours, difference, limit;
	bool pass;
};
struct verify_ledger {
	GArray *rows; /* struct verify_row */
	char *shared; /* the folder of shared data */
};

/* Adds a row; for VERIFY_COUNT the difference is OURS itself (unequal rows of PUBLISHED). */
void verify_add(struct verify_ledger *ledger, const char *experiment, const char *name, const char *metric,
		const char *unit, double published, double ours, enum verify_measure measure, double limit);

/* The table FILE of the shared folder; NULL after adding a row that fails, so that
 * what cannot be read is not passed over. */
struct test_table *verify_table(struct verify_ledger *ledger, const char *experiment, const char *file);

/* A trace replayed on a fleet, the way `rackrent replay` does it. */
struct verify_replay {
	struct scenario *scenario;
	struct rr_work *work;
	struct job_list *jobs;
	struct usage *usage;
};
/* TRACE is YAML of the trace block, POOLS of the pools block (flow style). NULL
 * after printing why. */
struct verify_replay *verify_replay_run(const char *trace, const char *pools, const char *scheduler);
/* The same with the jobs changed before the run; they stay sorted by submit. */
struct verify_replay *verify_replay_edited(const char *trace, const char *pools, const char *scheduler,
					   void (*edit)(struct job_list *jobs));
void verify_replay_free(struct verify_replay *replay);

void verify_helios(struct verify_ledger *ledger);
void verify_philly(struct verify_ledger *ledger);
void verify_tiresias(struct verify_ledger *ledger);
void verify_muri(struct verify_ledger *ledger);
void verify_fgd(struct verify_ledger *ledger);
void verify_openb(struct verify_ledger *ledger);
void verify_orderings(struct verify_ledger *ledger);
void verify_pyss(struct verify_ledger *ledger);
void verify_theory(struct verify_ledger *ledger);

bool verify_write(const struct verify_ledger *ledger, const char *folder);

#endif
