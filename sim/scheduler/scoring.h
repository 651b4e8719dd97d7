/* scoring.h - the best node for what a job asks, by the score of a policy.
 *
 *   fgd          least growth of fragmentation: floor(100 sigmoid(-growth / 1 GPU)),
 *                GPUs of a share by the same score (Weng et al., USENIX ATC 2023)
 *   best-fit     least left over: floor(100 (1 - (CPU left / 128 + GPUs left / 8) / 2))
 *   pack         GPUs in use first, then free GPUs of nodes in use, then free nodes
 *   gpu-cluster  nodes that hold jobs of the same size, and the fullest of them
 *   dot-product  least product of what is free and what is asked (Grandl et al.,
 *                SIGCOMM 2014)
 *   random       any node, any GPU
 *   worst-fit    most left over
 *
 * Formulas and the order of equals as in the artifact of Weng et al. (kubernetes-
 * scheduler-simulator): scores are whole numbers, the first node in the order of
 * the table wins among equals. Shares go to the fullest GPU that has room, whole
 * GPUs are taken from the lowest on.
 *
 * For each kind of ask the scores of all nodes stand in a tournament; a pick
 * rescores only the nodes that changed since the kind was last asked for, O(F +
 * log nodes) each (F: the cost of the score), and finds the best in O(log nodes).
 * Kinds not asked for lately are forgotten when the tournaments grow large. */
#ifndef RR_SIM_SCHEDULER_SCORING_H
#define RR_SIM_SCHEDULER_SCORING_H

#include "sim/scheduler/fragmentation.h"

enum rr_scoring {
	RR_SCORE_FGD,
	RR_SCORE_BEST_FIT,
	RR_SCORE_PACK,
	RR_SCORE_GPU_CLUSTER,
	RR_SCORE_DOT_PRODUCT,
	RR_SCORE_RANDOM,
	RR_SCORE_WORST_FIT
};

struct rr_scorer;

struct rr_pick {
	int32_t node;
	uint32_t mask; /* GPUs */
	int32_t score;
};

/* SHARES and TYPICAL (fgd; else NULL) must outlive the scorer. */
struct rr_scorer *rr_scorer_new(struct rr_shares *shares, enum rr_scoring scoring, const struct rr_typical *typical,
				uint64_t seed);
void rr_scorer_free(struct rr_scorer *scorer);
/* A number for ASK, the same for equal asks. */
int32_t rr_scorer_kind(struct rr_scorer *scorer, const struct rr_ask *ask);
/* Whether some node could take an ask of KIND now, and the best one. */
bool rr_scorer_fits(struct rr_scorer *scorer, int32_t kind);
bool rr_scorer_pick(struct rr_scorer *scorer, int32_t kind, struct rr_pick *pick);
const struct rr_ask *rr_scorer_ask(const struct rr_scorer *scorer, int32_t kind);

/* The plain formula: score of ASK on NODE, which it fits, and in *MASK its GPUs. */
int32_t rr_score(enum rr_scoring scoring, const struct rr_typical *typical, const struct rr_share_node *node,
		 const struct rr_ask *ask, uint32_t *mask);

#endif
