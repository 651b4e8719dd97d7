/* The catalogue against the tables it was taken from, and its promises. */
#include "scenarios/format/format.h"
#include "sim/scheduler/scheduler.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

static struct catalogue *load(const char *const *files, struct rr_faults *faults)
{
	struct rr_load_options options = {.words = rr_scheduler_vocabulary(), .catalogue_files = files};
	return rr_catalogue_load(&options, faults);
}

static struct catalogue *builtin(void)
{
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct catalogue *c = load(NULL, &faults);
	rr_faults_print(&faults, stdout);
	rr_faults_done(&faults);
	ck_assert_ptr_nonnull(c);
	return c;
}

START_TEST(every_entry_has_a_source_a_date_and_a_name_of_its_own)
{
	struct catalogue *c = builtin();
	g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);
	for (int32_t i = 0; i < c->gpu_count; i++) {
		ck_assert(c->gpus[i].source != NULL && c->gpus[i].date != NULL);
		ck_assert(g_hash_table_add(ids, c->gpus[i].id));
	}
	for (int32_t i = 0; i < c->node_count; i++) {
		ck_assert(c->nodes[i].source != NULL && c->nodes[i].date != NULL && c->nodes[i].gpu >= 0);
		ck_assert(g_hash_table_add(ids, c->nodes[i].id));
	}
	for (int32_t i = 0; i < c->instance_count; i++) {
		const struct instance_type *n = &c->instances[i];
		ck_assert(n->source != NULL && n->date != NULL && n->gpu >= 0 && n->provider >= 0);
		ck_assert(g_hash_table_add(ids, n->id));
		/* What has no price says so. */
		ck_assert(n->price_count > 0 || n->note != NULL);
	}
	for (int32_t i = 0; i < c->provider_count; i++)
		ck_assert(c->providers[i].source != NULL && c->providers[i].date != NULL);
	rr_catalogue_free(c);
}
END_TEST

/* A blank cell is unknown here too. */
static void same(const char *id, const char *column, const char *cell, double factor, double ours)
{
	if (cell[0] == '\0')
		ck_assert_msg(isnan(ours) || ours < 0, "%s: %s is %g, the table leaves it blank", id, column, ours);
	else
		ck_assert_msg(fabs(g_ascii_strtod(cell, NULL) * factor - ours) <= 1e-6 * ours,
			      "%s: %s is %g, the table says %s", id, column, ours, cell);
}

START_TEST(gpus_are_those_of_the_table)
{
	g_autofree char *path = rr_test_shared("models/gpus.csv");
	if (path == NULL) RR_SKIP("the shared tables are not there");
	/* Comments come first: the table proper is what follows. */
	g_autofree char *text = NULL;
	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	char *folder = rr_test_folder();
	g_autofree char *bare = g_build_filename(folder, "gpus.csv", NULL);
	ck_assert(g_file_set_contents(bare, strstr(text, "\nid,") + 1, -1, NULL));
	struct test_table *table = test_table_read(bare);
	struct catalogue *c = builtin();
	for (guint i = 0; i < table->rows->len; i++) {
		const char *id = test_cell(table, i, "id");
		int32_t at = rr_catalogue_gpu(c, id);
		ck_assert_msg(at >= 0, "%s is not in the catalogue", id);
		const struct gpu_type *g = &c->gpus[at];
		same(id, "memory", test_cell(table, i, "memory_gb"), 1e9, (double)g->mem_bytes);
		same(id, "bandwidth", test_cell(table, i, "mem_bw_gbps"), 1e9, g->mem_bytes_per_s);
		same(id, "fp32", test_cell(table, i, "fp32_tflops"), 1e12, g->fp32_flops);
		same(id, "tf32", test_cell(table, i, "tf32_tflops"), 1e12, g->tf32_flops);
		same(id, "bf16", test_cell(table, i, "bf16_tflops"), 1e12, g->bf16_flops);
		same(id, "fp8", test_cell(table, i, "fp8_tflops"), 1e12, g->fp8_flops);
		same(id, "int8", test_cell(table, i, "int8_tops"), 1e12, g->int8_ops);
		same(id, "tdp", test_cell(table, i, "tdp_w"), 1, g->tdp_w);
		same(id, "link", test_cell(table, i, "link_unidir_gbps"), 1e9, g->link_bytes_per_s);
	}
	rr_catalogue_free(c);
	test_table_free(table);
	rr_test_remove(folder);
}
END_TEST

START_TEST(aws_prices_are_those_of_the_list)
{
	g_autofree char *path = rr_test_shared("prices/aws-karpenter/ondemand-accelerated.csv");
	if (path == NULL) RR_SKIP("the shared price lists are not there");
	struct test_table *table = test_table_read(path);
	struct catalogue *c = builtin();
	int compared = 0;
	for (guint i = 0; i < table->rows->len; i++) {
		g_autofree char *id = g_strconcat("aws/", test_cell(table, i, "instance_type"), NULL);
		int32_t at = rr_catalogue_instance(c, id);
		if (at < 0) continue;
		bool early = false;
		const struct instance_price *price =
		    rr_instance_price(&c->instances[at], test_cell(table, i, "region"), NULL, &early);
		ck_assert_ptr_nonnull(price);
		ck_assert_int_eq(price->micros_per_hour, llround(test_number(table, i, "on_demand_per_hour") * 1e6));
		ck_assert_str_eq(price->currency, test_cell(table, i, "currency"));
		compared++;
	}
	ck_assert_int_gt(compared, 60);
	rr_catalogue_free(c);
	test_table_free(table);
}
END_TEST

START_TEST(a_date_picks_the_price_that_held)
{
	struct catalogue *c = builtin();
	const struct instance_type *p5 = &c->instances[rr_catalogue_instance(c, "aws/p5.48xlarge")];
	bool early = false;
	ck_assert_int_eq(rr_instance_price(p5, "us-east-1", "2024-01-01", &early)->micros_per_hour, 98320000);
	ck_assert(!early);
	ck_assert_int_eq(rr_instance_price(p5, "us-east-1", "2026-08-01", &early)->micros_per_hour, 55040000);
	ck_assert_int_eq(rr_instance_price(p5, "us-east-1", "2020-01-01", &early)->micros_per_hour, 98320000);
	ck_assert(early);
	ck_assert_ptr_null(rr_instance_price(p5, "mars-north-1", NULL, &early));
	rr_catalogue_free(c);
}
END_TEST

START_TEST(a_users_file_adds_and_overrides_key_by_key)
{
	char *folder = rr_test_folder();
	g_autofree char *path = g_build_filename(folder, "ours.yaml", NULL);
	ck_assert(g_file_set_contents(
	    path,
	    "gpus: {t4: {tdp: 60W}}\n"
	    "nodes: {ours: {gpu: t4, gpus: 4, price: 20000 USD, source: quote, date: 2026-11-01}}\n",
	    -1, NULL));
	const char *const files[] = {path, NULL};
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct catalogue *c = load(files, &faults);
	ck_assert_ptr_nonnull(c);
	const struct gpu_type *t4 = &c->gpus[rr_catalogue_gpu(c, "T4")];
	ck_assert_double_eq(t4->tdp_w, 60);
	ck_assert_int_eq(t4->mem_bytes, INT64_C(16000000000));
	ck_assert_int_eq(c->nodes[rr_catalogue_node(c, "ours")].price_micros, INT64_C(20000000000));
	rr_catalogue_free(c);
	ck_assert(g_file_set_contents(path, "nodes: {ours: {gpu: t5, gpuss: 4, source: s, date: d}}\n", -1, NULL));
	ck_assert_ptr_null(load(files, &faults));
	ck_assert_uint_eq(faults.texts->len, 3);
	ck_assert_ptr_nonnull(strstr(g_ptr_array_index(faults.texts, 0), "unknown key 'gpuss', did you mean 'gpus'?"));
	rr_faults_done(&faults);
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("catalogue", every_entry_has_a_source_a_date_and_a_name_of_its_own, gpus_are_those_of_the_table,
	     aws_prices_are_those_of_the_list, a_date_picks_the_price_that_held,
	     a_users_file_adds_and_overrides_key_by_key)
