/* fit_yaml.c - a fit as a block of a scenario, with what it was fitted to. */
#include "scenarios/workload/fit.h"
#include "scenarios/workload/workload.h"

#include <math.h>
#include <string.h>

/* printf for one double, with a point in any locale. */
static void add_number(GString *out, double value, const char *format)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];
	g_string_append(out, g_ascii_formatd(buf, sizeof buf, format, value));
}

/* Seconds to four digits: more a fit does not know. */
static void add_seconds(GString *out, double seconds)
{
	int decimals = 3 - (int)floor(log10(seconds));
	double step = pow(10, decimals);
	char format[16];
	g_snprintf(format, sizeof format, "%%.%df", CLAMP(decimals, 0, 9));
	double rounded = decimals >= 0 ? seconds : round(seconds * step) / step;
	char buf[G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(buf, sizeof buf, format, rounded);
	if (strchr(buf, '.') != NULL) {
		char *end = buf + strlen(buf);
		while (end[-1] == '0') *--end = '\0';
		if (end[-1] == '.') end[-1] = '\0';
	}
	g_string_append_printf(out, "%ss", buf);
}

static void add_duration(GString *out, const struct fit_duration *d, const char *wrap)
{
	if (d->fitted.kind == RR_DIST_LOGNORMAL) {
		g_string_append(out, "{lognormal: {median: ");
		add_seconds(out, d->fitted.a);
		g_string_append(out, ", sigma: ");
		add_number(out, d->fitted.b, "%.4g");
		g_string_append(out, "}}");
		return;
	}
	g_string_append(out, "{empirical: {values: [");
	for (size_t i = 0; i < d->fitted.value_count; i++) {
		if (i > 0) g_string_append(out, i % 10 == 0 ? wrap : ", ");
		add_seconds(out, d->fitted.values[i]);
	}
	g_string_append(out, "]}}");
}

static void add_quality(GString *out, const struct fit_duration *d)
{
	g_autofree char *jobs = rr_text_count((double)d->jobs), *median = rr_text_duration(d->median_s);
	g_autofree char *mean = rr_text_duration(d->mean_s);
	g_string_append_printf(out, "# %s jobs, median %s, mean %s; KS distance ", jobs, median, mean);
	add_number(out, d->distance, "%.3f");
	if (d->fitted.kind == RR_DIST_EMPIRICAL) {
		g_string_append(out, " (lognormal: ");
		add_number(out, d->lognormal_distance, "%.3f");
		g_string_append(out, ")");
	}
	g_string_append_c(out, '\n');
}

static void add_weights(GString *out, const double *weights, int count)
{
	for (int h = 0; h < count; h++) {
		if (h > 0) g_string_append(out, h % 24 == 0 ? ",\n         " : ", ");
		add_number(out, weights[h], "%.3g");
	}
}

static void add_arrivals(GString *out, const struct work_fit *fit)
{
	g_string_append(out,
			"  arrivals:\n    # gaps, in a clock that follows the rate: KS distance to a Poisson process ");
	add_number(out, fit->gap_distance, "%.3f");
	g_string_append(out, ",\n    # variance / mean^2 ");
	add_number(out, fit->gap_variation, "%.2f");
	g_string_append(out, " (1 = Poisson, above = in bursts)\n    rate: ");
	add_number(out, fit->arrivals.rate_per_s * 3600, "%.5g");
	g_string_append(out, "/h\n");
	if (fit->profile == FIT_WEEK) {
		g_string_append(out,
				"    profile: # hours of the week, a day a line from Monday on; mean 1\n        [");
		add_weights(out, fit->arrivals.weights, 168);
		g_string_append(out, "]\n");
	} else if (fit->profile == FIT_DAY) {
		g_string_append(out, "    profile: # hours of the day; mean 1\n      hours:\n        [");
		add_weights(out, fit->arrivals.weights, 24);
		g_string_append(out, "]\n");
	}
}

static void add_head(GString *out, const struct work_fit *fit)
{
	g_autofree char *jobs = rr_text_count((double)fit->jobs), *span = rr_text_duration(fit->span_s);
	g_autofree char *work = rr_text_count(round(fit->mean_gpu_s));
	g_string_append_printf(out, "# fitted to %s jobs over %s; a job is %s GPU-seconds of work on average\n", jobs,
			       span, work);
	if (fit->fractional > 0) {
		g_autofree char *parts = rr_text_count((double)fit->fractional);
		g_string_append_printf(out, "# %s jobs asked for parts of GPUs: counted as whole ones here\n", parts);
	}
	if (fit->merged > 0)
		g_string_append_printf(out, "# %d rare sizes are counted with the nearest of those named\n",
				       fit->merged);
}

char *rr_work_fit_yaml(const struct job_list *jobs, int64_t start_epoch_s, int values)
{
	struct work_fit *fit = work_fit_new(jobs, start_epoch_s, values);
	GString *out = g_string_new(NULL);
	add_head(out, fit);
	g_string_append(out, "synthetic:\n");
	add_arrivals(out, fit);
	g_string_append(out, "  gpus:\n");
	for (int32_t i = 0; i < fit->size_count; i++) {
		const struct fit_size *size = &fit->sizes[i];
		g_string_append_printf(out, "    %d:\n      share: ", size->gpus);
		add_number(out, size->share * 100, "%.5g");
		g_string_append(out, "%\n");
		if (!size->has_duration) continue;
		g_string_append(out, "      ");
		add_quality(out, &size->duration);
		g_string_append(out, "      duration: ");
		add_duration(out, &size->duration, ",\n        ");
		g_string_append_c(out, '\n');
	}
	g_string_append(out, "  # of sizes that do not say it, too few to fit: as all jobs\n  ");
	add_quality(out, &fit->all);
	g_string_append(out, "  duration: ");
	add_duration(out, &fit->all, ",\n      ");
	g_string_append(out, "\n  duration_max: ");
	add_seconds(out, fit->all.max_s);
	g_string_append_c(out, '\n');
	work_fit_free(fit);
	return g_string_free(out, FALSE);
}
