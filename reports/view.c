/* view.c - see view.h. */
#include "reports/view.h"

#include <math.h>
#include <string.h>

static const struct view_row all_rows[] = {
    {"The work", "completed", "jobs.completed", VIEW_COUNT},
    {"The work", "unschedulable", "jobs.unschedulable", VIEW_COUNT},
    {"The work", "failed", "jobs.failed", VIEW_COUNT},
    {"The work", "wait, mean", "jobs.wait.mean", VIEW_DURATION},
    {"The work", "wait, median", "jobs.wait.p50", VIEW_DURATION},
    {"The work", "wait, 95 % below", "jobs.wait.p95", VIEW_DURATION},
    {"The work", "wait, longest", "jobs.wait.max", VIEW_DURATION},
    {"The work", "submit to end, mean", "jobs.jct.mean", VIEW_DURATION},
    {"The work", "slowdown, mean", "jobs.slowdown.mean", VIEW_NUMBER},
    {"The work", "first submit to last end", "jobs.makespan", VIEW_DURATION},
    {"The GPUs", "busy", "gpu.busy", VIEW_RATIO},
    {"The GPUs", "idle though enough for the head", "gpu.fragmented", VIEW_RATIO},
    {"The GPUs", "idle, of use to nobody who waits", "gpu.stranded", VIEW_RATIO},
    {"The GPUs", "fragments for the typical job", "gpu.fragments", VIEW_RATIO},
    {"The GPUs", "first waits for free GPUs", "blocked.capacity", VIEW_DURATION},
    {"The GPUs", "first waits for a type of GPU", "blocked.type", VIEW_DURATION},
    {"The GPUs", "first waits for nodes (fragments)", "blocked.fragmentation", VIEW_DURATION},
    {"The GPUs", "first waits for quota", "blocked.quota", VIEW_DURATION},
    {"The GPUs", "first waits for its turn", "blocked.order", VIEW_DURATION},
    {"The GPUs", "pre-emptions", "preemptions.count", VIEW_COUNT},
    {"The GPUs", "down", "gpu.down", VIEW_RATIO},
    {"The GPUs", "energy at the meter", "energy.total", VIEW_ENERGY},
    {"The GPUs", "PUE", "pue.mean", VIEW_NUMBER},
    {"The money", "three years", "cost.tco3y", VIEW_MONEY},
    {"The money", "net present value", "cost.npv", VIEW_MONEY},
    {"The money", "per GPU-hour used", "cost.per_gpu_hour", VIEW_MONEY_PER_HOUR},
    {"The money", "over the simulated time", "cost.total", VIEW_MONEY},
    {"The money", "  servers", "cost.line.servers", VIEW_MONEY},
    {"The money", "  installation", "cost.line.installation", VIEW_MONEY},
    {"The money", "  maintenance", "cost.line.maintenance", VIEW_MONEY},
    {"The money", "  staff", "cost.line.staff", VIEW_MONEY},
    {"The money", "  electricity", "cost.line.electricity", VIEW_MONEY},
    {"The money", "  on demand", "cost.line.on-demand", VIEW_MONEY},
};

const struct metric_summary *view_metric(const struct study *study, int32_t fleet, const char *id)
{
	for (size_t i = 0; i < study->summary_counts[fleet]; i++)
		if (strcmp(study->summaries[fleet][i].id, id) == 0) return &study->summaries[fleet][i];
	return NULL;
}

static bool worth_showing(const struct study *study, const char *id)
{
	bool known = false, matters = false;
	for (int32_t f = 0; f < study->fleet_count; f++) {
		const struct metric_summary *m = view_metric(study, f, id);
		if (m == NULL || isnan(m->value)) continue;
		known = true;
		matters = matters || m->value != 0;
	}
	/* Waits and the work done are told even when they are 0. */
	bool always = g_str_has_prefix(id, "jobs.wait") || strcmp(id, "jobs.completed") == 0;
	return known && (matters || always);
}

struct view_row *view_rows(const struct study *study)
{
	struct view_row *rows = g_new0(struct view_row, G_N_ELEMENTS(all_rows) + 1);
	size_t count = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(all_rows); i++)
		if (worth_showing(study, all_rows[i].metric)) rows[count++] = all_rows[i];
	return rows;
}

/* ---------------------------------------------------------------------- values */

static char *number_text(double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	double size = fabs(value);
	return g_strdup(g_ascii_formatd(buffer, sizeof buffer,
					size < 10    ? "%.2f"
					: size < 100 ? "%.1f"
						     : "%.0f",
					value));
}

static char *form_text(const struct study *study, enum view_form form, double value)
{
	const char *currency = study->scenario->currency;
	g_autofree char *number = NULL;
	switch (form) {
	case VIEW_COUNT: return rr_text_count(value);
	case VIEW_DURATION: return rr_text_duration(value);
	case VIEW_RATIO: return rr_text_ratio(value);
	case VIEW_NUMBER: return number_text(value);
	case VIEW_ENERGY: return rr_text_energy(value);
	case VIEW_MONEY: return rr_text_money((int64_t)llround(value * (double)RR_MICROS), currency);
	case VIEW_MONEY_PER_HOUR: number = number_text(value); return g_strdup_printf("%s %s", number, currency);
	}
	return NULL;
}

char *view_value(const struct study *study, int32_t fleet, const struct view_row *row)
{
	const struct metric_summary *m = view_metric(study, fleet, row->metric);
	if (m == NULL || isnan(m->value)) return g_strdup("-");
	g_autofree char *value = form_text(study, row->form, m->value);
	double half = (m->high - m->low) / 2;
	/* An interval below a thousandth of the value says nothing to a reader. */
	if (isnan(half) || half <= fabs(m->value) / 1000) return g_steal_pointer(&value);
	g_autofree char *margin = form_text(study, row->form, half);
	return g_strdup_printf("%s \xc2\xb1 %s", value, margin);
}

static int direction_of(const char *id)
{
	size_t count = 0;
	const struct rr_metric_row *rows = rr_metric_rows(&count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].id, id) == 0) return rows[i].better;
	return 0;
}

static bool overlap(const struct metric_summary *a, const struct metric_summary *b)
{
	if (isnan(a->low) || isnan(b->low)) return false;
	return a->low <= b->high && b->low <= a->high;
}

char *view_difference(const struct study *study, int32_t fleet, const struct view_row *row, int *better)
{
	*better = 0;
	int32_t base = study->scenario->baseline;
	const struct metric_summary *own = view_metric(study, fleet, row->metric);
	const struct metric_summary *other = view_metric(study, base, row->metric);
	if (fleet == base || own == NULL || other == NULL || isnan(own->value) || isnan(other->value))
		return g_strdup("");
	if (own->value == other->value) return g_strdup("=");
	if (other->value == 0) return g_strdup("");
	double ratio = own->value / other->value;
	if (!overlap(own, other)) *better = ratio < 1 ? -direction_of(row->metric) : direction_of(row->metric);
	if (ratio >= 10) {
		g_autofree char *times = rr_text_count(round(ratio));
		return g_strdup_printf("x %s", times);
	}
	double percent = 100 * (ratio - 1);
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(buffer, sizeof buffer, fabs(percent) < 9.95 ? "%+.1f" : "%+.0f", percent);
	return g_strconcat(buffer, " %", NULL);
}

/* ---------------------------------------------------------------------- answer */

/* Fleets in the order of what they cost in three years; how many have a cost. */
static int32_t by_cost(const struct study *study, int32_t *order)
{
	int32_t count = 0;
	for (int32_t f = 0; f < study->fleet_count; f++) {
		const struct metric_summary *m = view_metric(study, f, "cost.tco3y");
		if (m == NULL || isnan(m->value)) continue;
		int32_t at = count++;
		while (at > 0 && view_metric(study, order[at - 1], "cost.tco3y")->value > m->value) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = f;
	}
	return count;
}

static const char *name_of(const struct study *study, int32_t fleet)
{
	return study->scenario->fleets[fleet].name;
}

static void append_cost(GString *text, const struct study *study)
{
	g_autofree int32_t *order = g_new0(int32_t, (size_t)study->fleet_count);
	int32_t priced = by_cost(study, order);
	if (priced == 0) return;
	const struct metric_summary *least = view_metric(study, order[0], "cost.tco3y");
	g_autofree char *cheap = form_text(study, VIEW_MONEY, least->value);
	if (priced == 1) {
		g_string_append_printf(text, "Over three years '%s' costs %s. ", name_of(study, order[0]), cheap);
		return;
	}
	const struct metric_summary *next = view_metric(study, order[1], "cost.tco3y");
	g_autofree char *dear = form_text(study, VIEW_MONEY, next->value);
	if (overlap(least, next))
		g_string_append_printf(
		    text, "Over three years '%s' (%s) and '%s' (%s) cost the same within the luck of the draw. ",
		    name_of(study, order[0]), cheap, name_of(study, order[1]), dear);
	else
		g_string_append_printf(text, "Over three years '%s' costs %s; '%s' costs %s, %d %% more. ",
				       name_of(study, order[0]), cheap, name_of(study, order[1]), dear,
				       (int)lround(100 * (next->value / least->value - 1)));
}

static void append_waits(GString *text, const struct study *study)
{
	const char *between = "Jobs wait ";
	for (int32_t f = 0; f < study->fleet_count && f < 4; f++) {
		const struct metric_summary *m = view_metric(study, f, "jobs.wait.mean");
		if (m == NULL || isnan(m->value)) continue;
		g_autofree char *wait = rr_text_duration(m->value);
		g_string_append_printf(text, "%s%s on '%s'", between, wait, name_of(study, f));
		between = ", ";
	}
	if (between[0] == ',') g_string_append(text, " on average.");
}

char *view_answer(const struct study *study)
{
	GString *text = g_string_new(NULL);
	append_cost(text, study);
	append_waits(text, study);
	return g_string_free(text, FALSE);
}

char *view_frame(const struct study *study)
{
	const struct usage *usage = study->results[0]->usage;
	g_autofree char *span = rr_text_duration((double)usage->end_ns / (double)RR_NS_PER_S);
	g_autofree char *jobs = rr_text_count((double)usage->jobs->count);
	return g_strdup_printf("%s, %s jobs, %d replication%s, seed %" G_GUINT64_FORMAT, span, jobs,
			       study->replications, study->replications == 1 ? "" : "s", study->scenario->seed);
}
