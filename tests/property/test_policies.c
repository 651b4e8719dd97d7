/* What policies are known for, on random jobs: reservations that are kept, the
 * best mean on one machine, and nobody who starves. What should happen is worked
 * out here second by second or by trying all, never by the scheduler's own means. */
#include "models/random/random.h"
#include "tests/support/small.h"
#include "tests/support/test.h"

#include <limits.h>
#include <string.h>

enum { SECONDS = 6000, JOBS_MOST = 30 };

static int below(struct rr_stream *luck, int limit)
{
	return (int)(rr_stream_u32(luck) % (uint32_t)limit);
}

static int seconds(sim_time ns)
{
	return (int)(ns / RR_NS_PER_S);
}

/* Up to JOBS_MOST jobs for a flat pool of WIDTH GPUs; estimates are the truth plus
 * up to SLACK_S. */
static void random_jobs(struct small *w, struct rr_stream *luck, int width, int slack_s)
{
	int count = 4 + below(luck, JOBS_MOST - 4), span = 1 + below(luck, 200);
	for (int i = 0; i < count; i++) {
		int duration = 1 + below(luck, 60), slack = slack_s > 0 ? below(luck, slack_s) : 0;
		int gpus = 1 + below(luck, below(luck, 2) == 0 ? width : 2);
		small_job(w, below(luck, span), MIN(gpus, width), duration, duration + slack, 0);
	}
	rr_jobs_seal(w->jobs); /* in the order of arrival from here on */
}

static int estimate_s(const struct small *w, int job)
{
	return seconds(w->jobs->jobs[job].estimate_ns);
}

/* ------------------------------------------------------------------------- easy */

/* Free GPUs at each second from NOW on, if those that run at NOW end by their
 * estimates and nobody starts. */
static void free_after(const struct small *w, const struct usage *u, int width, int now, int *free)
{
	for (int t = 0; t < SECONDS; t++) free[t] = width;
	for (size_t j = 0; j < w->jobs->count; j++) {
		int start = seconds(u->records[j].start_ns), end = start + estimate_s(w, (int)j);
		if (start >= now || seconds(u->records[j].end_ns) <= now) continue;
		for (int t = now; t < end; t++) free[t] -= w->jobs->jobs[j].gpus;
	}
}

static int earliest(const int *free, int gpus, int span, int from)
{
	for (int at = from; at + span < SECONDS; at++) {
		int t = at;
		while (t < at + span && free[t] >= gpus) t++;
		if (t == at + span) return at;
		at = t;
	}
	return SECONDS;
}

/* With exact estimates: the first K that wait at their turn to wait start no later
 * than the reservations that those who ran then left to them. Jobs that had started
 * at that instant count as running. */
static void first_are_not_delayed(const struct small *w, const struct usage *u, int width, int now, int k)
{
	static int free[SECONDS];
	free_after(w, u, width, now + 1, free); /* begun at NOW or before */
	int left = k;
	for (size_t j = 0; j < w->jobs->count && left > 0; j++) {
		const struct job *job = &w->jobs->jobs[j];
		int submit = seconds(job->submit_ns), start = seconds(u->records[j].start_ns);
		if (submit > now || start <= now) continue;
		int reserved = earliest(free, job->gpus, estimate_s(w, (int)j), now + 1);
		ck_assert_msg(start <= reserved, "%d reservations: job %zu waits at %d, starts at %d, reserved %d", k,
			      j, now, start, reserved);
		for (int t = reserved; t < reserved + estimate_s(w, (int)j); t++) free[t] -= job->gpus;
		left--;
	}
}

static void easy_holds(const char *scheduler, int k)
{
	for (uint64_t seed = 1; seed <= 150; seed++) {
		struct rr_stream luck;
		struct small w;
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 11);
		int width = 2 + below(&luck, 7);
		small_init(&w, width, 0);
		random_jobs(&w, &luck, width, 0);
		struct usage *u = small_run(&w, scheduler);
		for (size_t j = 0; j < w.jobs->count; j++)
			first_are_not_delayed(&w, u, width, seconds(w.jobs->jobs[j].submit_ns), k);
		rr_usage_free(u);
		small_done(&w);
	}
}

START_TEST(easy_never_delays_the_first_that_waits)
{
	easy_holds("easy", 1);
}
END_TEST

START_TEST(easy_with_k_reservations_delays_none_of_the_first_k)
{
	easy_holds("easy,reservations=3", 3);
	easy_holds("easy,reservations=100", 100);
}
END_TEST

/* ----------------------------------------------------------------- conservative */

/* The place that each job gets at its arrival in an array of seconds from which all
 * earlier places are taken: with exact estimates that is when it starts. */
static void places_at_arrival(const struct small *w, int width, int *starts)
{
	static int free[SECONDS];
	for (int t = 0; t < SECONDS; t++) free[t] = width;
	for (size_t j = 0; j < w->jobs->count; j++) {
		const struct job *job = &w->jobs->jobs[j];
		int span = estimate_s(w, (int)j);
		starts[j] = earliest(free, job->gpus, span, seconds(job->submit_ns));
		for (int t = starts[j]; t < starts[j] + span; t++) free[t] -= job->gpus;
	}
}

START_TEST(conservative_starts_each_job_when_it_was_told_at_arrival)
{
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct rr_stream luck;
		struct small w;
		int starts[JOBS_MOST];
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 12);
		int width = 1 + below(&luck, 8);
		small_init(&w, width, 0);
		random_jobs(&w, &luck, width, 0);
		places_at_arrival(&w, width, starts);
		struct usage *u = small_run(&w, "conservative");
		for (size_t j = 0; j < w.jobs->count; j++) ck_assert_int_eq(seconds(u->records[j].start_ns), starts[j]);
		rr_usage_free(u);
		small_done(&w);
	}
}
END_TEST

/* The same with jobs that end before their estimates, second by second: then all that
 * wait are taken in the order of arrival and put back at their earliest places. */
struct planned {
	const struct small *w;
	int free[SECONDS];
	int promised[JOBS_MOST], place[JOBS_MOST]; /* at arrival; now, or when it started */
};

static void book(struct planned *p, int job, int from, int to, int sign)
{
	for (int t = from; t < to; t++) p->free[t] -= sign * p->w->jobs->jobs[job].gpus;
}

static void place_again(struct planned *p, int job, int now)
{
	int span = estimate_s(p->w, job);
	if (p->place[job] >= 0) book(p, job, p->place[job], p->place[job] + span, -1);
	p->place[job] = earliest(p->free, p->w->jobs->jobs[job].gpus, span, now);
	book(p, job, p->place[job], p->place[job] + span, 1);
}

static void plan_by_hand(struct planned *p, int width)
{
	int count = (int)p->w->jobs->count;
	for (int t = 0; t < SECONDS; t++) p->free[t] = width;
	for (int j = 0; j < count; j++) p->place[j] = p->promised[j] = -1;
	for (int now = 0; now < SECONDS; now++) {
		bool early = false;
		for (int j = 0; j < count; j++) {
			int run = seconds(p->w->jobs->jobs[j].duration_ns), span = estimate_s(p->w, j);
			if (p->place[j] < 0 || p->place[j] + run != now || run == span) continue;
			book(p, j, now, p->place[j] + span, -1);
			early = true;
		}
		for (int j = 0; j < count; j++) {
			bool comes = seconds(p->w->jobs->jobs[j].submit_ns) == now;
			if (comes || (early && p->place[j] >= now)) place_again(p, j, now);
			if (comes) p->promised[j] = p->place[j];
		}
	}
}

START_TEST(conservative_with_estimates_above_the_truth_is_never_later_than_first_promised)
{
	int sooner = 0;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct rr_stream luck;
		struct small w;
		static struct planned p;
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 13);
		int width = 1 + below(&luck, 8);
		small_init(&w, width, 0);
		random_jobs(&w, &luck, width, 90);
		p.w = &w;
		plan_by_hand(&p, width);
		struct usage *u = small_run(&w, "conservative");
		for (int j = 0; j < (int)w.jobs->count; j++) {
			int start = seconds(u->records[j].start_ns);
			ck_assert_msg(start == p.place[j] && start <= p.promised[j],
				      "seed %d: job %d starts at %d, by hand at %d, promised %d", (int)seed, j, start,
				      p.place[j], p.promised[j]);
			sooner += start < p.promised[j];
		}
		rr_usage_free(u);
		small_done(&w);
	}
	ck_assert_int_gt(sooner, 100); /* early ends are used */
}
END_TEST

/* ------------------------------------------------------------------ one machine */

enum { FEW = 7 };

struct few {
	int count, submit[FEW], work[FEW];
};

/* The least sum of completion times over all preemptive schedules: at each arrival
 * and each end any of the jobs that are there may go on. Idling never helps. */
static long best_sum(const struct few *f, int now, const int *left)
{
	long best = LONG_MAX;
	int next = INT_MAX, there = 0;
	for (int j = 0; j < f->count; j++) {
		if (f->submit[j] > now) next = MIN(next, f->submit[j]);
		there += f->submit[j] <= now && left[j] > 0;
	}
	if (there == 0) return next == INT_MAX ? 0 : best_sum(f, next, left);
	for (int j = 0; j < f->count; j++) {
		int then[FEW];
		if (f->submit[j] > now || left[j] == 0) continue;
		int span = MIN(left[j], next - now);
		memcpy(then, left, sizeof then);
		then[j] -= span;
		long rest = best_sum(f, now + span, then) + (then[j] == 0 ? now + span : 0);
		best = MIN(best, rest);
	}
	return best;
}

static long sum_of_ends(struct small *w, const char *scheduler)
{
	long sum = 0;
	struct usage *u = small_run(w, scheduler);
	for (size_t j = 0; j < w->jobs->count; j++) sum += seconds(u->records[j].end_ns);
	rr_usage_free(u);
	return sum;
}

START_TEST(srtf_on_one_gpu_is_the_best_of_all_schedules)
{
	for (uint64_t seed = 1; seed <= 120; seed++) {
		struct rr_stream luck;
		struct small w;
		struct few f = {0};
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 14);
		small_init(&w, 1, 0);
		f.count = 2 + below(&luck, FEW - 1);
		for (int j = 0; j < f.count; j++) {
			f.submit[j] = below(&luck, 20);
			f.work[j] = 1 + below(&luck, 20);
			small_job(&w, f.submit[j], 1, f.work[j], -1, 0);
		}
		ck_assert_int_eq(sum_of_ends(&w, "srtf"), best_sum(&f, 0, f.work));
		small_done(&w);
	}
}
END_TEST

START_TEST(srtf_on_one_gpu_is_never_worse_than_any_other_order)
{
	const struct rr_vocabulary *v = rr_scheduler_vocabulary();
	long worse = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct rr_stream luck;
		struct small w;
		rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 15);
		small_init(&w, 1, 0);
		random_jobs(&w, &luck, 1, 50);
		long least = sum_of_ends(&w, "srtf");
		for (const struct rr_word *o = v->orders; o->name != NULL; o++) {
			struct scheduler_spec spec = {.order = g_strdup(o->name),
						      .backfill = g_strdup("skip"),
						      .placement = g_strdup("best-fit"),
						      .preempt = g_strdup(seed % 2 == 0 ? "order" : "none")};
			struct usage *u = small_run_spec(&w, &spec);
			long sum = 0;
			for (size_t j = 0; j < w.jobs->count; j++) sum += seconds(u->records[j].end_ns);
			ck_assert_msg(least <= sum, "seed %d: srtf %ld, %s %ld", (int)seed, least, o->name, sum);
			worse += sum > least;
			rr_usage_free(u);
			rr_scheduler_spec_done(&w.fleet.scheduler);
			w.fleet.scheduler = (struct scheduler_spec){0};
		}
		small_done(&w);
	}
	ck_assert_int_gt(worse, 200);
}
END_TEST

/* ------------------------------------------------------------------- starvation */

enum { STREAM = 400, LONG_S = 100 };

/* One GPU; from 0 on each 9 s a job of 10 s from a busy tenant, priority 1, and at 5 s
 * one long job of another tenant, priority 0. When that one ends, in seconds. */
static int end_of_the_long_job(const char *order, const char *preempt, const char *option)
{
	struct small w;
	int found = -1;
	small_init(&w, 1, 0);
	small_job(&w, 5, 1, LONG_S, -1, 0)->tenant = rr_jobs_text(w.jobs, "quiet", true);
	for (int i = 0; i < STREAM; i++)
		small_job(&w, 9 * i, 1, 10, -1, 1)->tenant = rr_jobs_text(w.jobs, "busy", true);
	struct scheduler_spec spec = {.order = g_strdup(order),
				      .backfill = g_strdup("skip"),
				      .placement = g_strdup("best-fit"),
				      .preempt = g_strdup(preempt),
				      .options = option != NULL ? g_strsplit(option, ",", -1) : NULL};
	struct usage *u = small_run_spec(&w, &spec);
	for (size_t j = 0; j < w.jobs->count; j++)
		if (w.jobs->jobs[j].duration_ns == LONG_S * RR_NS_PER_S) found = seconds(u->records[j].end_ns);
	rr_usage_free(u);
	small_done(&w);
	return found;
}

/* All work is 4000 s of short jobs and 100 s: who starves ends last, at 4100. */
START_TEST(a_long_or_low_job_starves_where_nothing_protects_it)
{
	enum { LAST = 10 * STREAM + LONG_S };
	ck_assert_int_eq(end_of_the_long_job("sjf", "none", NULL), LAST);
	ck_assert_int_eq(end_of_the_long_job("srtf", "order", NULL), LAST);
	ck_assert_int_eq(end_of_the_long_job("priority", "none", NULL), LAST);
	ck_assert_int_eq(end_of_the_long_job("priority", "order", NULL), LAST);
	ck_assert_int_eq(end_of_the_long_job("las", "order", "quantum=10s"), LAST);
	ck_assert_int_eq(end_of_the_long_job("2d-las", "order", "limits=20s"), LAST);
}
END_TEST

START_TEST(nobody_starves_under_fair)
{
	/* The quiet tenant has had nothing: it is next after the job that runs at 5. */
	ck_assert_int_eq(end_of_the_long_job("fair", "none", NULL), 10 + LONG_S);
}
END_TEST

START_TEST(nobody_starves_under_priority_with_ageing)
{
	/* One step of priority is worth 90 s: only who comes until 95 goes before it, at
	 * 0, 9 ... 90. */
	ck_assert_int_eq(end_of_the_long_job("priority", "none", "ageing=90s"), 11 * 10 + LONG_S);
}
END_TEST

START_TEST(nobody_starves_under_las_before_its_quantum_is_over)
{
	/* The first level is served in the order of arrival. */
	ck_assert_int_eq(end_of_the_long_job("las", "order", "quantum=100s"), 10 + LONG_S);
}
END_TEST

START_TEST(nobody_starves_under_2d_las_with_the_promote_knob)
{
	/* It runs 10-30 and comes down. Having waited as long as it ran, at 50, it goes to
	 * the end of the first queue: behind 6 short jobs, 0, 9 ... 45, of 60 s in all. So it
	 * runs 80-100, and so on: up at 100 + 40, behind 16 short ones, 200-220; up at 280,
	 * behind 32, 380-400; up at 480, behind 54, 620-640, when its 100 s are done. */
	ck_assert_int_eq(end_of_the_long_job("2d-las", "order", "limits=20s,promote=1"), 640);
}
END_TEST

RR_TEST_MAIN("policies by property", easy_never_delays_the_first_that_waits,
	     easy_with_k_reservations_delays_none_of_the_first_k,
	     conservative_starts_each_job_when_it_was_told_at_arrival,
	     conservative_with_estimates_above_the_truth_is_never_later_than_first_promised,
	     srtf_on_one_gpu_is_the_best_of_all_schedules, srtf_on_one_gpu_is_never_worse_than_any_other_order,
	     a_long_or_low_job_starves_where_nothing_protects_it, nobody_starves_under_fair,
	     nobody_starves_under_priority_with_ageing, nobody_starves_under_las_before_its_quantum_is_over,
	     nobody_starves_under_2d_las_with_the_promote_knob)
