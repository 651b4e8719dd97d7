/* Keys of sharing: queues, what jobs need, elastic jobs, parameters of policies; and
 * what of it reaches the jobs. */
#include "scenarios/format/format.h"
#include "scenarios/workload/workload.h"
#include "sim/progress/progress.h"
#include "sim/scheduler/scheduler.h"
#include "tests/support/broken.h"
#include "tests/support/test.h"

#include <jansson.h>
#include <string.h>

static struct scenario *load(const char *yaml)
{
	struct rr_faults faults;
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	rr_faults_init(&faults);
	struct scenario *s = rr_scenario_load_bytes(yaml, strlen(yaml), "test", ".", &options, &faults);
	rr_faults_print(&faults, stdout);
	rr_faults_done(&faults);
	ck_assert_ptr_nonnull(s);
	return s;
}

static const char whole[] =
    "rackrent: 1\nname: t\n"
    "workloads:\n"
    "  w:\n"
    "    tenant: ann\n    deadline: 2h\n"
    "    needs: {gpu: [t4, v100-sxm2-32], gpu_memory: 16GiB, cpus: 2.5, memory: 8GiB, same_node: true, region: home,\n"
    "            labels: [net=ib, tier=1]}\n"
    "    elastic: {min: 2, max: 16, serial: 5%}\n    speed: {v100: 2, k80: 25%}\n"
    "    synthetic: {arrivals: {rate: 60/h}, gpus: {4: 100%}, duration: 1h, jobs: 3}\n"
    "fleets:\n"
    "  f:\n"
    "    pools: {p: {kind: physical, count: 2, gpus_per_node: 4, gpu: t4, nodes_per_rack: 2, cpus: 96, memory: 1TiB,\n"
    "                labels: [net=ib]}}\n"
    "    queues:\n"
    "      all: {guaranteed: 8, max: 8}\n"
    "      ann: {parent: all, weight: 2, guaranteed: 6, max: 7, jobs: 5, borrow: false}\n"
    "    scheduler: {order: {2d-las: {limits: [100s, 200s], promote: 8}}, backfill: skip, placement: topology,\n"
    "                preempt: {order: {restore: {1: 7s, 8: 30s, more: 60s}, min_run: 1min}}}\n";

START_TEST(queues_needs_and_parameters_land_where_they_belong)
{
	struct scenario *s = load(whole);
	const struct fleet_spec *fleet = &s->fleets[0];
	const struct queue_spec *ann = &fleet->queues[1];
	ck_assert_int_eq(fleet->queue_count, 2);
	ck_assert_str_eq(ann->name, "ann");
	ck_assert_int_eq(ann->parent, 0);
	ck_assert_int_eq(fleet->queues[0].parent, -1);
	ck_assert_double_eq(ann->weight, 2);
	ck_assert(ann->guaranteed == 6 && ann->most == 7 && ann->most_jobs == 5 && !ann->borrow);
	ck_assert(fleet->queues[0].borrow);
	const struct pool_spec *pool = &fleet->pools[0];
	ck_assert_str_eq(pool->gpu_type, "t4");
	ck_assert_int_eq(pool->nodes_per_rack, 2);
	ck_assert_int_eq(pool->node_cpu_milli, 96000);
	ck_assert_int_eq(pool->node_ram_bytes, INT64_C(1) << 40);
	ck_assert_str_eq(pool->labels[0], "net=ib");
	const struct scheduler_spec *scheduler = &fleet->scheduler;
	const char *const expected[] = {"limits=100s/200s", "promote=8", "restore=1:7s/8:30s/more:60s", "min_run=1min"};
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) ck_assert_str_eq(scheduler->options[i], expected[i]);
	ck_assert_str_eq(scheduler->text, "2d-las+skip+topology+order,limits=100s/200s,promote=8,restore=1:7s/8:30s/"
					  "more:60s,min_run=1min");
	rr_scenario_free(s);
}
END_TEST

START_TEST(every_job_of_the_workload_has_its_needs_and_range)
{
	struct scenario *s = load(whole);
	struct rr_faults faults;
	rr_faults_init(&faults);
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	struct rr_work *work = rr_work_open(s, notes, &faults);
	bool shared = false;
	struct job_list *jobs = rr_work_jobs(work, 0, &shared);
	ck_assert_uint_eq(jobs->count, 3);
	ck_assert_int_eq(jobs->needs_count, 1);
	for (size_t i = 0; i < jobs->count; i++) {
		const struct job *job = &jobs->jobs[i];
		const struct job_needs *needs = &jobs->needs[job->needs - 1];
		const struct job_elastic *elastic =
		    &g_array_index(jobs->elastics, struct job_elastic, job->elastic - 1);
		ck_assert_str_eq(rr_jobs_get_text(jobs, needs->gpu_types), "t4|v100-sxm2-32");
		ck_assert_str_eq(rr_jobs_get_text(jobs, needs->labels), "net=ib,tier=1");
		ck_assert_str_eq(rr_jobs_get_text(jobs, needs->region), "home");
		ck_assert(needs->mem_bytes == INT64_C(16) << 30 && needs->ram_bytes == INT64_C(8) << 30);
		ck_assert(needs->cpu_milli == 2500 && needs->same_node && !needs->same_rack && !needs->spread);
		ck_assert(elastic->least == 2 && elastic->most == 16);
		ck_assert_double_eq(elastic->curve.serial, 0.05);
		const struct job_speeds *speeds = &g_array_index(jobs->speeds, struct job_speeds, job->speeds - 1);
		ck_assert_int_eq(speeds->count, 2);
		ck_assert_str_eq(rr_jobs_get_text(jobs, speeds->gpu[1]), "k80");
		ck_assert(speeds->factor[0] == 2 && speeds->factor[1] == 0.25);
		ck_assert_int_eq(job->deadline_ns, job->submit_ns + 2 * RR_NS_PER_HOUR);
	}
	if (!shared) rr_jobs_free(jobs);
	rr_work_free(work);
	rr_faults_done(&faults);
	rr_scenario_free(s);
}
END_TEST

START_TEST(a_job_runs_as_fast_as_its_tables_say)
{
	struct job_list *jobs = rr_jobs_new();
	struct pool_spec v100 = {.speed = 1, .gpu_type = (char *)(intptr_t) "v100-sxm2-16"},
			 v10 = {.speed = 2, .gpu_type = (char *)(intptr_t) "v10"};
	struct job_speeds speeds = {.count = 1, .gpu = {rr_jobs_text(jobs, "v100", true)}, .factor = {3}};
	struct job_elastic elastic = {.least = 1,
				      .most = 8,
				      .curve = {.kind = RR_SPEEDUP_TABLE, .count = 3},
				      .gpus = {1, 2, 4},
				      .speedups = {1, 1.9, 3.4}};
	struct job job = {
	    .gpus = 2, .speeds = rr_jobs_speeds(jobs, &speeds), .elastic = rr_jobs_elastic(jobs, &elastic)};
	rr_jobs_append(jobs, &job);
	ck_assert_double_eq(rr_job_speed(jobs, 0, &v100, 2), 3); /* the family */
	ck_assert_double_eq(rr_job_speed(jobs, 0, &v10, 2), 2);  /* not named: the pool's speed */
	ck_assert_double_eq_tol(rr_job_speed(jobs, 0, &v100, 1), 3 / 1.9, 1e-12);
	ck_assert_double_eq_tol(rr_job_speed(jobs, 0, &v100, 3), 3 * 2.65 / 1.9, 1e-12);
	rr_jobs_free(jobs);
}
END_TEST

START_TEST(options_of_a_preset_are_keys_or_follow_commas)
{
	g_autoptr(GString) yaml = g_string_new(whole);
	const char *from = strstr(whole, "    scheduler:");
	g_string_truncate(yaml, (gsize)(from - whole));
	g_autofree char *commas =
	    g_strconcat(yaml->str, "    scheduler: \"tiresias,wake=late,limits=10s/20s\"\n", NULL);
	g_autofree char *keys =
	    g_strconcat(yaml->str, "    scheduler: {limits: [10s, 20s], preset: tiresias, wake: late}\n", NULL);
	struct scenario *a = load(commas), *b = load(keys);
	const struct scheduler_spec *x = &a->fleets[0].scheduler, *y = &b->fleets[0].scheduler;
	ck_assert_str_eq(x->preset, "tiresias");
	ck_assert_str_eq(y->preset, "tiresias");
	ck_assert_str_eq(y->text, "tiresias,limits=10s/20s,wake=late");
	ck_assert_str_eq(x->order, y->order);
	ck_assert_str_eq(x->preempt, y->preempt);
	ck_assert_uint_eq(g_strv_length(x->options), g_strv_length(y->options));
	for (char **option = x->options; *option != NULL; option++)
		ck_assert(g_strv_contains((const char *const *)y->options, *option));
	rr_scenario_free(a);
	rr_scenario_free(b);
}
END_TEST

START_TEST(shares_of_tenants_and_models_of_pools_land_where_they_belong)
{
	g_autoptr(GString) yaml = g_string_new(whole);
	ck_assert_uint_eq(g_string_replace(yaml, "jobs: 3}",
					   "jobs: 3, tenants: {ann: 60%, 0e4a51: 40%}, priorities: {-1: 3, 5: 1}}", 1),
			  1);
	struct scenario *s = load(yaml->str);
	const struct synthetic_spec *work = &s->workloads[0].synthetic;
	ck_assert(work->tenants.count == 2 && work->priorities.count == 2);
	ck_assert_str_eq(work->tenants.rows[1].label, "0e4a51");
	ck_assert_double_eq(work->tenants.rows[0].share, 0.6);
	ck_assert_int_eq(work->priorities.rows[0].number, -1);
	ck_assert_double_eq(work->priorities.rows[0].share, 3);
	rr_scenario_free(s);
	/* A type by a pool's own name for it, which no catalogue has. */
	g_string_replace(yaml, "gpu: [t4, ", "gpu: [G2, ", 1);
	g_string_replace(yaml, "gpu: t4,", "gpu: t4, model: G2,", 1);
	rr_scenario_free(load(yaml->str));
	s = load(whole);
	ck_assert(s->workloads[0].synthetic.tenants.count == 0 && s->workloads[0].synthetic.priorities.count == 0);
	rr_scenario_free(s);
}
END_TEST

/* Follows KEYS, parted by spaces, from ROOT down. */
static const json_t *down(const json_t *root, const char *keys)
{
	g_auto(GStrv) parts = g_strsplit(keys, " ", -1);
	for (char **part = parts; *part != NULL; part++) {
		root = json_is_array(root) ? json_array_get(root, (size_t)g_ascii_strtoull(*part, NULL, 10))
					   : json_object_get(root, *part);
		ck_assert_msg(root != NULL, "no %s in %s", *part, keys);
	}
	return root;
}

START_TEST(the_schema_knows_parameters_presets_and_shares)
{
	g_autofree char *text = rr_format_schema(rr_scheduler_vocabulary());
	json_t *root = json_loads(text, 0, NULL);
	const json_t *scheduler = down(root, "properties fleets additionalProperties properties scheduler anyOf");
	const json_t *las = down(scheduler, "2 properties order anyOf 1 properties las");
	ck_assert_uint_eq(json_array_size(down(las, "properties quantum type")), 4);
	ck_assert(json_is_false(json_object_get(las, "additionalProperties")));
	ck_assert(json_is_array(down(scheduler, "3 properties preset enum")));
	ck_assert_str_eq(json_string_value(down(scheduler, "3 required 0")), "preset");
	const json_t *work = down(root, "properties workloads additionalProperties properties synthetic properties");
	ck_assert(json_is_object(down(work, "tenants additionalProperties anyOf 0")));
	ck_assert(json_is_object(down(work, "priorities patternProperties ^[-+]?[0-9]+$")));
	json_decref(root);
}
END_TEST

START_TEST(the_shipped_example_lends_and_takes_back)
{
	g_autofree char *output = NULL, *command = NULL;
	char *folder = rr_test_folder();
	command =
	    g_strdup_printf("%s run scenarios/shared-cluster.yaml --only summary --out %s", rr_test_binary(), folder);
	ck_assert_msg(rr_test_shell(command, &output) == 0, "%s", output);
	ck_assert_ptr_nonnull(strstr(output, "'lent'"));
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("sharing", queues_needs_and_parameters_land_where_they_belong,
	     every_job_of_the_workload_has_its_needs_and_range, a_job_runs_as_fast_as_its_tables_say,
	     options_of_a_preset_are_keys_or_follow_commas,
	     shares_of_tenants_and_models_of_pools_land_where_they_belong,
	     the_schema_knows_parameters_presets_and_shares, the_shipped_example_lends_and_takes_back)
