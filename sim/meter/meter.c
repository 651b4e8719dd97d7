/* meter.c - exact integrals of what GPUs do.
 *
 * A change costs one multiplication per use and, where no hour ended since the
 * last one, one bin. */
#include "sim/meter/meter.h"

#include <string.h>

enum { MILLI = 1000 };

struct dial {
	int64_t milli[RR_USE_COUNT]; /* thousandths of a GPU */
	int64_t waiting;             /* the same */
	struct rr_pool_state state;
	sim_time since;
	int32_t nodes_alive;
};

struct rr_meter {
	struct usage *usage;
	struct dial *dials; /* one per pool */
	int32_t pool_count;
	size_t hours_made;
	GArray *lives;
};

static size_t hours_of(sim_time ns)
{
	return (size_t)((ns + RR_NS_PER_HOUR - 1) / RR_NS_PER_HOUR);
}

struct rr_meter *rr_meter_new(struct usage *usage)
{
	struct rr_meter *m = g_new0(struct rr_meter, 1);
	const struct fleet_spec *fleet = &usage->scenario->fleets[usage->fleet];
	m->usage = usage;
	m->pool_count = fleet->pool_count;
	m->dials = g_new0(struct dial, (size_t)m->pool_count);
	m->hours_made = MAX(hours_of(usage->scenario->horizon_ns), 24);
	m->lives = g_array_new(FALSE, FALSE, sizeof(struct node_life));
	usage->pools = g_new0(struct pool_usage, (size_t)m->pool_count);
	for (int32_t p = 0; p < m->pool_count; p++) usage->pools[p].hours = g_new0(struct hour_use, m->hours_made);
	usage->nodes = g_array_sized_new(FALSE, FALSE, sizeof(int32_t), (guint)MIN(usage->jobs->count, G_MAXINT32));
	usage->stops = g_array_new(FALSE, FALSE, sizeof(struct stop));
	usage->records = g_new0(struct job_record, usage->jobs->count);
	for (size_t i = 0; i < usage->jobs->count; i++) {
		struct job_record *r = &usage->records[i];
		r->start_ns = r->end_ns = -1;
		r->pool = -1;
		r->state = RR_JOB_WAITING;
	}
	return m;
}

static void make_hours(struct rr_meter *m, size_t needed)
{
	if (needed <= m->hours_made) return;
	size_t more = MAX(needed, m->hours_made * 2);
	for (int32_t p = 0; p < m->pool_count; p++) {
		struct pool_usage *pool = &m->usage->pools[p];
		pool->hours = g_renew(struct hour_use, pool->hours, more);
		memset(&pool->hours[m->hours_made], 0, (more - m->hours_made) * sizeof(struct hour_use));
	}
	m->hours_made = more;
}

static void add_to(rr_milli_gpu_ns *use, const struct dial *d, sim_time span_ns)
{
	for (int u = 0; u < RR_USE_COUNT; u++) use[u] += (rr_milli_gpu_ns)d->milli[u] * span_ns;
}

/* Brings pool P up to NOW. */
static void integrate(struct rr_meter *m, int32_t p, sim_time now)
{
	struct dial *d = &m->dials[p];
	struct pool_usage *pool = &m->usage->pools[p];
	if (now == d->since) return;
	add_to(pool->use, d, now - d->since);
	rr_milli_gpu_ns idle = (rr_milli_gpu_ns)d->milli[RR_USE_IDLE] * (now - d->since);
	if (d->state.fragmented) pool->fragmented += idle;
	if (d->state.stranded) pool->stranded += idle;
	pool->fragments += (rr_milli_gpu_ns)d->state.fragments * (now - d->since);
	pool->blocked_ns[d->state.blocked] += now - d->since;
	make_hours(m, hours_of(now));
	pool = &m->usage->pools[p];
	for (sim_time at = d->since; at < now;) {
		size_t hour = (size_t)(at / RR_NS_PER_HOUR);
		sim_time until = MIN(now, (sim_time)(hour + 1) * RR_NS_PER_HOUR);
		add_to(pool->hours[hour].use, d, until - at);
		pool->hours[hour].waiting += (rr_milli_gpu_ns)d->waiting * (until - at);
		pool->hours[hour].fragments += (rr_milli_gpu_ns)d->state.fragments * (until - at);
		if (d->state.stranded)
			pool->hours[hour].stranded += (rr_milli_gpu_ns)d->milli[RR_USE_IDLE] * (until - at);
		at = until;
	}
	d->since = now;
}

void rr_meter_change(struct rr_meter *m, int32_t pool, enum rr_gpu_use use, int64_t milli, sim_time now)
{
	integrate(m, pool, now);
	m->dials[pool].milli[use] += milli;
	g_assert(m->dials[pool].milli[use] >= 0);
}

void rr_meter_waiting(struct rr_meter *m, int32_t pool, int64_t milli, sim_time now)
{
	integrate(m, pool, now);
	m->dials[pool].waiting += milli;
}

void rr_meter_state(struct rr_meter *m, int32_t pool, const struct rr_pool_state *state, sim_time now)
{
	struct rr_pool_state *old = &m->dials[pool].state;
	if (old->blocked == state->blocked && old->fragmented == state->fragmented &&
	    old->stranded == state->stranded && old->fragments == state->fragments)
		return;
	integrate(m, pool, now);
	*old = *state;
}

int32_t rr_meter_life(struct rr_meter *m, int32_t pool, int32_t node, sim_time now)
{
	struct node_life life = {.from_ns = now, .ready_ns = -1, .to_ns = -1, .pool = pool, .node = node};
	g_array_append_val(m->lives, life);
	return (int32_t)m->lives->len - 1;
}

struct node_life *rr_meter_life_row(struct rr_meter *m, int32_t life)
{
	return &g_array_index(m->lives, struct node_life, life);
}

/* Lifetimes are summed from the lives, not from the dials: law 1 compares them. */
static void close_lives(struct rr_meter *m, sim_time now)
{
	const struct fleet_spec *fleet = &m->usage->scenario->fleets[m->usage->fleet];
	for (guint i = 0; i < m->lives->len; i++) {
		struct node_life *life = rr_meter_life_row(m, (int32_t)i);
		if (life->to_ns < 0) life->to_ns = now;
		if (life->ready_ns < 0) life->ready_ns = now;
		const struct pool_spec *spec = &fleet->pools[life->pool];
		int64_t gpus = spec->gpus_per_node > 0 ? spec->gpus_per_node : spec->count_max;
		m->usage->pools[life->pool].lifetime += (rr_milli_gpu_ns)(gpus * MILLI) * (life->to_ns - life->from_ns);
	}
}

/* Most lives of POOL at once, from their ends in order of time. */
static gint compare_times(gconstpointer a, gconstpointer b)
{
	sim_time x = *(const sim_time *)a, y = *(const sim_time *)b;
	return x < y ? -1 : x > y;
}

static int32_t peak_of(const struct rr_meter *m, int32_t pool)
{
	g_autoptr(GArray) begins = g_array_new(FALSE, FALSE, sizeof(sim_time));
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(sim_time));
	for (guint i = 0; i < m->lives->len; i++) {
		const struct node_life *life = &g_array_index(m->lives, struct node_life, i);
		if (life->pool != pool) continue;
		g_array_append_val(begins, life->from_ns);
		g_array_append_val(ends, life->to_ns);
	}
	g_array_sort(begins, compare_times);
	g_array_sort(ends, compare_times);
	int32_t peak = 0;
	for (guint b = 0, e = 0; b < begins->len; b++) {
		while (g_array_index(ends, sim_time, e) <= g_array_index(begins, sim_time, b) && e < b) e++;
		peak = MAX(peak, (int32_t)(b + 1 - e));
	}
	return peak;
}

void rr_meter_close(struct rr_meter *m, sim_time now)
{
	struct usage *usage = m->usage;
	for (int32_t p = 0; p < m->pool_count; p++) integrate(m, p, now);
	close_lives(m, now);
	for (int32_t p = 0; p < m->pool_count; p++) usage->pools[p].nodes_peak = peak_of(m, p);
	usage->end_ns = now;
	usage->hour_count = hours_of(now);
	usage->life_count = m->lives->len;
	usage->lives = (struct node_life *)(void *)g_array_free(m->lives, FALSE);
	g_free(m->dials);
	g_free(m);
}
