/* supply.c - see supply.h. */
#include "sim/supply/supply.h"

#include <math.h>
#include <string.h>

static bool is_cloud(const struct rr_supply *s)
{
	return s->pool->spec->kind == RR_POOL_CLOUD;
}

static uint64_t argument(const struct rr_supply *s, int32_t node)
{
	return (uint64_t)(uint32_t)s->index << 32 | (uint32_t)node;
}

static int64_t gpus_of_node(const struct rr_supply *s)
{
	return s->pool->node_gpus > 0 ? s->pool->node_gpus : s->pool->gpu_limit;
}

static void serve(struct rr_supply *s, int32_t node, sim_time now)
{
	rr_meter_life_row(s->meter, s->life[node])->ready_ns = now;
	rr_pool_serve(s->pool, node);
	rr_meter_change(s->meter, s->index, RR_USE_IDLE, RR_MILLI * gpus_of_node(s), now);
}

void rr_supply_begin(struct rr_supply *s)
{
	const struct pool_spec *spec = s->pool->spec;
	int32_t nodes = s->pool->node_gpus > 0 ? s->pool->node_limit : 1;
	s->life = g_new(int32_t, (size_t)nodes);
	s->idle = g_new(struct rr_event, (size_t)nodes);
	s->kept = g_new0(bool, (size_t)nodes);
	s->sizes = g_new(int64_t, (size_t)s->pool->node_gpus + 1);
	for (int32_t n = 0; n < nodes; n++) {
		s->life[n] = -1;
		s->idle[n] = RR_EVENT_NONE;
	}
	int32_t first = is_cloud(s) ? spec->count_min : nodes;
	sim_time lead_ns = is_cloud(s) ? 0 : spec->lead_time_ns;
	for (int32_t n = 0; n < first; n++) {
		if (s->pool->node_gpus > 0) (void)rr_pool_take_off(s->pool);
		if (lead_ns > 0) {
			(void)rr_engine_at(s->engine, lead_ns, RR_PHASE_REPAIR, s->handlers.ready, argument(s, n));
			continue;
		}
		s->life[n] = rr_meter_life(s->meter, s->index, n, 0);
		serve(s, n, 0);
	}
}

void rr_supply_done(struct rr_supply *s)
{
	g_free(s->life);
	g_free(s->idle);
	g_free(s->kept);
	g_free(s->sizes);
}

/* Empty nodes that hold the narrow jobs of SIZES, filled largest first, at most LIMIT. */
static int64_t pack(int64_t *sizes, int32_t node_gpus, int64_t limit)
{
	int64_t nodes = 0;
	while (nodes < limit) {
		int64_t alike = INT64_MAX; /* nodes that can be filled just like this one */
		int32_t room = node_gpus;
		for (int32_t size = node_gpus - 1; size > 0; size--) {
			int64_t count = MIN(sizes[size], room / size);
			if (count == 0) continue;
			room -= (int32_t)count * size;
			alike = MIN(alike, sizes[size] / count);
		}
		if (alike == INT64_MAX) break;
		room = node_gpus;
		for (int32_t size = node_gpus - 1; size > 0; size--) {
			int64_t count = MIN(sizes[size], room / size);
			room -= (int32_t)count * size;
			sizes[size] -= count * alike;
		}
		nodes += alike;
	}
	return MIN(nodes, limit);
}

static int64_t nodes_for(struct rr_supply *s, const struct rr_demand *demand)
{
	if (demand->jobs == 0) return 0;
	int32_t size = s->pool->node_gpus;
	if (demand->node_gpus == 0) return (demand->gpus + size - 1) / size;
	memcpy(s->sizes, demand->by_size, (size_t)demand->node_gpus * sizeof *s->sizes);
	int64_t whole = MIN(demand->whole_nodes, s->pool->node_limit);
	return whole + pack(s->sizes, demand->node_gpus, s->pool->node_limit - whole);
}

static sim_time boot_ns(struct rr_supply *s)
{
	struct rr_stream stream;
	rr_stream_init(&stream, s->seed, RR_PURPOSE_BOOT, (uint64_t)s->index << 40 | s->requests++);
	double boot_s = rr_distribution_draw(&s->pool->spec->boot, &stream);
	return (sim_time)llround(CLAMP(boot_s, 0.0, 1e9) * (double)RR_NS_PER_S);
}

void rr_supply_request(struct rr_supply *s, const struct rr_demand *demand, int32_t booting, sim_time now)
{
	if (!is_cloud(s)) return;
	for (int64_t missing = nodes_for(s, demand) - booting; missing > 0; missing--) {
		int32_t node = rr_pool_take_off(s->pool);
		if (node < 0) return;
		s->life[node] = rr_meter_life(s->meter, s->index, node, now);
		s->booting++;
		rr_meter_change(s->meter, s->index, RR_USE_BOOTING, RR_MILLI * (int64_t)s->pool->node_gpus, now);
		sim_time at = 0;
		if (__builtin_add_overflow(now, boot_ns(s), &at)) at = INT64_MAX - 1;
		(void)rr_engine_at(s->engine, at, RR_PHASE_REPAIR, s->handlers.ready, argument(s, node));
	}
}

static void watch_idle(struct rr_supply *s, int32_t node, sim_time idle_ns, sim_time now)
{
	sim_time at = 0;
	if (!is_cloud(s) || __builtin_add_overflow(now, idle_ns, &at)) return;
	s->idle[node] = rr_engine_at(s->engine, at, RR_PHASE_REPAIR, s->handlers.idle, argument(s, node));
}

void rr_supply_ready(struct rr_supply *s, int32_t node, sim_time now)
{
	if (s->life[node] < 0)
		s->life[node] = rr_meter_life(s->meter, s->index, node, now); /* delivered */
	else {
		s->booting--;
		rr_meter_change(s->meter, s->index, RR_USE_BOOTING, -RR_MILLI * (int64_t)s->pool->node_gpus, now);
	}
	serve(s, node, now);
	/* Not before the pass that may use it: else one that boots in no time and may
	 * not stand idle would come and go for ever at one instant. */
	watch_idle(s, node, MAX(s->pool->spec->idle_ns, 1), now);
}

static void give_back(struct rr_supply *s, int32_t node, sim_time now)
{
	/* One of the least stays; when more come later, the next to empty goes. */
	if (s->pool->serving_nodes <= s->pool->spec->count_min) return;
	rr_pool_retire(s->pool, node);
	rr_meter_change(s->meter, s->index, RR_USE_IDLE, -RR_MILLI * (int64_t)s->pool->node_gpus, now);
	rr_meter_life_row(s->meter, s->life[node])->to_ns = now;
	s->life[node] = -1;
}

static bool is_waited_for(const struct rr_supply *s, int32_t head_gpus)
{
	return head_gpus > 0 && rr_pool_admits(s->pool, head_gpus);
}

static void keep(struct rr_supply *s, int32_t node, bool kept)
{
	s->kept_count += (int32_t)kept - (int32_t)s->kept[node];
	s->kept[node] = kept;
}

void rr_supply_idle(struct rr_supply *s, int32_t node, int32_t head_gpus, sim_time now)
{
	s->idle[node] = RR_EVENT_NONE;
	if (is_waited_for(s, head_gpus))
		keep(s, node, true);
	else
		give_back(s, node, now);
}

void rr_supply_release(struct rr_supply *s, int32_t head_gpus, sim_time now)
{
	if (s->kept_count == 0 || is_waited_for(s, head_gpus)) return;
	for (int32_t node = 0; node < s->pool->node_limit && s->kept_count > 0; node++) {
		if (!s->kept[node]) continue;
		keep(s, node, false);
		give_back(s, node, now);
	}
}

void rr_supply_taken(struct rr_supply *s, const int32_t *nodes, int32_t count)
{
	if (!is_cloud(s)) return;
	for (int32_t k = 0; k < count; k++) {
		(void)rr_engine_cancel(s->engine, s->idle[nodes[k]]);
		s->idle[nodes[k]] = RR_EVENT_NONE;
		keep(s, nodes[k], false);
	}
}

void rr_supply_left(struct rr_supply *s, const int32_t *nodes, int32_t count, sim_time now)
{
	if (!is_cloud(s)) return;
	for (int32_t k = 0; k < count; k++)
		if (s->pool->node_free[nodes[k]] == s->pool->node_gpus)
			watch_idle(s, nodes[k], s->pool->spec->idle_ns, now);
}
