/* hardware.h - the catalogue: GPUs, node types, cloud instance types, providers.
 *
 * Numbers live in models/data/ (YAML), each with its source and date; this
 * header only gives them a shape.  scenarios/format fills a catalogue, which
 * never changes afterwards.  Unknown numbers are NAN (doubles) or -1
 * (integers), unknown texts NULL: never guessed.  Ids are indexes into the
 * catalogue's arrays. */
#ifndef RR_MODELS_HARDWARE_H
#define RR_MODELS_HARDWARE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct gpu_type {
	char *id; /* "a100-sxm-40": lower case, as a scenario names it */
	char *vendor, *form;
	int64_t mem_bytes;
	double mem_bytes_per_s;
	double fp32_flops, tf32_flops, bf16_flops, fp8_flops, int8_ops;
	double tdp_w, idle_w;
	char *link;
	double link_bytes_per_s; /* one direction, all links */
	char *announced;         /* "2020-05" */
	char *source, *date, *note;
};

struct node_type {
	char *id; /* "dgx-a100-40gb" */
	char *gpu_name;
	int32_t gpu;
	int32_t gpu_count;
	int32_t cpu_count;
	int64_t mem_bytes;
	double idle_w, max_w; /* whole node at the socket, GPUs included */
	int64_t price_micros; /* to buy one; -1 = unknown */
	char currency[4];
	char *source, *date, *note;
};

struct instance_price {
	char *region;
	char currency[4];
	int64_t micros_per_hour;
	char *valid_from; /* "2026-07-20" */
	char *source;
};

struct instance_type {
	char *id; /* "aws/p4d.24xlarge": what stands before the slash is the provider */
	char *gpu_name;
	int32_t provider;
	int32_t gpu;
	int32_t gpu_count;
	double gpu_fraction; /* 1 = whole GPUs */
	int32_t cpu_count;
	int64_t mem_bytes;
	struct instance_price *prices;
	int32_t price_count;
	char *source, *date, *note;
};

struct cloud_provider {
	char *id; /* "aws" */
	char *title;
	int64_t billing_step_ns, billing_minimum_ns;
	double pue;
	char *source, *date, *note;
};

struct catalogue {
	struct gpu_type *gpus;
	struct node_type *nodes;
	struct instance_type *instances;
	struct cloud_provider *providers;
	int32_t gpu_count, node_count, instance_count, provider_count;
};

/* Index by id (letter case ignored), or -1. */
int32_t rr_catalogue_gpu(const struct catalogue *c, const char *id);
int32_t rr_catalogue_node(const struct catalogue *c, const char *id);
int32_t rr_catalogue_instance(const struct catalogue *c, const char *id);
int32_t rr_catalogue_provider(const struct catalogue *c, const char *id);

/* The price of INSTANCE in REGION on DATE ("2025-01-01", NULL = the newest):
 * the latest row not after DATE, or, when all are after it, the earliest one
 * with *IS_EARLY set.  REGION NULL = the first region listed.  NULL when the
 * region is not listed. */
const struct instance_price *rr_instance_price(const struct instance_type *instance, const char *region,
					       const char *date, bool *is_early);

void rr_catalogue_free(struct catalogue *c);

#endif
