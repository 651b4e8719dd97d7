/* settings.c - see settings.h. */
#include "sim/scheduler/settings.h"

#include "models/units/units.h"

#include <string.h>

sim_time rr_by_size_ns(const struct rr_by_size *rows, int32_t gpus)
{
	for (int32_t i = 0; i < rows->count; i++)
		if (gpus <= rows->gpus[i] || i + 1 == rows->count) return rows->ns[i];
	return 0;
}

static bool read_duration(const char *text, sim_time *ns)
{
	struct rr_quantity quantity;
	if (!rr_quantity_parse(text, RR_DIM_DURATION, &quantity, NULL) || quantity.exact < 0) return false;
	*ns = quantity.exact;
	return true;
}

static bool read_number(const char *text, double *number)
{
	char *end = NULL;
	*number = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && *number >= 0 && *number <= 1e15;
}

static bool read_count(const char *text, int32_t *count)
{
	gint64 value = 0;
	if (!g_ascii_string_to_signed(text, 10, 1, 1000000000, &value, NULL)) return false;
	*count = (int32_t)value;
	return true;
}

static bool read_choice(const char *shape, const char *text, int32_t *index)
{
	g_auto(GStrv) words = g_strsplit(shape, "|", -1);
	for (int32_t i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], text) != 0) continue;
		*index = i;
		return true;
	}
	return false;
}

static bool read_levels(const char *text, struct rr_settings *s)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", -1);
	s->level_count = 0;
	for (char **part = parts; *part != NULL; part++) {
		sim_time ns = 0;
		if (s->level_count == RR_STEPS_MOST || !read_duration(*part, &ns) || ns <= 0) return false;
		if (s->level_count > 0 && ns / 1000 <= s->levels_us[s->level_count - 1]) return false;
		s->levels_us[s->level_count++] = ns / 1000;
	}
	return s->level_count > 0;
}

static bool read_by_size(const char *text, struct rr_by_size *rows)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", -1);
	*rows = (struct rr_by_size){0};
	for (char **part = parts; *part != NULL; part++) {
		char *colon = strchr(*part, ':');
		int32_t at = rows->count++;
		if (at == RR_STEPS_MOST) return false;
		if (colon != NULL) *colon = '\0';
		bool all = colon == NULL || strcmp(*part, "more") == 0;
		if (all)
			rows->gpus[at] = INT32_MAX;
		else if (!read_count(*part, &rows->gpus[at]))
			return false;
		if (at > 0 && rows->gpus[at] <= rows->gpus[at - 1]) return false;
		if (!read_duration(colon != NULL ? colon + 1 : *part, &rows->ns[at])) return false;
	}
	return rows->count > 0;
}

static bool read_value(const struct rr_parameter *p, const char *text, struct rr_settings *settings)
{
	void *at = (char *)settings + p->at;
	switch ((enum rr_parameter_kind)p->kind) {
	case RR_PARAMETER_DURATION: return read_duration(text, at);
	case RR_PARAMETER_SPAN: return read_duration(text, at) && *(sim_time *)at >= RR_NS_PER_S / 1000;
	case RR_PARAMETER_NUMBER: return read_number(text, at);
	case RR_PARAMETER_COUNT: return read_count(text, at);
	case RR_PARAMETER_CHOICE: return read_choice(p->shape, text, at);
	case RR_PARAMETER_LEVELS: return read_levels(text, settings);
	case RR_PARAMETER_BY_SIZE: return read_by_size(text, at);
	}
	return false;
}

static const struct rr_parameter *find(const struct rr_word *const *words, const char *name, GPtrArray *known)
{
	for (; *words != NULL; words++)
		for (const struct rr_parameter *p = (*words)->parameters; p != NULL && p->name != NULL; p++) {
			if (strcmp(p->name, name) == 0) return p;
			g_ptr_array_add(known, (gpointer)(intptr_t)p->name);
		}
	return NULL;
}

static bool read_option(struct rr_settings *settings, const struct rr_word *const *words, const char *option,
			GError **error)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	const char *equals = strchr(option, '=');
	g_autofree char *name = equals != NULL ? g_strndup(option, (gsize)(equals - option)) : g_strdup(option);
	const struct rr_parameter *p = find(words, name, known);
	if (p == NULL) {
		g_ptr_array_add(known, NULL);
		const char *near = rr_nearest_word(name, (const char *const *)known->pdata);
		g_autofree char *all = g_strjoinv(", ", (char **)known->pdata);
		g_set_error(error, RR_UNITS_ERROR, RR_UNITS_ERROR_SYNTAX, "unknown option '%s'%s%s%s (%s%s)", name,
			    near != NULL ? ", did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "",
			    all[0] != '\0' ? "options here: " : "this scheduler takes none", all);
		return false;
	}
	if (equals != NULL && read_value(p, equals + 1, settings)) return true;
	g_set_error(error, RR_UNITS_ERROR, RR_UNITS_ERROR_SYNTAX, "option '%s' wants %s%s%s, such as %s=%s", name,
		    p->kind == RR_PARAMETER_CHOICE ? "one of " : "", p->shape, equals == NULL ? " after =" : "", name,
		    p->preset);
	return false;
}

static sim_time longest(const struct rr_by_size *rows)
{
	sim_time most = 0;
	for (int32_t i = 0; i < rows->count; i++) most = MAX(most, rows->ns[i]);
	return most;
}

/* Jobs that are stopped before they have made up for the last stop never end. */
static bool makes_progress(const struct rr_settings *s, GError **error)
{
	sim_time cost = longest(&s->restore) + longest(&s->save);
	const char *slice = s->round_ns > 0 && s->round_ns <= cost       ? "round"
			    : s->quantum_ns > 0 && s->quantum_ns <= cost ? "quantum"
									 : NULL;
	if (slice == NULL) return true;
	g_set_error(
	    error, RR_UNITS_ERROR, RR_UNITS_ERROR_RANGE,
	    "'%s' must be longer than what a pre-emption costs ('restore' and 'save'), or no job would ever end",
	    slice);
	return false;
}

bool rr_settings_read(struct rr_settings *settings, const struct rr_word *const *words, char **options, GError **error)
{
	*settings = (struct rr_settings){0};
	for (const struct rr_word *const *w = words; *w != NULL; w++)
		for (const struct rr_parameter *p = (*w)->parameters; p != NULL && p->name != NULL; p++) {
			bool sound = read_value(p, p->preset, settings);
			g_assert(sound);
		}
	for (char **option = options; option != NULL && *option != NULL; option++)
		if (!read_option(settings, words, *option, error)) return false;
	return makes_progress(settings, error);
}
