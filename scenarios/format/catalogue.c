/* catalogue.c - the catalogue's tables and its loading. The files inside the
 * program are laid over each other, then the user's own on top: an entry of the
 * same id overrides key by key, a new id adds. */
#include "models/data/data.h"
#include "scenarios/format/table.h"

#include <string.h>

#define TEXT(key, type_, member) .name = key, .type = RR_KEY_TEXT, .at = offsetof(struct type_, member)
#define QUANTITY(key, type_, member, dim)                                                                              \
	.name = key, .type = RR_KEY_QUANTITY, .at = offsetof(struct type_, member), .dimension = dim
#define INT(key, type_, member)                                                                                        \
	.name = key, .type = RR_KEY_INT, .at = offsetof(struct type_, member), .dimension = RR_DIM_COUNT
#define ORIGIN(type_)                                                                                                  \
	{TEXT("source", type_, source), .required = true, .help = "where the numbers stand", .example = "data sheet"}, \
	    {TEXT("date", type_, date), .required = true, .help = "when they were true", .example = "2026-07-20"},     \
	{                                                                                                              \
		TEXT("note", type_, note), .help = "what a reader should know"                                         \
	}
#define END                                                                                                            \
	{                                                                                                              \
		.name = NULL                                                                                           \
	}

static const struct rr_key gpu_keys[] = {
    {TEXT("vendor", gpu_type, vendor), .help = "who makes it", .example = "NVIDIA"},
    {TEXT("form", gpu_type, form), .help = "board", .example = "SXM4"},
    {QUANTITY("memory", gpu_type, mem_bytes, RR_DIM_BYTES), .least = "1MB", .help = "memory", .example = "80GB"},
    {QUANTITY("memory_bandwidth", gpu_type, mem_bytes_per_s, RR_DIM_BANDWIDTH), .least = "1MB/s",
     .help = "of its memory", .example = "2039GB/s"},
    {QUANTITY("fp32", gpu_type, fp32_flops, RR_DIM_FLOPS), .least = "1FLOPS", .help = "dense peak",
     .example = "19.5TFLOPS"},
    {QUANTITY("tf32", gpu_type, tf32_flops, RR_DIM_FLOPS), .least = "1FLOPS", .help = "dense peak",
     .example = "156TFLOPS"},
    {QUANTITY("bf16", gpu_type, bf16_flops, RR_DIM_FLOPS), .least = "1FLOPS", .help = "dense peak",
     .example = "312TFLOPS"},
    {QUANTITY("fp8", gpu_type, fp8_flops, RR_DIM_FLOPS), .least = "1FLOPS", .help = "dense peak",
     .example = "1979TFLOPS"},
    {QUANTITY("int8", gpu_type, int8_ops, RR_DIM_FLOPS), .least = "1FLOPS", .help = "dense peak, operations",
     .example = "624TFLOPS"},
    {QUANTITY("tdp", gpu_type, tdp_w, RR_DIM_POWER), .least = "1W", .help = "power limit", .example = "400W"},
    {QUANTITY("idle", gpu_type, idle_w, RR_DIM_POWER), .least = "0W", .help = "power without work", .example = "50W"},
    {TEXT("link", gpu_type, link), .help = "link between GPUs", .example = "NVLink3"},
    {QUANTITY("link_bandwidth", gpu_type, link_bytes_per_s, RR_DIM_BANDWIDTH), .least = "1MB/s",
     .help = "one direction, all links", .example = "300GB/s"},
    {TEXT("announced", gpu_type, announced), .help = "year and month", .example = "2020-05"},
    ORIGIN(gpu_type),
    END};
static const struct rr_table gpu_table = {.name = "GPU",
					  .about = "A GPU board.",
					  .size = sizeof(struct gpu_type),
					  .name_at = offsetof(struct gpu_type, id),
					  .keys = gpu_keys};

static const struct rr_key node_keys[] = {
    {TEXT("gpu", node_type, gpu_name), .required = true, .help = "its GPU type", .example = "a100-sxm-40"},
    {INT("gpus", node_type, gpu_count), .least = "1", .most = "1024", .required = true, .help = "how many",
     .example = "8"},
    {INT("cpus", node_type, cpu_count), .least = "1", .help = "hardware threads", .example = "256"},
    {QUANTITY("memory", node_type, mem_bytes, RR_DIM_BYTES), .least = "1MB", .help = "main memory", .example = "1TB"},
    {QUANTITY("idle_power", node_type, idle_w, RR_DIM_POWER), .least = "0W", .help = "whole node, without work",
     .example = "2.1kW"},
    {QUANTITY("max_power", node_type, max_w, RR_DIM_POWER), .least = "0W", .help = "whole node, all GPUs at work",
     .example = "5.7kW"},
    {QUANTITY("price", node_type, price_micros, RR_DIM_MONEY), .any_currency = true,
     .also = offsetof(struct node_type, currency), .least = "0 USD", .help = "to buy one", .example = "199000 USD"},
    ORIGIN(node_type),
    END};
static const struct rr_table node_table = {.name = "node",
					   .about = "A server that can be bought.",
					   .size = sizeof(struct node_type),
					   .name_at = offsetof(struct node_type, id),
					   .keys = node_keys};

static const struct rr_key price_keys[] = {
    {TEXT("region", instance_price, region), .required = true, .help = "where", .example = "us-east-1"},
    {QUANTITY("price", instance_price, micros_per_hour, RR_DIM_MONEY_PER_HOUR), .any_currency = true,
     .also = offsetof(struct instance_price, currency), .least = "0 USD/h", .required = true, .help = "on demand",
     .example = "21.96 USD/h"},
    {TEXT("from", instance_price, valid_from), .required = true, .help = "first day of this price",
     .example = "2026-07-20"},
    {TEXT("source", instance_price, source), .required = true, .help = "where the price stands",
     .example = "price list"},
    END};
static const struct rr_table price_table = {.name = "price",
					    .about = "A price with a place and a date.",
					    .size = sizeof(struct instance_price),
					    .keys = price_keys};

static const struct rr_key instance_keys[] = {
    {TEXT("gpu", instance_type, gpu_name), .required = true, .help = "its GPU type", .example = "a100-sxm-40"},
    {INT("gpus", instance_type, gpu_count), .least = "1", .most = "1024", .required = true, .help = "how many",
     .example = "8"},
    {QUANTITY("gpu_share", instance_type, gpu_fraction, RR_DIM_RATIO), .least = "0.001", .most = "1", .preset = "1",
     .help = "of each GPU", .example = "0.5"},
    {INT("cpus", instance_type, cpu_count), .least = "1", .help = "virtual processors", .example = "96"},
    {QUANTITY("memory", instance_type, mem_bytes, RR_DIM_BYTES), .least = "1MB", .help = "main memory",
     .example = "1152GiB"},
    {.name = "prices",
     .type = RR_KEY_LIST,
     .at = offsetof(struct instance_type, prices),
     .also = offsetof(struct instance_type, price_count),
     .table = &price_table,
     .help = "on demand, by region and date"},
    ORIGIN(instance_type),
    END};
static const struct rr_table instance_table = {.name = "instance",
					       .about = "A machine that can be rented.",
					       .size = sizeof(struct instance_type),
					       .name_at = offsetof(struct instance_type, id),
					       .keys = instance_keys};

static const struct rr_key provider_keys[] = {
    {TEXT("title", cloud_provider, title), .required = true, .help = "name for people",
     .example = "Amazon Web Services"},
    {QUANTITY("billing_step", cloud_provider, billing_step_ns, RR_DIM_DURATION), .least = "1ms", .preset = "1s",
     .help = "time is rounded up to this", .example = "1s"},
    {QUANTITY("billing_minimum", cloud_provider, billing_minimum_ns, RR_DIM_DURATION), .least = "0s", .preset = "60s",
     .help = "each instance is billed at least so long", .example = "60s"},
    {QUANTITY("pue", cloud_provider, pue, RR_DIM_RATIO), .least = "1", .most = "10", .help = "as published",
     .example = "1.15"},
    ORIGIN(cloud_provider),
    END};
static const struct rr_table provider_table = {.name = "provider",
					       .about = "Who rents out machines.",
					       .size = sizeof(struct cloud_provider),
					       .name_at = offsetof(struct cloud_provider, id),
					       .keys = provider_keys};

#define SECTION(key, member, count, rows, text)                                                                        \
	{                                                                                                              \
		.name = key, .type = RR_KEY_MAP, .at = offsetof(struct catalogue, member),                             \
		.also = offsetof(struct catalogue, count), .table = &(rows), .help = text                              \
	}
static const struct rr_key catalogue_keys[] = {
    SECTION("gpus", gpus, gpu_count, gpu_table, "GPU boards"),
    SECTION("nodes", nodes, node_count, node_table, "servers to buy"),
    SECTION("instances", instances, instance_count, instance_table, "machines to rent"),
    SECTION("providers", providers, provider_count, provider_table, "who rents them out"), END};
const struct rr_table rr_catalogue_table = {
    .name = "catalogue", .about = "What is known by name.", .size = sizeof(struct catalogue), .keys = catalogue_keys};

/* -------------------------------------------------------------------- loading */

static int32_t find_gpu(struct rr_reader *r, const struct catalogue *c, const char *section, const char *id,
			const char *gpu)
{
	int32_t at = gpu == NULL ? -1 : rr_catalogue_gpu(c, gpu);
	if (at >= 0 || gpu == NULL) return at;
	g_autofree char *path = g_strdup_printf("%s.%s.gpu", section, id);
	g_autoptr(GPtrArray) ids = g_ptr_array_new();
	for (int32_t i = 0; i < c->gpu_count; i++) g_ptr_array_add(ids, c->gpus[i].id);
	g_ptr_array_add(ids, NULL);
	g_autofree char *hint = table_hint(gpu, (const char *const *)ids->pdata);
	table_add_fault_at(r, path, "there is no GPU '%s' in the catalogue%s", gpu, hint);
	return -1;
}

static void resolve(struct rr_reader *r, struct catalogue *c)
{
	for (int32_t i = 0; i < c->node_count; i++)
		c->nodes[i].gpu = find_gpu(r, c, "nodes", c->nodes[i].id, c->nodes[i].gpu_name);
	for (int32_t i = 0; i < c->instance_count; i++) {
		struct instance_type *instance = &c->instances[i];
		instance->gpu = find_gpu(r, c, "instances", instance->id, instance->gpu_name);
		const char *slash = strchr(instance->id, '/');
		g_autofree char *provider =
		    slash == NULL ? NULL : g_strndup(instance->id, (gsize)(slash - instance->id));
		instance->provider = provider == NULL ? -1 : rr_catalogue_provider(c, provider);
		if (instance->provider >= 0) continue;
		g_autofree char *path = g_strdup_printf("instances.%s", instance->id);
		table_add_fault_at(r, path, "the name must begin with a known provider and a slash, such as aws/%s",
				   instance->id);
	}
}

/* The user's file on top of ROOT; NULL after a fault. */
static struct node *lay_file(struct rr_reader *r, struct node *root, const char *path)
{
	g_autofree char *bytes = NULL;
	size_t size = 0;
	if (!node_read_file(path, &bytes, &size, r->faults)) return NULL;
	struct node *top = node_read(r->tree, bytes, size, path, r->faults);
	if (top != NULL && top->kind != NODE_MAP)
		rr_faults_add(r->faults, path, 1, 1, "expected a mapping with gpus, nodes, instances or providers");
	return top == NULL || top->kind != NODE_MAP ? NULL : node_overlay(r->tree, root, top);
}

struct catalogue *rr_catalogue_load(const struct rr_load_options *options, struct rr_faults *faults)
{
	static const char *const files[] = {"models/data/gpus.yaml", "models/data/nodes.yaml",
					    "models/data/instances.yaml", "models/data/providers.yaml"};
	struct tree tree;
	tree_init(&tree);
	struct rr_reader r = {.tree = &tree,
			      .faults = faults,
			      .options = options,
			      .folder = ".",
			      .places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
	guint before = faults->texts->len;
	struct node *root = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		size_t size = 0;
		const char *bytes = rr_data_file(files[i], &size);
		struct node *file = node_read(&tree, bytes, size, files[i], faults);
		if (file != NULL) root = node_overlay(&tree, root, file);
	}
	for (const char *const *f = options->catalogue_files; f != NULL && *f != NULL && root != NULL; f++)
		root = lay_file(&r, root, *f);
	struct catalogue *c = g_new0(struct catalogue, 1);
	if (root != NULL) {
		table_read(&r, &rr_catalogue_table, root, c, "");
		resolve(&r, c);
	}
	if (faults->texts->len > before) g_clear_pointer(&c, rr_catalogue_free);
	g_hash_table_unref(r.places);
	tree_done(&tree);
	return c;
}
