/* fit.c - sizes and run times by size of recorded jobs. */
#include "scenarios/workload/fit.h"

#include <math.h>
#include <stdlib.h>

/* A size with fewer jobs has too few for run times of its own. */
enum { OWN_DURATION_JOBS = 20, MOST_SIZES = 32 };

struct sample {
	int32_t gpus;
	double run_s;
};

static int by_size_and_run(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	if (x->gpus != y->gpus) return x->gpus < y->gpus ? -1 : 1;
	return (x->run_s > y->run_s) - (x->run_s < y->run_s);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void fit_of(const struct sample *samples, size_t count, int values, struct fit_duration *out)
{
	double *runs = g_new(double, count);
	for (size_t i = 0; i < count; i++) runs[i] = samples[i].run_s;
	qsort(runs, count, sizeof *runs, by_value);
	fit_duration(runs, count, values, out);
	g_free(runs);
}

struct group {
	int32_t gpus;
	int64_t jobs;
};

static int most_jobs_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	if (x->jobs != y->jobs) return x->jobs > y->jobs ? -1 : 1;
	return x->gpus < y->gpus ? -1 : 1;
}

/* The kept size nearest to GPUS by ratio, the smaller one of two. */
static int32_t nearest_kept(const struct group *groups, guint kept, int32_t gpus)
{
	int32_t best = groups[0].gpus;
	for (guint i = 1; i < kept; i++) {
		double d = fabs(log((double)groups[i].gpus / gpus)), least = fabs(log((double)best / gpus));
		if (d < least || (!(d > least) && groups[i].gpus < best)) best = groups[i].gpus;
	}
	return best;
}

/* A trace may have hundreds of sizes that came once; the table names those with
 * most jobs and counts the others with the nearest of them.  SAMPLES are sorted. */
static int32_t merge_rare(struct sample *samples, size_t count)
{
	g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(struct group));
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || samples[i].gpus != samples[i - 1].gpus) {
			struct group fresh = {.gpus = samples[i].gpus};
			g_array_append_val(groups, fresh);
		}
		g_array_index(groups, struct group, groups->len - 1).jobs++;
	}
	if (groups->len <= MOST_SIZES) return 0;
	g_array_sort(groups, most_jobs_first);
	struct group *rows = (struct group *)(void *)groups->data;
	g_autoptr(GHashTable) to = g_hash_table_new(NULL, NULL);
	for (guint i = MOST_SIZES; i < groups->len; i++)
		g_hash_table_insert(to, GINT_TO_POINTER(rows[i].gpus),
				    GINT_TO_POINTER(nearest_kept(rows, MOST_SIZES, rows[i].gpus)));
	for (size_t i = 0; i < count; i++) {
		gpointer kept = g_hash_table_lookup(to, GINT_TO_POINTER(samples[i].gpus));
		if (kept != NULL) samples[i].gpus = GPOINTER_TO_INT(kept);
	}
	qsort(samples, count, sizeof *samples, by_size_and_run);
	return (int32_t)groups->len - MOST_SIZES;
}

static void fit_sizes(struct work_fit *fit, const struct sample *samples, size_t count, int values)
{
	fit->sizes = g_new0(struct fit_size, MOST_SIZES);
	for (size_t from = 0; from < count;) {
		size_t to = from;
		while (to < count && samples[to].gpus == samples[from].gpus) to++;
		struct fit_size *size = &fit->sizes[fit->size_count++];
		size->gpus = samples[from].gpus;
		size->share = (double)(to - from) / (double)count;
		size->has_duration = to - from >= OWN_DURATION_JOBS;
		fit_of(samples + from, to - from, values, &size->duration);
		from = to;
	}
}

struct work_fit *work_fit_new(const struct job_list *jobs, int64_t start_epoch_s, int values)
{
	g_assert(jobs->count > 0);
	size_t count = jobs->count;
	struct work_fit *fit = g_new0(struct work_fit, 1);
	struct sample *samples = g_new(struct sample, count);
	for (size_t i = 0; i < count; i++) {
		const struct job *job = &jobs->jobs[i];
		samples[i].gpus = job->gpus;
		samples[i].run_s = (double)MAX(job->duration_ns, 1) / (double)RR_NS_PER_S;
		fit->fractional += job->gpu_milli < 1000;
		double work = (double)job->gpus * (double)job->gpu_milli / 1000 * samples[i].run_s;
		fit->mean_gpu_s += (work - fit->mean_gpu_s) / (double)(i + 1);
	}
	fit->jobs = (int64_t)count;
	double span_s = (double)(jobs->jobs[count - 1].submit_ns - jobs->jobs[0].submit_ns) / (double)RR_NS_PER_S;
	fit->span_s = count > 1 && span_s > 0 ? span_s + span_s / (double)(count - 1) : 1;
	fit_arrivals(jobs, start_epoch_s, fit);
	fit_of(samples, count, values, &fit->all);
	qsort(samples, count, sizeof *samples, by_size_and_run);
	fit->merged = merge_rare(samples, count);
	fit_sizes(fit, samples, count, values);
	g_free(samples);
	return fit;
}

void work_fit_free(struct work_fit *fit)
{
	for (int32_t i = 0; i < fit->size_count; i++) rr_distribution_done(&fit->sizes[i].duration.fitted);
	rr_distribution_done(&fit->all.fitted);
	g_free(fit->sizes);
	g_free(fit);
}
