/* jobs.c - the list of jobs and its arena of texts. */
#include "scenarios/scenarios.h"

#include <string.h>

struct job_list *rr_jobs_new(void)
{
	struct job_list *list = g_new0(struct job_list, 1);
	list->text = g_byte_array_new();
	g_byte_array_append(list->text, (const guint8 *)"", 1);
	list->interned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	list->epoch_ns = INT64_MIN;
	return list;
}

uint32_t rr_jobs_text(struct job_list *list, const char *text, bool repeats)
{
	g_assert(list->interned != NULL);
	if (text == NULL || *text == '\0') return 0;
	if (repeats) {
		gpointer at = g_hash_table_lookup(list->interned, text);
		if (at != NULL) return GPOINTER_TO_UINT(at);
	}
	uint32_t at = list->text->len;
	g_byte_array_append(list->text, (const guint8 *)text, (guint)strlen(text) + 1);
	if (repeats) g_hash_table_insert(list->interned, g_strdup(text), GUINT_TO_POINTER(at));
	return at;
}

const char *rr_jobs_get_text(const struct job_list *list, uint32_t at)
{
	return (const char *)list->text->data + at;
}

static bool same_needs(const struct job_needs *a, const struct job_needs *b)
{
	return a->mem_bytes == b->mem_bytes && a->cpu_milli == b->cpu_milli && a->ram_bytes == b->ram_bytes &&
	       a->gpu_types == b->gpu_types && a->region == b->region && a->labels == b->labels &&
	       a->same_node == b->same_node && a->same_rack == b->same_rack && a->spread == b->spread;
}

int32_t rr_jobs_needs(struct job_list *list, const struct job_needs *needs)
{
	static const struct job_needs nothing = {0};
	if (same_needs(needs, &nothing)) return 0;
	for (int32_t i = list->needs_count; i > 0; i--) /* the latest first: traces repeat themselves */
		if (same_needs(needs, &list->needs[i - 1])) return i;
	if (list->needs_count == list->needs_capacity) {
		list->needs_capacity = MAX(2 * list->needs_capacity, 16);
		list->needs = g_renew(struct job_needs, list->needs, list->needs_capacity);
	}
	list->needs[list->needs_count++] = *needs;
	return list->needs_count;
}

/* The place of WHAT among KEPT plus 1; new when no equal one is there. */
static int32_t keep(GArray **kept, const void *what, guint size)
{
	if (*kept == NULL) *kept = g_array_new(FALSE, TRUE, size);
	for (guint i = (*kept)->len; i > 0; i--) /* the latest first: traces repeat themselves */
		if (memcmp((*kept)->data + (gsize)(i - 1) * size, what, size) == 0) return (int32_t)i;
	g_array_append_vals(*kept, what, 1);
	return (int32_t)(*kept)->len;
}

int32_t rr_jobs_speeds(struct job_list *list, const struct job_speeds *speeds)
{
	struct job_speeds whole;
	memset(&whole, 0, sizeof whole); /* padding is compared, too */
	whole.count = speeds->count;
	for (int32_t i = 0; i < speeds->count; i++) {
		whole.gpu[i] = speeds->gpu[i];
		whole.factor[i] = speeds->factor[i];
	}
	return keep(&list->speeds, &whole, sizeof whole);
}

int32_t rr_jobs_elastic(struct job_list *list, const struct job_elastic *elastic)
{
	struct job_elastic whole;
	memset(&whole, 0, sizeof whole);
	whole.least = elastic->least;
	whole.most = elastic->most;
	whole.curve.kind = elastic->curve.kind;
	whole.curve.serial = elastic->curve.serial;
	whole.curve.count = elastic->curve.count;
	for (size_t i = 0; i < elastic->curve.count && i < RR_SPEEDS_MOST; i++) {
		whole.gpus[i] = elastic->gpus[i];
		whole.speedups[i] = elastic->speedups[i];
	}
	return keep(&list->elastics, &whole, sizeof whole);
}

void rr_jobs_append(struct job_list *list, const struct job *job)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity == 0 ? 1024 : list->capacity + list->capacity / 2;
		list->jobs = g_renew(struct job, list->jobs, list->capacity);
	}
	list->jobs[list->count++] = *job;
}

/* Bottom-up merge sort: stable, so that equal submits keep the file's order. */
static void sort_by_submit(struct job *jobs, size_t count)
{
	struct job *spare = g_new(struct job, count);
	struct job *from = jobs, *to = spare;
	for (size_t width = 1; width < count; width *= 2) {
		for (size_t at = 0; at < count; at += 2 * width) {
			size_t mid = MIN(at + width, count), end = MIN(at + 2 * width, count);
			size_t a = at, b = mid;
			for (size_t k = at; k < end; k++) {
				bool left = a < mid && (b >= end || from[a].submit_ns <= from[b].submit_ns);
				to[k] = left ? from[a++] : from[b++];
			}
		}
		struct job *swap = from;
		from = to;
		to = swap;
	}
	if (from != jobs) memcpy(jobs, from, count * sizeof *jobs);
	g_free(spare);
}

void rr_jobs_seal(struct job_list *list)
{
	g_clear_pointer(&list->interned, g_hash_table_unref);
	bool sorted = true;
	for (size_t i = 1; i < list->count && sorted; i++)
		sorted = list->jobs[i - 1].submit_ns <= list->jobs[i].submit_ns;
	if (!sorted) sort_by_submit(list->jobs, list->count);
}

void rr_jobs_free(struct job_list *list)
{
	if (list == NULL) return;
	g_free(list->jobs);
	g_free(list->needs);
	g_clear_pointer(&list->speeds, g_array_unref);
	g_clear_pointer(&list->elastics, g_array_unref);
	g_byte_array_unref(list->text);
	g_clear_pointer(&list->interned, g_hash_table_unref);
	g_free(list);
}
