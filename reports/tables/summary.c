/* summary.c - summary.json, schema rackrent.summary/1. */
#include "reports/files.h"
#include "reports/tables/tables.h"

#include <jansson.h>
#include <math.h>

/* Fifteen digits: what a double surely holds, without the noise of the last two. */
enum { DIGITS = 15 };

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *metrics_of(const struct study *study, int32_t fleet)
{
	json_t *metrics = json_object();
	for (size_t i = 0; i < study->summary_counts[fleet]; i++) {
		const struct metric_summary *m = &study->summaries[fleet][i];
		json_t *entry = json_object();
		json_object_set_new(entry, "value", number(m->value));
		json_object_set_new(entry, "unit", json_string(m->unit));
		if (!isnan(m->low))
			json_object_set_new(entry, "ci95", json_pack("[o, o]", number(m->low), number(m->high)));
		json_object_set_new(metrics, m->id, entry);
	}
	return metrics;
}

/* Lines of the first replication: sums of integers, so that they add up. */
static json_t *lines_of(const struct result *result, const struct ledger_line *lines, size_t count)
{
	const struct usage *usage = result->usage;
	const struct fleet_spec *fleet = &usage->scenario->fleets[usage->fleet];
	json_t *all = json_array();
	for (size_t i = 0; i < count; i++) {
		json_t *entry = json_object();
		json_object_set_new(entry, "name", json_string(lines[i].name));
		json_object_set_new(entry, "pool",
				    lines[i].pool < 0 ? json_null() : json_string(fleet->pools[lines[i].pool].name));
		json_object_set_new(entry, "month", json_integer(lines[i].month));
		json_object_set_new(entry, "micros", json_integer(lines[i].micros));
		json_array_append_new(all, entry);
	}
	return all;
}

static json_t *fleet_of(const struct study *study, int32_t fleet)
{
	const struct result *first = study->results[fleet * study->replications];
	json_t *entry = json_object();
	json_object_set_new(entry, "scheduler", json_string(study->scenario->fleets[fleet].scheduler.text));
	json_object_set_new(entry, "metrics", metrics_of(study, fleet));
	json_object_set_new(entry, "ledger", lines_of(first, first->ledger, first->ledger_count));
	json_object_set_new(entry, "outlook", lines_of(first, first->outlook, first->outlook_count));
	json_object_set_new(entry, "events", json_integer(first->usage->events));
	json_object_set_new(entry, "ties", json_integer(first->usage->ties));
	return entry;
}

static json_t *document(const struct study *study)
{
	const struct scenario *s = study->scenario;
	json_t *root = json_object(), *fleets = json_object(), *notes = json_array();
	json_object_set_new(root, "schema", json_string("rackrent.summary/1"));
	json_object_set_new(root, "scenario", json_string(s->name));
	json_object_set_new(root, "question", s->question == NULL ? json_null() : json_string(s->question));
	json_object_set_new(root, "version", json_string(study->version));
	json_object_set_new(root, "digest", json_string(s->digest));
	json_object_set_new(root, "command", study->command == NULL ? json_null() : json_string(study->command));
	json_object_set_new(root, "seed", json_integer((json_int_t)s->seed));
	json_object_set_new(root, "replications", json_integer(study->replications));
	json_object_set_new(root, "horizon_s", s->horizon_ns == 0 ? json_null() : number((double)s->horizon_ns / 1e9));
	json_object_set_new(root, "currency", json_string(s->currency));
	json_object_set_new(root, "baseline", json_string(s->fleets[s->baseline].name));
	for (guint i = 0; i < study->notes->len; i++)
		json_array_append_new(notes, json_string(g_ptr_array_index(study->notes, i)));
	json_object_set_new(root, "notes", notes);
	for (int32_t f = 0; f < study->fleet_count; f++)
		json_object_set_new(fleets, s->fleets[f].name, fleet_of(study, f));
	json_object_set_new(root, "fleets", fleets);
	return root;
}

bool tables_write_summary(const struct study *study, const char *folder, GError **error)
{
	struct report_file file;
	if (!report_file_open(&file, folder, "summary.json", error)) return false;
	json_t *root = document(study);
	bool good = json_dumpf(root, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS)) == 0;
	good = fputc('\n', file.stream) != EOF && good;
	json_decref(root);
	return report_file_close(&file, true, error) && good;
}
