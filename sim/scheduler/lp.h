/* lp.h - who gets which share of which type of GPU, as a linear programme.
 *
 * Gavel (Narayanan et al., OSDI 2020, sections 3 and 4): X[i][j] is the share of
 * time that job i spends on type j, all its GPUs at once, so that it advances at
 *   throughput_i(X) = sum over j of T[i][j] * X[i][j]
 * with  X >= 0,  sum over j of X[i][j] <= 1  (a job is in one place at a time) and
 * sum over i of gpus_i * X[i][j] <= capacity_j.  The policies:
 *
 * max-min    raises the least of  gpus_i * throughput_i(X) / (w_i * throughput_i(E)),
 *            where E gives the job each type as long as the type's share of all
 *            GPUs: what it would have if it were spread evenly (section 4.1).
 *            Then, with those that cannot get more held, the least of the
 *            others, and so on until nobody can (water filling, section 4.3):
 *            the lexicographic optimum, which leaves no GPU idle that somebody
 *            could use. Each level costs one more solution, from the last one's
 *            basis; a job is held when its dual price is positive, since then
 *            its constraint is tight in every optimum.
 * blind      the same with T replaced by 1 where a job can run: shares of time
 *            are levelled, whatever the types are worth to it.
 * least cost pays least per hour with throughput_i(X) >= floor_i. When not all
 *            floors can be kept, the least fraction kept is raised first, as in
 *            max-min, and the cost is the least for the fractions so found. A
 *            floor above the job's best throughput counts as that.
 * max total  raises the sum of w_i * throughput_i(X).
 *
 * Jobs alike in everything count as one class with equal shares, so the programme
 * grows with the kinds of jobs, and a share does not depend on the jobs' order.
 * Leaves out: jobs that share a GPU, gains of moving less often; that shares become
 * whole GPUs only round by round (see rounds.h).
 *
 * Thread-safe: GLPK keeps its state by thread, and a call frees what it made, so the
 * calling thread must hold no other GLPK object. Nothing is printed. */
#ifndef RR_SIM_SCHEDULER_LP_H
#define RR_SIM_SCHEDULER_LP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum rr_lp_policy { RR_LP_MAX_MIN, RR_LP_MAX_MIN_BLIND, RR_LP_LEAST_COST, RR_LP_MAX_TOTAL };

struct rr_lp_problem {
	int32_t job_count, type_count;
	const double *throughput;         /* [job][type], any one unit; 0 = cannot run there */
	const int32_t *gpus;              /* by job, all at once; more than a type has = cannot run there */
	const double *weights;            /* by job, larger gets more; NULL = 1 */
	const double *floors;             /* by job, in the unit of throughput; NULL = 0; least cost only */
	const int32_t *capacity;          /* GPUs, by type */
	const double *price_per_gpu_hour; /* by type; least cost only */
};

struct rr_lp_answer {
	double *share;      /* [job][type], 0 to 1; all 0 for a job that can run nowhere */
	double objective;   /* max-min: the least level; least cost: money per hour; max total: the sum */
	double floors_kept; /* least cost: the least fraction of a floor kept, 1 = all whole */
	int32_t classes, solutions;
};

#define RR_LP_ERROR (rr_lp_error_quark())
enum rr_lp_error { RR_LP_ERROR_INPUT, RR_LP_ERROR_SOLVER };
GQuark rr_lp_error_quark(void);

/* Solves PROBLEM and fills ANSWER (to be freed with rr_lp_answer_done). False and
 * ERROR for a number out of range or when the solver gives up; ANSWER is empty then. */
bool rr_lp_solve(const struct rr_lp_problem *problem, enum rr_lp_policy policy, struct rr_lp_answer *answer,
		 GError **error);
void rr_lp_answer_done(struct rr_lp_answer *answer);

#endif
