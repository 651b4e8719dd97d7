/* rounds.h - from shares of time to who runs in the next round.
 *
 * Gavel (Narayanan et al., OSDI 2020, section 5) realises an allocation X in rounds
 * of fixed length. With f[i][j] the part of the time so far that job i has spent on
 * type j, the priority of the pair is
 *   X[i][j] / f[i][j]    (infinite while f is 0, nothing when X is 0):
 * how far it is behind its share. Pairs are taken by priority, each job at most
 * once and with all its GPUs or not at all, until the types are full. Times are
 * counted from when X was made: a new X begins at 0, or its jobs would be paid back
 * for what an older X owed them.
 *
 * A gang wider than what is left is passed over, not waited for; where gangs do not
 * pack, all shares are met in the same smaller part. GPUs are left over when no
 * pair with X > 0 fits; whether they are lent out is the caller's decision. */
#ifndef RR_SIM_SCHEDULER_ROUNDS_H
#define RR_SIM_SCHEDULER_ROUNDS_H

#include <stdint.h>

struct rr_round {
	int32_t job_count, type_count;
	const double *share;      /* [job][type]: X */
	const double *received_s; /* [job][type]: seconds since X was made */
	const int32_t *gpus;      /* by job, all at once */
	const int32_t *capacity;  /* free GPUs, by type */
};

/* Writes to TYPES, by job, the type it runs on next, -1 = none. Ties go to the larger
 * share, then the earlier job, then the earlier type. Returns the jobs that run.
 * O(p log p) for p pairs with a share. */
int32_t rr_rounds_next(const struct rr_round *round, int32_t *types);

#endif
