/* lanes.c - who waits, by tenant and kind of constraint, and what quotas allow.
 *
 * The next job that fits is the best of the lanes' own, so a search costs
 * O(lanes x log n); there is one lane unless tenants have shares or limits, or
 * jobs have constraints. */
#include "sim/scheduler/scored.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------- tenants */

static int32_t add_tenant(struct rr_scheduler *s, const char *name)
{
	if (s->tenant_count == s->tenant_capacity) {
		s->tenant_capacity = MAX(2 * s->tenant_capacity, 16);
		s->tenants = g_renew(struct rr_tenant, s->tenants, s->tenant_capacity);
	}
	s->tenants[s->tenant_count] = (struct rr_tenant){.parent = -1, .weight = 1};
	g_hash_table_insert(s->tenant_names, g_strdup(name), GINT_TO_POINTER(s->tenant_count + 1));
	return s->tenant_count++;
}

void rr_tenants_begin(struct rr_scheduler *s)
{
	const struct fleet_spec *fleet = s->fleet;
	s->tenant_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->by_tenant = s->order->tenant != NULL || fleet->queue_count > 0 || s->order->by_tenant;
	(void)add_tenant(s, s->by_tenant ? "\n" : ""); /* 0: jobs of nobody */
	for (int32_t i = 0; i < fleet->queue_count; i++) {
		const struct queue_spec *spec = &fleet->queues[i];
		struct rr_tenant *t = &s->tenants[add_tenant(s, spec->name)];
		t->spec = spec;
		t->weight = spec->weight;
		t->parent = spec->parent >= 0 ? spec->parent + 1 : -1;
		s->guarantees |= spec->guaranteed > 0;
	}
}

static int32_t tenant_named(const struct rr_scheduler *s, const char *name)
{
	return name[0] == '\0' ? -1 : GPOINTER_TO_INT(g_hash_table_lookup(s->tenant_names, name)) - 1;
}

/* The tenant whose queue has that name, or -1: not one that only came with a job. */
static int32_t queue_named(const struct rr_scheduler *s, const char *name)
{
	int32_t found = tenant_named(s, name);
	return found >= 0 && s->tenants[found].spec != NULL ? found : -1;
}

int32_t rr_tenant_of(struct rr_scheduler *s, int32_t job)
{
	const struct job *j = rr_job(s, job);
	const uint32_t texts[] = {j->tenant, j->klass, j->pool};
	if (!s->by_tenant) return 0;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		int32_t found = queue_named(s, rr_jobs_get_text(s->jobs, texts[i]));
		if (found >= 0) return found;
	}
	if (queue_named(s, "default") >= 0) return queue_named(s, "default");
	const char *name = rr_jobs_get_text(s->jobs, j->tenant != 0 ? j->tenant : j->pool);
	if (name[0] == '\0') return 0;
	int32_t known = tenant_named(s, name);
	return known >= 0 ? known : add_tenant(s, name);
}

double rr_tenant_used(const struct rr_scheduler *s, int32_t tenant, sim_time now)
{
	const struct rr_tenant *t = &s->tenants[tenant];
	double span_s = (double)(now - t->as_of_ns) / (double)RR_NS_PER_S;
	double half_life_s = (double)s->settings.half_life_ns / (double)RR_NS_PER_S;
	if (half_life_s <= 0) return t->used + (double)t->held * span_s;
	double rate = G_LN2 / half_life_s, kept = exp(-rate * span_s);
	return t->used * kept + (double)t->held * (1 - kept) / rate;
}

void rr_tenant_change(struct rr_scheduler *s, int32_t job, int32_t tenant, int sign, sim_time now)
{
	if (!s->by_tenant) return;
	int64_t gpus = sign * (int64_t)rr_job_gpus(s, job);
	int32_t needs = rr_job(s, job)->needs;
	const struct job_needs *asked = needs > 0 ? &s->jobs->needs[needs - 1] : NULL;
	for (int32_t at = tenant; at >= 0; at = s->tenants[at].parent) {
		struct rr_tenant *t = &s->tenants[at];
		t->used = rr_tenant_used(s, at, now);
		t->as_of_ns = now;
		t->held += gpus;
		t->running += sign;
		if (asked == NULL) continue;
		t->cpu_milli += sign * (double)asked->cpu_milli;
		t->ram_bytes += sign * (double)asked->ram_bytes;
	}
}

void rr_tenant_promise(struct rr_scheduler *s, int32_t tenant, int32_t job, int sign)
{
	for (int32_t at = tenant; at >= 0; at = s->tenants[at].parent) {
		s->tenants[at].promised += sign * (int64_t)rr_job_gpus(s, job);
		s->tenants[at].chosen += sign;
	}
}

/* -------------------------------------------------------------------- quotas */

static int64_t limit_of(const struct queue_spec *spec)
{
	int64_t most = spec->most > 0 ? spec->most : INT64_MAX;
	return spec->borrow ? most : MIN(most, spec->guaranteed);
}

int64_t rr_quota_limit(const struct rr_scheduler *s, int32_t tenant)
{
	int64_t limit = INT64_MAX;
	for (int32_t at = tenant; at >= 0; at = s->tenants[at].parent)
		if (s->tenants[at].spec != NULL) limit = MIN(limit, limit_of(s->tenants[at].spec));
	return limit;
}

int64_t rr_quota_room(const struct rr_scheduler *s, int32_t tenant)
{
	int64_t room = INT64_MAX;
	if (s->fleet->queue_count == 0 || s->planning) return room;
	for (int32_t at = tenant; at >= 0; at = s->tenants[at].parent) {
		const struct rr_tenant *t = &s->tenants[at];
		if (t->spec == NULL) continue;
		if (t->spec->most_jobs > 0 && t->running + t->chosen >= t->spec->most_jobs) return 0;
		room = MIN(room, MAX(limit_of(t->spec) - t->held - t->promised, 0));
	}
	return room;
}

bool rr_quota_allows(const struct rr_scheduler *s, int32_t tenant, int64_t gpus)
{
	return gpus <= rr_quota_room(s, tenant);
}

bool rr_quota_borrows(const struct rr_scheduler *s, int32_t tenant, int64_t gpus)
{
	const struct rr_tenant *t = &s->tenants[tenant];
	return t->held + gpus > (t->spec != NULL ? t->spec->guaranteed : 0);
}

/* --------------------------------------------------------------------- lanes */

/* Which pools of the partition a lane's jobs may use; NULL = all of them. */
static bool *pools_for(const struct rr_partition *p, int32_t needs)
{
	if (needs == 0) return NULL;
	bool *allowed = g_new0(bool, (size_t)p->pool_count);
	for (int32_t i = 0; i < p->pool_count; i++)
		allowed[i] = rr_pool_suits(rr_partition_pool(p, p->pools[i]), p->scheduler->jobs,
					   &p->scheduler->jobs->needs[needs - 1]);
	return allowed;
}

int32_t rr_lane_for(struct rr_partition *p, int32_t job)
{
	struct rr_scheduler *s = p->scheduler;
	int32_t tenant = rr_tenant_of(s, job), needs = rr_job(s, job)->needs;
	int32_t kind = s->preempt->resizes ? -1 : rr_scored_kind(p, job);
	for (int32_t i = 0; i < p->lane_count; i++)
		if (p->lanes[i].tenant == tenant && p->lanes[i].needs == needs && p->lanes[i].kind == kind) return i;
	if (p->lane_count == p->lane_capacity) {
		p->lane_capacity = MAX(2 * p->lane_capacity, 4);
		p->lanes = g_renew(struct rr_lane, p->lanes, p->lane_capacity);
	}
	struct rr_lane *lane = &p->lanes[p->lane_count];
	*lane = (struct rr_lane){
	    .tenant = tenant, .needs = needs, .kind = kind, .pools = pools_for(p, needs), .cursor = RR_SPOT_FRONT};
	rr_queue_init(&lane->queue, s->members, p->node_gpus > 0 ? p->node_gpus : INT32_MAX);
	return p->lane_count++;
}

bool rr_partition_allows(const struct rr_partition *p, int32_t place, int32_t job)
{
	const struct rr_scheduler *s = p->scheduler;
	const struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
	if (lane->pools != NULL && !lane->pools[place]) return false;
	if (rr_job(s, job)->speeds == 0) return true;
	return rr_job_speed(s->jobs, job, rr_partition_pool(p, p->pools[place])->spec, rr_job_gpus(s, job)) > 0;
}

/* Keeps the count of waiting jobs by size, for whoever provisions nodes. */
static void count_waiting(struct rr_partition *p, int32_t gpus, int64_t by)
{
	p->waiting += by;
	p->waiting_gpus += by * gpus;
	if (p->node_gpus == 0) return;
	p->whole_nodes += by * (gpus / p->node_gpus);
	int32_t rest = gpus % p->node_gpus;
	if (rest > 0) p->of_size[rest] += by;
}

void rr_partition_wait(struct rr_partition *p, int32_t job, enum rr_turn turn, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
	int32_t gpus = rr_job_gpus(s, job);
	rr_queue_insert(&lane->queue, job, rr_job_spot(p, job, now, turn), gpus, rr_job_estimate(s, job));
	s->tenants[lane->tenant].waiting++;
	s->where[job] = RR_WHERE_LANE;
	if (p->plan != NULL) g_array_append_val(p->arrived, job);
	count_waiting(p, gpus, 1);
}

void rr_partition_leave(struct rr_partition *p, int32_t job)
{
	struct rr_scheduler *s = p->scheduler;
	struct rr_lane *lane = &p->lanes[s->lane_of_job[job]];
	bool promised = s->where[job] == RR_WHERE_PROMISED;
	rr_queue_remove(promised ? &p->promised : &lane->queue, job);
	if (promised) rr_tenant_promise(s, lane->tenant, job, -1);
	s->tenants[lane->tenant].waiting--;
	s->where[job] = RR_WHERE_NOWHERE;
	rr_step_cancel(s, job);
	if (p->nominated == job) p->nominated = -1;
	count_waiting(p, rr_job_gpus(s, job), -1);
}

struct rr_room rr_lane_room(const struct rr_partition *p, const struct rr_lane *lane, const struct rr_room *room)
{
	struct rr_room own = *room;
	if (lane->kind >= 0 && !room->later)
		own.narrow = own.wide = rr_scorer_fits(p->scorer, lane->kind) ? INT64_MAX : 0;
	else if (lane->pools != NULL && !room->later && p->pool_count > 1) {
		int64_t narrow = 0, wide = 0;
		for (int32_t i = 0; i < p->pool_count; i++) {
			const struct rr_pool *pool = rr_partition_pool(p, p->pools[i]);
			if (!lane->pools[i]) continue;
			narrow = MAX(narrow, p->node_gpus > 0 ? rr_pool_widest_free(pool) : pool->free_gpus);
			wide = MAX(wide, pool->free_gpus);
		}
		own.narrow = MIN(own.narrow, narrow);
		own.wide = MIN(own.wide, wide);
	}
	/* One GPU on each of several nodes: the widest free node does not matter. */
	if (lane->needs > 0 && p->scheduler->jobs->needs[lane->needs - 1].spread) own.narrow = own.wide;
	int64_t quota = rr_quota_room(p->scheduler, lane->tenant);
	own.narrow = MIN(own.narrow, quota);
	own.wide = MIN(own.wide, quota);
	return own;
}

/* Is A, of lane X, before B of lane Y? */
static bool before(const struct rr_partition *p, const struct rr_lane *x, int32_t a, const struct rr_lane *y, int32_t b)
{
	const struct rr_scheduler *s = p->scheduler;
	if (s->guarantees) { /* those within their own share go before those who borrow */
		bool lent_a = rr_quota_borrows(s, x->tenant, rr_job_gpus(s, a));
		bool lent_b = rr_quota_borrows(s, y->tenant, rr_job_gpus(s, b));
		if (lent_a != lent_b) return lent_b;
	}
	if (s->order->tenant != NULL && x->tenant_key != y->tenant_key) return x->tenant_key < y->tenant_key;
	return rr_spot_before(s->members[a].spot, s->members[b].spot);
}

static void refresh_tenant_keys(struct rr_partition *p)
{
	const struct rr_scheduler *s = p->scheduler;
	if (s->order->tenant == NULL) return;
	for (int32_t i = 0; i < p->lane_count; i++)
		p->lanes[i].tenant_key = s->order->tenant(s, p->lanes[i].tenant, s->now);
}

int32_t rr_partition_first(struct rr_partition *p)
{
	const struct rr_scheduler *s = p->scheduler;
	if (p->lane_count == 1 && s->fleet->queue_count == 0) return rr_queue_first(&p->lanes[0].queue);
	const struct rr_lane *best_lane = NULL;
	int32_t best = -1;
	refresh_tenant_keys(p);
	for (int32_t i = 0; i < p->lane_count; i++) {
		const struct rr_lane *lane = &p->lanes[i];
		int32_t job = rr_queue_first(&lane->queue);
		if (job < 0 || !rr_quota_allows(s, lane->tenant, rr_job_gpus(s, job))) continue;
		if (best >= 0 && !before(p, lane, job, best_lane, best)) continue;
		best = job;
		best_lane = lane;
	}
	return best;
}

/* Orders by tenant have no one line in which SPOT is a place: passes that walk
 * over them leave SPOT at the front and go by the lanes' cursors. */
int32_t rr_partition_next(struct rr_partition *p, struct rr_spot spot, const struct rr_room *room)
{
	const struct rr_lane *best_lane = NULL;
	int32_t best = -1;
	bool alone = p->lane_count == 1 && p->scheduler->fleet->queue_count == 0 && p->lanes[0].pools == NULL &&
		     p->lanes[0].kind < 0;
	refresh_tenant_keys(p);
	for (int32_t i = 0; i < p->lane_count; i++) {
		const struct rr_lane *lane = &p->lanes[i];
		if (lane->queue.count == 0) continue;
		struct rr_room own = alone ? *room : rr_lane_room(p, lane, room);
		struct rr_spot from = rr_spot_before(spot, lane->cursor) ? lane->cursor : spot;
		int32_t job = rr_queue_next(&lane->queue, from, &own);
		if (job < 0 || (best >= 0 && !before(p, lane, job, best_lane, best))) continue;
		best = job;
		best_lane = lane;
	}
	return best;
}

void rr_partition_rewind(struct rr_partition *p)
{
	for (int32_t i = 0; i < p->lane_count; i++) p->lanes[i].cursor = RR_SPOT_FRONT;
}

void rr_partition_pass_over(struct rr_partition *p, int32_t job)
{
	const struct rr_scheduler *s = p->scheduler;
	p->lanes[s->lane_of_job[job]].cursor = s->members[job].spot;
}

/* ------------------------------------------------------------ drifting orders */

void rr_partition_rekey(struct rr_partition *p, sim_time now)
{
	struct rr_scheduler *s = p->scheduler;
	g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(int32_t));
	for (int32_t i = 0; i < p->lane_count; i++) {
		struct rr_queue *q = &p->lanes[i].queue;
		g_array_set_size(jobs, 0);
		for (int32_t at = rr_queue_first(q); at >= 0; at = rr_queue_after(q, s->members[at].spot))
			g_array_append_val(jobs, at);
		q->root = -1;
		q->count = q->gpus = 0;
		for (guint k = 0; k < jobs->len; k++) {
			int32_t job = g_array_index(jobs, int32_t, k);
			rr_queue_insert(q, job, rr_job_spot(p, job, now, RR_TURN_STEPPED), rr_job_gpus(s, job),
					rr_job_estimate(s, job));
		}
	}
}

void rr_partition_drift(struct rr_partition *p, sim_time now)
{
	sim_time every_ns = p->scheduler->settings.every_ns;
	if (p->waiting == 0 || (p->keyed_ns >= 0 && now - p->keyed_ns < every_ns)) return;
	p->keyed_ns = now;
	rr_partition_rekey(p, now);
	if (every_ns > 0 && p->runs > 0) rr_partition_wake_at(p, now + every_ns);
}
