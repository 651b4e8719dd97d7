/* orders.c - who is next: keys that stay what they were when the job began to
 * wait, and the table of all orders. Such a key costs nothing but its place in
 * the queue, O(log n). */
#include "sim/scheduler/orders.h"

static int64_t by_arrival(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)s;
	(void)job;
	(void)now;
	return 0; /* ties go by submit and the file's order */
}

static int64_t shortest(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)now;
	return rr_job(s, job)->duration_ns;
}

static int64_t longest(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)now;
	return -rr_job(s, job)->duration_ns;
}

static int64_t smallest(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	(void)now;
	return rr_job(s, job)->gpus;
}

/* Waiting raises all jobs alike, so that their order stays what it was at submit:
 * one step of priority is worth so much waiting. */
static int64_t by_priority(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	const struct job *j = rr_job(s, job);
	(void)now;
	if (s->settings.ageing_ns <= 0) return -(int64_t)j->priority;
	rr_milli_gpu_ns key = (rr_milli_gpu_ns)j->submit_ns - (rr_milli_gpu_ns)j->priority * s->settings.ageing_ns;
	return key > INT64_MAX ? INT64_MAX : key < -INT64_MAX ? -INT64_MAX : (int64_t)key;
}

static int64_t earliest_deadline(const struct rr_scheduler *s, int32_t job, sim_time now)
{
	const struct job *j = rr_job(s, job);
	(void)now;
	return j->deadline_ns > 0 ? j->deadline_ns : INT64_MAX; /* without one: last */
}

static const struct rr_order fcfs = {.key = by_arrival}, sjf = {.key = shortest}, ljf = {.key = longest},
			     smallest_first = {.key = smallest}, priority = {.key = by_priority},
			     edf = {.key = earliest_deadline};

static const struct rr_parameter priority_parameters[] = {
    {"ageing", "0s", "a duration", "waiting so long is worth one step of priority; 0s = priority alone",
     RR_PARAMETER_DURATION, offsetof(struct rr_settings, ageing_ns)},
    RR_PARAMETERS_END};

const struct rr_word rr_orders[] = {
    {"fcfs", "first come, first served", NULL, NULL, &fcfs},
    {"sjf", "shortest job first, by true run time", "Conway, Maxwell and Miller, Theory of Scheduling, 1967", NULL,
     &sjf},
    {"ljf", "longest job first, by true run time", NULL, NULL, &ljf},
    {"smallest", "fewest GPUs first", "Gu et al., NSDI 2019 (artifact: sjf)", NULL, &smallest_first},
    {"srtf", "shortest remaining run time first", "Schrage, Operations Research 16(3), 1968", rr_srtf_parameters,
     &rr_order_srtf},
    {"srsf", "shortest remaining service first: run time x GPUs", "Gu et al., NSDI 2019, section 3.1", NULL,
     &rr_order_srsf},
    {"priority", "highest priority first, with ageing", NULL, priority_parameters, &priority},
    {"las", "least attained service first, in quanta of run time", "Rai, Urvoy-Keller and Biersack, SIGMETRICS 2003",
     rr_las_parameters, &rr_order_las},
    {"2d-las", "least attained GPU time first, in a few queues", "Gu et al., NSDI 2019 (Tiresias), section 3.3",
     rr_2d_las_parameters, &rr_order_2d_las},
    {"gittins", "highest Gittins index of the attained GPU time first", "Gittins, J. R. Stat. Soc. B 41(2), 1979", NULL,
     &rr_order_gittins},
    {"qssf", "smallest predicted GPU time first", "Hu et al., SC 2021, section 4.2", rr_qssf_parameters,
     &rr_order_qssf},
    {"edf", "earliest deadline first; jobs without one last", "Liu and Layland, J. ACM 20(1), 1973", NULL, &edf},
    {"fair", "the tenant with the least of its weighted share first", "Kay and Lauder, CACM 31(1), 1988",
     rr_fair_parameters, &rr_order_fair},
    {"drf", "the tenant with the smallest dominant share first", "Ghodsi et al., NSDI 2011", NULL, &rr_order_drf},
    {"finish-time-fair", "the job furthest behind its finish in an equal share first",
     "Mahajan et al., NSDI 2020 (Themis), section 3", rr_drift_parameters, &rr_order_finish_time_fair},
    {"hrrn", "highest response ratio next: (wait + run) / run", "Brinch Hansen, Operating System Principles, 1973",
     rr_drift_parameters, &rr_order_hrrn},
    {"multifactor", "weighted age, size, fair share and priority", "Slurm manual, Multifactor Priority Plugin",
     rr_multifactor_parameters, &rr_order_multifactor},
    {NULL, NULL, NULL, NULL, NULL},
};
