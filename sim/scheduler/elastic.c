#include "sim/scheduler/elastic.h"

#include <glib.h>

/* The best next step of a job. */
struct step {
	double gain_per_gpu;
	size_t job;
	int32_t to;
};

struct steps {
	struct step *heap; /* the largest gain first, then the earlier job */
	size_t count;
};

struct plan {
	const struct rr_elastic *jobs;
	double resize_penalty;
	int32_t *gpus;
	bool *concave; /* by job: its curve is */
	int64_t left;
};

static bool goes_before(const struct step *a, const struct step *b)
{
	return a->gain_per_gpu > b->gain_per_gpu || (a->gain_per_gpu == b->gain_per_gpu && a->job < b->job);
}

static void push(struct steps *steps, struct step step)
{
	size_t at = steps->count++;
	while (at > 0 && goes_before(&step, &steps->heap[(at - 1) / 2])) {
		steps->heap[at] = steps->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	steps->heap[at] = step;
}

static struct step pop(struct steps *steps)
{
	struct step top = steps->heap[0], last = steps->heap[--steps->count];
	size_t at = 0;
	for (size_t child = 1; child < steps->count; child = 2 * at + 1) {
		if (child + 1 < steps->count && goes_before(&steps->heap[child + 1], &steps->heap[child])) child++;
		if (!goes_before(&steps->heap[child], &last)) break;
		steps->heap[at] = steps->heap[child];
		at = child;
	}
	steps->heap[at] = last;
	return top;
}

/* Gives each job its least in order; returns what is left. */
static int64_t admit(const struct rr_elastic *jobs, size_t count, int64_t capacity, bool overtake, int32_t *gpus)
{
	int64_t left = capacity;
	for (size_t i = 0; i < count; i++) gpus[i] = 0;
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].min <= left) {
			gpus[i] = jobs[i].min;
			left -= jobs[i].min;
		} else if (!overtake)
			break;
	}
	return left;
}

static double value(const struct plan *plan, size_t job, int32_t gpus)
{
	const struct rr_elastic *j = &plan->jobs[job];
	double penalty = j->current > 0 && gpus != j->current ? plan->resize_penalty : 0;
	return rr_speedup_at(j->curve, gpus) - penalty;
}

/* The next corner of the hull of what JOB may yet get. On a concave curve only the
 * present size sticks out: it is the next GPU or that one, and once left, the gain
 * per GPU rises until the penalty is spread over enough of them. */
static struct step best_step(const struct plan *plan, size_t job)
{
	const struct rr_elastic *j = &plan->jobs[job];
	int32_t from = plan->gpus[job];
	int32_t most = (int32_t)MIN((int64_t)j->max, from + plan->left);
	bool smooth = plan->concave[job];
	bool leaves = smooth && from == j->current && plan->resize_penalty > 0;
	double here = value(plan, job, from);
	struct step best = {0, job, from};
	for (int32_t to = from + 1; to <= most; to++) {
		double gain = (value(plan, job, to) - here) / (to - from);
		if (gain > best.gain_per_gpu)
			best = (struct step){gain, job, to};
		else if (leaves && best.to > from)
			break;
		if (smooth && !leaves && to != j->current) {
			if (to > j->current || j->current > most) break;
			to = j->current - 1;
		}
	}
	return best;
}

int64_t rr_elastic_goodput(const struct rr_elastic *jobs, size_t count, int64_t capacity, double resize_penalty,
			   bool overtake, int32_t *gpus)
{
	struct plan plan = {.jobs = jobs, .resize_penalty = resize_penalty, .gpus = gpus};
	plan.left = admit(jobs, count, capacity, overtake, gpus);
	g_autofree bool *concave = plan.concave = g_new(bool, count + 1);
	g_autofree struct step *heap = g_new(struct step, count + 1);
	struct steps steps = {heap, 0};
	for (size_t i = 0; i < count; i++) {
		concave[i] = rr_speedup_concave(jobs[i].curve);
		if (gpus[i] == 0) continue;
		struct step step = best_step(&plan, i);
		if (step.gain_per_gpu > 0) push(&steps, step);
	}
	while (steps.count > 0 && plan.left > 0) {
		struct step step = pop(&steps);
		int32_t more = step.to - gpus[step.job];
		if (more <= plan.left) {
			gpus[step.job] = step.to;
			plan.left -= more;
		} /* else less has become of what was left: a shorter step */
		step = best_step(&plan, step.job);
		if (step.gain_per_gpu > 0) push(&steps, step);
	}
	return capacity - plan.left;
}

int64_t rr_elastic_max(const struct rr_elastic *jobs, size_t count, int64_t capacity, bool overtake, int32_t *gpus)
{
	int64_t left = admit(jobs, count, capacity, overtake, gpus);
	for (size_t i = 0; i < count; i++) {
		if (gpus[i] == 0) continue;
		int32_t more = (int32_t)MIN(left, (int64_t)jobs[i].max - gpus[i]);
		gpus[i] += more;
		left -= more;
	}
	return capacity - left;
}
