/* watch.c - see watch.h. Only what changed is told: a job may wait for a million
 * events. */
#include "sim/watch.h"

enum { NAMED_MOST = 5 };

static G_GNUC_PRINTF(3, 4) void tell(struct rr_story *w, sim_time now, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	w->watch->tell(w->watch->data, now, text);
}

static const char *id_of(const struct job_list *jobs, int32_t job)
{
	return rr_jobs_get_text(jobs, jobs->jobs[job].id);
}

void rr_story_begin(struct rr_story *w, const struct rr_watch *watch)
{
	*w = (struct rr_story){.watch = watch, .others = g_string_new(NULL)};
}

void rr_story_end(struct rr_story *w)
{
	g_string_free(w->others, TRUE);
}

void rr_story_arrived(struct rr_story *w, const struct job_list *jobs, int32_t job, bool taken, sim_time now)
{
	if (job != w->watch->job) return;
	w->waits = taken;
	tell(w, now, "arrives and asks for %d GPU%s%s", jobs->jobs[job].gpus, jobs->jobs[job].gpus > 1 ? "s" : "",
	     taken ? "" : ": no pool and no quota could ever hold it (unschedulable)");
}

/* Those that started while it waits: told with the next change, or when it starts. */
static void tell_others(struct rr_story *w, sim_time now)
{
	if (w->overtook == 0) return;
	tell(w, now, "%" G_GINT64_FORMAT " other job%s started meanwhile: %s%s", w->overtook,
	     w->overtook > 1 ? "s" : "", w->others->str, w->overtook > NAMED_MOST ? " ..." : "");
	w->overtook = 0;
	g_string_truncate(w->others, 0);
}

void rr_story_started(struct rr_story *w, const struct job_list *jobs, int32_t job, const struct pool_spec *pool,
		      int32_t node, int32_t gpus, sim_time wait_ns, sim_time now)
{
	if (job != w->watch->job) {
		if (!w->waits) return;
		if (w->overtook++ < NAMED_MOST)
			g_string_append_printf(w->others, "%s%s (%d)", w->others->len > 0 ? ", " : "", id_of(jobs, job),
					       gpus);
		return;
	}
	char wait[32];
	tell_others(w, now);
	g_autofree char *where = node < 0 ? g_strdup(pool->name) : g_strdup_printf("%s-%d", pool->name, node + 1);
	tell(w, now, "starts on %d GPU%s of %s, after waiting %s s in all", gpus, gpus > 1 ? "s" : "", where,
	     rr_text_seconds(wait_ns, wait));
	w->waits = false;
	w->last.reason = RR_REASON_NONE;
}

void rr_story_stopped(struct rr_story *w, int32_t job, sim_time now)
{
	if (job != w->watch->job) return;
	tell(w, now, "is stopped: others go before it");
	w->waits = true;
}

void rr_story_ended(struct rr_story *w, int32_t job, sim_time now)
{
	if (job == w->watch->job) tell(w, now, "ends");
}

static char *detail_of(const struct rr_why *why, const struct job_list *jobs, int32_t gpus, sim_time now)
{
	char at[32];
	GString *text = g_string_new(NULL);
	if (why->reason == RR_REASON_QUOTA)
		g_string_append_printf(text, "; its tenant may take %" G_GINT64_FORMAT " more", why->quota_gpus);
	else
		g_string_append_printf(text, "; %" G_GINT64_FORMAT " free where it may run, it asks for %d",
				       why->free_gpus, gpus);
	g_string_append_printf(text, "; %" G_GINT64_FORMAT " job%s before it", why->before,
			       why->before == 1 ? "" : "s");
	if (why->first >= 0)
		g_string_append_printf(text, ", the first is %s (%d)", id_of(jobs, why->first),
				       jobs->jobs[why->first].gpus);
	if (why->reserved_ns != INT64_MAX && why->reserved_ns > now)
		g_string_append_printf(text, "; its start at %s s is kept", rr_text_seconds(why->reserved_ns, at));
	return g_string_free(text, FALSE);
}

void rr_story_look(struct rr_story *w, struct rr_scheduler *scheduler, const struct job_list *jobs, sim_time now)
{
	if (!w->waits) return;
	struct rr_why why = rr_scheduler_why(scheduler, w->watch->job, now);
	bool same =
	    why.reason == w->last.reason && why.first == w->last.first && why.reserved_ns == w->last.reserved_ns;
	if (same) return;
	tell_others(w, now);
	w->last = why;
	g_autofree char *detail = detail_of(&why, jobs, jobs->jobs[w->watch->job].gpus, now);
	tell(w, now, "waits: %s%s", rr_reason_text(why.reason), detail);
}
