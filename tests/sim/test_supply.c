/* Rented and bought nodes come and go: hand-worked examples. */
#include "sim/scheduler/scheduler.h"
#include "sim/sim.h"
#include "tests/support/test.h"

struct world {
	struct pool_spec pool;
	struct fleet_spec fleet;
	struct scenario scenario;
	struct job_list *jobs;
};

/* Instances of 4 GPUs between MIN and MAX; 10 s to boot, given back after 30 s. */
static void world_init(struct world *w, int32_t min, int32_t max, const char *scheduler)
{
	*w = (struct world){.jobs = rr_jobs_new()};
	w->pool = (struct pool_spec){.name = (char *)(intptr_t) "c",
				     .kind = RR_POOL_CLOUD,
				     .gpus_per_node = 4,
				     .count_min = min,
				     .count_max = max,
				     .speed = 1,
				     .boot = {.kind = RR_DIST_CONSTANT, .a = 10},
				     .idle_ns = 30 * RR_NS_PER_S};
	w->fleet = (struct fleet_spec){.name = (char *)(intptr_t) "f", .pools = &w->pool, .pool_count = 1};
	w->scenario = (struct scenario){.fleets = &w->fleet, .fleet_count = 1, .seed = 1, .replications = 1};
	ck_assert(rr_scheduler_parse(scheduler, &w->fleet.scheduler, NULL));
}

static void add_job(struct world *w, int submit_s, int gpus, int duration_s)
{
	struct job job = {.submit_ns = submit_s * RR_NS_PER_S,
			  .duration_ns = duration_s * RR_NS_PER_S,
			  .estimate_ns = -1,
			  .gpus = gpus,
			  .gpu_milli = 1000};
	rr_jobs_append(w->jobs, &job);
}

static struct usage *run(struct world *w)
{
	rr_jobs_seal(w->jobs);
	struct usage *usage = rr_sim_run(&w->scenario, 0, w->jobs, 0, NULL);
	ck_assert_ptr_nonnull(usage);
	return usage;
}

static void finish(struct world *w, struct usage *usage)
{
	rr_usage_free(usage);
	rr_jobs_free(w->jobs);
	rr_scheduler_spec_done(&w->fleet.scheduler);
}

static void expect_life(const struct usage *u, size_t i, int from_s, int ready_s, int to_s)
{
	ck_assert_uint_lt(i, u->life_count);
	ck_assert_int_eq(u->lives[i].from_ns, from_s * RR_NS_PER_S);
	ck_assert_int_eq(u->lives[i].ready_ns, ready_s * RR_NS_PER_S);
	ck_assert_int_eq(u->lives[i].to_ns, to_s * RR_NS_PER_S);
}

START_TEST(an_instance_boots_serves_and_is_given_back_when_idle)
{
	struct world w;
	world_init(&w, 0, 4, "fcfs");
	add_job(&w, 5, 2, 100);
	add_job(&w, 500, 4, 20);
	struct usage *u = run(&w);
	ck_assert_int_eq(u->records[0].start_ns, 15 * RR_NS_PER_S);
	ck_assert_int_eq(u->records[1].start_ns, 510 * RR_NS_PER_S);
	ck_assert_uint_eq(u->life_count, 2);
	expect_life(u, 0, 5, 15, 145); /* ends its job at 115, 30 s idle */
	expect_life(u, 1, 500, 510, 530);
	ck_assert_int_eq(u->pools[0].nodes_peak, 1);
	finish(&w, u);
}
END_TEST

START_TEST(waiting_jobs_are_packed_into_as_few_instances_as_hold_them)
{
	struct world w;
	world_init(&w, 0, 8, "fcfs");
	/* 3 + 1, 2 + 2, and one of 8 on two: four instances. */
	add_job(&w, 0, 3, 50);
	add_job(&w, 0, 1, 50);
	add_job(&w, 0, 2, 50);
	add_job(&w, 0, 2, 50);
	add_job(&w, 0, 8, 50);
	struct usage *u = run(&w);
	ck_assert_uint_eq(u->life_count, 4);
	for (size_t j = 0; j < 5; j++) ck_assert_int_eq(u->records[j].start_ns, 10 * RR_NS_PER_S);
	finish(&w, u);
}
END_TEST

START_TEST(the_least_are_there_from_the_start_and_never_more_than_the_most)
{
	struct world w;
	world_init(&w, 1, 2, "fcfs");
	for (int j = 0; j < 4; j++) add_job(&w, 0, 4, 100);
	struct usage *u = run(&w);
	ck_assert_int_eq(u->records[0].start_ns, 0);
	ck_assert_int_eq(u->records[1].start_ns, 10 * RR_NS_PER_S);
	ck_assert_int_eq(u->records[2].start_ns, 100 * RR_NS_PER_S);
	ck_assert_int_eq(u->records[3].start_ns, 110 * RR_NS_PER_S);
	ck_assert_uint_eq(u->life_count, 2);
	ck_assert_int_eq(u->pools[0].nodes_peak, 2);
	finish(&w, u);
}
END_TEST

START_TEST(a_wide_job_gets_its_instances_though_they_stand_idle_meanwhile)
{
	struct world w;
	world_init(&w, 0, 2, "fcfs");
	w.pool.idle_ns = 0;
	add_job(&w, 0, 4, 100);
	add_job(&w, 1, 8, 10);
	struct usage *u = run(&w);
	/* The second instance is ready at 11 and is kept until the first is free. */
	ck_assert_int_eq(u->records[1].start_ns, 110 * RR_NS_PER_S);
	ck_assert_uint_eq(u->life_count, 2);
	finish(&w, u);
}
END_TEST

START_TEST(bought_nodes_come_at_their_lead_time)
{
	struct world w;
	world_init(&w, 2, 2, "fcfs");
	w.pool.kind = RR_POOL_PHYSICAL;
	w.pool.lead_time_ns = 1000 * RR_NS_PER_S;
	add_job(&w, 0, 4, 100);
	struct usage *u = run(&w);
	ck_assert_int_eq(u->records[0].start_ns, 1000 * RR_NS_PER_S);
	expect_life(u, 0, 1000, 1000, 1100);
	finish(&w, u);
}
END_TEST

START_TEST(a_faster_pool_takes_less_time)
{
	struct world w;
	world_init(&w, 1, 1, "fcfs");
	w.pool.speed = 2.5;
	add_job(&w, 0, 4, 100);
	struct usage *u = run(&w);
	ck_assert_int_eq(u->records[0].end_ns, 40 * RR_NS_PER_S);
	finish(&w, u);
}
END_TEST

START_TEST(the_horizon_leaves_jobs_running_and_waiting)
{
	struct world w;
	world_init(&w, 1, 1, "fcfs");
	w.scenario.horizon_ns = 50 * RR_NS_PER_S;
	add_job(&w, 0, 4, 50);
	add_job(&w, 1, 4, 100);
	add_job(&w, 2, 4, 10);
	struct usage *u = run(&w);
	ck_assert_int_eq(u->records[0].state, RR_JOB_COMPLETED);
	ck_assert_int_eq(u->records[1].state, RR_JOB_RUNNING);
	ck_assert_int_eq(u->records[2].state, RR_JOB_WAITING);
	ck_assert_int_eq(u->records[2].wait_ns, 48 * RR_NS_PER_S);
	ck_assert_int_eq(u->end_ns, 50 * RR_NS_PER_S);
	finish(&w, u);
}
END_TEST

RR_TEST_MAIN("supply", an_instance_boots_serves_and_is_given_back_when_idle,
	     waiting_jobs_are_packed_into_as_few_instances_as_hold_them,
	     the_least_are_there_from_the_start_and_never_more_than_the_most,
	     a_wide_job_gets_its_instances_though_they_stand_idle_meanwhile, bought_nodes_come_at_their_lead_time,
	     a_faster_pool_takes_less_time, the_horizon_leaves_jobs_running_and_waiting)
