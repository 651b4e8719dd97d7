/* openb.c - the GPU-sharing experiment of Weng et al. (USENIX ATC 2023): pods of
 * the Alibaba 2023 trace come one after the other and never leave. Experiment
 * `fgd`: every placement of a recorded run; `openb`: how much is allocated when
 * pods have asked for 130 % of all GPUs, mean of ten shuffles of our own. */
#include "models/random/random.h"
#include "sim/scheduler/scoring.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

struct cluster {
	struct rr_shares shares;
	GHashTable *models; /* text -> bit + 1 */
	GHashTable *names;  /* of nodes -> index + 1 */
	int64_t gpu_milli;
};

struct pods {
	struct test_table *table;
	struct rr_ask *asks;
	guint count;
};

static uint64_t bit_of(GHashTable *models, const char *model)
{
	gpointer known = g_hash_table_lookup(models, model);
	if (known == NULL) {
		known = GUINT_TO_POINTER(g_hash_table_size(models) + 1);
		g_hash_table_insert(models, g_strdup(model), known);
	}
	return GPOINTER_TO_UINT(known) - 1;
}

static int64_t mebibytes(double count)
{
	return (int64_t)count << 20;
}

static void fill_nodes(struct cluster *c, const struct test_table *table)
{
	for (guint i = 0; i < table->rows->len; i++) {
		int32_t gpus = (int32_t)test_number(table, i, "gpu");
		rr_shares_set(&c->shares, (int32_t)i, (int32_t)bit_of(c->models, test_cell(table, i, "model")), gpus,
			      (int64_t)test_number(table, i, "cpu_milli"),
			      mebibytes(test_number(table, i, "memory_mib")));
		rr_shares_serve(&c->shares, (int32_t)i, true);
		c->gpu_milli += gpus * RR_WHOLE_GPU;
	}
}

static struct cluster *cluster_new(const struct test_table *table)
{
	struct cluster *c = g_new0(struct cluster, 1);
	c->models = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	c->names = g_hash_table_new(g_str_hash, g_str_equal);
	rr_shares_init(&c->shares, (int32_t)table->rows->len);
	fill_nodes(c, table);
	for (guint i = 0; i < table->rows->len; i++)
		g_hash_table_insert(c->names, (gpointer)(intptr_t)test_cell(table, i, "sn"), GUINT_TO_POINTER(i + 1));
	return c;
}

static void cluster_free(struct cluster *c)
{
	rr_shares_done(&c->shares);
	g_hash_table_unref(c->models);
	g_hash_table_unref(c->names);
	g_free(c);
}

/* Models that a pod allows, parted by '|'; blank = any. */
static uint64_t allowed(struct cluster *c, const char *spec)
{
	uint64_t pools = 0;
	if (spec[0] == '\0') return UINT64_MAX;
	g_auto(GStrv) models = g_strsplit(spec, "|", -1);
	for (char **model = models; *model != NULL; model++) pools |= UINT64_C(1) << bit_of(c->models, *model);
	return pools;
}

static bool has_column(const struct test_table *table, const char *name)
{
	for (guint i = 0; i < table->header->len; i++)
		if (strcmp(g_ptr_array_index(table->header, i), name) == 0) return true;
	return false;
}

/* What the pods of TABLE ask. */
static void read_pods(struct pods *pods, struct cluster *c, struct test_table *table)
{
	pods->table = table;
	pods->count = pods->table->rows->len;
	pods->asks = g_new0(struct rr_ask, pods->count);
	bool models = has_column(pods->table, "gpu_spec");
	for (guint i = 0; i < pods->count; i++)
		pods->asks[i] = (struct rr_ask){
		    (int64_t)test_number(pods->table, i, "cpu_milli"),
		    mebibytes(test_number(pods->table, i, "memory_mib")),
		    (int32_t)test_number(pods->table, i, "num_gpu"), (int32_t)test_number(pods->table, i, "gpu_milli"),
		    models ? allowed(c, test_cell(pods->table, i, "gpu_spec")) : UINT64_MAX};
}

/* ------------------------------------------------------- experiment fgd, pod by pod */

/* Equals by the recorded rank; nodes that the record never names come last. */
static void recorded_order(struct cluster *c, const struct test_table *order)
{
	g_autofree int32_t *node_at = g_new(int32_t, (size_t)c->shares.count);
	g_autofree double *rank = g_new(double, (size_t)c->shares.count);
	for (guint i = 0; i < order->rows->len; i++) {
		guint node = GPOINTER_TO_UINT(g_hash_table_lookup(c->names, test_cell(order, i, "node")));
		rank[node - 1] = test_number(order, i, "rank");
	}
	for (int32_t i = 0; i < c->shares.count; i++) {
		int32_t at = i;
		for (; at > 0 && rank[node_at[at - 1]] > rank[i]; at--) node_at[at] = node_at[at - 1];
		node_at[at] = i;
	}
	rr_shares_order(&c->shares, node_at);
}

/* The fragmentation of the whole cluster after each change of one node. */
static double fragments(const struct rr_typical *typical, int64_t sum)
{
	return (double)sum / (double)rr_typical_weight(typical);
}

static void replay_record(struct verify_ledger *ledger, struct cluster *c, const struct pods *pods,
			  const struct test_table *record)
{
	struct rr_typical *typical = rr_typical_new(pods->asks, pods->count);
	struct rr_scorer *scorer = rr_scorer_new(&c->shares, RR_SCORE_FGD, typical, 1);
	g_autoptr(GHashTable) rows = g_hash_table_new(g_str_hash, g_str_equal);
	int64_t sum = 0;
	double moved = 0, worst = 0;
	for (guint i = 0; i < pods->count; i++)
		g_hash_table_insert(rows, (gpointer)(intptr_t)test_cell(pods->table, i, "name"),
				    GUINT_TO_POINTER(i + 1));
	for (int32_t n = 0; n < c->shares.count; n++) sum += rr_fragmentation(typical, &c->shares.nodes[n]);
	for (guint i = 0; i < record->rows->len; i++) {
		guint pod = GPOINTER_TO_UINT(g_hash_table_lookup(rows, test_cell(record, i, "pod"))) - 1;
		int32_t theirs = GPOINTER_TO_INT(g_hash_table_lookup(c->names, test_cell(record, i, "node"))) - 1;
		struct rr_pick pick = {.node = -1};
		bool found = rr_scorer_pick(scorer, rr_scorer_kind(scorer, &pods->asks[pod]), &pick);
		moved += !found || pick.node != theirs;
		if (!found) continue;
		sum -= rr_fragmentation(typical, &c->shares.nodes[pick.node]);
		rr_shares_take(&c->shares, pick.node, &pods->asks[pod], pick.mask);
		sum += rr_fragmentation(typical, &c->shares.nodes[pick.node]);
		worst = MAX(worst, fabs(fragments(typical, sum) - test_number(record, i, "frag_milli")));
	}
	const char *name = "reference/fgd/fgd_seed42_placements.csv";
	verify_add(ledger, "fgd", name, "pods on another node", "rows", (double)record->rows->len, moved, VERIFY_COUNT,
		   0);
	verify_add(ledger, "fgd", name, "largest difference of the fragmentation", "milli GPUs", 0, worst,
		   VERIFY_ABSOLUTE, 0.01);
	rr_scorer_free(scorer);
	rr_typical_free(typical);
}

void verify_fgd(struct verify_ledger *ledger)
{
	struct test_table *nodes = verify_table(ledger, "fgd", "reference/fgd/openb_node_list_gpu_node.csv.gz"),
			  *list = verify_table(ledger, "fgd", "reference/fgd/openb_pod_list_default.csv.gz"),
			  *record = verify_table(ledger, "fgd", "reference/fgd/fgd_seed42_placements.csv"),
			  *order = verify_table(ledger, "fgd", "reference/fgd/node_order.csv");
	if (nodes != NULL && list != NULL && record != NULL && order != NULL) {
		struct cluster *c = cluster_new(nodes);
		struct pods pods;
		read_pods(&pods, c, list);
		recorded_order(c, order);
		replay_record(ledger, c, &pods, record);
		g_free(pods.asks);
		cluster_free(c);
	}
	test_table_free(nodes);
	test_table_free(list);
	test_table_free(record);
	test_table_free(order);
}

/* ------------------------------------------------- experiment openb, ten shuffles */

/* Ten runs with the seeds of the published ones, which draw something else here. */
enum { SEED_FIRST = 42, SHUFFLES = 10, LOAD_PERCENT = 130 };

static void shuffle(int32_t *items, int32_t count, struct rr_stream *luck)
{
	for (int32_t i = count - 1; i > 0; i--) {
		int32_t k = (int32_t)(rr_stream_u64(luck) % (uint64_t)(i + 1)), swapped = items[i];
		items[i] = items[k];
		items[k] = swapped;
	}
}

static gint by_name(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct pods *pods = data;
	return strcmp(test_cell(pods->table, (guint) * (const int32_t *)a, "name"),
		      test_cell(pods->table, (guint) * (const int32_t *)b, "name"));
}

/* Percent of all GPUs that pods hold once so much has been asked for. */
static double allocated(const struct test_table *nodes, const struct pods *pods, enum rr_scoring scoring, uint64_t seed)
{
	struct cluster *c = cluster_new(nodes);
	struct rr_typical *typical = rr_typical_new(pods->asks, pods->count);
	struct rr_scorer *scorer = rr_scorer_new(&c->shares, scoring, typical, seed);
	struct rr_stream luck;
	g_autofree int32_t *order = g_new(int32_t, pods->count), *places = g_new(int32_t, (size_t)c->shares.count);
	rr_stream_init(&luck, seed, RR_PURPOSE_TEST, 130);
	for (guint i = 0; i < pods->count; i++) order[i] = (int32_t)i;
	for (int32_t i = 0; i < c->shares.count; i++) places[i] = i;
	g_qsort_with_data(order, (gint)pods->count, sizeof *order, by_name, (gpointer)(intptr_t)pods);
	shuffle(order, (int32_t)pods->count, &luck);
	shuffle(places, c->shares.count, &luck);
	rr_shares_order(&c->shares, places);
	int64_t arrived = 0, held = 0, wanted = c->gpu_milli * LOAD_PERCENT / 100;
	for (guint i = 0; arrived < wanted; i++) {
		int32_t pod = i < pods->count ? order[i] : order[rr_stream_u64(&luck) % pods->count];
		const struct rr_ask *ask = &pods->asks[pod];
		struct rr_pick pick;
		arrived += (int64_t)ask->gpus * ask->gpu_milli;
		if (!rr_scorer_pick(scorer, rr_scorer_kind(scorer, ask), &pick)) continue;
		rr_shares_take(&c->shares, pick.node, ask, pick.mask);
		held += (int64_t)ask->gpus * ask->gpu_milli;
	}
	double percent = 100.0 * (double)held / (double)c->gpu_milli;
	rr_scorer_free(scorer);
	rr_typical_free(typical);
	cluster_free(c);
	return percent;
}

static double published(const struct test_table *table, const char *workload, const char *policy)
{
	double sum = 0, rows = 0;
	for (guint i = 0; i < table->rows->len; i++) {
		if (strcmp(test_cell(table, i, "workload"), workload) != 0) continue;
		if (strcmp(test_cell(table, i, "sc_policy"), policy) != 0) continue;
		sum += test_number(table, i, "130");
		rows++;
	}
	return rows > 0 ? sum / rows : NAN;
}

static const struct {
	const char *policy;
	enum rr_scoring scoring;
	bool everywhere; /* also on the other pod lists */
} policies[] = {{"06-FGD", RR_SCORE_FGD, true},
		{"05-BestFit", RR_SCORE_BEST_FIT, true},
		{"04-GpuPacking", RR_SCORE_PACK, false},
		{"03-GpuClustering", RR_SCORE_GPU_CLUSTER, false},
		{"02-DotProd", RR_SCORE_DOT_PRODUCT, false},
		{"01-Random", RR_SCORE_RANDOM, true}};

static void list_rows(struct verify_ledger *ledger, const char *list, const struct test_table *nodes,
		      const struct test_table *expected, double *means)
{
	g_autofree char *name = g_strdup_printf("openb_pod_list_%s", list);
	g_autofree char *file = g_strdup_printf("traces/alibaba-openb-v2023/%s.csv", name);
	struct test_table *table = verify_table(ledger, "openb", file);
	if (table == NULL) return;
	struct cluster *models = cluster_new(nodes); /* numbers of the models alone */
	struct pods pods;
	bool usual = strcmp(list, "default") == 0;
	read_pods(&pods, models, table);
	for (size_t p = 0; p < G_N_ELEMENTS(policies); p++) {
		if (!usual && !policies[p].everywhere) continue;
		means[p] = 0;
		for (uint64_t seed = SEED_FIRST; seed < SEED_FIRST + SHUFFLES; seed++)
			means[p] += allocated(nodes, &pods, policies[p].scoring, seed) / SHUFFLES;
		g_autofree char *row = g_strdup_printf("%s/%s", name, policies[p].policy);
		verify_add(ledger, "openb", row, "allocated at 130 % load", "%",
			   published(expected, name, policies[p].policy), means[p], VERIFY_ABSOLUTE, usual ? 0.5 : 0.7);
	}
	g_free(pods.asks);
	cluster_free(models);
	test_table_free(table);
}

/* Pairs of policies whose published order is not ours, of those that the paper orders. */
static void order_row(struct verify_ledger *ledger, const double *means)
{
	static const int pairs[][2] = {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}};
	double broken = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) broken += means[pairs[i][0]] <= means[pairs[i][1]];
	verify_add(ledger, "openb", "FGD > BestFit > GpuPacking, GpuClustering > DotProd > Random",
		   "pairs in another order", "pairs", G_N_ELEMENTS(pairs), broken, VERIFY_COUNT, 0);
}

void verify_openb(struct verify_ledger *ledger)
{
	static const char *const lists[] = {"default", "gpushare100", "multigpu50", "gpuspec33"};
	struct test_table *nodes =
			      verify_table(ledger, "openb", "traces/alibaba-openb-v2023/openb_node_list_gpu_node.csv"),
			  *expected =
			      verify_table(ledger, "openb",
					   "traces/alibaba-openb-v2023/expected_results/analysis_allo_discrete.csv.gz");
	for (size_t i = 0; nodes != NULL && expected != NULL && i < G_N_ELEMENTS(lists); i++) {
		double means[G_N_ELEMENTS(policies)] = {0};
		list_rows(ledger, lists[i], nodes, expected, means);
		if (i == 0) order_row(ledger, means);
	}
	test_table_free(nodes);
	test_table_free(expected);
}
