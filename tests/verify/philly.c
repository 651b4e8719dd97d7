/* philly.c - the published table of the Helios paper's artifact on Philly's
 * virtual clusters: jobs of October and November 2017. */
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

/* The traces count from their first submit; its civil time, by the README that
 * lies beside them. */
struct cluster {
	const char *trace;
	int64_t zero_epoch_s;
};
static const struct cluster clusters[] = {{"philly-muri/trace1.csv", 1503091218},
					  {"philly-muri/trace2.csv", 1505354431},
					  {"philly-muri/trace3.csv", 1505751839},
					  {"philly-muri/trace4.csv", 1506464662}};
enum { OCTOBER_EPOCH_S = 1506816000, DAYS = 61 };

static struct verify_replay *replay_cluster(const struct verify_ledger *ledger, const char *file, int gpus,
					    const char *policy)
{
	for (size_t i = 0; i < G_N_ELEMENTS(clusters); i++) {
		if (strcmp(clusters[i].trace, file) != 0) continue;
		g_autofree char *trace =
		    g_strdup_printf("{file: \"%s/traces/%s\", skip: %" G_GINT64_FORMAT "s, window: %dd}",
				    ledger->shared, file, OCTOBER_EPOCH_S - clusters[i].zero_epoch_s, DAYS);
		g_autofree char *pools =
		    g_strdup_printf("{vc: {kind: physical, count: %d, gpus_per_node: 8}}", gpus / 8);
		return verify_replay_run(trace, pools, policy);
	}
	return NULL;
}

static double mean_of(const struct verify_replay *replay, bool queue)
{
	double sum = 0;
	for (size_t i = 0; i < replay->jobs->count; i++) {
		const struct job_record *record = &replay->usage->records[i];
		sum += (double)(queue ? record->wait_ns : record->end_ns - replay->jobs->jobs[i].submit_ns);
	}
	return sum / (double)replay->jobs->count / (double)RR_NS_PER_S;
}

static void row(struct verify_ledger *ledger, const struct test_table *table, guint at)
{
	const char *policy = test_cell(table, at, "policy"), *metric = test_cell(table, at, "metric");
	const char *scheduler = strcmp(policy, "fifo") == 0   ? "fcfs"
				: strcmp(policy, "srtf") == 0 ? "helios-srtf"
							      : "sjf";
	int gpus = (int)test_number(table, at, "gpus");
	double published = test_number(table, at, "published"), replayed = test_number(table, at, "replay");
	struct verify_replay *replay = replay_cluster(ledger, test_cell(table, at, "trace"), gpus, scheduler);
	/* The table prints whole seconds, cut off and not rounded. */
	double ours = replay != NULL ? floor(mean_of(replay, strcmp(metric, "mean_queue_s") == 0)) : NAN;
	/* Where the independent replay of the same file differs from the paper, the
	 * file is not whole (its README): there the replay is what can be equalled. */
	bool whole = fabs(published - replayed) < 0.5;
	g_autofree char *name =
	    g_strdup_printf("%s/%s%s", test_cell(table, at, "case"), policy, whole ? "" : " (column replay)");
	verify_add(ledger, "helios", name, metric, "s", whole ? published : replayed, ours, VERIFY_ABSOLUTE, 0);
	verify_replay_free(replay);
}

void verify_philly(struct verify_ledger *ledger)
{
	struct test_table *table = verify_table(ledger, "helios", "traces/REFERENCE.csv");
	if (table == NULL) return;
	for (guint i = 0; i < table->rows->len; i++)
		if (strcmp(test_cell(table, i, "experiment"), "helios-philly") == 0) row(ledger, table, i);
	test_table_free(table);
}
