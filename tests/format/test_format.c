/* What the tables promise: values where they belong, overrides like edits, a schema
 * and a page that know every key, and no input that breaks the reader. */
#include "models/random/random.h"
#include "scenarios/format/format.h"
#include "scenarios/format/table.h"
#include "sim/scheduler/scheduler.h"
#include "tests/support/test.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static struct scenario *load(const char *yaml, const char *const *overrides, struct rr_faults *faults)
{
	struct rr_load_options options = {.words = rr_scheduler_vocabulary(), .overrides = overrides};
	return rr_scenario_load_bytes(yaml, strlen(yaml), "test.yaml", ".", &options, faults);
}

static struct scenario *sound(const char *yaml, const char *const *overrides)
{
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct scenario *s = load(yaml, overrides, &faults);
	rr_faults_print(&faults, stdout);
	rr_faults_done(&faults);
	ck_assert_ptr_nonnull(s);
	return s;
}

static const char whole[] =
    "rackrent: 1\nname: whole\nquestion: Why?\nstart: 2026-08-03\nhorizon: 1y\ncurrency: USD\nseed: 7\nreplications: "
    "3\n"
    "workloads:\n"
    "  train:\n"
    "    trace: {file: a.csv, format: csv, columns: {id: who, time_unit: ms}, skip: 1d, window: 30d, time_scale: 0.5,\n"
    "            size_scale: 2, duration_scale: 1.5, repeat: true, growth: 20%/y, strict: true}\n"
    "    class: research\n    tenant: ann\n    priority: 3\n    reference_gpu: v100-sxm2-32\n"
    "  drawn:\n"
    "    synthetic:\n"
    "      arrivals: {rate: 4/h, profile: office-hours, bursts: {on: 2h, off: 6h}, growth: 10%/y}\n"
    "      gpus: {1: 60%, 8: {share: 40%, duration: {uniform: {min: 1h, max: 2h}}}}\n"
    "      duration: {lognormal: {median: 30min, sigma: 1.5}}\n"
    "      duration_min: 10s\n      duration_max: 14d\n      jobs: 500\n      estimate_factor: 2\n"
    "fleets:\n"
    "  own:\n"
    "    pools:\n"
    "      h100: {node: hgx-h100, count: 4, site: home, speed: 3, lead_time: 90d, price: 250000 USD, only: {class: "
    "research}}\n"
    "      flat: {gpus: 512, gpu: t4}\n"
    "    scheduler: {order: sjf, backfill: easy, placement: first-fit}\n"
    "  more: {extends: own, pools: {h100: {count: 6}}}\n"
    "  cloud:\n"
    "    pools:\n"
    "      p5: {kind: cloud, instance: aws/p5.48xlarge, region: us-east-1, count: {min: 1, max: 9}}\n"
    "      ours: {kind: cloud, gpus_per_node: 4, count: 2, rent: 3.5 USD/h, boot: 1min, idle: 5min, billing_step: 1h,\n"
    "             billing_minimum: 1h}\n"
    "    autoscale: {by: pending, boot: {exponential: {mean: 2min}}, idle: 20min}\n"
    "    scheduler: easy\n"
    "sites: {home: {pue: 1.4, electricity: 0.12 USD/kWh}, away: {electricity: 0.1 USD/kWh}}\n"
    "finance: {years: 5, wacc: 7%, maintenance: 5%, installation: 3%, staff: {per: 100 GPUs, cost: 180 kUSD/y}}\n"
    "report: {baseline: cloud}\n";

START_TEST(every_key_lands_where_it_belongs)
{
	struct scenario *s = sound(whole, NULL);
	const struct workload *train = &s->workloads[0], *drawn = &s->workloads[1];
	const struct pool_spec *h100 = &s->fleets[0].pools[0], *flat = &s->fleets[0].pools[1];
	const struct pool_spec *p5 = &s->fleets[2].pools[0], *ours = &s->fleets[2].pools[1];
	ck_assert_int_eq(s->horizon_ns, RR_NS_PER_YEAR);
	ck_assert_uint_eq(s->seed, 7);
	ck_assert_int_eq(s->replications, 3);
	ck_assert_int_eq(s->baseline, 2);
	ck_assert_int_eq(train->kind, RR_WORKLOAD_TRACE);
	ck_assert_str_eq(train->trace.columns.id, "who");
	ck_assert_int_eq(train->trace.window_ns, 30 * RR_NS_PER_DAY);
	ck_assert_double_eq(train->trace.growth_per_year, 0.2);
	ck_assert(train->trace.repeat && train->trace.strict);
	ck_assert_str_eq(s->catalogue->gpus[train->reference_gpu].id, "v100-sxm2-32");
	ck_assert_int_eq(drawn->kind, RR_WORKLOAD_SYNTHETIC);
	ck_assert_double_eq_tol(drawn->synthetic.arrivals.rate_per_s, 4.0 / 3600, 1e-15);
	ck_assert_double_eq(drawn->synthetic.arrivals.burst_on_s, 7200);
	/* 2026-08-03 is a Monday. */
	ck_assert_double_eq(drawn->synthetic.arrivals.start_hour, 0);
	ck_assert_int_eq(drawn->synthetic.size_count, 2);
	ck_assert(!drawn->synthetic.sizes[0].has_duration && drawn->synthetic.sizes[1].has_duration);
	ck_assert_int_eq(drawn->synthetic.job_limit, 500);
	ck_assert_int_eq(h100->gpus_per_node, 8);
	ck_assert_int_eq(h100->price_micros, INT64_C(250000000000));
	ck_assert_str_eq(h100->only_class, "research");
	ck_assert_int_eq(h100->site, 0);
	ck_assert_int_eq(flat->gpus_per_node, 0);
	ck_assert_int_eq(flat->count_max, 512);
	ck_assert_int_eq(flat->site, -1);
	ck_assert_int_eq(s->fleets[1].pools[0].count_max, 6);
	ck_assert_double_eq(s->fleets[1].pools[0].speed, 3);
	ck_assert_str_eq(s->fleets[1].scheduler.order, "sjf");
	ck_assert_int_eq(p5->count_min, 1);
	ck_assert_int_eq(p5->price_micros_per_hour, 55040000);
	ck_assert_int_eq(p5->boot.kind, RR_DIST_EXPONENTIAL);
	ck_assert_int_eq(p5->idle_ns, 20 * RR_NS_PER_MIN);
	ck_assert_int_eq(p5->billing_minimum_ns, RR_NS_PER_MIN);
	ck_assert_double_eq(ours->boot.a, 60);
	ck_assert_int_eq(ours->price_micros_per_hour, 3500000);
	ck_assert_int_eq(ours->billing_step_ns, RR_NS_PER_HOUR);
	ck_assert_double_eq(s->sites[1].pue, 1.5);
	ck_assert_int_eq(s->finance.staff_micros_per_year, INT64_C(180000000000));
	/* The reference GPU is another than both pools', one of which says its speed. */
	ck_assert_uint_gt(s->notes->len, 0);
	rr_scenario_free(s);
}
END_TEST

START_TEST(an_override_is_like_an_edit)
{
	const char *const overrides[] = {"fleets.own.pools.h100.count=16",
					 "fleets.cloud.pools.p5.count={min: 2, max: 3}",
					 "sites.home.electricity=0.3 USD/kWh", "finance.wacc=9%", NULL};
	struct scenario *s = sound(whole, overrides);
	ck_assert_int_eq(s->fleets[0].pools[0].count_max, 16);
	ck_assert_int_eq(s->fleets[2].pools[0].count_min, 2);
	ck_assert_int_eq(s->sites[0].electricity_micros_per_kwh, 300000);
	ck_assert_double_eq(s->finance.wacc, 0.09);
	rr_scenario_free(s);
	/* The same by hand. */
	g_autoptr(GString) edited = g_string_new(whole);
	ck_assert_uint_eq(g_string_replace(edited, "count: 4,", "count: 16,", 1), 1);
	ck_assert_uint_eq(g_string_replace(edited, "wacc: 7%", "wacc: 9%", 1), 1);
	s = sound(edited->str, NULL);
	ck_assert_int_eq(s->fleets[0].pools[0].count_max, 16);
	ck_assert_double_eq(s->finance.wacc, 0.09);
	rr_scenario_free(s);
	struct rr_faults faults;
	rr_faults_init(&faults);
	const char *const wrong[] = {"fleets.own.pools.h100.cuont=16", NULL};
	ck_assert_ptr_null(load(whole, wrong, &faults));
	ck_assert_str_eq(g_ptr_array_index(faults.texts, 0),
			 "--set fleets.own.pools.h100.cuont=16: fleets.own.pools.h100: "
			 "unknown key 'cuont', did you mean 'count'?");
	rr_faults_done(&faults);
}
END_TEST

/* Calls EACH for every key of TABLE and of those below it. */
static void walk(const struct rr_table *table, void (*each)(const struct rr_key *key, const void *data),
		 const void *data)
{
	for (const struct rr_key *k = table->keys; k->name != NULL; k++) {
		each(k, data);
		if (k->table != NULL) walk(k->table, each, data);
	}
}

static void stands_in(const struct rr_key *key, const void *data)
{
	g_autofree char *name = g_strdup_printf("`%s`", key->name);
	ck_assert_msg(strstr(data, name) != NULL, "%s is not on the page", name);
	ck_assert_msg(key->help != NULL && strlen(key->help) > 8, "%s has no help", key->name);
	g_autofree char *explained = rr_format_explain(key->name, rr_scheduler_vocabulary(), NULL);
	ck_assert_ptr_nonnull(explained);
	ck_assert_ptr_nonnull(strstr(explained, key->help));
}

static void stands_in_schema(const struct rr_key *key, const void *data)
{
	g_autofree char *name = g_strdup_printf("\"%s\": {", key->name);
	ck_assert_msg(strstr(data, name) != NULL, "%s is not in the schema", name);
}

START_TEST(page_schema_and_explain_know_every_key)
{
	g_autofree char *page = rr_format_reference(rr_scheduler_vocabulary());
	g_autofree char *schema = rr_format_schema(rr_scheduler_vocabulary());
	json_t *root = json_loads(schema, 0, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_str_eq(json_string_value(json_object_get(root, "$schema")),
			 "https://json-schema.org/draft/2020-12/schema");
	walk(&rr_scenario_table, stands_in, page);
	walk(&rr_scenario_table, stands_in_schema, schema);
	json_decref(root);
	g_autofree char *nearest = NULL;
	ck_assert_ptr_null(rr_format_explain("horizn", rr_scheduler_vocabulary(), &nearest));
	ck_assert_str_eq(nearest, "horizon");
}
END_TEST

START_TEST(the_built_in_scenario_is_the_file_that_ships)
{
	size_t size = 0;
	const char *name = NULL, *bytes = rr_scenario_builtin(&size, &name);
	g_autofree char *path = rr_test_path("../scenarios/first-look.yaml"), *text = NULL;
	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	ck_assert_uint_eq(size, strlen(text));
	ck_assert_int_eq(memcmp(bytes, text, size), 0);
	rr_scenario_free(sound(text, NULL));
}
END_TEST

START_TEST(no_mutation_breaks_the_reader)
{
	struct rr_stream luck;
	size_t size = 0;
	const char *name = NULL, *builtin = rr_scenario_builtin(&size, &name);
	rr_stream_init(&luck, 1, RR_PURPOSE_TEST, 7);
	for (int turn = 0; turn < 1000; turn++) {
		g_autofree char *text = g_strdup(turn % 2 == 0 ? whole : builtin);
		size_t length = strlen(text);
		for (uint32_t i = 0, times = 1 + rr_stream_u32(&luck) % 4; i < times; i++) {
			size_t at = rr_stream_u32(&luck) % length, other = rr_stream_u32(&luck) % length;
			text[at] = rr_stream_u32(&luck) % 2 == 0
				       ? text[other]
				       : "{}[]:,&*!|>'\"%@`\t\n 0-"[rr_stream_u32(&luck) % 22];
		}
		struct rr_faults faults;
		rr_faults_init(&faults);
		struct scenario *s = load(text, NULL, &faults);
		ck_assert((s == NULL) == rr_faults_any(&faults));
		rr_scenario_free(s);
		rr_faults_done(&faults);
	}
}
END_TEST

RR_TEST_MAIN("format", every_key_lands_where_it_belongs, an_override_is_like_an_edit,
	     page_schema_and_explain_know_every_key, the_built_in_scenario_is_the_file_that_ships,
	     no_mutation_breaks_the_reader)
