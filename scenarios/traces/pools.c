/* pools.c - lists of nodes as pools: openb node lists (sn, cpu_milli, memory_mib,
 * gpu, model), grouped by model and size; or columns vc,nodes[,gpus_per_node]. */
#include "scenarios/traces/formats.h"

#include <string.h>

enum { NAME, COUNT, PER_NODE, MODEL, GPU, CPU, MEMORY, COLUMNS };
enum { GPUS_USUAL = 8 };

static bool is_openb(const char *head)
{
	return trace_head_has(head, (const char *const[]){"sn", "cpu_milli", "memory_mib", "gpu", "model", NULL});
}

static bool is_clusters(const char *head)
{
	return trace_head_has(head, (const char *const[]){"vc", "nodes", NULL}) ||
	       trace_head_has(head, (const char *const[]){"vc", "node num", NULL});
}

struct listing {
	struct trace_reading r; /* first: rows give it back */
	GArray *pools;          /* struct trace_pool */
	bool openb;
	int64_t rows, without_gpu, gpus;
};

static bool begin(struct trace_reading *r, const struct trace_row *header)
{
	static const char *const names[COLUMNS] = {
	    [NAME] = "vc", [COUNT] = "nodes|node num", [PER_NODE] = "gpus_per_node", [MODEL] = "model",
	    [GPU] = "gpu", [CPU] = "cpu_milli",        [MEMORY] = "memory_mib"};
	trace_columns(r, header, names, COLUMNS);
	return true;
}

/* The pool NAME, a new one when it was not there. */
static struct trace_pool *pool_for(struct listing *l, const char *name, const char *gpu, int32_t per_node)
{
	for (guint i = 0; i < l->pools->len; i++) {
		struct trace_pool *p = &g_array_index(l->pools, struct trace_pool, i);
		if (strcmp(p->name, name) == 0) return p;
	}
	struct trace_pool pool = {.name = g_strdup(name), .gpu = g_strdup(gpu), .gpus_per_node = per_node};
	g_array_append_val(l->pools, pool);
	return &g_array_index(l->pools, struct trace_pool, l->pools->len - 1);
}

/* Nodes of one model and size may differ in CPUs and memory: a pool for each. */
static void take_shape(struct listing *l, const struct trace_row *row, const char *model, int32_t gpus)
{
	int64_t cpu_milli = 0, mebibytes = 0;
	const char *cpu = trace_field(&l->r, row, CPU), *memory = trace_field(&l->r, row, MEMORY);
	if (!trace_whole(cpu, &cpu_milli) || cpu_milli < 0) cpu_milli = 0;
	if (!trace_whole(memory, &mebibytes) || mebibytes < 0 || mebibytes > INT64_MAX >> 20) mebibytes = 0;
	g_autofree char *name = g_strdup_printf("%s-%d", model, gpus);
	struct trace_pool *pool = pool_for(l, name, model, gpus);
	if (pool->nodes > 0 && (pool->cpu_milli != cpu_milli || pool->ram_bytes != mebibytes << 20)) {
		g_autofree char *other =
		    g_strdup_printf("%s-%dc%dg", name, (int)(cpu_milli / 1000), (int)(mebibytes >> 10));
		pool = pool_for(l, other, model, gpus);
	}
	pool->cpu_milli = cpu_milli;
	pool->ram_bytes = mebibytes << 20;
	pool->nodes++;
}

static void take_node(struct listing *l, const struct trace_row *row)
{
	int64_t gpus = 0;
	const char *text = trace_field(&l->r, row, GPU), *model = trace_field(&l->r, row, MODEL);
	if (!trace_whole(text, &gpus) || gpus < 0 || gpus > 1024) {
		trace_fault(&l->r, row->line, "expected the number of GPUs of a node, 0 to 1024, found '%s'", text);
		return;
	}
	l->gpus += gpus;
	l->without_gpu += gpus == 0;
	if (gpus == 0) return;
	take_shape(l, row, model[0] != '\0' ? model : "gpu", (int32_t)gpus);
}

static void take_cluster(struct listing *l, const struct trace_row *row)
{
	int64_t nodes = 0, per_node = GPUS_USUAL;
	const char *name = trace_field(&l->r, row, NAME), *count = trace_field(&l->r, row, COUNT);
	const char *each = trace_field(&l->r, row, PER_NODE);
	if (name[0] == '\0' || !g_utf8_validate(name, -1, NULL))
		trace_fault(&l->r, row->line, "the virtual cluster has no name");
	else if (!trace_whole(count, &nodes) || nodes < 1 || nodes > 10000000)
		trace_fault(&l->r, row->line, "expected a number of nodes of at least 1, found '%s'", count);
	else if (each[0] != '\0' && (!trace_whole(each, &per_node) || per_node < 1 || per_node > 1024))
		trace_fault(&l->r, row->line, "expected GPUs per node, 1 to 1024, found '%s'", each);
	else {
		struct trace_pool *pool = pool_for(l, name, NULL, (int32_t)per_node);
		if (pool->nodes > 0) trace_fault(&l->r, row->line, "virtual cluster '%s' is listed twice", name);
		pool->nodes = (int32_t)nodes;
		l->gpus += nodes * per_node;
	}
}

static void on_row(struct trace_reading *r, const struct trace_row *row)
{
	struct listing *l = (struct listing *)(void *)r;
	l->rows++;
	if (l->openb)
		take_node(l, row);
	else
		take_cluster(l, row);
}

bool rr_trace_is_node_list(const char *path)
{
	struct rr_faults ignored;
	rr_faults_init(&ignored);
	struct trace_input *input = trace_input_open(path, &ignored);
	bool is = false;
	if (input != NULL) {
		const char *head = trace_input_head(input, &ignored);
		is = is_openb(head) || is_clusters(head);
	}
	trace_input_close(input);
	rr_faults_done(&ignored);
	return is;
}

struct trace_pools *rr_trace_read_pools(const char *path, struct rr_faults *faults)
{
	static const struct trace_reader reader = {
	    .words = {"pools", "", "", NULL}, .split = SPLIT_CSV, .header = true, .begin = begin, .row = on_row};
	struct trace_spec spec = {.file = (char *)(intptr_t)path};
	guint before = faults->texts->len;
	struct trace_input *input = trace_input_open(path, faults);
	if (input == NULL) return NULL;
	struct listing l = {.r = {.spec = &spec, .reader = &reader, .file = path, .faults = faults}};
	l.pools = g_array_new(FALSE, FALSE, sizeof(struct trace_pool));
	const char *head = trace_input_head(input, faults);
	l.openb = is_openb(head);
	if (!l.openb && !is_clusters(head))
		trace_fault(&l.r, 1,
			    "expected columns vc,nodes[,gpus_per_node], or an openb node list (sn, ..., gpu, model)");
	else if (trace_rows(&l.r, input) && l.pools->len == 0)
		trace_fault(&l.r, 0, "lists no node with GPUs");
	trace_input_close(input);
	struct trace_pools *pools = g_new0(struct trace_pools, 1);
	*pools = (struct trace_pools){.count = (int32_t)l.pools->len,
				      .format = l.openb ? "openb" : "vc",
				      .rows = l.rows,
				      .rows_without_gpu = l.without_gpu,
				      .gpus = l.gpus};
	pools->pools = (struct trace_pool *)(void *)g_array_free(l.pools, FALSE);
	if (faults->texts->len > before) g_clear_pointer(&pools, rr_trace_pools_free);
	return pools;
}

void rr_trace_pools_free(struct trace_pools *pools)
{
	if (pools == NULL) return;
	for (int32_t i = 0; i < pools->count; i++) {
		g_free(pools->pools[i].name);
		g_free(pools->pools[i].gpu);
	}
	g_free(pools->pools);
	g_free(pools);
}
