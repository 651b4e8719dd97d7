#include "sim/scheduler/predict.h"

#include "models/random/random.h"
#include "sim/scheduler/names.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* A mean by a key; the hash tables are only ever asked, never walked over. */
struct entry {
	int64_t key;
	struct rr_recent recent;
	int32_t root; /* of the user's names */
};

struct rr_predictor {
	double decay;
	struct rr_recent all;
	GHashTable *by_gpus, *by_user, *by_user_gpus; /* int64_t -> struct entry */
	struct rr_names names;
};

static int64_t user_gpus(uint32_t user, int32_t gpus)
{
	return (int64_t)((uint64_t)user << 32 | (uint32_t)gpus);
}

static GHashTable *table_new(void)
{
	return g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
}

struct rr_predictor *rr_predict_new(double decay)
{
	g_assert(decay > 0 && decay <= 1);
	struct rr_predictor *p = g_new0(struct rr_predictor, 1);
	p->decay = decay;
	p->by_gpus = table_new();
	p->by_user = table_new();
	p->by_user_gpus = table_new();
	rr_names_init(&p->names);
	return p;
}

void rr_predict_free(struct rr_predictor *predictor)
{
	if (predictor == NULL) return;
	g_hash_table_unref(predictor->by_gpus);
	g_hash_table_unref(predictor->by_user);
	g_hash_table_unref(predictor->by_user_gpus);
	rr_names_done(&predictor->names);
	g_free(predictor);
}

/* The entry of KEY, made when it is not there. */
static struct entry *entry_of(GHashTable *table, int64_t key)
{
	struct entry *entry = g_hash_table_lookup(table, &key);
	if (entry != NULL) return entry;
	entry = g_new0(struct entry, 1);
	entry->key = key;
	entry->root = -1;
	g_hash_table_insert(table, &entry->key, entry);
	return entry;
}

void rr_predict_learn(struct rr_predictor *predictor, uint32_t user, const char *name, int32_t gpus, double duration_s)
{
	struct rr_predictor *p = predictor;
	struct entry *of_user = entry_of(p->by_user, user);
	rr_recent_learn(&p->all, duration_s, p->decay);
	rr_recent_learn(&entry_of(p->by_gpus, gpus)->recent, duration_s, p->decay);
	rr_recent_learn(&entry_of(p->by_user_gpus, user_gpus(user, gpus))->recent, duration_s, p->decay);
	rr_recent_learn(&of_user->recent, duration_s, p->decay);
	if (name == NULL || name[0] == '\0') return;
	if (of_user->root < 0) of_user->root = rr_names_new_tree(&p->names);
	rr_names_learn(&p->names, of_user->root, name, duration_s, p->decay);
}

/* By the user's names, or NULL. */
static const struct rr_recent *by_name(const struct rr_predictor *p, uint32_t user, const char *name,
				       enum rr_predict_source *source)
{
	int64_t key = user;
	const struct entry *of_user = g_hash_table_lookup(p->by_user, &key);
	if (of_user == NULL || of_user->root < 0 || name == NULL || name[0] == '\0') return NULL;
	const struct rr_recent *exact, *similar;
	size_t shared;
	rr_names_find(&p->names, of_user->root, name, &exact, &similar, &shared);
	*source = exact != NULL ? RR_PREDICT_NAME : RR_PREDICT_SIMILAR_NAME;
	if (exact != NULL) return exact;
	return 2 * shared >= strlen(name) ? similar : NULL;
}

static const struct rr_recent *by_key(GHashTable *table, int64_t key)
{
	const struct entry *entry = g_hash_table_lookup(table, &key);
	return entry != NULL ? &entry->recent : NULL;
}

double rr_predict_ask(const struct rr_predictor *predictor, uint32_t user, const char *name, int32_t gpus,
		      double otherwise_s, enum rr_predict_source *source)
{
	const struct rr_predictor *p = predictor;
	enum rr_predict_source from = RR_PREDICT_NOTHING;
	const struct rr_recent *recent = by_name(p, user, name, &from);
	if (recent == NULL) {
		from = RR_PREDICT_USER_GPUS;
		recent = by_key(p->by_user_gpus, user_gpus(user, gpus));
	}
	if (recent == NULL) {
		from = RR_PREDICT_USER;
		recent = by_key(p->by_user, user);
	}
	if (recent == NULL) {
		from = RR_PREDICT_GPUS;
		recent = by_key(p->by_gpus, gpus);
	}
	if (recent == NULL) {
		from = p->all.weight > 0 ? RR_PREDICT_ALL : RR_PREDICT_NOTHING;
		recent = &p->all;
	}
	if (source != NULL) *source = from;
	return from == RR_PREDICT_NOTHING ? otherwise_s : rr_recent_mean(recent);
}

double rr_predict_blurred(double truth_s, double sigma, uint64_t seed, uint64_t job)
{
	if (!(sigma > 0)) return truth_s;
	struct rr_stream stream;
	rr_stream_init(&stream, seed, RR_PURPOSE_ESTIMATE, job);
	return truth_s * exp(sigma * gsl_cdf_ugaussian_Pinv(rr_stream_unit(&stream)));
}
