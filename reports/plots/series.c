/* series.c - see series.h. Colours are those of Okabe and Ito, which colour-blind
 * readers tell apart (jfly.uni-koeln.de/color, 2008). */
#include "reports/plots/series.h"

#include <math.h>
#include <string.h>

static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"};
enum { WIDTH = 860, POINTS = 360, PANELS_MOST = 6 };

static const char *colour(int32_t fleet)
{
	return colours[(size_t)fleet % G_N_ELEMENTS(colours)];
}

static void append_number(GString *text, double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%.6g", value));
}

/* Names come from users: gnuplot's markup is off, quotes are doubled. */
static char *quoted(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "'", -1);
	g_autofree char *inner = g_strjoinv("''", parts);
	return g_strdup_printf("'%s' noenhanced", inner);
}

static void begin(GString *script, int height)
{
	g_string_append_printf(script,
			       "set terminal svg size %d,%d dynamic font 'sans-serif,13' background '#ffffff'\n"
			       "set border 3 lc rgb '#666666'\nset tics nomirror out textcolor rgb '#333333'\n"
			       "set grid y lc rgb '#dddddd'\nset key top left reverse Left\n",
			       WIDTH, height);
}

/* ----------------------------------------------------------- use and fragments */

struct bin {
	double busy, there, idle, stranded, fragments; /* GPUs */
};

/* Mean of hours [FROM, FROM + COUNT) over all pools. */
static struct bin bin_of(const struct usage *u, size_t from, size_t count)
{
	rr_milli_gpu_ns busy = 0, there = 0, idle = 0, stranded = 0, fragments = 0;
	int32_t pools = u->scenario->fleets[u->fleet].pool_count;
	for (int32_t p = 0; p < pools; p++)
		for (size_t h = from; h < from + count; h++) {
			const struct hour_use *hour = &u->pools[p].hours[h];
			for (int use = 0; use < RR_USE_COUNT; use++) there += hour->use[use];
			busy += hour->use[RR_USE_BUSY];
			idle += hour->use[RR_USE_IDLE];
			stranded += hour->stranded;
			fragments += hour->fragments;
		}
	sim_time end = MIN((sim_time)(from + count) * RR_NS_PER_HOUR, u->end_ns);
	double span = (double)(end - (sim_time)from * RR_NS_PER_HOUR) * 1000;
	return (struct bin){(double)busy / span, (double)there / span, (double)idle / span, (double)stranded / span,
			    (double)fragments / span};
}

static void append_use(GString *script, const struct usage *u, int32_t fleet, double unit_h)
{
	size_t step = MAX((u->hour_count + POINTS - 1) / POINTS, 1);
	g_string_append_printf(script, "$use%d << EOD\n", fleet);
	for (size_t h = 0; h < u->hour_count; h += step) {
		struct bin bin = bin_of(u, h, MIN(step, u->hour_count - h));
		const double columns[] = {bin.busy, bin.there, bin.idle, bin.stranded, bin.fragments};
		append_number(script, (double)h / unit_h);
		for (size_t c = 0; c < G_N_ELEMENTS(columns); c++) {
			g_string_append_c(script, ' ');
			append_number(script, columns[c]);
		}
		g_string_append_c(script, '\n');
	}
	g_string_append(script, "EOD\n");
}

/* A panel for each fleet, its lines drawn by DRAW. */
static bool append_panels(const struct study *study, GString *script, void (*draw)(GString *script, int32_t fleet))
{
	int32_t panels = MIN(study->fleet_count, PANELS_MOST);
	size_t hours = 0;
	for (int32_t f = 0; f < panels; f++)
		hours = MAX(hours, study->results[f * study->replications]->usage->hour_count);
	if (hours == 0) return false;
	double unit_h = hours > 96 ? 24 : 1;
	begin(script, 60 + 170 * panels);
	for (int32_t f = 0; f < panels; f++)
		append_use(script, study->results[f * study->replications]->usage, f, unit_h);
	g_string_append_printf(script,
			       "set multiplot layout %d,1\nset style fill solid 0.55 noborder\nset yrange [0:*]\nset "
			       "key above right horizontal noreverse Right\n"
			       "set xrange [0:",
			       panels);
	append_number(script, (double)hours / unit_h);
	g_string_append(script, "]\nset ylabel 'GPUs'\n");
	for (int32_t f = 0; f < panels; f++) {
		g_autofree char *name = quoted(study->scenario->fleets[f].name);
		g_string_append_printf(script, "set title %s\n", name);
		if (f == panels - 1)
			g_string_append_printf(script, "set xlabel '%s'\n",
					       unit_h > 1 ? "days from the start" : "hours from the start");
		draw(script, f);
	}
	g_string_append(script, "unset multiplot\n");
	return true;
}

static void draw_use(GString *script, int32_t fleet)
{
	g_string_append_printf(script,
			       "plot $use%d using 1:2 with fillsteps lc rgb '%s' title 'at work', "
			       "'' using 1:3 with steps lw 1.5 lc rgb '#333333' title 'there'\n",
			       fleet, colour(fleet));
}

bool series_use(const struct study *study, GString *script)
{
	return append_panels(study, script, draw_use);
}

static void draw_fragments(GString *script, int32_t fleet)
{
	g_string_append_printf(script,
			       "plot $use%d using 1:4 with steps lw 1 lc rgb '#999999' title 'idle', "
			       "'' using 1:5 with fillsteps lc rgb '%s' title 'of no use now', "
			       "'' using 1:6 with steps lw 1.5 lc rgb '#333333' title 'fragments'\n",
			       fleet, colour(fleet));
}

/* Nothing is shown when nothing was ever of no use. */
bool series_fragments(const struct study *study, GString *script)
{
	bool any = false;
	for (int32_t f = 0; f < study->fleet_count; f++) {
		const struct usage *u = study->results[f * study->replications]->usage;
		for (int32_t p = 0; p < study->scenario->fleets[f].pool_count; p++)
			any = any || u->pools[p].stranded > 0 || u->pools[p].fragments > 0;
	}
	return any && append_panels(study, script, draw_fragments);
}

/* ----------------------------------------------------------------------- wait */

static gint compare(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Waits of all jobs that started, sorted, in seconds. */
static GArray *waits_of(const struct study *study, int32_t fleet)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(double));
	for (int32_t r = 0; r < study->replications; r++) {
		const struct usage *u = study->results[fleet * study->replications + r]->usage;
		for (size_t i = 0; i < u->jobs->count; i++) {
			double wait = (double)u->records[i].wait_ns / (double)RR_NS_PER_S;
			if (u->records[i].start_ns >= 0) g_array_append_val(waits, wait);
		}
	}
	g_array_sort(waits, compare);
	return waits;
}

/* Share of jobs above each of POINTS waits evenly spaced on the logarithm. */
static bool append_waits(GString *script, const GArray *waits, int32_t fleet, double longest)
{
	g_string_append_printf(script, "$wait%d << EOD\n", fleet);
	guint at = 0;
	bool any = false;
	for (int i = 0; i <= POINTS; i++) {
		double wait = exp(log(longest) * i / POINTS);
		while (at < waits->len && g_array_index(waits, double, at) <= wait) at++;
		if (at == waits->len) break;
		append_number(script, wait);
		g_string_append_c(script, ' ');
		append_number(script, 100.0 * (waits->len - at) / waits->len);
		g_string_append_c(script, '\n');
		any = true;
	}
	g_string_append(script, "EOD\n");
	return any;
}

bool series_wait(const struct study *study, GString *script)
{
	double longest = 10;
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	for (int32_t f = 0; f < study->fleet_count; f++) {
		GArray *waits = waits_of(study, f);
		if (waits->len > 0) longest = MAX(longest, g_array_index(waits, double, waits->len - 1));
		g_ptr_array_add(all, waits);
	}
	begin(script, 380);
	g_autoptr(GString) plot = g_string_new(NULL);
	for (int32_t f = 0; f < study->fleet_count; f++) {
		if (!append_waits(script, g_ptr_array_index(all, (guint)f), f, longest)) continue;
		g_autofree char *name = quoted(study->scenario->fleets[f].name);
		g_string_append_printf(plot, "%s$wait%d using 1:2 with lines lw 2 lc rgb '%s' title %s",
				       plot->len > 0 ? ", " : "", f, colour(f), name);
	}
	if (plot->len == 0) return false;
	g_string_append(script,
			"set logscale x\nset key top right noreverse Right\nset ylabel '% of jobs that wait longer'\n"
			"set yrange [0:*]\nset xlabel 'wait'\n"
			"set xtics ('1 s' 1, '10 s' 10, '1 min' 60, '10 min' 600, '1 h' 3600, '10 h' 36000, "
			"'4 d' 345600, '30 d' 2592000, '1 y' 31536000)\nset xrange [1:");
	append_number(script, longest);
	g_string_append_printf(script, "]\nplot %s\n", plot->str);
	return true;
}

/* ----------------------------------------------------------------------- cost */

static bool append_cost(GString *script, const struct result *result, int32_t fleet, int32_t months)
{
	if (result->outlook_count == 0) return false;
	g_autofree double *cash = g_new0(double, (size_t)months);
	for (size_t i = 0; i < result->outlook_count; i++)
		if (result->outlook[i].month < months)
			cash[result->outlook[i].month] += (double)result->outlook[i].micros / (double)RR_MICROS;
	g_string_append_printf(script, "$cost%d << EOD\n", fleet);
	double paid = 0;
	for (int32_t m = 0; m < months; m++) {
		paid += cash[m];
		g_string_append_printf(script, "%d ", m + 1);
		append_number(script, paid / 1e6);
		g_string_append_c(script, '\n');
	}
	g_string_append(script, "EOD\n");
	return true;
}

bool series_cost(const struct study *study, GString *script)
{
	int32_t months = 12 * study->scenario->finance.years;
	begin(script, 380);
	g_autoptr(GString) plot = g_string_new(NULL);
	for (int32_t f = 0; f < study->fleet_count; f++) {
		if (!append_cost(script, study->results[f * study->replications], f, months)) continue;
		g_autofree char *name = quoted(study->scenario->fleets[f].name);
		g_string_append_printf(plot, "%s$cost%d using 1:2 with lines lw 2 lc rgb '%s' title %s",
				       plot->len > 0 ? ", " : "", f, colour(f), name);
	}
	if (plot->len == 0) return false;
	g_string_append_printf(script,
			       "set ylabel 'million %s paid so far'\nset yrange [0:*]\nset xlabel 'month'\n"
			       "set xrange [1:%d]\nset xtics 6\nplot %s\n",
			       study->scenario->currency, months, plot->str);
	return true;
}
