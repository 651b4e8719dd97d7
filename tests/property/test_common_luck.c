/* Law 6: two fleets in one scenario see the same arrivals and sizes, whatever the
 * fleets are, in whatever order and on whatever thread they ask; and what one
 * workload holds is no luck of another's. Random scenarios. */
#include "scenarios/workload/parts.h"
#include "scenarios/workload/workload.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { CASES = 2000, MOST_WORKLOADS = 4, MOST_SIZES = 4 };

struct sample {
	struct scenario scenario;
	struct workload workloads[MOST_WORKLOADS];
	struct size_share sizes[MOST_WORKLOADS][MOST_SIZES];
	struct fleet_spec fleets[2];
};

static double between(struct rr_stream *luck, double low, double high)
{
	return low + (high - low) * rr_stream_unit(luck);
}

static int32_t upto(struct rr_stream *luck, int32_t most)
{
	return (int32_t)(rr_stream_u32(luck) % (uint32_t)most);
}

static struct rr_distribution any_duration(struct rr_stream *luck)
{
	double a = between(luck, 10, 10000), b = between(luck, 0.5, 2);
	switch (upto(luck, 4)) {
	case 0: return (struct rr_distribution){.kind = RR_DIST_LOGNORMAL, .a = a, .b = b};
	case 1: return (struct rr_distribution){.kind = RR_DIST_EXPONENTIAL, .a = a};
	case 2: return (struct rr_distribution){.kind = RR_DIST_WEIBULL, .a = a, .b = b};
	default: return (struct rr_distribution){.kind = RR_DIST_CONSTANT, .a = a};
	}
}

static void any_workload(struct rr_stream *luck, struct workload *w, struct size_share *sizes)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	*w = (struct workload){
	    .name = (char *)(intptr_t)names[upto(luck, 5)], .kind = RR_WORKLOAD_SYNTHETIC, .priority = upto(luck, 3)};
	struct synthetic_spec *spec = &w->synthetic;
	spec->arrivals.rate_per_s = between(luck, 0.1, 4) / 3600;
	for (int h = 0; h < 168; h++) spec->arrivals.weights[h] = h % 24 < 12 ? 0.5 : 1.5;
	spec->arrivals.start_hour = between(luck, 0, 167);
	if (upto(luck, 2) == 0) spec->arrivals.burst_on_s = spec->arrivals.burst_off_s = 3600;
	spec->sizes = sizes;
	spec->size_count = 1 + upto(luck, MOST_SIZES);
	for (int32_t i = 0; i < spec->size_count; i++)
		sizes[i] = (struct size_share){.gpus = 1 << i,
					       .share = between(luck, 0.1, 1),
					       .has_duration = upto(luck, 2) == 0,
					       .duration = any_duration(luck)};
	spec->duration = any_duration(luck);
}

static void any_scenario(struct rr_stream *luck, struct sample *s)
{
	memset(s, 0, sizeof *s);
	s->scenario = (struct scenario){.horizon_ns = (1 + upto(luck, 4)) * RR_NS_PER_DAY,
					.seed = rr_stream_u32(luck),
					.workloads = s->workloads,
					.workload_count = 1 + upto(luck, MOST_WORKLOADS),
					.fleets = s->fleets,
					.fleet_count = 1 + upto(luck, 2)};
	for (int w = 0; w < MOST_WORKLOADS; w++) any_workload(luck, &s->workloads[w], s->sizes[w]);
}

static struct job_list *jobs_of(const struct scenario *scenario, int replication)
{
	struct rr_work *work = work_new(scenario);
	work_complete(work);
	bool shared = true;
	struct job_list *list = rr_work_jobs(work, replication, &shared);
	ck_assert(!shared);
	rr_work_free(work);
	return list;
}

static void assert_same(const struct job_list *a, const struct job_list *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert(a->count == 0 || memcmp(a->jobs, b->jobs, a->count * sizeof *a->jobs) == 0);
	ck_assert_uint_eq(a->text->len, b->text->len);
	ck_assert(memcmp(a->text->data, b->text->data, a->text->len) == 0);
}

static struct sample cases_sample(int n, struct rr_stream *luck)
{
	rr_stream_init(luck, 6, RR_PURPOSE_TEST, (uint64_t)n);
	struct sample s;
	any_scenario(luck, &s);
	return s;
}

/* Structures point into themselves: set again after a copy. */
static void settle(struct sample *s)
{
	s->scenario.workloads = s->workloads;
	s->scenario.fleets = s->fleets;
	for (int w = 0; w < MOST_WORKLOADS; w++) s->workloads[w].synthetic.sizes = s->sizes[w];
}

START_TEST(every_fleet_and_every_asking_sees_the_same_bytes)
{
	for (int n = 0; n < CASES; n++) {
		struct rr_stream luck;
		struct sample s = cases_sample(n, &luck);
		settle(&s);
		int replication = upto(&luck, 3);
		struct job_list *first = jobs_of(&s.scenario, replication);
		struct sample other = s;
		settle(&other);
		other.scenario.fleet_count = 3 - s.scenario.fleet_count;
		other.fleets[0].name = (char *)(intptr_t) "another";
		/* Other replications in between must not matter. */
		struct rr_work *work = work_new(&other.scenario);
		work_complete(work);
		for (int r = 3; r >= 0; r--) {
			bool shared = true;
			struct job_list *list = rr_work_jobs(work, r, &shared);
			if (r == replication) assert_same(first, list);
			rr_jobs_free(list);
		}
		rr_work_free(work);
		rr_jobs_free(first);
	}
}
END_TEST

static bool same_luck(const struct job *a, const struct job *b)
{
	return a->submit_ns == b->submit_ns && a->duration_ns == b->duration_ns && a->gpus == b->gpus &&
	       a->priority == b->priority && a->workload == b->workload;
}

START_TEST(a_workload_more_changes_no_job_of_those_before)
{
	for (int n = 0; n < CASES; n++) {
		struct rr_stream luck;
		struct sample s = cases_sample(n, &luck);
		settle(&s);
		s.scenario.workload_count = 1 + upto(&luck, MOST_WORKLOADS - 1);
		struct job_list *fewer = jobs_of(&s.scenario, 0);
		s.scenario.workload_count++;
		struct job_list *more = jobs_of(&s.scenario, 0);
		size_t at = 0;
		bool same = true;
		for (size_t i = 0; i < more->count; i++) {
			const struct job *job = &more->jobs[i];
			if (job->workload == s.scenario.workload_count - 1) continue;
			const struct job *known = at < fewer->count ? &fewer->jobs[at] : NULL;
			at++;
			same = same && known != NULL && same_luck(job, known);
		}
		ck_assert(same);
		ck_assert_uint_eq(at, fewer->count);
		rr_jobs_free(fewer);
		rr_jobs_free(more);
	}
}
END_TEST

START_TEST(replications_and_seeds_share_no_submit)
{
	int compared = 0, equal = 0;
	for (int n = 0; n < CASES; n++) {
		struct rr_stream luck;
		struct sample s = cases_sample(n, &luck);
		settle(&s);
		struct job_list *a = jobs_of(&s.scenario, 0), *b = jobs_of(&s.scenario, 1);
		s.scenario.seed++;
		struct job_list *c = jobs_of(&s.scenario, 0);
		for (size_t i = 0; i < MIN(a->count, MIN(b->count, c->count)); i++, compared++) {
			sim_time x = a->jobs[i].submit_ns, y = b->jobs[i].submit_ns, z = c->jobs[i].submit_ns;
			equal += x == y || x == z || y == z;
		}
		rr_jobs_free(a);
		rr_jobs_free(b);
		rr_jobs_free(c);
	}
	ck_assert_int_eq(equal, 0);
	ck_assert_int_gt(compared, 10000);
}
END_TEST

START_TEST(other_sizes_and_run_times_keep_the_submits)
{
	for (int n = 0; n < CASES; n++) {
		struct rr_stream luck;
		struct sample s = cases_sample(n, &luck);
		settle(&s);
		s.scenario.workload_count = 1;
		struct job_list *a = jobs_of(&s.scenario, 0);
		/* Other sizes and run times; the arrivals stay. */
		for (int32_t i = 0; i < s.workloads[0].synthetic.size_count; i++) {
			s.sizes[0][i].gpus *= 3;
			s.sizes[0][i].share = between(&luck, 0.1, 1);
			s.sizes[0][i].duration = any_duration(&luck);
		}
		struct job_list *b = jobs_of(&s.scenario, 0);
		ck_assert_uint_eq(a->count, b->count);
		bool same = true;
		for (size_t i = 0; i < a->count; i++) same = same && a->jobs[i].submit_ns == b->jobs[i].submit_ns;
		ck_assert(same);
		rr_jobs_free(a);
		rr_jobs_free(b);
	}
}
END_TEST

RR_TEST_MAIN("common_luck", every_fleet_and_every_asking_sees_the_same_bytes,
	     a_workload_more_changes_no_job_of_those_before, replications_and_seeds_share_no_submit,
	     other_sizes_and_run_times_keep_the_submits)
