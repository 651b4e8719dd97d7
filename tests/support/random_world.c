#include "tests/support/random_world.h"

#include "sim/scheduler/settings.h"
#include "tests/support/test.h"

#include <string.h>

uint32_t random_below(struct random_world *w, uint32_t limit)
{
	return rr_stream_u32(&w->luck) % limit;
}

/* A text that nobody frees. */
static char *constant(const char *text)
{
	return (char *)(intptr_t)text;
}

static const char *one_of(struct random_world *w, const char *const *texts, uint32_t count)
{
	return texts[random_below(w, count)];
}

/* --------------------------------------------------------------------- fleet */

static const char *const classes[] = {"", "a", "b"}, *const tenants[] = {"", "t", "u", "v"},
			 *const types[] = {"x", "y"};

static void rent(struct random_world *w, struct pool_spec *pool)
{
	pool->count_min = (int32_t)random_below(w, (uint32_t)pool->count_max + 1);
	pool->boot = (struct rr_distribution){.kind = RR_DIST_EXPONENTIAL, .a = 1 + random_below(w, 120)};
	if (random_below(w, 4) == 0) pool->boot = (struct rr_distribution){.kind = RR_DIST_CONSTANT, .a = 0};
}

static void random_pool(struct random_world *w, struct pool_spec *pool, const char *name)
{
	bool cloud = random_below(w, 2) == 0;
	int32_t count = 1 + (int32_t)random_below(w, 5);
	*pool =
	    (struct pool_spec){.name = constant(name),
			       .kind = cloud ? RR_POOL_CLOUD : RR_POOL_PHYSICAL,
			       .gpus_per_node = cloud || random_below(w, 3) > 0 ? 1 + (int32_t)random_below(w, 8) : 0,
			       .count_min = count,
			       .count_max = count,
			       .speed = random_below(w, 4) == 0 ? 1.5 : 1,
			       .nodes_per_rack = (int32_t)random_below(w, 4),
			       .gpu_type = constant(one_of(w, types, 2)),
			       .site = -1,
			       .node = -1,
			       .instance = -1,
			       .gpu = -1,
			       .price_micros = -1,
			       .price_micros_per_hour = (int64_t)random_below(w, 50000000),
			       .billing_step_ns = RR_NS_PER_S,
			       .billing_minimum_ns = 60 * RR_NS_PER_S,
			       .lead_time_ns = random_below(w, 4) == 0 ? random_below(w, 500) * RR_NS_PER_S : 0,
			       .idle_ns = (sim_time)random_below(w, 300) * RR_NS_PER_S};
	if (random_below(w, 3) == 0) pool->only_class = constant(classes[1 + random_below(w, 2)]);
	if (random_below(w, 6) == 0) pool->only_tenant = constant(tenants[1 + random_below(w, 3)]);
	if (cloud) rent(w, pool);
}

/* One above the others, with limits of all kinds. */
static void random_queues(struct random_world *w)
{
	static const char *const names[RANDOM_QUEUES_MOST] = {"all", "t", "u", "a", "default"};
	if (random_below(w, 2) == 0) return;
	w->fleet.queues = w->queues;
	w->fleet.queue_count = 1 + (int32_t)random_below(w, RANDOM_QUEUES_MOST);
	for (int32_t i = 0; i < w->fleet.queue_count; i++) {
		struct queue_spec *q = &w->queues[i];
		*q = (struct queue_spec){.name = constant(names[i]),
					 .parent = i > 0 && random_below(w, 2) == 0 ? 0 : -1,
					 .weight = 1 + random_below(w, 3),
					 .guaranteed = random_below(w, 2) == 0 ? random_below(w, 12) : 0,
					 .most = random_below(w, 2) == 0 ? 1 + random_below(w, 20) : 0,
					 .most_jobs = random_below(w, 3) == 0 ? 1 + (int32_t)random_below(w, 4) : 0,
					 .borrow = true};
		if (q->guaranteed > 0) q->borrow = random_below(w, 3) > 0;
	}
}

/* ---------------------------------------------------------------------- jobs */

static int32_t random_needs(struct random_world *w)
{
	struct job_needs needs = {0};
	switch (random_below(w, 4)) {
	case 0: needs.spread = true; break;
	case 1: needs.same_rack = true; break;
	case 2: needs.same_node = true; break;
	default: needs.gpu_types = rr_jobs_text(w->jobs, one_of(w, types, 2), true);
	}
	return rr_jobs_needs(w->jobs, &needs);
}

static void random_jobs(struct random_world *w, uint32_t most)
{
	uint32_t count = random_below(w, most), span = 1 + random_below(w, 4000);
	bool choosy = random_below(w, 3) == 0;
	w->jobs = rr_jobs_new();
	for (uint32_t i = 0; i < count; i++) {
		struct job job = {.submit_ns = (sim_time)random_below(w, span) * RR_NS_PER_S + random_below(w, 3),
				  .duration_ns = 1 + (sim_time)(rr_stream_unit(&w->luck) * 800e9),
				  .estimate_ns = -1,
				  .gpus = 1 + (int32_t)random_below(w, random_below(w, 4) == 0 ? 40 : 6),
				  .gpu_milli = 1000,
				  .priority = (int32_t)random_below(w, 4) - 1,
				  .tenant = rr_jobs_text(w->jobs, one_of(w, tenants, 4), true),
				  .klass = rr_jobs_text(w->jobs, one_of(w, classes, 3), true)};
		if (random_below(w, 2) == 0) job.estimate_ns = (sim_time)(rr_stream_unit(&w->luck) * 1000e9);
		if (random_below(w, 2) == 0)
			job.deadline_ns = job.submit_ns + (sim_time)random_below(w, 2000) * RR_NS_PER_S;
		if (choosy && random_below(w, 3) == 0) job.needs = random_needs(w);
		rr_jobs_append(w->jobs, &job);
	}
	rr_jobs_seal(w->jobs);
}

void random_world_init(struct random_world *w, uint64_t seed, uint32_t jobs_most)
{
	static const char *const names[RANDOM_POOLS_MOST] = {"p", "q", "r", "s"};
	memset(w, 0, sizeof *w);
	rr_stream_init(&w->luck, seed, RR_PURPOSE_TEST, 5);
	w->fleet.name = constant("f");
	w->fleet.pools = w->pools;
	w->fleet.pool_count = 1 + (int32_t)random_below(w, RANDOM_POOLS_MOST);
	for (int32_t p = 0; p < w->fleet.pool_count; p++) random_pool(w, &w->pools[p], names[p]);
	random_queues(w);
	w->scenario = (struct scenario){.fleets = &w->fleet, .fleet_count = 1, .seed = seed, .replications = 1};
	w->scenario.finance = (struct finance){.years = 3, .wacc = 0.08, .staff_per_gpus = 200};
	memcpy(w->scenario.currency, "USD", 4);
	if (random_below(w, 2) == 0) w->scenario.horizon_ns = (1 + (sim_time)random_below(w, 6000)) * RR_NS_PER_S;
	random_jobs(w, jobs_most);
}

void random_world_done(struct random_world *w)
{
	rr_scheduler_spec_done(&w->fleet.scheduler);
	rr_jobs_free(w->jobs);
}

/* ------------------------------------------------------------------- options */

/* A stopped job must get further than what the stop costs it, or two of them
 * would stop each other for ever: what a stop costs, and how long a job lingers,
 * is kept below each time after which somebody may be stopped. */
static char *random_value(struct random_world *w, const struct rr_parameter *p)
{
	static const char *const durations[] = {"20s", "90s", "10min"}, *const numbers[] = {"0.5", "1", "3"},
				 *const levels[] = {"200s", "200s/1000s", "3250s/7200s"},
				 *const sizes[] = {"0s", "2s", "1:1s/4:2s/more:3s"};
	if (strcmp(p->name, "linger") == 0) return g_strdup("1s");
	switch ((enum rr_parameter_kind)p->kind) {
	case RR_PARAMETER_SPAN:
	case RR_PARAMETER_DURATION: return g_strdup(one_of(w, durations, 3));
	case RR_PARAMETER_NUMBER: return g_strdup(one_of(w, numbers, 3));
	case RR_PARAMETER_COUNT: return g_strdup_printf("%u", 1 + random_below(w, 5));
	case RR_PARAMETER_LEVELS: return g_strdup(one_of(w, levels, 3));
	case RR_PARAMETER_BY_SIZE: return g_strdup(one_of(w, sizes, 3));
	case RR_PARAMETER_CHOICE: {
		g_auto(GStrv) words = g_strsplit(p->shape, "|", -1);
		return g_strdup(words[random_below(w, g_strv_length(words))]);
	}
	}
	return g_strdup(p->preset);
}

static void add_options(struct random_world *w, const struct rr_word *table, const char *name, GPtrArray *options)
{
	const struct rr_word *word = table;
	while (word->name != NULL && strcmp(word->name, name) != 0) word++;
	for (const struct rr_parameter *p = word->parameters; p != NULL && p->name != NULL; p++) {
		g_autofree char *value = random_value(w, p);
		if (random_below(w, 2) == 0) g_ptr_array_add(options, g_strdup_printf("%s=%s", p->name, value));
	}
}

/* Options drawn for the words of SPEC, behind those that it has. */
static void draw_options(struct random_world *w, struct scheduler_spec *spec)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	GPtrArray *options = g_ptr_array_new();
	for (char **o = spec->options; o != NULL && *o != NULL; o++) g_ptr_array_add(options, *o);
	g_free(spec->options);
	add_options(w, v->orders, spec->order, options);
	add_options(w, v->backfills, spec->backfill, options);
	add_options(w, v->placements, spec->placement, options);
	add_options(w, v->preempts, spec->preempt, options);
	g_ptr_array_add(options, NULL);
	spec->options = (char **)g_ptr_array_free(options, FALSE);
}

void random_world_schedule(struct random_world *w, const char *order, const char *backfill, const char *placement,
			   const char *preempt)
{
	rr_scheduler_spec_done(&w->fleet.scheduler);
	w->fleet.scheduler = (struct scheduler_spec){.order = g_strdup(order),
						     .backfill = g_strdup(backfill),
						     .placement = g_strdup(placement),
						     .preempt = g_strdup(preempt)};
	draw_options(w, &w->fleet.scheduler);
}

void random_world_preset(struct random_world *w, const char *preset)
{
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(&w->fleet.scheduler);
	bool known = rr_scheduler_parse(preset, &w->fleet.scheduler, &error);
	ck_assert_msg(known, "%s", error != NULL ? error->message : "");
	draw_options(w, &w->fleet.scheduler);
}

static const char *pick(struct random_world *w, const struct rr_word *words)
{
	uint32_t count = 0;
	while (words[count].name != NULL) count++;
	return words[random_below(w, count)].name;
}

void random_world_any_schedule(struct random_world *w)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	const char *order = pick(w, v->orders), *backfill = pick(w, v->backfills), *placement = pick(w, v->placements);
	random_world_schedule(w, order, backfill, placement, pick(w, v->preempts));
}

struct usage *random_world_run(struct random_world *w)
{
	g_autoptr(GError) error = NULL;
	struct usage *usage = rr_sim_run(&w->scenario, 0, w->jobs, 0, &error);
	ck_assert_msg(usage != NULL, "%s", error != NULL ? error->message : "");
	return usage;
}
