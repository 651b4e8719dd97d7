/* Policies: hand-worked examples, then every combination of the tables against a
 * simulator that looks at everything at every instant. A new row of a table is
 * held to the general promises by itself; its meaning is to be added here. */
#include "models/random/random.h"
#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"
#include "tests/support/scan.h"
#include "tests/support/test.h"

#include <string.h>

enum { JOBS_MOST = 60, NODES_MOST = 5 };

/* ---------------------------------------------------------------- a small world */

struct world {
	struct pool_spec pool;
	struct fleet_spec fleet;
	struct scenario scenario;
	struct job_list *jobs;
};

static void world_init(struct world *w, int32_t nodes, int32_t node_gpus)
{
	*w = (struct world){.jobs = rr_jobs_new()};
	w->pool = (struct pool_spec){.name = (char *)(intptr_t) "p",
				     .gpus_per_node = node_gpus,
				     .count_min = nodes,
				     .count_max = nodes,
				     .speed = 1};
	w->fleet = (struct fleet_spec){.name = (char *)(intptr_t) "f", .pools = &w->pool, .pool_count = 1};
	w->scenario = (struct scenario){.fleets = &w->fleet, .fleet_count = 1, .seed = 1, .replications = 1};
}

static void add_job(struct world *w, int submit_s, int gpus, int duration_s, int estimate_s, int priority)
{
	struct job job = {.submit_ns = submit_s * RR_NS_PER_S,
			  .duration_ns = duration_s * RR_NS_PER_S,
			  .estimate_ns = estimate_s < 0 ? -1 : estimate_s * RR_NS_PER_S,
			  .gpus = gpus,
			  .gpu_milli = 1000,
			  .priority = priority};
	rr_jobs_append(w->jobs, &job);
}

static struct usage *run(struct world *w, const char *scheduler)
{
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(&w->fleet.scheduler);
	ck_assert(rr_scheduler_parse(scheduler, &w->fleet.scheduler, &error));
	rr_jobs_seal(w->jobs);
	struct usage *usage = rr_sim_run(&w->scenario, 0, w->jobs, 0, &error);
	ck_assert_ptr_nonnull(usage);
	return usage;
}

static void world_done(struct world *w)
{
	rr_scheduler_spec_done(&w->fleet.scheduler);
	rr_jobs_free(w->jobs);
}

/* Starts in seconds, job by job, ended by -9; -1 = never. */
static void expect_starts(struct world *w, const char *scheduler, const int *starts)
{
	struct usage *usage = run(w, scheduler);
	for (size_t i = 0; starts[i] != -9; i++) {
		sim_time start = usage->records[i].start_ns;
		int ours = start < 0 ? -1 : (int)(start / RR_NS_PER_S);
		ck_assert_msg(ours == starts[i], "%s: job %zu starts at %d, expected %d", scheduler, i, ours,
			      starts[i]);
	}
	rr_usage_free(usage);
}

START_TEST(hand_worked_orders_on_four_gpus)
{
	struct world w;
	world_init(&w, 4, 0);
	add_job(&w, 0, 4, 100, -1, 0); /* holds all until 100 */
	add_job(&w, 1, 3, 50, -1, 0);
	add_job(&w, 2, 2, 20, -1, 5);
	add_job(&w, 3, 1, 80, -1, 1);
	/* fcfs: 3 at 100; 2 does not fit beside it and blocks; at 150 2 and 1 together. */
	expect_starts(&w, "fcfs", (int[]){0, 100, 150, 150, -9});
	/* fit: 3 at 100, 2 is passed over, 1 fits beside it; 2 at 150. */
	expect_starts(&w, "fit", (int[]){0, 100, 150, 100, -9});
	/* sjf: 20 s first, then 50 s (3 GPUs do not fit: blocks), at 120 3 and 1. */
	expect_starts(&w, "sjf", (int[]){0, 120, 100, 120, -9});
	/* ljf: 80 s, then 50 s fits beside it; the 20 s one at 150. */
	expect_starts(&w, "ljf", (int[]){0, 100, 150, 100, -9});
	/* priority: 5, then 1 beside it, then 0 at 120, when 2 GPUs came free. */
	expect_starts(&w, "priority", (int[]){0, 120, 100, 100, -9});
	world_done(&w);
}
END_TEST

START_TEST(easy_fills_holes_and_never_delays_the_head)
{
	struct world w;
	world_init(&w, 4, 0);
	add_job(&w, 0, 3, 100, -1, 0);
	add_job(&w, 1, 3, 50, -1, 0); /* the head: reserved at 100, one GPU left over */
	add_job(&w, 2, 1, 98, -1, 0); /* ends at 100: may start at 2 */
	add_job(&w, 3, 1, 10, -1, 0); /* no GPU left until 100; then beside the head */
	expect_starts(&w, "easy", (int[]){0, 100, 2, 100, -9});
	world_done(&w);

	world_init(&w, 4, 0);
	add_job(&w, 0, 2, 100, -1, 0);
	add_job(&w, 1, 4, 10, -1, 0); /* reserved at 100, nothing left over */
	add_job(&w, 2, 1, 99, -1, 0); /* would end at 101: must wait */
	add_job(&w, 3, 1, 97, -1, 0); /* ends at 100: starts at once */
	expect_starts(&w, "easy", (int[]){0, 100, 110, 3, -9});
	world_done(&w);
}
END_TEST

START_TEST(easy_plans_with_estimates_and_jobs_end_at_their_duration)
{
	struct world w;
	world_init(&w, 4, 0);
	add_job(&w, 0, 3, 40, 100, 0); /* is thought to end at 100, ends at 40 */
	add_job(&w, 1, 4, 10, 10, 0);
	add_job(&w, 2, 1, 60, 60, 0); /* by the estimates harmless: starts at 2, ends at 62 */
	expect_starts(&w, "easy", (int[]){0, 62, 2, -9});
	world_done(&w);
}
END_TEST

START_TEST(a_job_wider_than_its_pool_never_blocks)
{
	struct world w;
	world_init(&w, 2, 8);
	add_job(&w, 0, 17, 10, -1, 0);
	add_job(&w, 1, 16, 10, -1, 0);
	struct usage *usage = run(&w, "fcfs");
	ck_assert_int_eq(usage->records[0].state, RR_JOB_UNSCHEDULABLE);
	ck_assert_int_eq(usage->records[1].start_ns, RR_NS_PER_S);
	rr_usage_free(usage);
	world_done(&w);
}
END_TEST

/* ------------------------------------------------------- the slow simulator */

struct slow {
	const struct world *w;
	const char *order, *backfill, *placement;
	int32_t free[NODES_MOST];
	int64_t flat_free;
	bool waiting[JOBS_MOST], running[JOBS_MOST];
	sim_time start[JOBS_MOST], end[JOBS_MOST];
	int32_t nodes[JOBS_MOST][NODES_MOST];
	sim_time now;
};

static const struct job *job_at(const struct slow *s, int j)
{
	return &s->w->jobs->jobs[j];
}

static sim_time estimate(const struct slow *s, int j)
{
	const struct job *job = job_at(s, j);
	return job->estimate_ns >= 0 ? job->estimate_ns : job->duration_ns;
}

static int64_t key(const struct slow *s, int j)
{
	const struct job *job = job_at(s, j);
	if (strcmp(s->order, "sjf") == 0) return job->duration_ns;
	if (strcmp(s->order, "ljf") == 0) return -job->duration_ns;
	if (strcmp(s->order, "priority") == 0) return -(int64_t)job->priority;
	return 0;
}

/* The first waiting job behind AFTER in order (-1 = the first of all), or -1. */
static int next_waiting(const struct slow *s, int after)
{
	int best = -1;
	for (int j = 0; j < (int)s->w->jobs->count; j++) {
		if (!s->waiting[j]) continue;
		if (after >= 0 && (key(s, j) < key(s, after) || (key(s, j) == key(s, after) && j <= after))) continue;
		if (best < 0 || key(s, j) < key(s, best)) best = j;
	}
	return best;
}

static void take(struct slow *s, int j, int sign)
{
	int32_t left = job_at(s, j)->gpus, node_gpus = s->w->pool.gpus_per_node;
	s->flat_free -= sign * left;
	for (int k = 0; node_gpus > 0 && left > 0; k++) {
		int32_t here = MIN(left, node_gpus);
		s->free[s->nodes[j][k]] -= sign * here;
		left -= here;
	}
}

static bool try_start(struct slow *s, int j)
{
	const struct pool_spec *pool = &s->w->pool;
	int32_t gpus = job_at(s, j)->gpus;
	bool fits = gpus <= s->flat_free;
	if (fits && pool->gpus_per_node > 0)
		fits = (strcmp(s->placement, "first-fit") == 0 ? rr_scan_first : rr_scan_best)(
		    s->free, pool->count_max, pool->gpus_per_node, gpus, s->nodes[j]);
	if (!fits) return false;
	take(s, j, 1);
	s->waiting[j] = false;
	s->running[j] = true;
	s->start[j] = s->now;
	s->end[j] = s->now + job_at(s, j)->duration_ns;
	return true;
}

/* When by the estimates the head can start, and what is then left over. */
static sim_time shadow(const struct slow *s, int head, int64_t *extra)
{
	for (sim_time at = s->now; at < s->now + 1000 * RR_NS_PER_S; at += RR_NS_PER_S) {
		int64_t free = s->flat_free;
		for (int j = 0; j < (int)s->w->jobs->count; j++)
			if (s->running[j] && s->start[j] + estimate(s, j) <= at) free += job_at(s, j)->gpus;
		if (free < job_at(s, head)->gpus) continue;
		*extra = free - job_at(s, head)->gpus;
		return at;
	}
	return INT64_MAX;
}

static void pass(struct slow *s)
{
	int head = -1;
	while ((head = next_waiting(s, -1)) >= 0 && try_start(s, head)) {
	}
	if (head < 0 || strcmp(s->backfill, "none") == 0) return;
	for (int j = next_waiting(s, head); j >= 0; j = next_waiting(s, j)) {
		int64_t extra = 0;
		if (strcmp(s->backfill, "easy") == 0) {
			sim_time at = shadow(s, head, &extra);
			if (estimate(s, j) > at - s->now && job_at(s, j)->gpus > extra) continue;
		}
		(void)try_start(s, j);
	}
}

static void simulate(struct slow *s)
{
	const struct pool_spec *pool = &s->w->pool;
	int count = (int)s->w->jobs->count;
	s->flat_free = pool->gpus_per_node > 0 ? pool->gpus_per_node * pool->count_max : pool->count_max;
	for (int32_t n = 0; n < NODES_MOST; n++) s->free[n] = pool->gpus_per_node;
	for (int j = 0; j < count; j++) s->start[j] = s->end[j] = -1;
	for (s->now = 0; s->now < 20000 * RR_NS_PER_S; s->now += RR_NS_PER_S) {
		bool changed = false;
		for (int j = 0; j < count; j++) {
			if (!s->running[j] || s->end[j] != s->now) continue;
			take(s, j, -1);
			s->running[j] = false;
			changed = true;
		}
		for (int j = 0; j < count; j++) {
			if (job_at(s, j)->submit_ns != s->now) continue;
			s->waiting[j] = true;
			changed = true;
		}
		if (changed) pass(s);
	}
}

static void random_work(struct world *w, struct rr_stream *luck, int32_t width)
{
	int jobs = 5 + (int)(rr_stream_u32(luck) % (JOBS_MOST - 5));
	int span = 20 + (int)(rr_stream_u32(luck) % 200);
	for (int i = 0; i < jobs; i++) {
		int duration = 1 + (int)(rr_stream_u32(luck) % 40);
		int estimate_s = rr_stream_u32(luck) % 3 == 0 ? -1 : duration + (int)(rr_stream_u32(luck) % 30);
		int gpus = 1 + (int)(rr_stream_u32(luck) % (rr_stream_u32(luck) % 3 == 0 ? (uint32_t)width : 3));
		add_job(w, (int)(rr_stream_u32(luck) % (uint32_t)span), MIN(gpus, width), duration, estimate_s,
			(int)(rr_stream_u32(luck) % 3));
	}
}

/* One random workload under one combination: the same starts, ends and nodes. */
static void compare(const char *order, const char *backfill, const char *placement, uint64_t seed)
{
	struct rr_stream luck;
	struct world w;
	rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 4);
	bool flat = seed % 3 == 0;
	int32_t nodes = 1 + (int32_t)(rr_stream_u32(&luck) % NODES_MOST),
		node_gpus = 1 + (int32_t)(rr_stream_u32(&luck) % 8);
	world_init(&w, flat ? 4 + nodes : nodes, flat ? 0 : node_gpus);
	random_work(&w, &luck, flat ? 4 + nodes : nodes * node_gpus);
	rr_jobs_seal(w.jobs);
	w.fleet.scheduler = (struct scheduler_spec){.text = g_strdup("t"),
						    .order = g_strdup(order),
						    .backfill = g_strdup(backfill),
						    .placement = g_strdup(placement),
						    .preempt = g_strdup("none")};
	g_autoptr(GError) error = NULL;
	struct usage *usage = rr_sim_run(&w.scenario, 0, w.jobs, 0, &error);
	ck_assert_ptr_nonnull(usage);
	struct slow *s = g_new0(struct slow, 1);
	*s = (struct slow){.w = &w, .order = order, .backfill = backfill, .placement = placement};
	simulate(s);
	for (size_t j = 0; j < w.jobs->count; j++) {
		const struct job_record *r = &usage->records[j];
		ck_assert_msg(r->start_ns == s->start[j] && r->end_ns == s->end[j],
			      "%s+%s+%s, seed %d: job %zu starts at %g, expected %g", order, backfill, placement,
			      (int)seed, j, (double)r->start_ns / 1e9, (double)s->start[j] / 1e9);
		for (int32_t k = 0; k < r->node_count; k++)
			ck_assert_int_eq(g_array_index(usage->nodes, int32_t, r->nodes_at + (uint32_t)k),
					 s->nodes[j][k]);
	}
	g_free(s);
	rr_usage_free(usage);
	world_done(&w);
}

START_TEST(every_combination_equals_the_slow_simulator)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	uint64_t seed = 1;
	for (const struct rr_word *o = v->orders; o->name != NULL; o++)
		for (const struct rr_word *b = v->backfills; b->name != NULL; b++)
			for (const struct rr_word *p = v->placements; p->name != NULL; p++)
				for (int i = 0; i < 40; i++) compare(o->name, b->name, p->name, seed++);
}
END_TEST

START_TEST(every_preset_can_be_parsed_and_has_its_words_in_the_tables)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	for (const struct rr_word *word = v->presets; word->name != NULL; word++) {
		struct scheduler_spec spec = {0};
		ck_assert(v->parse(word->name, &spec, NULL));
		ck_assert_str_eq(spec.preset, word->name);
		rr_scheduler_spec_done(&spec);
	}
	struct scheduler_spec spec = {0};
	g_autoptr(GError) error = NULL;
	ck_assert(!v->parse("esay", &spec, &error));
	ck_assert_ptr_nonnull(strstr(error->message, "did you mean 'easy'?"));
}
END_TEST

RR_TEST_MAIN("policies", hand_worked_orders_on_four_gpus, easy_fills_holes_and_never_delays_the_head,
	     easy_plans_with_estimates_and_jobs_end_at_their_duration, a_job_wider_than_its_pool_never_blocks,
	     every_combination_equals_the_slow_simulator, every_preset_can_be_parsed_and_has_its_words_in_the_tables)
