/* shares.c - see shares.h. A change costs O(GPUs of the job). */
#include "sim/shares/shares.h"

#include <string.h>

void rr_shares_init(struct rr_shares *s, int32_t count)
{
	*s = (struct rr_shares){.nodes = g_new0(struct rr_share_node, MAX(count, 1)),
				.count = count,
				.place_of = g_new(int32_t, MAX(count, 1)),
				.node_at = g_new(int32_t, MAX(count, 1)),
				.log = g_array_new(FALSE, FALSE, sizeof(int32_t)),
				.log_from = 1,
				.changed = g_new0(uint64_t, MAX(count, 1))};
	for (int32_t i = 0; i < count; i++) s->place_of[i] = s->node_at[i] = i;
}

void rr_shares_done(struct rr_shares *s)
{
	g_free(s->nodes);
	g_free(s->place_of);
	g_free(s->node_at);
	g_array_unref(s->log);
	g_free(s->changed);
}

uint64_t rr_shares_now(const struct rr_shares *s)
{
	return s->log_from + s->log->len;
}

/* Old changes are forgotten when the log is longer than looking at all nodes anew
 * a few times. */
static void write_down(struct rr_shares *s, int32_t node)
{
	guint most = 4 * (guint)s->count + 1024;
	s->changed[node] = rr_shares_now(s);
	g_array_append_val(s->log, node);
	if (s->log->len < most) return;
	g_array_remove_range(s->log, 0, most / 2);
	s->log_from += most / 2;
}

void rr_shares_set(struct rr_shares *s, int32_t node, int32_t pool, int32_t gpus, int64_t cpu_milli, int64_t ram_bytes)
{
	struct rr_share_node *n = &s->nodes[node];
	*n = (struct rr_share_node){.cpu_milli = cpu_milli,
				    .ram_bytes = ram_bytes,
				    .milli_left = gpus * RR_WHOLE_GPU,
				    .gpus = (int8_t)gpus,
				    .pool = (uint8_t)pool};
	for (int32_t i = 0; i < gpus; i++) n->left[i] = RR_WHOLE_GPU;
	write_down(s, node);
}

void rr_shares_serve(struct rr_shares *s, int32_t node, bool serves)
{
	s->nodes[node].serves = serves;
	write_down(s, node);
}

void rr_shares_order(struct rr_shares *s, const int32_t *node_at)
{
	memcpy(s->node_at, node_at, (size_t)s->count * sizeof *node_at);
	for (int32_t i = 0; i < s->count; i++) s->place_of[s->node_at[i]] = i;
}

bool rr_share_fits(const struct rr_share_node *n, const struct rr_ask *ask)
{
	int32_t enough = 0;
	if (!n->serves || n->cpu_milli < ask->cpu_milli || n->ram_bytes < ask->ram_bytes) return false;
	if (ask->gpus == 0) return true;
	if ((ask->pools >> n->pool & 1) == 0 || ask->gpus > n->gpus) return false;
	for (int32_t i = 0; i < n->gpus; i++) enough += n->left[i] >= ask->gpu_milli;
	return enough >= ask->gpus;
}

uint32_t rr_share_lowest(const struct rr_share_node *n, const struct rr_ask *ask)
{
	uint32_t mask = 0;
	int32_t missing = ask->gpus;
	for (int32_t i = 0; i < n->gpus && missing > 0; i++) {
		if (n->left[i] < ask->gpu_milli) continue;
		mask |= UINT32_C(1) << i;
		missing--;
	}
	return mask;
}

static void change(struct rr_shares *s, int32_t node, const struct rr_ask *ask, uint32_t mask, int sign)
{
	struct rr_share_node *n = &s->nodes[node];
	if (n->cpu_milli != INT64_MAX) n->cpu_milli -= sign * ask->cpu_milli;
	if (n->ram_bytes != INT64_MAX) n->ram_bytes -= sign * ask->ram_bytes;
	for (int32_t i = 0; i < n->gpus; i++) {
		if ((mask >> i & 1) == 0) continue;
		n->left[i] = (int16_t)(n->left[i] - sign * ask->gpu_milli);
		n->milli_left -= sign * ask->gpu_milli;
		g_assert(n->left[i] >= 0 && n->left[i] <= RR_WHOLE_GPU);
	}
	if (ask->gpus > 0) {
		int16_t *holds = &n->holds[ask->gpu_milli < RR_WHOLE_GPU ? 0 : ask->gpus];
		n->kinds = (int8_t)(n->kinds - (*holds > 0));
		*holds = (int16_t)(*holds + sign);
		n->kinds = (int8_t)(n->kinds + (*holds > 0));
	}
	write_down(s, node);
}

void rr_shares_take(struct rr_shares *s, int32_t node, const struct rr_ask *ask, uint32_t mask)
{
	change(s, node, ask, mask, 1);
}

void rr_shares_give(struct rr_shares *s, int32_t node, const struct rr_ask *ask, uint32_t mask)
{
	change(s, node, ask, mask, -1);
}
