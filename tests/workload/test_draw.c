/* Work drawn from streams, and traces repeated to the horizon. */
#include "scenarios/workload/parts.h"
#include "tests/support/test.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define HOUR_S 3600.0
/* Two-sided 99.9 % of the normal distribution. */
#define Z999 3.2905

static struct size_share two_sizes[] = {{.gpus = 1, .share = 0.5}, {.gpus = 2, .share = 0.5}};

static struct workload synthetic(struct size_share *sizes, int32_t size_count)
{
	struct workload w = {.name = (char *)(intptr_t) "drawn", .kind = RR_WORKLOAD_SYNTHETIC};
	w.synthetic.arrivals.rate_per_s = 10 / HOUR_S;
	for (int h = 0; h < 168; h++) w.synthetic.arrivals.weights[h] = 1;
	w.synthetic.sizes = sizes;
	w.synthetic.size_count = size_count;
	w.synthetic.duration = (struct rr_distribution){.kind = RR_DIST_LOGNORMAL, .a = 1800, .b = 2};
	return w;
}

static struct job_list *draw(const struct workload *w, int32_t index, uint64_t seed, sim_time horizon_ns)
{
	struct work_target target = {rr_jobs_new(), w, index, false};
	work_draw(&target, seed, horizon_ns);
	rr_jobs_seal(target.list);
	return target.list;
}

START_TEST(changed_sizes_leave_every_other_luck_alone)
{
	struct size_share others[] = {{.gpus = 1, .share = 1}, {.gpus = 4, .share = 3}, {.gpus = 8, .share = 6}};
	struct workload a = synthetic(two_sizes, 2), b = synthetic(others, 3);
	struct job_list *x = draw(&a, 0, 7, 30 * RR_NS_PER_DAY), *y = draw(&b, 0, 7, 30 * RR_NS_PER_DAY);
	ck_assert_uint_gt(x->count, 6000);
	ck_assert_uint_eq(x->count, y->count);
	bool differ = false;
	for (size_t i = 0; i < x->count; i++) {
		ck_assert_int_eq(x->jobs[i].submit_ns, y->jobs[i].submit_ns);
		ck_assert_int_eq(x->jobs[i].duration_ns, y->jobs[i].duration_ns);
		differ = differ || x->jobs[i].gpus != y->jobs[i].gpus;
	}
	ck_assert(differ);
	rr_jobs_free(x);
	rr_jobs_free(y);
}
END_TEST

static char ann[] = "ann", bob[] = "bob", nobody[] = "nobody";
static struct label_share two_tenants[] = {{.label = ann, .share = 3}, {.label = nobody}, {.label = bob, .share = 1}};
static struct label_share two_priorities[] = {{.number = 0, .share = 0.8}, {.number = 5, .share = 0.2}};

START_TEST(tenants_and_priorities_come_by_their_shares_and_change_no_work)
{
	struct workload plain = synthetic(two_sizes, 2), owned = plain;
	owned.synthetic.tenants = (struct label_shares){two_tenants, 3};
	owned.synthetic.priorities = (struct label_shares){two_priorities, 2};
	plain.synthetic.job_limit = owned.synthetic.job_limit = 20000;
	struct job_list *x = draw(&plain, 0, 7, 0), *y = draw(&owned, 0, 7, 0);
	double of_ann = 0, high = 0, both = 0, n = 20000;
	for (size_t i = 0; i < y->count; i++) {
		const struct job *a = &x->jobs[i], *b = &y->jobs[i];
		const char *tenant = rr_jobs_get_text(y, b->tenant);
		ck_assert(a->submit_ns == b->submit_ns && a->gpus == b->gpus && a->duration_ns == b->duration_ns);
		ck_assert_uint_eq(a->tenant, 0);
		ck_assert(strcmp(tenant, "ann") == 0 || strcmp(tenant, "bob") == 0);
		of_ann += tenant[0] == 'a';
		high += b->priority == 5;
		both += tenant[0] == 'a' && b->priority == 5;
	}
	ck_assert_double_eq_tol(of_ann / n, 0.75, Z999 * sqrt(0.75 * 0.25 / n));
	ck_assert_double_eq_tol(high / n, 0.2, Z999 * sqrt(0.2 * 0.8 / n));
	/* One says nothing of the other. */
	ck_assert_double_eq_tol(both / n, 0.15, Z999 * sqrt(0.15 * 0.85 / n));
	rr_jobs_free(x);
	rr_jobs_free(y);
	/* Priorities alone draw the same priorities. */
	owned.synthetic.tenants.count = 0;
	x = draw(&owned, 0, 7, 0);
	owned.synthetic.tenants.count = 3;
	y = draw(&owned, 0, 7, 0);
	for (size_t i = 0; i < x->count; i++) ck_assert_int_eq(x->jobs[i].priority, y->jobs[i].priority);
	rr_jobs_free(x);
	rr_jobs_free(y);
}
END_TEST

START_TEST(changed_arrivals_leave_the_jobs_alone)
{
	struct workload a = synthetic(two_sizes, 2), b = a;
	b.synthetic.arrivals.rate_per_s *= 3;
	a.synthetic.job_limit = b.synthetic.job_limit = 500;
	struct job_list *x = draw(&a, 0, 7, 0), *y = draw(&b, 0, 7, 0);
	ck_assert_uint_eq(x->count, 500);
	ck_assert_uint_eq(y->count, 500);
	for (size_t i = 0; i < x->count; i++) {
		ck_assert_int_eq(x->jobs[i].gpus, y->jobs[i].gpus);
		ck_assert_int_eq(x->jobs[i].duration_ns, y->jobs[i].duration_ns);
	}
	rr_jobs_free(x);
	rr_jobs_free(y);
}
END_TEST

START_TEST(longer_horizon_begins_with_the_same_jobs)
{
	struct workload w = synthetic(two_sizes, 2);
	struct job_list *x = draw(&w, 0, 3, 10 * RR_NS_PER_DAY), *y = draw(&w, 0, 3, 20 * RR_NS_PER_DAY);
	ck_assert_uint_gt(y->count, x->count);
	for (size_t i = 0; i < x->count; i++) {
		ck_assert_int_eq(x->jobs[i].submit_ns, y->jobs[i].submit_ns);
		ck_assert_int_eq(x->jobs[i].gpus, y->jobs[i].gpus);
		ck_assert_int_eq(x->jobs[i].duration_ns, y->jobs[i].duration_ns);
		ck_assert_int_lt(x->jobs[i].submit_ns, 10 * RR_NS_PER_DAY);
	}
	ck_assert_int_ge(y->jobs[x->count].submit_ns, 10 * RR_NS_PER_DAY);
	rr_jobs_free(x);
	rr_jobs_free(y);
}
END_TEST

START_TEST(seeds_and_workloads_have_luck_of_their_own)
{
	struct workload w = synthetic(two_sizes, 2);
	struct job_list *lists[] = {draw(&w, 0, 3, RR_NS_PER_DAY), draw(&w, 0, 4, RR_NS_PER_DAY),
				    draw(&w, 1, 3, RR_NS_PER_DAY)};
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < a; b++)
			for (size_t i = 0; i < 50; i++) {
				ck_assert_int_ne(lists[a]->jobs[i].submit_ns, lists[b]->jobs[i].submit_ns);
				ck_assert_int_ne(lists[a]->jobs[i].duration_ns, lists[b]->jobs[i].duration_ns);
			}
	for (int a = 0; a < 3; a++) rr_jobs_free(lists[a]);
}
END_TEST

START_TEST(sizes_come_in_their_shares)
{
	/* Shares that add up to 2: they are normalised; one of nothing never comes. */
	struct size_share sizes[] = {{.gpus = 1, .share = 1.2},
				     {.gpus = 2, .share = 0.3},
				     {.gpus = 4, .share = 0.3},
				     {.gpus = 8, .share = 0.2},
				     {.gpus = 16, .share = 0}};
	struct workload w = synthetic(sizes, 5);
	w.synthetic.job_limit = 50000;
	struct job_list *list = draw(&w, 0, 11, 0);
	double seen[5] = {0}, chi = 0;
	for (size_t i = 0; i < list->count; i++)
		for (int s = 0; s < 5; s++) seen[s] += list->jobs[i].gpus == sizes[s].gpus;
	ck_assert(seen[4] == 0);
	for (int s = 0; s < 4; s++) {
		double expected = sizes[s].share / 2 * 50000;
		chi += (seen[s] - expected) * (seen[s] - expected) / expected;
	}
	ck_assert_double_gt(gsl_cdf_chisq_Q(chi, 3), 0.001);
	rr_jobs_free(list);
}
END_TEST

START_TEST(half_of_the_jobs_of_a_size_run_below_its_median)
{
	struct size_share sizes[] = {{.gpus = 1, .share = 0.5},
				     {.gpus = 8,
				      .share = 0.5,
				      .has_duration = true,
				      .duration = {.kind = RR_DIST_LOGNORMAL, .a = 36000, .b = 1}}};
	struct workload w = synthetic(sizes, 2);
	w.synthetic.job_limit = 40000;
	struct job_list *list = draw(&w, 0, 5, 0);
	double jobs[2] = {0}, below[2] = {0};
	for (size_t i = 0; i < list->count; i++) {
		int s = list->jobs[i].gpus == 8;
		jobs[s]++;
		below[s] += list->jobs[i].duration_ns < (s == 1 ? 36000 : 1800) * RR_NS_PER_S;
	}
	for (int s = 0; s < 2; s++) ck_assert_double_eq_tol(below[s], jobs[s] / 2, Z999 * sqrt(jobs[s] / 4));
	rr_jobs_free(list);
}
END_TEST

START_TEST(run_times_stay_within_their_limits_and_estimates_follow)
{
	struct workload w = synthetic(two_sizes, 2);
	w.synthetic.job_limit = 5000;
	w.synthetic.duration_min_s = 60;
	w.synthetic.duration_max_s = 7200;
	w.synthetic.estimate_factor = 2;
	w.priority = 3;
	w.klass = (char *)(intptr_t) "development";
	struct job_list *list = draw(&w, 2, 5, 0);
	int64_t least = 0, most = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct job *job = &list->jobs[i];
		ck_assert_int_ge(job->duration_ns, 60 * RR_NS_PER_S);
		ck_assert_int_le(job->duration_ns, 7200 * RR_NS_PER_S);
		least += job->duration_ns == 60 * RR_NS_PER_S;
		most += job->duration_ns == 7200 * RR_NS_PER_S;
		ck_assert_int_le(ABS(job->estimate_ns - 2 * job->duration_ns), 1);
		ck_assert_int_eq(job->priority, 3);
		ck_assert_int_eq(job->workload, 2);
		ck_assert_str_eq(rr_jobs_get_text(list, job->klass), "development");
		ck_assert_uint_eq(job->tenant, 0);
	}
	/* P(below 60 s) = Phi(ln(60/1800)/2) = 4.5 %, P(above 7200 s) = 24.4 %. */
	ck_assert_double_eq_tol((double)least, 5000 * 0.0445, Z999 * sqrt(5000 * 0.0445));
	ck_assert_double_eq_tol((double)most, 5000 * 0.2441, Z999 * sqrt(5000 * 0.2441));
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[0].id), "1");
	rr_jobs_free(list);
}
END_TEST

START_TEST(run_time_beyond_all_times_is_cut_not_wrapped)
{
	struct workload w = synthetic(two_sizes, 2);
	w.synthetic.duration = (struct rr_distribution){.kind = RR_DIST_CONSTANT, .a = 1e30};
	w.synthetic.job_limit = 3;
	struct job_list *list = draw(&w, 0, 5, 0);
	for (size_t i = 0; i < 3; i++) ck_assert_int_eq(list->jobs[i].duration_ns, INT64_MAX / 2);
	rr_jobs_free(list);
}
END_TEST

START_TEST(rate_of_nothing_gives_no_jobs)
{
	struct workload w = synthetic(two_sizes, 2);
	w.synthetic.arrivals.rate_per_s = 0;
	struct job_list *list = draw(&w, 0, 5, RR_NS_PER_YEAR);
	ck_assert_uint_eq(list->count, 0);
	rr_jobs_free(list);
}
END_TEST

START_TEST(office_hours_hold_225_of_348_submits)
{
	/* Monday to Friday 9 to 18 five times as busy: 45 h x 5 + 123 h x 1 = 348. */
	struct workload w = synthetic(two_sizes, 2);
	for (int h = 0; h < 168; h++) {
		bool office = h / 24 < 5 && h % 24 >= 9 && h % 24 < 18;
		w.synthetic.arrivals.weights[h] = (office ? 5 : 1) * 168 / 348.0;
	}
	struct job_list *list = draw(&w, 0, 9, 52 * 7 * RR_NS_PER_DAY);
	double inside = 0, n = (double)list->count, p = 225 / 348.0;
	for (size_t i = 0; i < list->count; i++) {
		int64_t h = list->jobs[i].submit_ns / RR_NS_PER_HOUR % 168;
		inside += h / 24 < 5 && h % 24 >= 9 && h % 24 < 18;
	}
	double expected = 10.0 * 52 * 168;
	ck_assert_double_eq_tol(n, expected, Z999 * sqrt(expected));
	ck_assert_double_eq_tol(inside, n * p, Z999 * sqrt(n * p * (1 - p)));
	rr_jobs_free(list);
}
END_TEST

START_TEST(bursts_keep_the_mean_rate_and_bunch_the_submits)
{
	struct workload w = synthetic(two_sizes, 2);
	w.synthetic.arrivals.burst_on_s = 2 * HOUR_S;
	w.synthetic.arrivals.burst_off_s = 6 * HOUR_S;
	struct job_list *list = draw(&w, 0, 13, RR_NS_PER_YEAR);
	/* Variance of the on time of an alternating process over T: 2 p (1-p) tau T with
	 * tau = on x off / (on + off); the count follows it, plus its Poisson part. */
	double hours = 8760, p = 0.25, on_sd = sqrt(2 * p * (1 - p) * 1.5 * hours), n = 10 * hours;
	double sd = sqrt(n + 40 * on_sd * 40 * on_sd), per_hour[8760] = {0}, square = 0;
	ck_assert_double_eq_tol((double)list->count, n, Z999 * sd);
	for (size_t i = 0; i < list->count; i++) per_hour[list->jobs[i].submit_ns / RR_NS_PER_HOUR]++;
	for (int h = 0; h < 8760; h++) square += (per_hour[h] - 10) * (per_hour[h] - 10);
	/* On for three hours in four no submit at all: far from a Poisson process, whose
	 * variance per hour is its mean. */
	ck_assert_double_gt(square / 8760, 10 * 10);
	rr_jobs_free(list);
}
END_TEST

/* ------------------------------------------------------------------ repetition */

/* COUNT jobs, one every GAP. */
static struct job_list *trace_of(int count, sim_time gap_ns)
{
	struct job_list *list = rr_jobs_new();
	for (int i = 0; i < count; i++) {
		g_autofree char *id = g_strdup_printf("j%d", i);
		struct job job = {.submit_ns = i * gap_ns,
				  .duration_ns = (i + 1) * RR_NS_PER_S,
				  .estimate_ns = -1,
				  .gpus = 1 + i % 4,
				  .gpu_milli = 1000,
				  .id = rr_jobs_text(list, id, false)};
		rr_jobs_append(list, &job);
	}
	rr_jobs_seal(list);
	return list;
}

static struct job_list *repeat(const struct job_list *trace, double growth, uint64_t seed, sim_time horizon_ns)
{
	struct workload w = {.name = (char *)(intptr_t) "old", .kind = RR_WORKLOAD_TRACE};
	w.trace = (struct trace_spec){.repeat = true, .growth_per_year = growth, .time_scale = 1};
	struct work_target target = {rr_jobs_new(), &w, 0, false};
	work_repeat(&target, trace, seed, horizon_ns, work_period_ns(&w.trace, trace));
	rr_jobs_seal(target.list);
	return target.list;
}

START_TEST(copies_fill_the_horizon)
{
	struct job_list *trace = trace_of(10, RR_NS_PER_DAY);
	struct job_list *list = repeat(trace, 0, 1, RR_NS_PER_YEAR);
	ck_assert_uint_eq(list->count, 365);
	for (size_t i = 0; i < list->count; i++) {
		ck_assert_int_eq(list->jobs[i].submit_ns, (sim_time)i * RR_NS_PER_DAY);
		ck_assert_int_eq(list->jobs[i].duration_ns, trace->jobs[i % 10].duration_ns);
	}
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[3].id), "j3");
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[13].id), "j3#2");
	ck_assert_str_eq(rr_jobs_get_text(list, list->jobs[364].id), "j4#37");
	rr_jobs_free(list);
	rr_jobs_free(trace);
}
END_TEST

START_TEST(period_is_the_window_or_the_span_and_one_gap)
{
	struct trace_spec spec = {.time_scale = 0.5};
	struct job_list *hours = trace_of(11, RR_NS_PER_HOUR), *days = trace_of(20, 11 * RR_NS_PER_HOUR);
	struct job_list *one = trace_of(1, 1);
	ck_assert_int_eq(work_period_ns(&spec, hours), 11 * RR_NS_PER_HOUR);
	/* 19 gaps and one more are 220 h: ten whole days. */
	ck_assert_int_eq(work_period_ns(&spec, days), 10 * RR_NS_PER_DAY);
	ck_assert_int_eq(work_period_ns(&spec, one), 0);
	spec.window_ns = 60 * RR_NS_PER_DAY;
	ck_assert_int_eq(work_period_ns(&spec, one), 30 * RR_NS_PER_DAY);
	rr_jobs_free(hours);
	rr_jobs_free(days);
	rr_jobs_free(one);
}
END_TEST

/* Jobs per copy, told from their ids; all ids are different. */
static void count_copies(const struct job_list *list, int64_t *counts, size_t most)
{
	g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);
	for (size_t i = 0; i < list->count; i++) {
		const char *id = rr_jobs_get_text(list, list->jobs[i].id), *mark = strchr(id, '#');
		ck_assert(g_hash_table_add(ids, (gpointer)(intptr_t)id));
		size_t copy = mark == NULL ? 0 : (size_t)g_ascii_strtoull(mark + 1, NULL, 10) - 1;
		ck_assert_uint_lt(copy, most);
		counts[copy]++;
	}
}

START_TEST(growth_gives_each_copy_its_number_of_jobs)
{
	/* 73 days a copy, five a year. 100 x 1.2^(k / 5): 100, 104, 108, 112, 116, 120,
	 * ... 144 after two years (1.2^0.2 = 1.0371, 1.2^0.4 = 1.0757, 1.1156, 1.1570). */
	static const int64_t expected[] = {100, 104, 108, 112, 116, 120, 124, 129, 134, 139};
	static const double rates[] = {0.2, -0.5, 3};
	struct job_list *trace = trace_of(100, 73 * RR_NS_PER_DAY / 100);
	for (size_t r = 0; r < G_N_ELEMENTS(rates); r++) {
		int64_t counts[10] = {0};
		struct job_list *list = repeat(trace, rates[r], 5, 2 * RR_NS_PER_YEAR);
		count_copies(list, counts, 10);
		for (int k = 0; k < 10; k++) {
			int64_t rule = (int64_t)llround(100 * pow(1 + rates[r], k / 5.0));
			ck_assert_int_eq(counts[k], rule);
			if (r == 0) ck_assert_int_eq(counts[k], expected[k]);
		}
		rr_jobs_free(list);
	}
	rr_jobs_free(trace);
}
END_TEST

START_TEST(added_jobs_stand_between_their_original_and_the_next)
{
	struct job_list *trace = trace_of(100, 73 * RR_NS_PER_DAY / 100);
	struct job_list *list = repeat(trace, 1, 5, 2 * RR_NS_PER_YEAR);
	for (size_t i = 1; i < list->count; i++) ck_assert_int_gt(list->jobs[i].submit_ns, list->jobs[i - 1].submit_ns);
	rr_jobs_free(list);
	rr_jobs_free(trace);
}
END_TEST

START_TEST(which_jobs_are_added_is_luck_of_the_seed)
{
	struct job_list *trace = trace_of(100, 73 * RR_NS_PER_DAY / 100);
	struct job_list *a = repeat(trace, 0.2, 5, RR_NS_PER_YEAR), *b = repeat(trace, 0.2, 5, RR_NS_PER_YEAR);
	struct job_list *c = repeat(trace, 0.2, 6, RR_NS_PER_YEAR);
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->count, c->count);
	bool differ = false;
	for (size_t i = 0; i < a->count; i++) {
		ck_assert_int_eq(a->jobs[i].submit_ns, b->jobs[i].submit_ns);
		ck_assert_int_eq(a->jobs[i].duration_ns, b->jobs[i].duration_ns);
		differ = differ || a->jobs[i].submit_ns != c->jobs[i].submit_ns;
	}
	ck_assert(differ);
	rr_jobs_free(a);
	rr_jobs_free(b);
	rr_jobs_free(c);
	rr_jobs_free(trace);
}
END_TEST

START_TEST(a_late_first_submit_is_not_repeated_as_a_gap)
{
	struct job_list *trace = trace_of(10, RR_NS_PER_HOUR);
	for (size_t i = 0; i < 10; i++) trace->jobs[i].submit_ns += RR_NS_PER_DAY;
	struct job_list *list = repeat(trace, 0, 1, 2 * RR_NS_PER_DAY);
	ck_assert_uint_eq(list->count, 24);
	for (size_t i = 0; i < 24; i++)
		ck_assert_int_eq(list->jobs[i].submit_ns, RR_NS_PER_DAY + (sim_time)i * RR_NS_PER_HOUR);
	struct job_list *none = repeat(trace, 0, 1, RR_NS_PER_HOUR);
	ck_assert_uint_eq(none->count, 0);
	rr_jobs_free(none);
	rr_jobs_free(list);
	rr_jobs_free(trace);
}
END_TEST

RR_TEST_MAIN("draw", changed_sizes_leave_every_other_luck_alone, changed_arrivals_leave_the_jobs_alone,
	     tenants_and_priorities_come_by_their_shares_and_change_no_work, longer_horizon_begins_with_the_same_jobs,
	     seeds_and_workloads_have_luck_of_their_own, sizes_come_in_their_shares,
	     half_of_the_jobs_of_a_size_run_below_its_median, run_times_stay_within_their_limits_and_estimates_follow,
	     run_time_beyond_all_times_is_cut_not_wrapped, rate_of_nothing_gives_no_jobs,
	     office_hours_hold_225_of_348_submits, bursts_keep_the_mean_rate_and_bunch_the_submits,
	     copies_fill_the_horizon, period_is_the_window_or_the_span_and_one_gap,
	     growth_gives_each_copy_its_number_of_jobs, added_jobs_stand_between_their_original_and_the_next,
	     which_jobs_are_added_is_luck_of_the_seed, a_late_first_submit_is_not_repeated_as_a_gap)
