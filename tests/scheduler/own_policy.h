/* own_policy.h - the order of own_policy.c. */
#ifndef RR_TESTS_SCHEDULER_OWN_POLICY_H
#define RR_TESTS_SCHEDULER_OWN_POLICY_H

#include "sim/scheduler/policy.h"

extern const struct rr_order own_widest;

#endif
