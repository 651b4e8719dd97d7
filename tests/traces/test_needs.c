/* What jobs of a trace need beside GPUs: read, written and read again; and the
 * shapes of nodes in a list of them. */
#include "scenarios/traces/traces.h"
#include "tests/support/broken.h"
#include "tests/support/test.h"

#include <glib/gstdio.h>
#include <string.h>

static struct job_list *read_text(const char *text, const char *format)
{
	struct rr_faults faults;
	struct trace_report *report = NULL;
	char *folder = rr_test_folder();
	g_autofree char *path = g_build_filename(folder, "t.csv", NULL);
	struct trace_spec spec = {.file = path, .format = (char *)(intptr_t)format, .time_scale = 1, .size_scale = 1};
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	rr_faults_init(&faults);
	struct job_list *jobs = rr_trace_read(&spec, &report, &faults);
	rr_faults_print(&faults, stdout);
	rr_faults_done(&faults);
	rr_trace_report_free(report);
	rr_test_remove(folder);
	ck_assert_ptr_nonnull(jobs);
	return jobs;
}

static void expect(const struct job_list *jobs, size_t at, int64_t cpu_milli, int64_t ram_bytes, const char *types,
		   sim_time deadline_ns)
{
	static const struct job_needs nothing = {0};
	const struct job *job = &jobs->jobs[at];
	const struct job_needs *needs = job->needs > 0 ? &jobs->needs[job->needs - 1] : &nothing;
	ck_assert_int_eq(needs->cpu_milli, cpu_milli);
	ck_assert_int_eq(needs->ram_bytes, ram_bytes);
	ck_assert_str_eq(rr_jobs_get_text(jobs, needs->gpu_types), types);
	ck_assert_int_eq(job->deadline_ns, deadline_ns);
}

static const char ours[] = "id,submit_s,gpus,duration_s,deadline_s,cpus,memory_bytes,gpu_types\n"
			   "a,0,1,10,60,2.5,1024,t4|v100\n"
			   "b,5,2,10,,,,\n";

START_TEST(columns_of_needs_are_read_and_written_back)
{
	struct job_list *jobs = read_text(ours, "csv");
	expect(jobs, 0, 2500, 1024, "t4|v100", 60 * RR_NS_PER_S);
	expect(jobs, 1, 0, 0, "", 0);
	char *written = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&written, &size);
	ck_assert(rr_trace_write_csv(jobs, to));
	fclose(to);
	struct job_list *again = read_text(written, "csv");
	expect(again, 0, 2500, 1024, "t4|v100", 60 * RR_NS_PER_S);
	expect(again, 1, 0, 0, "", 0);
	free(written);
	rr_jobs_free(again);
	rr_jobs_free(jobs);
}
END_TEST

START_TEST(openb_pods_bring_cpus_memory_and_models)
{
	struct job_list *jobs =
	    read_text("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
		      "scheduled_time\n"
		      "p0,12000,16,1,500,V100M16|V100M32,LS,Running,0,100,0\n",
		      "openb");
	expect(jobs, 0, 12000, 16 << 20, "V100M16|V100M32", 0);
	ck_assert_int_eq(jobs->jobs[0].gpu_milli, 500);
	rr_jobs_free(jobs);
}
END_TEST

START_TEST(a_value_that_cannot_be_read_skips_the_row)
{
	struct job_list *jobs = read_text("id,submit_s,gpus,duration_s,cpus,deadline_s\n"
					  "a,0,1,10,many,\nb,1,1,10,-1,\nc,2,1,10,1,soon\nd,3,1,10,1,9\n",
					  "csv");
	ck_assert_uint_eq(jobs->count, 1);
	ck_assert_str_eq(rr_jobs_get_text(jobs, jobs->jobs[0].id), "d");
	rr_jobs_free(jobs);
}
END_TEST

START_TEST(nodes_of_one_model_and_other_cpus_are_another_pool)
{
	struct rr_faults faults;
	char *folder = rr_test_folder();
	g_autofree char *path = g_build_filename(folder, "nodes.csv", NULL);
	ck_assert(g_file_set_contents(path,
				      "sn,cpu_milli,memory_mib,gpu,model\n"
				      "n0,64000,262144,2,P100\nn1,16000,122880,2,P100\nn2,64000,262144,2,P100\n",
				      -1, NULL));
	rr_faults_init(&faults);
	struct trace_pools *pools = rr_trace_read_pools(path, &faults);
	ck_assert_ptr_nonnull(pools);
	ck_assert_int_eq(pools->count, 2);
	ck_assert_str_eq(pools->pools[0].name, "P100-2");
	ck_assert_str_eq(pools->pools[1].name, "P100-2-16c120g");
	ck_assert(pools->pools[0].nodes == 2 && pools->pools[1].nodes == 1);
	ck_assert(pools->pools[1].cpu_milli == 16000 && pools->pools[1].ram_bytes == INT64_C(122880) << 20);
	rr_trace_pools_free(pools);
	rr_faults_done(&faults);
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("needs of traces", columns_of_needs_are_read_and_written_back, openb_pods_bring_cpus_memory_and_models,
	     a_value_that_cannot_be_read_skips_the_row, nodes_of_one_model_and_other_cpus_are_another_pool)
