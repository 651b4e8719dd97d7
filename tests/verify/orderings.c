/* orderings.c - what Gavel's and Sia's papers claim of their own traces: shares made
 * with an eye on GPU types beat blind ones, and jobs that shrink and grow beat
 * those of fixed size, in mean completion time. */
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

static double mean_jct_s(const struct verify_replay *replay)
{
	double sum = 0, count = 0;
	for (size_t i = 0; replay != NULL && i < replay->jobs->count; i++) {
		const struct job_record *r = &replay->usage->records[i];
		if (r->end_ns < 0) continue;
		sum += (double)(r->end_ns - replay->jobs->jobs[i].submit_ns) / (double)RR_NS_PER_S;
		count++;
	}
	return count > 0 ? sum / count : NAN;
}

static double jct_of(const char *trace, const char *pools, const char *scheduler, void (*edit)(struct job_list *jobs))
{
	struct verify_replay *replay = verify_replay_edited(trace, pools, scheduler, edit);
	double jct_s = mean_jct_s(replay);
	verify_replay_free(replay);
	return jct_s;
}

/* BETTER must be the smaller; ours is the ratio, published that it is below 1. */
static void beats(struct verify_ledger *ledger, const char *experiment, const char *name, double better, double worse)
{
	verify_add(ledger, experiment, name, "comparisons that turn out the other way", "comparisons", 1,
		   better < worse ? 0 : 1, VERIFY_COUNT, 0);
	printf("     %s: mean JCT %.0f s against %.0f s\n", name, better, worse);
}

/* Jobs come faster than they did, so that the fleet is contended as in the paper. */
static void gavel(struct verify_ledger *ledger)
{
	static const char *const traces[] = {"0e4a51", "2869ce"};
	for (size_t i = 0; i < G_N_ELEMENTS(traces); i++) {
		g_autofree char *trace =
		    g_strdup_printf("{file: \"%s/traces/philly-gavel/%s.trace\", format: gavel, "
				    "throughputs: \"%s/traces/philly-gavel/simulation_throughputs.json.gz\"}",
				    ledger->shared, traces[i], ledger->shared);
		const char *pools = "{v100: {kind: physical, count: 3, gpus_per_node: 4, gpu: v100-sxm2-16},"
				    " p100: {kind: physical, count: 3, gpus_per_node: 4, gpu: p100-pcie-16},"
				    " k80: {kind: physical, count: 3, gpus_per_node: 4, gpu: k80}}";
		g_autofree char *name = g_strdup_printf("philly-gavel/%s, max-min aware against blind", traces[i]);
		beats(ledger, "gavel", name, jct_of(trace, pools, "gavel", NULL),
		      jct_of(trace, pools, "gavel,share=blind", NULL));
	}
}

/* Each job may run on a quarter to four times its GPUs, with 5 % that does not
 * spread (Amdahl). */
static void make_elastic(struct job_list *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		struct job *job = &jobs->jobs[i];
		struct job_elastic elastic = {.least = MAX(job->gpus / 4, 1),
					      .most = MIN(job->gpus * 4, 16),
					      .curve = {.kind = RR_SPEEDUP_AMDAHL, .serial = 0.05}};
		elastic.most = MAX(elastic.most, job->gpus);
		job->elastic = rr_jobs_elastic(jobs, &elastic);
	}
}

static void sia(struct verify_ledger *ledger)
{
	static const char *const days[] = {"28d", "42d"};
	for (size_t i = 0; i < G_N_ELEMENTS(days); i++) {
		g_autofree char *trace = g_strdup_printf(
		    "{file: \"%s/traces/philly-adaptdl/philly.csv\", skip: %s, window: 8h}", ledger->shared, days[i]);
		const char *pools = "{p: {kind: physical, count: 16, gpus_per_node: 4}}";
		g_autofree char *name =
		    g_strdup_printf("philly-adaptdl, 8 h from day %s, goodput against fixed sizes", days[i]);
		beats(ledger, "sia", name, jct_of(trace, pools, "goodput,restore=30s", make_elastic),
		      jct_of(trace, pools, "fit", make_elastic));
	}
}

void verify_orderings(struct verify_ledger *ledger)
{
	gavel(ledger);
	sia(ledger);
}
