/* The table is built from the largest sample down; see the header for why the
 * corners that a hull loses are the rows. */
#include "sim/scheduler/gittins.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A distinct sample: its value, c and W of the header. */
struct point {
	double value, ended, work;
};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The positive finite samples, sorted. */
static double *sorted_positive(const double *service, size_t count, size_t *kept)
{
	double *values = g_new(double, count > 0 ? count : 1);
	*kept = 0;
	for (size_t i = 0; i < count; i++)
		if (service[i] > 0 && isfinite(service[i])) values[(*kept)++] = service[i];
	qsort(values, *kept, sizeof *values, ascending);
	return values;
}

/* Point 0 is service 0; then one for each distinct value. */
static struct point *step_curve(const double *values, size_t count, size_t *points)
{
	struct point *curve = g_new0(struct point, count + 1);
	size_t last = 0;
	for (size_t i = 0; i < count; i++) {
		if (values[i] > curve[last].value) {
			double work = curve[last].work + (values[i] - curve[last].value) * (double)(count - i);
			curve[last + 1] = (struct point){values[i], curve[last].ended, work};
			last++;
		}
		curve[last].ended += 1;
	}
	*points = last + 1;
	return curve;
}

/* Keeps of the curve the first, the last and those that fill a group. */
static size_t keep_groups(struct point *curve, size_t points, size_t groups)
{
	size_t last = 0;
	double per_group = curve[points - 1].ended / (double)groups;
	for (size_t i = 1; i < points; i++)
		if (i == points - 1 || curve[i].ended - curve[last].ended >= per_group) curve[++last] = curve[i];
	return last + 1;
}

static double slope(const struct point *from, const struct point *to)
{
	return (to->ended - from->ended) / (to->work - from->work);
}

/* How the point of service a leaves corner I, each GPU-second: ends jump at the next
 * corner of a step function and rise evenly in a group. */
static struct point leave(const struct point *corner, bool steps)
{
	double span = corner[1].value - corner[0].value;
	return (struct point){1, steps ? 0 : (corner[1].ended - corner[0].ended) / span,
			      (corner[1].work - corner[0].work) / span};
}

/* The service past FROM at which the moving point, NEAR and FAR are in line: from
 * there on NEAR is the steeper of the two. Not positive when it is so all along. */
static double turn(const struct point *from, const struct point *rate, const struct point *near,
		   const struct point *far)
{
	double steep = slope(near, far);
	return (steep * (near->work - from->work) - (near->ended - from->ended)) / (steep * rate->work - rate->ended);
}

static void add_row(struct rr_gittins *gittins, const struct point *from, const struct point *rate, double past,
		    const struct point *to)
{
	gittins->rows[gittins->count++] = (struct rr_gittins_row){
	    .attained = from->value + past,
	    .ends = to->ended - from->ended - past * rate->ended,
	    .work = to->work - from->work - past * rate->work,
	    .ends_rate = rate->ended,
	    .work_rate = rate->work,
	};
}

static void reverse(struct rr_gittins_row *rows, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct rr_gittins_row row = rows[i];
		rows[i] = rows[count - 1 - i];
		rows[count - 1 - i] = row;
	}
}

void rr_gittins_init(struct rr_gittins *gittins, const double *service, size_t count, size_t groups)
{
	*gittins = (struct rr_gittins){0};
	size_t kept, points;
	g_autofree double *values = sorted_positive(service, count, &kept);
	if (kept == 0) return;
	bool steps = groups == 0;
	g_autofree struct point *p = step_curve(values, kept, &points);
	if (!steps) points = keep_groups(p, points, groups);
	g_autofree size_t *hull = g_new(size_t, points); /* the nearest corner is on top */
	size_t corners = 0;
	gittins->rows = g_new(struct rr_gittins_row, 2 * points);
	gittins->most = values[kept - 1];
	hull[corners++] = points - 1;
	for (size_t i = points - 1; i-- > 0;) {
		struct point rate = leave(&p[i], steps);
		while (corners > 1) {
			size_t near = hull[corners - 1], far = hull[corners - 2];
			if (slope(&p[i], &p[near]) >= slope(&p[near], &p[far])) break;
			corners--;
			/* A group's own end is in line only once it is reached: the next rows' matter. */
			if (!steps && near == i + 1) continue;
			add_row(gittins, &p[i], &rate, turn(&p[i], &rate, &p[near], &p[far]), &p[near]);
		}
		add_row(gittins, &p[i], &rate, 0, &p[hull[corners - 1]]);
		hull[corners++] = i;
	}
	reverse(gittins->rows, gittins->count);
}

void rr_gittins_done(struct rr_gittins *gittins)
{
	g_free(gittins->rows);
	memset(gittins, 0, sizeof *gittins);
}

double rr_gittins_index(const struct rr_gittins *gittins, double attained)
{
	if (gittins->count == 0 || attained >= gittins->most) return 0;
	double a = fmax(attained, 0);
	size_t low = 0, high = gittins->count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (gittins->rows[middle].attained <= a)
			low = middle;
		else
			high = middle;
	}
	const struct rr_gittins_row *row = &gittins->rows[low];
	double work = row->work - (a - row->attained) * row->work_rate;
	double ends = row->ends - (a - row->attained) * row->ends_rate;
	if (work > 0 && ends > 0) return ends / work;
	/* Within rounding of the corner aimed at. */
	return row->ends_rate > 0 ? row->ends_rate / row->work_rate : INFINITY;
}
