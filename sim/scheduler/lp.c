/* One programme for all policies: columns are the shares of classes and a level,
 * rows are the classes' time, the types' GPUs and the classes' values. */
#include "sim/scheduler/lp.h"

#include <glpk.h>
#include <math.h>
#include <string.h>

G_DEFINE_QUARK(rr - lp - error - quark, rr_lp_error)

/* Levels already reached are held short of this share of them, so that rounding
 * does not make the next programme infeasible. */
static const double SLACK = 1e-9;
/* The dual prices of the classes that rise add up to 1; less is rounding. */
static const double NO_PRICE = 1e-9;

struct model {
	const struct rr_lp_problem *problem;
	double *rows;   /* [job][type]: throughput as the policy sees it, 0 where the job cannot run */
	int32_t *order; /* jobs, alike ones side by side */
	int32_t *first; /* by class: where it begins in order; one more at the end */
	int32_t class_count;
	int *column; /* [class][type]: 0 = none */
	int *rising; /* by class: the row that holds its value to the level, 0 = none */
	int level;   /* the column of the level */
	glp_prob *lp;
	int32_t solutions;
};

static double weight_of(const struct rr_lp_problem *problem, int32_t job)
{
	return problem->weights != NULL ? problem->weights[job] : 1;
}

static double floor_of(const struct rr_lp_problem *problem, int32_t job)
{
	return problem->floors != NULL ? problem->floors[job] : 0;
}

static const double *row_of(const struct model *model, int32_t klass)
{
	return &model->rows[(size_t)model->order[model->first[klass]] * (size_t)model->problem->type_count];
}

static int32_t size_of(const struct model *model, int32_t klass)
{
	return model->first[klass + 1] - model->first[klass];
}

static bool fault(GError **error, int32_t job, const char *what)
{
	g_set_error(error, RR_LP_ERROR, RR_LP_ERROR_INPUT, "job %d: %s", job, what);
	return false;
}

static bool check(const struct rr_lp_problem *p, enum rr_lp_policy policy, GError **error)
{
	for (int32_t j = 0; j < p->type_count; j++) {
		bool priced =
		    policy != RR_LP_LEAST_COST || (p->price_per_gpu_hour != NULL && p->price_per_gpu_hour[j] >= 0 &&
						   isfinite(p->price_per_gpu_hour[j]));
		if (p->capacity[j] >= 0 && priced) continue;
		g_set_error(error, RR_LP_ERROR, RR_LP_ERROR_INPUT,
			    "type %d: capacity and price must be known and not negative", j);
		return false;
	}
	for (int32_t i = 0; i < p->job_count; i++) {
		double weight = weight_of(p, i), floor = floor_of(p, i);
		if (p->gpus[i] < 1) return fault(error, i, "needs at least one GPU");
		if (!(weight > 0) || !isfinite(weight)) return fault(error, i, "the weight must be above 0");
		if (!(floor >= 0) || !isfinite(floor)) return fault(error, i, "the floor must not be negative");
		for (int32_t j = 0; j < p->type_count; j++) {
			double t = p->throughput[(size_t)i * (size_t)p->type_count + (size_t)j];
			if (!(t >= 0) || !isfinite(t)) return fault(error, i, "throughputs must not be negative");
		}
	}
	return true;
}

static double *usable_rows(const struct rr_lp_problem *p, bool blind)
{
	double *rows = g_new0(double, (size_t)p->job_count *(size_t)p->type_count + 1);
	for (int32_t i = 0; i < p->job_count; i++)
		for (int32_t j = 0; j < p->type_count; j++) {
			size_t at = (size_t)i * (size_t)p->type_count + (size_t)j;
			if (p->throughput[at] > 0 && p->gpus[i] <= p->capacity[j])
				rows[at] = blind ? 1 : p->throughput[at];
		}
	return rows;
}

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* 0 = alike in all that the programme knows. */
static int compare_jobs(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct model *model = data;
	const struct rr_lp_problem *p = model->problem;
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	size_t types = (size_t)p->type_count;
	int order = (p->gpus[x] > p->gpus[y]) - (p->gpus[x] < p->gpus[y]);
	if (order == 0) order = compare(weight_of(p, x), weight_of(p, y));
	if (order == 0) order = compare(floor_of(p, x), floor_of(p, y));
	for (size_t j = 0; j < types && order == 0; j++)
		order = compare(model->rows[(size_t)x * types + j], model->rows[(size_t)y * types + j]);
	return order;
}

static void find_classes(struct model *model)
{
	int32_t jobs = model->problem->job_count;
	model->order = g_new(int32_t, (size_t)jobs + 1);
	model->first = g_new(int32_t, (size_t)jobs + 1);
	for (int32_t i = 0; i < jobs; i++) model->order[i] = i;
	if (jobs > 0) g_qsort_with_data(model->order, jobs, sizeof *model->order, compare_jobs, model);
	for (int32_t i = 0; i < jobs; i++)
		if (i == 0 || compare_jobs(&model->order[i - 1], &model->order[i], model) != 0)
			model->first[model->class_count++] = i;
	model->first[model->class_count] = jobs;
}

/* Columns of all shares and of the level, and the rows that hold for every policy. */
static void build(struct model *model)
{
	const struct rr_lp_problem *p = model->problem;
	size_t types = (size_t)p->type_count;
	model->column = g_new0(int, (size_t)model->class_count *types + 1);
	model->rising = g_new0(int, (size_t)model->class_count + 1);
	g_autofree int *index = g_new(int, (size_t)model->class_count + types + 1);
	g_autofree double *by = g_new(double, (size_t)model->class_count + types + 1);
	model->level = glp_add_cols(model->lp, 1);
	glp_set_col_bnds(model->lp, model->level, GLP_FR, 0, 0);
	for (int32_t c = 0; c < model->class_count; c++) {
		int length = 0;
		for (size_t j = 0; j < types; j++) {
			if (!(row_of(model, c)[j] > 0)) continue;
			int column = model->column[(size_t)c * types + j] = glp_add_cols(model->lp, 1);
			glp_set_col_bnds(model->lp, column, GLP_DB, 0, 1);
			index[++length] = column;
			by[length] = 1;
		}
		if (length < 2) continue; /* the column's bound says it already */
		int row = glp_add_rows(model->lp, 1);
		glp_set_row_bnds(model->lp, row, GLP_UP, 0, 1);
		glp_set_mat_row(model->lp, row, length, index, by);
	}
	for (size_t j = 0; j < types; j++) {
		int length = 0;
		for (int32_t c = 0; c < model->class_count; c++) {
			if (model->column[(size_t)c * types + j] == 0) continue;
			index[++length] = model->column[(size_t)c * types + j];
			by[length] = (double)size_of(model, c) * p->gpus[model->order[model->first[c]]];
		}
		if (length == 0) continue;
		int row = glp_add_rows(model->lp, 1);
		glp_set_row_bnds(model->lp, row, GLP_UP, 0, p->capacity[j]);
		glp_set_mat_row(model->lp, row, length, index, by);
	}
}

/* Adds the row  SCALE * throughput of a class, less the level if it RISES, >= LEAST. */
static int add_value(struct model *model, int32_t klass, double scale, bool rises, double least)
{
	size_t types = (size_t)model->problem->type_count;
	g_autofree int *index = g_new(int, types + 2);
	g_autofree double *by = g_new(double, types + 2);
	int length = 0;
	for (size_t j = 0; j < types; j++) {
		if (model->column[(size_t)klass * types + j] == 0) continue;
		index[++length] = model->column[(size_t)klass * types + j];
		by[length] = scale * row_of(model, klass)[j];
	}
	if (rises) {
		index[++length] = model->level;
		by[length] = -1;
	}
	int row = glp_add_rows(model->lp, 1);
	glp_set_mat_row(model->lp, row, length, index, by);
	glp_set_row_bnds(model->lp, row, GLP_LO, least, 0);
	return row;
}

static bool optimise(struct model *model, GError **error)
{
	glp_smcp how;
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	int failed = glp_simplex(model->lp, &how);
	if (failed != 0 || glp_get_status(model->lp) != GLP_OPT) {
		/* A basis gone bad; the standard one is always feasible enough to start from. */
		glp_std_basis(model->lp);
		how.meth = GLP_DUALP;
		failed = glp_simplex(model->lp, &how);
	}
	model->solutions++;
	if (failed == 0 && glp_get_status(model->lp) == GLP_OPT) return true;
	g_set_error(error, RR_LP_ERROR, RR_LP_ERROR_SOLVER,
		    "no optimum for %d classes of jobs on %d types of GPU (code %d, status %d)", model->class_count,
		    model->problem->type_count, failed, glp_get_status(model->lp));
	return false;
}

/* Holds at LEVEL the classes that cannot rise above it; returns how many there are.
 * The row that rose is let go and not rewritten: the basis may rest on it, and the
 * next solution starts there. */
static int32_t hold(struct model *model, double *scales, double level, bool all)
{
	int32_t held = 0;
	for (int32_t c = 0; c < model->class_count; c++) {
		if (!(scales[c] > 0)) continue;
		if (!all && fabs(glp_get_row_dual(model->lp, model->rising[c])) <= NO_PRICE) continue;
		glp_set_row_bnds(model->lp, model->rising[c], GLP_FR, 0, 0);
		add_value(model, c, scales[c], false, level * (1 - SLACK));
		scales[c] = 0;
		held++;
	}
	return held;
}

/* Water filling: raises SCALES[class] * throughput of those with a scale above 0, the
 * least first, none above LIMIT. SCALES is used up. *LEAST is the first level. */
static bool raise_levels(struct model *model, double *scales, double limit, double *least, GError **error)
{
	int32_t rising = 0;
	for (int32_t c = 0; c < model->class_count; c++)
		if (scales[c] > 0) {
			model->rising[c] = add_value(model, c, scales[c], true, 0);
			rising++;
		}
	glp_set_obj_dir(model->lp, GLP_MAX);
	glp_set_obj_coef(model->lp, model->level, 1);
	if (isfinite(limit)) glp_set_col_bnds(model->lp, model->level, GLP_UP, 0, limit);
	for (bool first = true; rising > 0; first = false) {
		if (!optimise(model, error)) return false;
		double level = glp_get_col_prim(model->lp, model->level);
		if (first) *least = level;
		int32_t held = hold(model, scales, level, level >= limit * (1 - SLACK));
		if (held == 0) held = hold(model, scales, level, true); /* prices lost in rounding */
		rising -= held;
	}
	glp_set_obj_coef(model->lp, model->level, 0);
	glp_set_col_bnds(model->lp, model->level, GLP_FX, 0, 0);
	return true;
}

static bool max_min(struct model *model, struct rr_lp_answer *answer, GError **error)
{
	const struct rr_lp_problem *p = model->problem;
	g_autofree double *scales = g_new0(double, (size_t)model->class_count + 1);
	double total = 0;
	for (int32_t j = 0; j < p->type_count; j++) total += p->capacity[j];
	for (int32_t c = 0; c < model->class_count; c++) {
		int32_t job = model->order[model->first[c]];
		double even = 0;
		for (int32_t j = 0; j < p->type_count; j++) even += row_of(model, c)[j] * p->capacity[j] / total;
		if (even > 0) scales[c] = p->gpus[job] / (weight_of(p, job) * even);
	}
	return raise_levels(model, scales, INFINITY, &answer->objective, error);
}

static bool least_cost(struct model *model, struct rr_lp_answer *answer, GError **error)
{
	const struct rr_lp_problem *p = model->problem;
	size_t types = (size_t)p->type_count;
	g_autofree double *scales = g_new0(double, (size_t)model->class_count + 1);
	for (int32_t c = 0; c < model->class_count; c++) {
		double best = 0, floor = floor_of(p, model->order[model->first[c]]);
		for (size_t j = 0; j < types; j++) best = fmax(best, row_of(model, c)[j]);
		if (best > 0 && floor > 0) scales[c] = 1 / fmin(floor, best);
	}
	answer->floors_kept = 1;
	if (!raise_levels(model, scales, 1, &answer->floors_kept, error)) return false;
	glp_set_obj_dir(model->lp, GLP_MIN);
	for (int32_t c = 0; c < model->class_count; c++)
		for (size_t j = 0; j < types; j++) {
			if (model->column[(size_t)c * types + j] == 0) continue;
			glp_set_obj_coef(model->lp, model->column[(size_t)c * types + j],
					 p->price_per_gpu_hour[j] * size_of(model, c) *
					     p->gpus[model->order[model->first[c]]]);
		}
	if (!optimise(model, error)) return false;
	answer->objective = glp_get_obj_val(model->lp);
	return true;
}

static bool max_total(struct model *model, struct rr_lp_answer *answer, GError **error)
{
	size_t types = (size_t)model->problem->type_count;
	glp_set_obj_dir(model->lp, GLP_MAX);
	glp_set_col_bnds(model->lp, model->level, GLP_FX, 0, 0);
	for (int32_t c = 0; c < model->class_count; c++)
		for (size_t j = 0; j < types; j++) {
			if (model->column[(size_t)c * types + j] == 0) continue;
			glp_set_obj_coef(model->lp, model->column[(size_t)c * types + j],
					 row_of(model, c)[j] * size_of(model, c) *
					     weight_of(model->problem, model->order[model->first[c]]));
		}
	if (!optimise(model, error)) return false;
	answer->objective = glp_get_obj_val(model->lp);
	return true;
}

/* Gives every job its class's shares, cleared of rounding. */
static void read_shares(const struct model *model, struct rr_lp_answer *answer)
{
	size_t types = (size_t)model->problem->type_count;
	for (int32_t c = 0; c < model->class_count; c++)
		for (size_t j = 0; j < types; j++) {
			int column = model->column[(size_t)c * types + j];
			if (column == 0) continue;
			double share = glp_get_col_prim(model->lp, column);
			share = share < SLACK ? 0 : fmin(share, 1);
			for (int32_t at = model->first[c]; at < model->first[c + 1]; at++)
				answer->share[(size_t)model->order[at] * types + j] = share;
		}
	answer->classes = model->class_count;
	answer->solutions = model->solutions;
}

bool rr_lp_solve(const struct rr_lp_problem *problem, enum rr_lp_policy policy, struct rr_lp_answer *answer,
		 GError **error)
{
	*answer = (struct rr_lp_answer){.floors_kept = 1};
	if (!check(problem, policy, error)) return false;
	struct model model = {.problem = problem, .rows = usable_rows(problem, policy == RR_LP_MAX_MIN_BLIND)};
	find_classes(&model);
	answer->share = g_new0(double, (size_t)problem->job_count *(size_t)problem->type_count + 1);
	glp_term_out(GLP_OFF);
	model.lp = glp_create_prob();
	build(&model);
	bool solved = policy == RR_LP_LEAST_COST  ? least_cost(&model, answer, error)
		      : policy == RR_LP_MAX_TOTAL ? max_total(&model, answer, error)
						  : max_min(&model, answer, error);
	if (solved)
		read_shares(&model, answer);
	else
		rr_lp_answer_done(answer);
	glp_delete_prob(model.lp);
	glp_free_env();
	g_free(model.rows);
	g_free(model.order);
	g_free(model.first);
	g_free(model.column);
	g_free(model.rising);
	return solved;
}

void rr_lp_answer_done(struct rr_lp_answer *answer)
{
	g_free(answer->share);
	memset(answer, 0, sizeof *answer);
}
