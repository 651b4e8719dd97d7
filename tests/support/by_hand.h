/* by_hand.h - usages put together by hand, to be accounted for. */
#ifndef RR_TESTS_SUPPORT_BY_HAND_H
#define RR_TESTS_SUPPORT_BY_HAND_H

#include "sim/accounts/accounts.h"

enum { POOLS = 4, MOST_JOBS = 16 };

/* A run without an engine: all that rr_account() reads, in one place. */
struct world {
	struct scenario scenario;
	struct fleet_spec fleet;
	struct pool_spec pools[POOLS];
	struct site site;
	struct catalogue catalogue;
	struct instance_type instance;
	struct cloud_provider provider;
	struct job jobs[MOST_JOBS];
	struct job_list list;
	struct job_record records[MOST_JOBS];
	struct pool_usage uses[POOLS];
	struct usage usage;
	GArray *lives;
};

struct world *world_new(sim_time end_ns);
void world_free(struct world *w);
int32_t add_pool(struct world *w, struct pool_spec pool);
int32_t add_owned(struct world *w);
int32_t add_rented(struct world *w);
void add_use(struct world *w, int32_t p, enum rr_gpu_use kind, int gpus, sim_time from, sim_time to);
void add_life(struct world *w, int32_t p, sim_time from, sim_time to);
void add_job(struct world *w, sim_time submit_s, struct job_record record);
struct result *account(struct world *w);
double value(const struct result *result, const char *id);
void check_value(const struct result *result, const char *id, double expected);
void check_unknown(const struct result *result, const char *id);
int64_t line_micros(const struct result *result, const char *name, int32_t month);

#endif
