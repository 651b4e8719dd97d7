/* Every order x backfill x placement, and pre-emption by order, against a
 * simulator that looks at everything at every second. A new row of a table is
 * held to the general promises (test_conformance.c) by itself; its meaning is to
 * be added here. */
#include "models/random/random.h"
#include "tests/support/scan.h"
#include "tests/support/small.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { JOBS_MOST = 60, NODES_MOST = 5, TENANTS = 3 };

struct slow {
	const struct small *w;
	const char *order, *backfill, *placement;
	bool preempts;
	int32_t free[NODES_MOST];
	int64_t flat_free, flat_all;
	bool waiting[JOBS_MOST], running[JOBS_MOST];
	sim_time start[JOBS_MOST], end[JOBS_MOST]; /* first start */
	sim_time since[JOBS_MOST], left[JOBS_MOST];
	int32_t nodes[JOBS_MOST][NODES_MOST], preempted[JOBS_MOST];
	double key[JOBS_MOST], used[TENANTS];
	sim_time now, used_at;
};

static const struct job *job_at(const struct slow *s, int j)
{
	return &s->w->jobs->jobs[j];
}

static int count_of(const struct slow *s)
{
	return (int)s->w->jobs->count;
}

static sim_time estimate(const struct slow *s, int j)
{
	const struct job *job = job_at(s, j);
	return job->estimate_ns >= 0 ? job->estimate_ns : job->duration_ns;
}

static sim_time left_of(const struct slow *s, int j)
{
	return s->running[j] ? s->left[j] - (s->now - s->since[j]) : s->left[j];
}

static int tenant_of(const struct slow *s, int j)
{
	return rr_jobs_get_text(s->w->jobs, job_at(s, j)->tenant)[0] - 'a';
}

static int64_t held_by(const struct slow *s, int tenant)
{
	int64_t held = 0;
	for (int j = 0; j < count_of(s); j++)
		if (s->running[j] && tenant_of(s, j) == tenant) held += job_at(s, j)->gpus;
	return held;
}

/* Themis' rho: time shared over time alone in an equal part of the GPUs. */
static double rho(const struct slow *s, int j)
{
	double jobs = 0;
	for (int k = 0; k < count_of(s); k++) jobs += s->waiting[k] || s->running[k];
	double slow_down = MAX(1, jobs * job_at(s, j)->gpus / (double)s->flat_all);
	return (double)(s->now - job_at(s, j)->submit_ns + left_of(s, j)) /
	       ((double)job_at(s, j)->duration_ns * slow_down);
}

/* Slurm's four factors, each with weight 1000, ages up to 7 days. */
static double factors(const struct slow *s, int j)
{
	double use = s->used[0] + s->used[1] + s->used[2], own = s->used[tenant_of(s, j)];
	double highest = 0;
	for (int k = 0; k < count_of(s); k++) highest = MAX(highest, job_at(s, k)->priority);
	double age = MIN((double)(s->now - job_at(s, j)->submit_ns) / (7 * 86400e9), 1);
	/* Three tenants and one for jobs of nobody have weight 1 each. */
	double share = exp2(-(use > 0 ? own / use : 0) * (double)(1 + s->w->fleet.queue_count));
	double sum = 1000 * age + 1000 * (double)job_at(s, j)->gpus / (double)s->flat_all + 1000 * share +
		     (highest > 0 ? 1000 * job_at(s, j)->priority / highest : 0);
	return round(sum * 1e6);
}

static double key_of(const struct slow *s, int j)
{
	const struct job *job = job_at(s, j);
	if (strcmp(s->order, "sjf") == 0) return (double)job->duration_ns;
	if (strcmp(s->order, "ljf") == 0) return -(double)job->duration_ns;
	if (strcmp(s->order, "priority") == 0) return -(double)job->priority;
	if (strcmp(s->order, "smallest") == 0) return job->gpus;
	if (strcmp(s->order, "srtf") == 0) return (double)left_of(s, j);
	if (strcmp(s->order, "srsf") == 0) return (double)left_of(s, j) * job->gpus;
	if (strcmp(s->order, "qssf") == 0) return (double)estimate(s, j) * job->gpus;
	if (strcmp(s->order, "edf") == 0) return job->deadline_ns > 0 ? (double)job->deadline_ns : 1e300;
	if (strcmp(s->order, "hrrn") == 0)
		return -(double)(s->now - job->submit_ns + estimate(s, j)) / (double)estimate(s, j);
	if (strcmp(s->order, "finish-time-fair") == 0) return -rho(s, j);
	if (strcmp(s->order, "multifactor") == 0) return -factors(s, j);
	return 0; /* fcfs; levels and indexes that nobody who waits has left yet; tenants */
}

/* Of its tenant: 0 unless tenants are ordered. */
static double tenant_key(const struct slow *s, int j)
{
	int tenant = tenant_of(s, j);
	double half_life_s = 7 * 86400;
	if (strcmp(s->order, "drf") == 0) return (double)held_by(s, tenant) / (double)s->flat_all;
	if (strcmp(s->order, "fair") == 0) return (double)held_by(s, tenant) + s->used[tenant] * G_LN2 / half_life_s;
	return 0;
}

static bool before(const struct slow *s, int a, int b)
{
	double x = tenant_key(s, a), y = tenant_key(s, b);
	if (x != y) return x < y;
	return s->key[a] < s->key[b] || (s->key[a] == s->key[b] && a < b);
}

/* The first waiting job that was not TRIED yet, or -1. */
static int next_waiting(const struct slow *s, const bool *tried)
{
	int best = -1;
	for (int j = 0; j < count_of(s); j++) {
		if (!s->waiting[j] || (tried != NULL && tried[j])) continue;
		if (best < 0 || before(s, j, best)) best = j;
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
		fits = rr_scan(s->placement, s->free, pool->count_max, pool->gpus_per_node, gpus, s->nodes[j]);
	if (!fits) return false;
	take(s, j, 1);
	s->waiting[j] = false;
	s->running[j] = true;
	if (s->start[j] < 0) s->start[j] = s->now;
	s->since[j] = s->now;
	return true;
}

/* -------------------------------------------------------------------- backfills */

/* When by the estimates the head can start, and what is then left over. */
static sim_time shadow(const struct slow *s, int head, int64_t *extra)
{
	for (sim_time at = s->now; at < s->now + 4000 * RR_NS_PER_S; at += RR_NS_PER_S) {
		int64_t free = s->flat_free;
		for (int j = 0; j < count_of(s); j++)
			if (s->running[j] && s->since[j] + estimate(s, j) <= at) free += job_at(s, j)->gpus;
		if (free < job_at(s, head)->gpus) continue;
		*extra = free - job_at(s, head)->gpus;
		return at;
	}
	return INT64_MAX;
}

static void pass(struct slow *s)
{
	int head = -1;
	while ((head = next_waiting(s, NULL)) >= 0 && try_start(s, head)) {
	}
	if (head < 0 || strcmp(s->backfill, "none") == 0) return;
	bool tried[JOBS_MOST] = {false};
	tried[head] = true;
	for (int j = next_waiting(s, tried); j >= 0; j = next_waiting(s, tried)) {
		int64_t extra = 0;
		tried[j] = true;
		if (strcmp(s->backfill, "easy") == 0) {
			sim_time at = shadow(s, head, &extra);
			if (estimate(s, j) > at - s->now && job_at(s, j)->gpus > extra) continue;
		}
		(void)try_start(s, j);
	}
}

/* --------------------------------------------------------- pre-emption by order */

static sim_time cost(int32_t gpus)
{
	return (gpus == 1 ? 2 : gpus <= 4 ? 5 : 9) * RR_NS_PER_S;
}

/* All that wait or run, packed anew into the empty pool by count. */
static void repack(struct slow *s)
{
	int64_t room = s->flat_all;
	bool seen[JOBS_MOST] = {false}, chosen[JOBS_MOST] = {false};
	for (int n = 0; n < count_of(s); n++) {
		int best = -1;
		for (int j = 0; j < count_of(s); j++)
			if (!seen[j] && (s->waiting[j] || s->running[j]) && (best < 0 || before(s, j, best))) best = j;
		if (best < 0) break;
		seen[best] = true;
		chosen[best] = job_at(s, best)->gpus <= room;
		if (chosen[best]) room -= job_at(s, best)->gpus;
	}
	for (int j = 0; j < count_of(s); j++) {
		if (!s->running[j] || chosen[j]) continue;
		s->left[j] = left_of(s, j) + cost(job_at(s, j)->gpus);
		s->running[j] = false;
		s->waiting[j] = true;
		s->preempted[j]++;
		take(s, j, -1);
	}
	bool tried[JOBS_MOST];
	for (int j = 0; j < count_of(s); j++) tried[j] = !chosen[j];
	for (int j = next_waiting(s, tried); j >= 0; j = next_waiting(s, tried)) {
		tried[j] = true;
		(void)try_start(s, j);
	}
}

/* ------------------------------------------------------------------ the world */

static void use_up_to_now(struct slow *s)
{
	double span_s = (double)(s->now - s->used_at) / 1e9, rate = G_LN2 / (7 * 86400);
	for (int t = 0; t < TENANTS; t++)
		s->used[t] =
		    s->used[t] * exp(-rate * span_s) + (double)held_by(s, t) * (1 - exp(-rate * span_s)) / rate;
	s->used_at = s->now;
}

static bool happenings(struct slow *s)
{
	bool changed = false;
	for (int j = 0; j < count_of(s); j++) {
		if (!s->running[j] || left_of(s, j) > 0) continue;
		take(s, j, -1);
		s->running[j] = false;
		s->end[j] = s->now;
		changed = true;
	}
	for (int j = 0; j < count_of(s); j++) {
		if (job_at(s, j)->submit_ns != s->now) continue;
		s->waiting[j] = true;
		changed = true;
	}
	return changed;
}

static bool all_ended(const struct slow *s)
{
	int ended = 0;
	for (int j = 0; j < count_of(s); j++) ended += s->end[j] >= 0;
	return ended == count_of(s);
}

static void simulate(struct slow *s)
{
	const struct pool_spec *pool = &s->w->pool;
	s->flat_all = s->flat_free = pool->gpus_per_node > 0 ? pool->gpus_per_node * pool->count_max : pool->count_max;
	for (int32_t n = 0; n < NODES_MOST; n++) s->free[n] = pool->gpus_per_node;
	for (int j = 0; j < count_of(s); j++) {
		s->start[j] = s->end[j] = -1;
		s->left[j] = job_at(s, j)->duration_ns;
	}
	for (s->now = 0; s->now < 20000 * RR_NS_PER_S; s->now += RR_NS_PER_S) {
		use_up_to_now(s);
		if (!happenings(s)) continue;
		if (all_ended(s)) return;
		for (int j = 0; j < count_of(s); j++) s->key[j] = s->waiting[j] || s->running[j] ? key_of(s, j) : 0;
		if (s->preempts)
			repack(s);
		else
			pass(s);
	}
}

static void random_work(struct small *w, struct rr_stream *luck, int32_t width)
{
	static const char *const tenants[TENANTS] = {"a", "b", "c"};
	int jobs = 5 + (int)(rr_stream_u32(luck) % (JOBS_MOST - 5));
	int span = 20 + (int)(rr_stream_u32(luck) % 200);
	for (int i = 0; i < jobs; i++) {
		int duration = 1 + (int)(rr_stream_u32(luck) % 40);
		int estimate_s = rr_stream_u32(luck) % 3 == 0 ? -1 : duration + (int)(rr_stream_u32(luck) % 30);
		int gpus = 1 + (int)(rr_stream_u32(luck) % (rr_stream_u32(luck) % 3 == 0 ? (uint32_t)width : 3));
		struct job *job = small_job(w, (int)(rr_stream_u32(luck) % (uint32_t)span), MIN(gpus, width), duration,
					    estimate_s, (int)(rr_stream_u32(luck) % 3));
		job->tenant = rr_jobs_text(w->jobs, tenants[rr_stream_u32(luck) % TENANTS], true);
		if (rr_stream_u32(luck) % 2 == 0)
			job->deadline_ns = job->submit_ns + (1 + rr_stream_u32(luck) % 300) * RR_NS_PER_S;
	}
}

struct combination {
	const char *order, *backfill, *placement, *preempt, *options;
};

static void same_as_slow(const struct combination *c, uint64_t seed, const struct small *w, const struct usage *usage,
			 struct slow *s)
{
	simulate(s);
	for (size_t j = 0; j < w->jobs->count; j++) {
		const struct job_record *r = &usage->records[j];
		ck_assert_msg(r->start_ns == s->start[j] && r->end_ns == s->end[j] && r->preemptions == s->preempted[j],
			      "%s+%s+%s+%s, seed %d: job %zu: [%g, %g) %d, expected [%g, %g) %d", c->order, c->backfill,
			      c->placement, c->preempt, (int)seed, j, (double)r->start_ns / 1e9,
			      (double)r->end_ns / 1e9, r->preemptions, (double)s->start[j] / 1e9,
			      (double)s->end[j] / 1e9, s->preempted[j]);
		for (int32_t k = 0; k < r->node_count; k++)
			ck_assert_int_eq(g_array_index(usage->nodes, int32_t, r->nodes_at + (uint32_t)k),
					 s->nodes[j][k]);
	}
}

/* One random workload under one combination: the same starts, ends and nodes. */
static void compare(const struct combination *c, uint64_t seed)
{
	struct rr_stream luck;
	struct small w;
	rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 4);
	bool flat = seed % 3 == 0;
	int32_t nodes = 1 + (int32_t)(rr_stream_u32(&luck) % NODES_MOST),
		node_gpus = 1 + (int32_t)(rr_stream_u32(&luck) % 8);
	struct queue_spec queues[TENANTS] = {
	    {.name = (char *)(intptr_t) "a", .parent = -1, .weight = 1, .borrow = true},
	    {.name = (char *)(intptr_t) "b", .parent = -1, .weight = 1, .borrow = true},
	    {.name = (char *)(intptr_t) "c", .parent = -1, .weight = 1, .borrow = true}};
	small_init(&w, flat ? 4 + nodes : nodes, flat ? 0 : node_gpus);
	w.fleet.queues = queues;
	w.fleet.queue_count = TENANTS;
	random_work(&w, &luck, flat ? 4 + nodes : nodes * node_gpus);
	struct scheduler_spec spec = {.text = g_strdup("t"),
				      .order = g_strdup(c->order),
				      .backfill = g_strdup(c->backfill),
				      .placement = g_strdup(c->placement),
				      .preempt = g_strdup(c->preempt),
				      .options = c->options != NULL ? g_strsplit(c->options, ",", -1) : NULL};
	struct usage *usage = small_run_spec(&w, &spec);
	struct slow *s = g_new0(struct slow, 1);
	*s = (struct slow){.w = &w,
			   .order = c->order,
			   .backfill = c->backfill,
			   .placement = c->placement,
			   .preempts = strcmp(c->preempt, "order") == 0};
	same_as_slow(c, seed, &w, usage, s);
	g_free(s);
	rr_usage_free(usage);
	small_done(&w);
}

static const char *options_of(const char *order)
{
	static const char *const drift[] = {"hrrn", "finish-time-fair", "multifactor", NULL};
	return g_strv_contains(drift, order) ? "every=0s" : NULL;
}

static const char *const backfills[] = {"none", "skip", "easy", NULL};

START_TEST(every_combination_equals_the_slow_simulator)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	uint64_t seed = 1;
	for (const struct rr_word *o = v->orders; o->name != NULL; o++)
		for (const char *const *b = backfills; *b != NULL; b++)
			for (const struct rr_word *p = v->placements; p->name != NULL; p++)
				for (int i = 0; rr_scan_knows(p->name) && i < 12; i++) {
					struct combination c = {o->name, *b, p->name, "none", options_of(o->name)};
					compare(&c, seed++);
				}
}
END_TEST

START_TEST(packing_what_changed_equals_packing_everything_anew)
{
	static const char *const orders[] = {"fcfs", "sjf",      "ljf", "smallest", "srtf",
					     "srsf", "priority", "edf", "qssf"};
	uint64_t seed = 1;
	for (size_t o = 0; o < G_N_ELEMENTS(orders); o++)
		for (int i = 0; i < 400; i++) {
			struct combination c = {orders[o], "skip", i % 2 == 0 ? "consolidate" : "worst-fit", "order",
						"restore=1:2s/4:5s/more:9s"};
			compare(&c, seed++);
		}
}
END_TEST

RR_TEST_MAIN("slow", every_combination_equals_the_slow_simulator, packing_what_changed_equals_packing_everything_anew)
