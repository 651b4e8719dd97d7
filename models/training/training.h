/* training.h - how much faster a job runs on more GPUs.
 *
 *   linear   S(n) = n
 *   Amdahl   S(n) = 1 / (s + (1 - s) / n), s the part that does not spread
 *            (Amdahl, AFIPS 1967)
 *   table    measured S at some n, straight lines between them and from (0, 0),
 *            level behind the last
 *
 * S(0) = 0; in units of one GPU's speed, so a job of one GPU's length d runs d / S(n).
 * Leaves out: that S depends on where the GPUs are. */
#ifndef RR_MODELS_TRAINING_H
#define RR_MODELS_TRAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rr_speedup_kind { RR_SPEEDUP_LINEAR, RR_SPEEDUP_AMDAHL, RR_SPEEDUP_TABLE };

struct rr_speedup {
	enum rr_speedup_kind kind;
	double serial;          /* Amdahl: 0 to 1 */
	const int32_t *gpus;    /* table: ascending, from 1 on; not owned */
	const double *speedups; /* table: above 0 */
	size_t count;           /* table: at least 1 */
};

/* The numbers are in the ranges above. All others take this for granted. */
bool rr_speedup_valid(const struct rr_speedup *curve);
/* S at GPUS; O(log entries). */
double rr_speedup_at(const struct rr_speedup *curve, int32_t gpus);
/* Every further GPU gains at most what the one before it gained. */
bool rr_speedup_concave(const struct rr_speedup *curve);

#endif
