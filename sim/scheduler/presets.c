/* presets.c - names for combinations, the words of all tables, and their reading. */
#include "models/units/units.h"
#include "sim/scheduler/policy.h"
#include "sim/scheduler/scheduler.h"

#include <string.h>

#define BY_ORDER(word)                                                                                                 \
	{                                                                                                              \
		word, "skip", "best-fit", "order", NULL                                                                \
	}

static const struct rr_preset fcfs = {"fcfs", "none", "best-fit", "none", NULL},
			      sjf = {"sjf", "none", "best-fit", "none", NULL},
			      ljf = {"ljf", "none", "best-fit", "none", NULL},
			      priority = {"priority", "none", "best-fit", "none", NULL},
			      fit = {"fcfs", "skip", "best-fit", "none", NULL},
			      easy = {"fcfs", "easy", "best-fit", "none", NULL},
			      conservative = {"fcfs", "conservative", "best-fit", "none", NULL},
			      srtf = BY_ORDER("srtf"), srsf = BY_ORDER("srsf"), smallest = BY_ORDER("smallest"),
			      las = BY_ORDER("las"), two_d_las = BY_ORDER("2d-las"), gittins = BY_ORDER("gittins"),
			      tiresias = BY_ORDER("2d-las"),
			      helios_srtf = {"srtf", "skip", "consolidate", "order",
					     "ties=waiting-first,linger=1s,restore=1:7s/8:30s/more:60s"},
			      helios_qssf = {"qssf", "none", "consolidate", "none",
					     "predict=priority,newcomers=by-size"},
			      slurm = {"multifactor", "easy", "best-fit", "none", "reservations=100"},
			      kubernetes = {"priority", "skip", "worst-fit", "priority", NULL},
			      kueue = {"priority", "skip", "best-fit", "quota-reclaim", NULL},
			      themis = {"finish-time-fair", "skip", "consolidate", "rounds", "round=20min,every=20min"},
			      openb = {"fcfs", "skip", "fgd", "none", NULL},
			      gavel = {"fcfs", "skip", "best-fit", "gavel", NULL},
			      pollux = {"fcfs", "skip", "best-fit", "goodput", NULL},
			      lucid = {"qssf", "none", "consolidate", "none", "predict=history"};

const struct rr_word rr_presets[] = {
    {"fcfs", "first come, first served; the head blocks", NULL, NULL, &fcfs},
    {"sjf", "shortest job first; the head blocks", NULL, NULL, &sjf},
    {"ljf", "longest job first; the head blocks", NULL, NULL, &ljf},
    {"priority", "highest priority first; the head blocks", NULL, NULL, &priority},
    {"fit", "first come, first served; whoever fits starts", NULL, NULL, &fit},
    {"easy", "first come, first served with EASY backfill", "Lifka, JSSPP 1995", NULL, &easy},
    {"conservative", "first come, first served, a reservation for each", "Mu'alem and Feitelson, IEEE TPDS 2001", NULL,
     &conservative},
    {"srtf", "shortest remaining time first, stops others", NULL, NULL, &srtf},
    {"srsf", "shortest remaining service first, stops others", NULL, NULL, &srsf},
    {"smallest", "fewest GPUs first, stops others", NULL, NULL, &smallest},
    {"las", "least attained service first, stops others", NULL, NULL, &las},
    {"2d-las", "least attained GPU time first in queues, stops others", NULL, NULL, &two_d_las},
    {"gittins", "highest Gittins index first, stops others", NULL, NULL, &gittins},
    {"tiresias", "2d-las with the queues of the Tiresias artifact", "Gu et al., NSDI 2019", NULL, &tiresias},
    {"helios-srtf", "srtf as in the Helios artifact, job by job", "Hu et al., SC 2021, artifact", NULL, &helios_srtf},
    {"helios-qssf", "quasi shortest service first as in the Helios artifact", "Hu et al., SC 2021, artifact", NULL,
     &helios_qssf},
    {"slurm", "multifactor priority with backfill for the first 100", "Slurm manual", NULL, &slurm},
    {"kubernetes", "by priority, whoever fits, spread over nodes, stops lower priorities; whole jobs at once",
     "Kubernetes manual", NULL, &kubernetes},
    {"kueue", "quotas with borrowing and reclaim", "Kueue manual", NULL, &kueue},
    {"themis", "finish-time fairness in rounds", "Mahajan et al., NSDI 2020", NULL, &themis},
    {"gavel", "max-min fair shares of each type of GPU, in rounds", "Narayanan et al., OSDI 2020", NULL, &gavel},
    {"goodput", "jobs shrink and grow for the largest sum of speed-ups", "Qiao et al., OSDI 2021", NULL, &pollux},
    {"openb-fgd", "whoever fits, where it leaves the least fragments", "Weng et al., USENIX ATC 2023", NULL, &openb},
    {"lucid-like", "shortest predicted service first, predictions from history", "Hu et al., ASPLOS 2023", NULL,
     &lucid},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char *nearest(const char *text, const struct rr_word *words)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (const struct rr_word *w = words; w->name != NULL; w++) g_ptr_array_add(names, (gpointer)(intptr_t)w->name);
	g_ptr_array_add(names, NULL);
	return rr_nearest_word(text, (const char *const *)names->pdata);
}

bool rr_scheduler_parse(const char *text, struct scheduler_spec *spec, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	const char *name = parts[0] != NULL ? parts[0] : "";
	const struct rr_word *word = rr_presets;
	while (word->name != NULL && strcmp(word->name, name) != 0) word++;
	if (word->name == NULL) {
		const char *near = nearest(name, rr_presets);
		g_set_error(error, RR_UNITS_ERROR, RR_UNITS_ERROR_SYNTAX,
			    "unknown scheduler '%s'%s%s%s (rackrent catalog policies lists them)", name,
			    near != NULL ? ", did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
		return false;
	}
	const struct rr_preset *preset = word->policy;
	g_autofree char *options = g_strjoinv(",", parts + 1);
	g_autofree char *all = g_strjoin(preset->options != NULL && options[0] != '\0' ? "," : "",
					 preset->options != NULL ? preset->options : "", options, NULL);
	*spec = (struct scheduler_spec){.text = g_strdup(text),
					.preset = g_strdup(name),
					.order = g_strdup(preset->order),
					.backfill = g_strdup(preset->backfill),
					.placement = g_strdup(preset->placement),
					.preempt = g_strdup(preset->preempt),
					.options = all[0] != '\0' ? g_strsplit(all, ",", -1) : NULL};
	if (rr_scheduler_check(spec, error)) return true;
	rr_scheduler_spec_done(spec);
	*spec = (struct scheduler_spec){0};
	return false;
}

static const struct rr_vocabulary vocabulary = {rr_orders,  rr_backfills,       rr_placements,     rr_preempts,
						rr_presets, rr_scheduler_parse, rr_scheduler_check};

const struct rr_vocabulary *rr_scheduler_vocabulary(void)
{
	return &vocabulary;
}
