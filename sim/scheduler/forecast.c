/* forecast.c - orders by a predicted length: quasi shortest service first (Hu et
 * al., SC 2021, section 4.2). A key costs one prediction when the job arrives. */
#include "sim/scheduler/orders.h"
#include "sim/scheduler/predict.h"

/* Run time that is believed in; may be below 0. */
static double predicted_ns(const struct rr_scheduler *s, int32_t job)
{
	const struct job *j = rr_job(s, job);
	double otherwise_s = (double)(j->estimate_ns >= 0 ? j->estimate_ns : RR_NS_PER_HOUR) / (double)RR_NS_PER_S;
	switch ((enum rr_forecast)s->settings.predictor) {
	case RR_FORECAST_PRIORITY: return (double)j->priority * (double)RR_NS_PER_S;
	case RR_FORECAST_ERROR:
		return rr_predict_blurred((double)j->duration_ns, s->settings.prediction_error, s->seed, (uint64_t)job);
	case RR_FORECAST_HISTORY:
		return rr_predict_ask(s->memory, j->tenant, rr_jobs_get_text(s->jobs, j->name), j->gpus, otherwise_s,
				      NULL) *
		       (double)RR_NS_PER_S;
	default: return (double)(j->estimate_ns >= 0 ? j->estimate_ns : j->duration_ns);
	}
}

static int64_t predicted_service(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)now;
	return rr_gpu_us((sim_time)CLAMP(predicted_ns(s, job), -4e18, 4e18), rr_job(s, job)->gpus);
}

/* ------------------------------------------- an accident of the Helios artifact
 *
 * It sorts by GPUs before it sorts by service, and jobs that come to an empty
 * queue have no service yet: they stand by GPUs until the next second. */

static struct rr_spot predicted_spot(struct rr_partition *p, int32_t job, sim_time now, enum rr_turn turn)
{
	enum { BY_GPUS = 32 };
	const struct rr_scheduler *s = p->scheduler;
	(void)turn;
	if (s->settings.newcomers_by_size == 0) return (struct rr_spot){predicted_service(s, job, now), job};
	return (struct rr_spot){p->by_size ? 0 : predicted_service(s, job, now),
				(int64_t)rr_job(s, job)->gpus << BY_GPUS | job};
}

static void sort_newcomers(struct rr_partition *p, sim_time now)
{
	const struct rr_scheduler *s = p->scheduler;
	if (s->settings.newcomers_by_size == 0) return;
	bool only_new = p->arrived_ns == now && p->newcomers == p->waiting;
	if (!only_new && !p->by_size) return;
	p->by_size = only_new;
	rr_partition_rekey(p, now);
	if (only_new) rr_partition_wake_at(p, now + RR_NS_PER_S);
}

/* -------------------------------------------------------------------- history */

static const double HISTORY_DECAY = 0.8; /* weight of a job beside the one that ended after it */

static void *begin_history(struct rr_scheduler *s)
{
	return s->settings.predictor == RR_FORECAST_HISTORY ? rr_predict_new(HISTORY_DECAY) : NULL;
}

static void end_history(void *memory)
{
	rr_predict_free(memory);
}

static void learn(struct rr_scheduler *s, int32_t job, sim_time now)
{
	const struct job *j = rr_job(s, job);
	(void)now;
	if (s->memory == NULL) return;
	rr_predict_learn(s->memory, j->tenant, rr_jobs_get_text(s->jobs, j->name), j->gpus,
			 (double)j->duration_ns / (double)RR_NS_PER_S);
}

const struct rr_order rr_order_qssf = {.key = predicted_service,
				       .spot = predicted_spot,
				       .before = sort_newcomers,
				       .ended = learn,
				       .begin = begin_history,
				       .end = end_history};

const struct rr_parameter rr_qssf_parameters[] = {
    {"predict", "estimate", "estimate|priority|history|error",
     "run time from the user's estimate (else the truth), the trace's priority as seconds, jobs that ended before, "
     "or the truth with an error",
     RR_PARAMETER_CHOICE, offsetof(struct rr_settings, predictor)},
    {"prediction_error", "0", "a number", "predict=error: standard deviation of the logarithm of the error",
     RR_PARAMETER_NUMBER, offsetof(struct rr_settings, prediction_error)},
    {"newcomers", "by-service", "by-service|by-size",
     "jobs that come to an empty queue: by service, or by GPUs until the next second", RR_PARAMETER_CHOICE,
     offsetof(struct rr_settings, newcomers_by_size)},
    RR_PARAMETERS_END};
