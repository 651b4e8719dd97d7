/* scoring.c - tournaments of nodes, one for each kind of ask; see scoring.h. */
#include "sim/scheduler/scoring.h"

#include "models/random/random.h"

#include <string.h>

struct tournament {
	struct rr_ask ask;
	int8_t *scores;     /* heap of maxima, leaves by place; -1 = does not fit; NULL = forgotten */
	uint64_t seen;      /* changes before this number are in */
	uint64_t last_used; /* for forgetting */
};

struct rr_scorer {
	struct rr_shares *shares;
	enum rr_scoring scoring;
	const struct rr_typical *typical;
	GArray *kinds; /* struct tournament */
	GHashTable *numbers;
	int32_t leaves;
	size_t held_bytes;
	uint64_t uses;
	struct rr_stream luck;
};

/* Beyond this the tournaments asked for longest ago go. */
static const size_t bytes_most = (size_t)256 << 20;

static guint hash_ask(gconstpointer data)
{
	const struct rr_ask *a = data;
	uint64_t x = (uint64_t)a->cpu_milli * 0x9e3779b97f4a7c15u + (uint64_t)a->ram_bytes * 0xff51afd7ed558ccdu +
		     (uint64_t)a->gpus * 1000003u + (uint64_t)a->gpu_milli * 8191u + a->pools * 0xc2b2ae3d27d4eb4fu;
	return (guint)(x ^ x >> 32);
}

static gboolean same_ask(gconstpointer a, gconstpointer b)
{
	const struct rr_ask *x = a, *y = b;
	return x->cpu_milli == y->cpu_milli && x->ram_bytes == y->ram_bytes && x->gpus == y->gpus &&
	       x->gpu_milli == y->gpu_milli && x->pools == y->pools;
}

struct rr_scorer *rr_scorer_new(struct rr_shares *shares, enum rr_scoring scoring, const struct rr_typical *typical,
				uint64_t seed)
{
	struct rr_scorer *s = g_new0(struct rr_scorer, 1);
	*s = (struct rr_scorer){.shares = shares,
				.scoring = scoring,
				.typical = typical,
				.kinds = g_array_new(FALSE, TRUE, sizeof(struct tournament)),
				.numbers = g_hash_table_new_full(hash_ask, same_ask, g_free, NULL),
				.leaves = 1};
	while (s->leaves < shares->count) s->leaves *= 2;
	rr_stream_init(&s->luck, seed, RR_PURPOSE_PLACEMENT, 0);
	return s;
}

void rr_scorer_free(struct rr_scorer *s)
{
	if (s == NULL) return;
	for (guint i = 0; i < s->kinds->len; i++) g_free(g_array_index(s->kinds, struct tournament, i).scores);
	g_array_unref(s->kinds);
	g_hash_table_unref(s->numbers);
	g_free(s);
}

int32_t rr_scorer_kind(struct rr_scorer *s, const struct rr_ask *ask)
{
	gpointer known = g_hash_table_lookup(s->numbers, ask);
	if (known != NULL) return GPOINTER_TO_INT(known) - 1;
	struct tournament t = {.ask = *ask};
	g_array_append_val(s->kinds, t);
	g_hash_table_insert(s->numbers, g_memdup2(ask, sizeof *ask), GUINT_TO_POINTER(s->kinds->len));
	return (int32_t)s->kinds->len - 1;
}

const struct rr_ask *rr_scorer_ask(const struct rr_scorer *s, int32_t kind)
{
	return &g_array_index(s->kinds, struct tournament, kind).ask;
}

static int8_t score_of(const struct rr_scorer *s, const struct rr_ask *ask, int32_t node)
{
	const struct rr_share_node *n = &s->shares->nodes[node];
	uint32_t mask = 0;
	if (!rr_share_fits(n, ask)) return -1;
	return (int8_t)CLAMP(rr_score(s->scoring, s->typical, n, ask, &mask), 0, 100);
}

static void rescore(const struct rr_scorer *s, struct tournament *t, int32_t node)
{
	int32_t at = s->leaves + s->shares->place_of[node];
	int8_t score = score_of(s, &t->ask, node);
	if (t->scores[at] == score) return;
	t->scores[at] = score;
	while (at > 1) {
		at /= 2;
		int8_t best = MAX(t->scores[2 * at], t->scores[2 * at + 1]);
		if (t->scores[at] == best) return;
		t->scores[at] = best;
	}
}

static void build(const struct rr_scorer *s, struct tournament *t)
{
	memset(t->scores, -1, 2 * (size_t)s->leaves);
	for (int32_t node = 0; node < s->shares->count; node++)
		t->scores[s->leaves + s->shares->place_of[node]] = score_of(s, &t->ask, node);
	for (int32_t at = s->leaves - 1; at >= 1; at--) t->scores[at] = MAX(t->scores[2 * at], t->scores[2 * at + 1]);
}

/* Room for one more tournament: the one not asked for longest goes. */
static void make_room(struct rr_scorer *s)
{
	size_t bytes = 2 * (size_t)s->leaves;
	while (s->held_bytes + bytes > bytes_most && s->held_bytes > 0) {
		struct tournament *oldest = NULL;
		for (guint i = 0; i < s->kinds->len; i++) {
			struct tournament *t = &g_array_index(s->kinds, struct tournament, i);
			if (t->scores != NULL && (oldest == NULL || t->last_used < oldest->last_used)) oldest = t;
		}
		if (oldest == NULL) break;
		g_clear_pointer(&oldest->scores, g_free);
		s->held_bytes -= bytes;
	}
	s->held_bytes += bytes;
}

/* KIND's tournament with all changes in it. */
static struct tournament *refresh(struct rr_scorer *s, int32_t kind)
{
	struct tournament *t = &g_array_index(s->kinds, struct tournament, kind);
	struct rr_shares *shares = s->shares;
	bool fresh = t->scores == NULL;
	t->last_used = ++s->uses;
	if (fresh) {
		make_room(s);
		t->scores = g_new(int8_t, 2 * (size_t)s->leaves);
	}
	if (fresh || t->seen < shares->log_from)
		build(s, t);
	else
		for (uint64_t i = t->seen; i < rr_shares_now(shares); i++) {
			int32_t node = g_array_index(shares->log, int32_t, i - shares->log_from);
			if (shares->changed[node] == i) rescore(s, t, node); /* else it changed again later */
		}
	t->seen = rr_shares_now(shares);
	return t;
}

bool rr_scorer_fits(struct rr_scorer *s, int32_t kind)
{
	return refresh(s, kind)->scores[1] >= 0;
}

static int32_t first_best(const struct rr_scorer *s, const struct tournament *t)
{
	int32_t at = 1;
	while (at < s->leaves) at = t->scores[2 * at] == t->scores[1] ? 2 * at : 2 * at + 1;
	return s->shares->node_at[at - s->leaves];
}

/* Any node that fits, all alike: by drawing, and by looking at all when few fit. */
static int32_t any_node(struct rr_scorer *s, const struct tournament *t)
{
	enum { TRIES = 64 };
	uint32_t count = (uint32_t)s->shares->count, seen = 0;
	int32_t found = -1;
	for (int i = 0; i < TRIES; i++) {
		int32_t place = (int32_t)(rr_stream_u64(&s->luck) % count);
		if (t->scores[s->leaves + place] >= 0) return s->shares->node_at[place];
	}
	for (uint32_t place = 0; place < count; place++)
		if (t->scores[s->leaves + (int32_t)place] >= 0 && rr_stream_u64(&s->luck) % ++seen == 0)
			found = s->shares->node_at[place];
	return found;
}

static uint32_t any_gpu(struct rr_scorer *s, const struct rr_share_node *n, const struct rr_ask *ask)
{
	uint32_t seen = 0, mask = 0;
	for (int32_t i = 0; i < n->gpus; i++)
		if (n->left[i] >= ask->gpu_milli && rr_stream_u64(&s->luck) % ++seen == 0) mask = UINT32_C(1) << i;
	return mask;
}

bool rr_scorer_pick(struct rr_scorer *s, int32_t kind, struct rr_pick *pick)
{
	const struct tournament *t = refresh(s, kind);
	if (t->scores[1] < 0) return false;
	bool random = s->scoring == RR_SCORE_RANDOM;
	pick->node = random ? any_node(s, t) : first_best(s, t);
	const struct rr_share_node *n = &s->shares->nodes[pick->node];
	pick->score = rr_score(s->scoring, s->typical, n, &t->ask, &pick->mask);
	if (random && t->ask.gpus == 1 && t->ask.gpu_milli < RR_WHOLE_GPU) pick->mask = any_gpu(s, n, &t->ask);
	return true;
}
