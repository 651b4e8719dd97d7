/* Why a job waits, what is counted of it, and fragments over time: by hand. */
#include "tests/support/broken.h"
#include "tests/support/small.h"
#include "tests/support/test.h"

#include <string.h>

static void collect(void *data, sim_time now, const char *text)
{
	g_string_append_printf(data, "%d: %s\n", (int)(now / RR_NS_PER_S), text);
}

/* The story of job INDEX under SCHEDULER. */
static char *story(struct small *w, const char *scheduler, int32_t index, struct usage **usage)
{
	GString *lines = g_string_new(NULL);
	const struct rr_watch watch = {index, collect, lines};
	g_autoptr(GError) error = NULL;
	rr_scheduler_spec_done(&w->fleet.scheduler);
	ck_assert(rr_scheduler_parse(scheduler, &w->fleet.scheduler, &error));
	for (size_t i = 0; w->jobs->interned != NULL && i < w->jobs->count; i++) {
		g_autofree char *id = g_strdup_printf("j%zu", i);
		w->jobs->jobs[i].id = rr_jobs_text(w->jobs, id, false);
	}
	if (w->jobs->interned != NULL) rr_jobs_seal(w->jobs);
	*usage = rr_sim_watch(&w->scenario, 0, w->jobs, 0, &watch, &error);
	ck_assert_ptr_nonnull(*usage);
	return g_string_free(lines, FALSE);
}

static void expect(struct small *w, const char *scheduler, int32_t index, const char *expected)
{
	struct usage *usage = NULL;
	g_autofree char *lines = story(w, scheduler, index, &usage);
	ck_assert_msg(strcmp(lines, expected) == 0, "%s\ninstead of\n%s", lines, expected);
	rr_usage_free(usage);
}

START_TEST(the_story_names_what_blocks_who_goes_first_and_what_is_kept)
{
	struct small w;
	small_init(&w, 4, 0);
	small_job(&w, 0, 3, 100, -1, 0);
	small_job(&w, 1, 4, 50, -1, 0);
	small_job(&w, 2, 2, 10, -1, 0);
	small_job(&w, 3, 1, 20, -1, 0);
	expect(
	    &w, "conservative", 2,
	    "2: arrives and asks for 2 GPUs\n"
	    "2: waits: not enough free GPUs; 1 free where it may run, it asks for 2; 1 job before it, the first is "
	    "j1 (4); its start at 150 s is kept\n"
	    "100: 2 other jobs started meanwhile: j3 (1), j1 (4)\n"
	    "100: waits: not enough free GPUs; 0 free where it may run, it asks for 2; 0 jobs before it; its start at "
	    "150 s is kept\n"
	    "150: starts on 2 GPUs of p, after waiting 148 s in all\n"
	    "160: ends\n");
	expect(
	    &w, "fcfs", 3,
	    "3: arrives and asks for 1 GPU\n"
	    "3: waits: others come first; 1 free where it may run, it asks for 1; 2 jobs before it, the first is j1 "
	    "(4)\n"
	    "100: 1 other job started meanwhile: j1 (4)\n"
	    "100: waits: not enough free GPUs; 0 free where it may run, it asks for 1; 1 job before it, the first is "
	    "j2 (2)\n"
	    "150: 1 other job started meanwhile: j2 (2)\n"
	    "150: starts on 1 GPU of p, after waiting 147 s in all\n"
	    "170: ends\n");
	small_done(&w);
}
END_TEST

START_TEST(quota_and_pre_emption_are_told)
{
	struct small w;
	struct queue_spec queue = {
	    .name = (char *)(intptr_t) "a", .parent = -1, .weight = 1, .most = 2, .borrow = true};
	small_init(&w, 8, 0);
	w.fleet.queues = &queue;
	w.fleet.queue_count = 1;
	small_tenant_job(&w, "a", 0, 2, 30);
	small_tenant_job(&w, "a", 1, 1, 5);
	expect(&w, "fit", 1,
	       "1: arrives and asks for 1 GPU\n"
	       "1: waits: the tenant's quota; its tenant may take 0 more; 0 jobs before it\n"
	       "30: starts on 1 GPU of p, after waiting 29 s in all\n"
	       "35: ends\n");
	small_done(&w);

	small_init(&w, 1, 0);
	small_job(&w, 0, 1, 30, -1, 0);
	small_job(&w, 10, 1, 5, -1, 0);
	expect(&w, "srtf", 0,
	       "0: arrives and asks for 1 GPU\n"
	       "0: starts on 1 GPU of p, after waiting 0 s in all\n"
	       "10: is stopped: others go before it\n"
	       "10: 1 other job started meanwhile: j1 (1)\n"
	       "10: waits: not enough free GPUs; 0 free where it may run, it asks for 1; 0 jobs before it\n"
	       "15: starts on 1 GPU of p, after waiting 5 s in all\n"
	       "35: ends\n");
	small_done(&w);
}
END_TEST

START_TEST(the_first_in_order_is_counted_by_its_reason)
{
	struct small w;
	small_init(&w, 2, 4);
	small_job(&w, 0, 3, 100, -1, 0); /* one node: 1 left */
	small_job(&w, 0, 3, 60, -1, 0);  /* the other: 1 left */
	small_job(&w, 10, 2, 5, -1, 0);  /* 2 are free, on two nodes: until 60 */
	small_job(&w, 70, 8, 5, -1, 0);  /* 3 + 1 + 1 free and not 8: until 100 */
	struct usage *usage = NULL;
	g_free(story(&w, "fcfs", 2, &usage));
	const struct pool_usage *p = &usage->pools[0];
	ck_assert_int_eq(p->blocked_ns[RR_REASON_FRAGMENTATION], 50 * RR_NS_PER_S);
	ck_assert_int_eq(p->blocked_ns[RR_REASON_CAPACITY], 30 * RR_NS_PER_S);
	ck_assert_int_eq(p->blocked_ns[RR_REASON_QUOTA], 0);
	/* 2 idle for 50 s and 5 idle for 30 s were of use to nobody who waited. */
	ck_assert(p->stranded == (rr_milli_gpu_ns)(2 * 50 + 5 * 30) * 1000 * RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(fragments_are_what_the_sizes_of_the_jobs_cannot_use)
{
	struct small w;
	small_init(&w, 1, 4);
	small_job(&w, 0, 3, 100, -1, 0);   /* leaves 1: too few for 2 and for 3 of these 4 jobs, not for 1 */
	small_job(&w, 200, 2, 100, -1, 0); /* leaves 2: too few for 3 */
	small_job(&w, 400, 1, 100, -1, 0); /* leaves 3: enough for all */
	small_job(&w, 600, 1, 100, -1, 0);
	struct usage *usage = small_run(&w, "fit");
	/* 1 GPU x 2/4 of the jobs, 2 GPUs x 1/4, nothing, nothing. */
	ck_assert(usage->pools[0].fragments == (rr_milli_gpu_ns)(500 + 500) * 100 * RR_NS_PER_S);
	rr_usage_free(usage);
	small_done(&w);
}
END_TEST

START_TEST(the_program_tells_the_story_and_names_the_nearest_job)
{
	g_autofree char *output = NULL, *wrong = NULL;
	char *folder = rr_test_folder();
	g_autofree char *trace = g_build_filename(folder, "t.csv", NULL);
	ck_assert(g_file_set_contents(trace, "id,submit,gpus,duration\nalpha,0,2,10\nbeta,1,1,5\n", -1, NULL));
	g_autofree char *command =
	    g_strdup_printf("%s replay %s --pool flat:2 --scheduler fcfs --why beta", rr_test_binary(), trace);
	ck_assert_msg(rr_test_shell(command, &output) == 0, "%s", output);
	ck_assert_ptr_nonnull(strstr(output, "waits: not enough free GPUs"));
	g_autofree char *other = g_strdup_printf("%s replay %s --pool flat:2 --why betta", rr_test_binary(), trace);
	ck_assert_int_eq(rr_test_shell(other, &wrong), 2);
	ck_assert_ptr_nonnull(strstr(wrong, "there is no job 'betta', did you mean 'beta'?"));
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("why", the_story_names_what_blocks_who_goes_first_and_what_is_kept, quota_and_pre_emption_are_told,
	     the_first_in_order_is_counted_by_its_reason, fragments_are_what_the_sizes_of_the_jobs_cannot_use,
	     the_program_tells_the_story_and_names_the_nearest_job)
