/* Every format on a small sample made for it: job by job, what is skipped and why;
 * packed files; and our own CSV, there and back. */
#include "models/random/random.h"
#include "scenarios/traces/traces.h"
#include "tests/support/test.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

struct expected {
	const char *id;
	double submit_s, duration_s, estimate_s; /* estimate -1 = none */
	int gpus;
	const char *pool, *tenant;
};

static struct job_list *read_spec(struct trace_spec *spec, struct trace_report **report)
{
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct job_list *jobs = rr_trace_read(spec, report, &faults);
	rr_faults_print(&faults, stdout);
	rr_faults_done(&faults);
	ck_assert_ptr_nonnull(jobs);
	return jobs;
}

static void same_jobs(const char *name, const struct job_list *jobs, const struct expected *expected, size_t count)
{
	ck_assert_msg(jobs->count == count, "%s: %zu jobs, expected %zu", name, jobs->count, count);
	for (size_t i = 0; i < count; i++) {
		const struct job *job = &jobs->jobs[i];
		const struct expected *e = &expected[i];
		ck_assert_str_eq(rr_jobs_get_text(jobs, job->id), e->id);
		ck_assert_double_eq((double)job->submit_ns / 1e9, e->submit_s);
		ck_assert_double_eq((double)job->duration_ns / 1e9, e->duration_s);
		ck_assert_double_eq(job->estimate_ns < 0 ? -1 : (double)job->estimate_ns / 1e9, e->estimate_s);
		ck_assert_int_eq(job->gpus, e->gpus);
		ck_assert_str_eq(rr_jobs_get_text(jobs, job->pool), e->pool);
		ck_assert_str_eq(rr_jobs_get_text(jobs, job->tenant), e->tenant);
	}
}

/* The sample FILE as FORMAT; SKIPS are counts by reason, -1 ends. */
static void check(const char *file, const char *format, const struct expected *expected, size_t count, const int *skips)
{
	g_autofree char *relative = g_build_filename("traces/samples", file, NULL);
	g_autofree char *path = rr_test_path(relative);
	g_autofree char *rates = rr_test_path("traces/samples/gavel.json");
	struct trace_spec spec = {.file = path};
	struct trace_report *report = NULL;
	if (strcmp(format, "gavel") == 0) spec.throughputs = rates;
	struct job_list *jobs = read_spec(&spec, &report);
	ck_assert_str_eq(report->format, format);
	same_jobs(file, jobs, expected, count);
	for (int reason = 0; reason < RR_TRACE_REASON_COUNT; reason++)
		ck_assert_msg(report->counts[reason] == skips[reason], "%s: %d rows with %s", file,
			      (int)report->counts[reason], rr_trace_reason_text((enum rr_trace_reason)reason));
	rr_trace_report_free(report);
	rr_jobs_free(jobs);
}

#define CHECK(file, format, ...)                                                                                       \
	do {                                                                                                           \
		const struct expected jobs_[] = {__VA_ARGS__};                                                         \
		check(file, format, jobs_, G_N_ELEMENTS(jobs_), skips);                                                \
	} while (0)

START_TEST(logs_with_stamps_begin_at_the_first_submit)
{
	int skips[RR_TRACE_REASON_COUNT] = {
	    [RR_TRACE_NO_RESOURCES] = 1, [RR_TRACE_CANCELLED] = 1, [RR_TRACE_NOT_SORTED] = 1};
	CHECK("helios.csv", "helios", {"h4", 0, 60, -1, 16, "0e4a51", "ann"}, {"h1", 2, 3600, -1, 8, "v1", "ann"});
	memset(skips, 0, sizeof skips);
	/* The first stamp has a zone: 08:00:12+08:00 is 00:00:12 UTC. */
	CHECK("acme.csv", "acme", {"a1", 0, 60, -1, 8, "", "u1"}, {"a2", 10, 30, -1, 1, "", "u2"});
	skips[RR_TRACE_NOT_SORTED] = 1;
	CHECK("philly.csv", "philly", {"2", 0, 2951, -1, 4, "0e4a51", ""}, {"1", 2932, 66, -1, 1, "103959", ""});
	skips[RR_TRACE_NO_RESOURCES] = 1;
	/* GPUs of the last attempt, the time of all of them. */
	CHECK("philly.json", "philly", {"application_3", 0, 10, -1, 1, "v", "u2"},
	      {"application_1", 10, 180, -1, 3, "6214e9", "u1"});
}
END_TEST

START_TEST(simulators_inputs_keep_their_zero)
{
	int skips[RR_TRACE_REASON_COUNT] = {0};
	CHECK("muri.csv", "muri", {"0", 0, 2868294, -1, 1, "", ""}, {"1", 201694.5, 4472936.25, -1, 8, "", ""});
	CHECK("tiresias.csv", "tiresias", {"7", 0, 164, -1, 1, "", ""}, {"8", 30, 147, -1, 4, "", ""});
	/* Steps by steps per second; LM on 4 GPUs was never measured. */
	skips[RR_TRACE_RUN_MISSING] = 1;
	CHECK("gavel.trace", "gavel", {"1", 0, 250, -1, 1, "", ""}, {"2", 6.5, 200, -1, 2, "", ""});
}
END_TEST

START_TEST(clouds_and_centres_say_what_they_skip)
{
	int skips[RR_TRACE_REASON_COUNT] = {[RR_TRACE_NO_RESOURCES] = 1, [RR_TRACE_RUN_MISSING] = 1};
	CHECK("openb.csv", "openb", {"p0", 0, 1230, -1, 1, "", ""}, {"p1", 30, 50, -1, 1, "", ""});
	memset(skips, 0, sizeof skips);
	skips[RR_TRACE_NO_RESOURCES] = skips[RR_TRACE_SUBMIT_MISSING] = skips[RR_TRACE_NOT_SORTED] = 1;
	/* Half a GPU by two instances holds two; 200 % of a GPU by one holds two. */
	CHECK("pai.csv", "pai", {"j3/worker", 50, 400, -1, 2, "", ""}, {"j1/worker", 100, 300, -1, 2, "", ""});
}
END_TEST

START_TEST(batch_logs_give_estimates_and_partitions)
{
	int skips[RR_TRACE_REASON_COUNT] = {[RR_TRACE_CANCELLED] = 1};
	CHECK("small.swf", "swf", {"1", 0, 100, 200, 4, "2", "3"}, {"3", 10, 50, -1, 2, "", "4"});
	memset(skips, 0, sizeof skips);
	/* The cancelled one asked for no GPU that sacct would tell. */
	skips[RR_TRACE_NO_RESOURCES] = 2;
	CHECK("sacct.txt", "sacct", {"12", 0, 93783, 172800, 4, "a100", "ann"}, {"14", 40, 601, 600, 2, "t4", "bob"});
}
END_TEST

START_TEST(column_map_names_any_csv)
{
	g_autofree char *path = rr_test_path("traces/samples/mapped.csv");
	char *const names[] = {g_strdup("who"),   g_strdup("when"), g_strdup("cards"), g_strdup("took"),
			       g_strdup("limit"), g_strdup("q"),    g_strdup("stamp")};
	struct trace_spec spec = {.file = path,
				  .columns = {.id = names[0],
					      .submit = names[1],
					      .gpus = names[2],
					      .duration = names[3],
					      .estimate = names[4],
					      .pool = names[5],
					      .time_unit = names[6]}};
	struct job_list *jobs = read_spec(&spec, NULL);
	const struct expected expected[] = {{"y", 0, 0.25, -1, 1, "", ""}, {"x", 10, 1.5, 3, 2, "batch", ""}};
	same_jobs("mapped.csv", jobs, expected, 2);
	ck_assert_int_eq(jobs->epoch_ns, INT64_C(1735689600) * RR_NS_PER_S);
	rr_jobs_free(jobs);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) g_free(names[i]);
}
END_TEST

/* Columns TEXT in a file of their own; TRACE names further columns. */
static struct job_list *read_text(const char *text, struct trace_spec *spec)
{
	char *folder = rr_test_folder();
	g_autofree char *path = g_build_filename(folder, "jobs.csv", NULL);
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	spec->file = path;
	struct job_list *jobs = read_spec(spec, NULL);
	rr_test_remove(folder);
	return jobs;
}

static const struct job_needs *needs_at(const struct job_list *jobs, size_t at)
{
	ck_assert_int_gt(jobs->jobs[at].needs, 0);
	return &jobs->needs[jobs->jobs[at].needs - 1];
}

START_TEST(what_jobs_need_is_read_by_the_usual_names_and_by_given_ones)
{
	const char *rows = "a,10,1,60,90,2.5,1048576,t4|v100\nb,20,1,60,-1,,,\n";
	g_autofree char *usual =
	    g_strconcat("id,submit,gpus,duration,deadline,cpus,memory_bytes,gpu_types\n", rows, NULL);
	g_autofree char *own = g_strconcat("id,submit,gpus,duration,due,cores,ram,kinds\n", rows, NULL);
	char due[] = "due", cores[] = "cores", ram[] = "ram", kinds[] = "kinds";
	struct trace_spec plain = {.strict = true};
	struct trace_spec mapped = {.strict = true,
				    .columns = {.deadline = due, .cpus = cores, .memory = ram, .gpu_types = kinds}};
	for (int turn = 0; turn < 2; turn++) {
		struct job_list *jobs = turn == 0 ? read_text(usual, &plain) : read_text(own, &mapped);
		const struct job_needs *needs = needs_at(jobs, 0);
		ck_assert_int_eq(jobs->jobs[0].deadline_ns, 90 * RR_NS_PER_S);
		ck_assert_int_eq(needs->cpu_milli, 2500);
		ck_assert_int_eq(needs->ram_bytes, 1 << 20);
		ck_assert_str_eq(rr_jobs_get_text(jobs, needs->gpu_types), "t4|v100");
		ck_assert_int_eq(jobs->jobs[1].deadline_ns, 0);
		ck_assert_int_eq(jobs->jobs[1].needs, 0);
		rr_jobs_free(jobs);
	}
}
END_TEST

START_TEST(a_deadline_keeps_its_place_after_the_submit)
{
	/* Civil stamps: the first submit becomes 0. */
	char stamp[] = "stamp";
	struct trace_spec stamps = {.columns = {.time_unit = stamp}};
	struct job_list *jobs = read_text("id,submit,gpus,duration,deadline\n"
					  "a,2025-01-01 00:00:00,1,60,2025-01-01 00:02:00\n"
					  "b,2025-01-01 01:00:00,1,60,2025-01-01 01:05:00\n",
					  &stamps);
	ck_assert_int_eq(jobs->jobs[0].deadline_ns, 120 * RR_NS_PER_S);
	ck_assert_int_eq(jobs->jobs[1].deadline_ns, 3900 * RR_NS_PER_S);
	rr_jobs_free(jobs);
	/* Gaps are halved; runs, and the time that is left for them, doubled. */
	struct trace_spec scaled = {.time_scale = 0.5, .duration_scale = 2};
	jobs = read_text("id,submit,gpus,duration,deadline\na,100,1,60,190\nb,200,1,60,150\n", &scaled);
	ck_assert_int_eq(jobs->jobs[0].deadline_ns, (50 + 180) * RR_NS_PER_S);
	/* Due before it was submitted, but due all the same. */
	ck_assert_int_eq(jobs->jobs[1].deadline_ns, 1);
	rr_jobs_free(jobs);
	struct trace_spec huge = {.time_scale = 1, .duration_scale = 1e6};
	jobs = read_text("id,submit,gpus,duration,deadline\na,0,1,60,\nb,9000000000,1,60,9200000000\n", &huge);
	ck_assert_int_eq(jobs->jobs[1].deadline_ns, INT64_MAX);
	rr_jobs_free(jobs);
}
END_TEST

START_TEST(pods_ask_for_processors_and_memory)
{
	g_autofree char *path = rr_test_path("traces/samples/openb.csv");
	struct trace_spec spec = {.file = path};
	struct job_list *jobs = read_spec(&spec, NULL);
	ck_assert_int_eq(needs_at(jobs, 0)->cpu_milli, 12000);
	ck_assert_int_eq(needs_at(jobs, 0)->ram_bytes, INT64_C(16) << 30);
	ck_assert_int_eq(needs_at(jobs, 1)->cpu_milli, 6000);
	ck_assert_int_eq(needs_at(jobs, 1)->ram_bytes, INT64_C(12) << 30);
	rr_jobs_free(jobs);
}
END_TEST

START_TEST(window_and_scales_are_applied)
{
	g_autofree char *path = rr_test_path("traces/samples/muri.csv");
	struct trace_spec spec = {.file = path,
				  .skip_ns = 100 * RR_NS_PER_S,
				  .window_ns = RR_NS_PER_YEAR,
				  .time_scale = 0.5,
				  .size_scale = 0.2,
				  .duration_scale = 2};
	struct job_list *jobs = read_spec(&spec, NULL);
	const struct expected expected[] = {{"1", 100847.25, 8945872.5, -1, 2, "", ""}};
	same_jobs("muri.csv", jobs, expected, 1);
	rr_jobs_free(jobs);
}
END_TEST

/* TEXT packed by FILTER ("" = a zip) into PATH. */
static void pack(const char *path, const char *filter, const char *text)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	if (filter[0] == '\0')
		ck_assert_int_eq(archive_write_set_format_zip(archive), ARCHIVE_OK);
	else {
		ck_assert_int_eq(archive_write_add_filter_by_name(archive, filter), ARCHIVE_OK);
		ck_assert_int_eq(archive_write_set_format_raw(archive), ARCHIVE_OK);
	}
	ck_assert_int_eq(archive_write_open_filename(archive, path), ARCHIVE_OK);
	archive_entry_set_pathname(entry, "t.csv");
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_size(entry, (la_int64_t)strlen(text));
	ck_assert_int_eq(archive_write_header(archive, entry), ARCHIVE_OK);
	ck_assert_int_eq(archive_write_data(archive, text, strlen(text)), (la_ssize_t)strlen(text));
	archive_entry_free(entry);
	ck_assert_int_eq(archive_write_free(archive), ARCHIVE_OK);
}

START_TEST(packed_files_read_like_plain_ones)
{
	static const char *const filters[] = {"gzip", "zstd", "xz", ""};
	const char *text = "id,submit_s,gpus,duration_s\na,0,4,100\n\"b,1\",5,1,10\n";
	const struct expected expected[] = {{"a", 0, 100, -1, 4, "", ""}, {"b,1", 5, 10, -1, 1, "", ""}};
	char *folder = rr_test_folder();
	g_autofree char *path = g_build_filename(folder, "packed", NULL);
	for (size_t f = 0; f < G_N_ELEMENTS(filters); f++) {
		pack(path, filters[f], text);
		struct trace_spec spec = {.file = path};
		struct job_list *jobs = read_spec(&spec, NULL);
		same_jobs(filters[f], jobs, expected, 2);
		rr_jobs_free(jobs);
	}
	rr_test_remove(folder);
}
END_TEST

static struct job_list *random_jobs(struct rr_stream *luck)
{
	static const char *const words[] = {"", "a", "b,c", "quote \"d\"", "two\nlines", "0e4a51"};
	struct job_list *jobs = rr_jobs_new();
	static const char *const types[] = {"", "t4", "a100-sxm-40|h100-sxm"};
	uint32_t count = 1 + rr_stream_u32(luck) % 50;
	for (uint32_t i = 0; i < count; i++) {
		g_autofree char *id = g_strdup_printf("%s#%u", words[rr_stream_u32(luck) % 4], i);
		struct job_needs needs = {.cpu_milli = rr_stream_u32(luck) % 3 * 1250,
					  .ram_bytes = (int64_t)(rr_stream_u32(luck) % 3) << 33,
					  .gpu_types = rr_jobs_text(jobs, types[rr_stream_u32(luck) % 3], true)};
		struct job job = {.submit_ns = (sim_time)(rr_stream_u64(luck) % 1000000000000u),
				  .duration_ns = 1 + (sim_time)(rr_stream_u64(luck) % 1000000000000u),
				  .estimate_ns = rr_stream_u32(luck) % 2 == 0 ? -1 : 1 + (sim_time)rr_stream_u32(luck),
				  .gpus = 1 + (int32_t)(rr_stream_u32(luck) % 64),
				  .gpu_milli = rr_stream_u32(luck) % 4 == 0 ? 250 : 1000,
				  .priority = (int32_t)(rr_stream_u32(luck) % 7) - 3,
				  .mem_bytes = rr_stream_u32(luck) % 3 == 0 ? 1 << 30 : 0,
				  .deadline_ns = rr_stream_u32(luck) % 2 == 0 ? 0 : 1 + (sim_time)rr_stream_u32(luck),
				  .needs = rr_jobs_needs(jobs, &needs),
				  .id = rr_jobs_text(jobs, id, false),
				  .name = rr_jobs_text(jobs, words[rr_stream_u32(luck) % 6], true),
				  .tenant = rr_jobs_text(jobs, words[rr_stream_u32(luck) % 6], true),
				  .klass = rr_jobs_text(jobs, words[rr_stream_u32(luck) % 6], true),
				  .pool = rr_jobs_text(jobs, words[rr_stream_u32(luck) % 6], true)};
		rr_jobs_append(jobs, &job);
	}
	rr_jobs_seal(jobs);
	return jobs;
}

START_TEST(our_own_csv_is_read_back_without_loss)
{
	char *folder = rr_test_folder();
	g_autofree char *path = g_build_filename(folder, "own.csv", NULL);
	struct rr_stream luck;
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 6);
	for (int turn = 0; turn < 300; turn++) {
		struct job_list *jobs = random_jobs(&luck);
		FILE *to = fopen(path, "wb");
		ck_assert(rr_trace_write_csv(jobs, to));
		ck_assert_int_eq(fclose(to), 0);
		struct trace_spec spec = {.file = path, .strict = true};
		struct job_list *back = read_spec(&spec, NULL);
		ck_assert_uint_eq(back->count, jobs->count);
		for (size_t i = 0; i < jobs->count; i++) {
			const struct job *a = &jobs->jobs[i], *b = &back->jobs[i];
			ck_assert(a->submit_ns == b->submit_ns && a->duration_ns == b->duration_ns &&
				  a->estimate_ns == b->estimate_ns && a->gpus == b->gpus &&
				  a->gpu_milli == b->gpu_milli && a->priority == b->priority &&
				  a->mem_bytes == b->mem_bytes && a->deadline_ns == b->deadline_ns);
			ck_assert_int_eq(a->needs == 0, b->needs == 0);
			if (a->needs > 0) {
				const struct job_needs *x = needs_at(jobs, i), *y = needs_at(back, i);
				ck_assert(x->cpu_milli == y->cpu_milli && x->ram_bytes == y->ram_bytes);
				ck_assert_str_eq(rr_jobs_get_text(jobs, x->gpu_types),
						 rr_jobs_get_text(back, y->gpu_types));
			}
			const uint32_t mine[] = {a->id, a->name, a->tenant, a->klass, a->pool};
			const uint32_t theirs[] = {b->id, b->name, b->tenant, b->klass, b->pool};
			for (size_t t = 0; t < G_N_ELEMENTS(mine); t++)
				ck_assert_str_eq(rr_jobs_get_text(jobs, mine[t]), rr_jobs_get_text(back, theirs[t]));
		}
		rr_jobs_free(back);
		rr_jobs_free(jobs);
	}
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("readers", logs_with_stamps_begin_at_the_first_submit, simulators_inputs_keep_their_zero,
	     clouds_and_centres_say_what_they_skip, batch_logs_give_estimates_and_partitions, column_map_names_any_csv,
	     what_jobs_need_is_read_by_the_usual_names_and_by_given_ones, a_deadline_keeps_its_place_after_the_submit,
	     pods_ask_for_processors_and_memory, window_and_scales_are_applied, packed_files_read_like_plain_ones,
	     our_own_csv_is_read_back_without_loss)
