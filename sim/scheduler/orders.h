/* orders.h - the orders, by file. Private to the scheduler. */
#ifndef RR_SIM_SCHEDULER_ORDERS_H
#define RR_SIM_SCHEDULER_ORDERS_H

#include "sim/scheduler/policy.h"

/* service.c: by what a job has had or has left */
extern const struct rr_order rr_order_srtf, rr_order_srsf, rr_order_las, rr_order_2d_las, rr_order_gittins;
extern const struct rr_parameter rr_las_parameters[], rr_2d_las_parameters[], rr_srtf_parameters[];
/* shares.c: by what a tenant or a job has had of its share, and by how long it waits */
extern const struct rr_order rr_order_fair, rr_order_drf, rr_order_finish_time_fair, rr_order_hrrn,
    rr_order_multifactor;
extern const struct rr_parameter rr_fair_parameters[], rr_drift_parameters[], rr_multifactor_parameters[];
/* forecast.c: by a prediction */
extern const struct rr_order rr_order_qssf;
extern const struct rr_parameter rr_qssf_parameters[];

/* A number of 0 or more as a key of the same order. */
static inline int64_t rr_key_of(double number)
{
	union {
		double number;
		int64_t bits;
	} both = {.number = number < 0 ? 0 : number};
	return both.bits;
}

#endif
