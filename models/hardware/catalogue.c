/* catalogue.c - looking things up in the catalogue. */
#include "models/hardware/hardware.h"

#include <string.h>

int32_t rr_catalogue_gpu(const struct catalogue *c, const char *id)
{
	for (int32_t i = 0; i < c->gpu_count; i++)
		if (g_ascii_strcasecmp(c->gpus[i].id, id) == 0) return i;
	return -1;
}

int32_t rr_catalogue_node(const struct catalogue *c, const char *id)
{
	for (int32_t i = 0; i < c->node_count; i++)
		if (g_ascii_strcasecmp(c->nodes[i].id, id) == 0) return i;
	return -1;
}

int32_t rr_catalogue_instance(const struct catalogue *c, const char *id)
{
	for (int32_t i = 0; i < c->instance_count; i++)
		if (g_ascii_strcasecmp(c->instances[i].id, id) == 0) return i;
	return -1;
}

int32_t rr_catalogue_provider(const struct catalogue *c, const char *id)
{
	for (int32_t i = 0; i < c->provider_count; i++)
		if (g_ascii_strcasecmp(c->providers[i].id, id) == 0) return i;
	return -1;
}

const struct instance_price *rr_instance_price(const struct instance_type *instance, const char *region,
					       const char *date, bool *is_early)
{
	const struct instance_price *newest = NULL, *earliest = NULL;
	if (region == NULL && instance->price_count > 0) region = instance->prices[0].region;
	for (int32_t i = 0; i < instance->price_count; i++) {
		const struct instance_price *price = &instance->prices[i];
		if (strcmp(price->region, region) != 0) continue;
		/* ISO dates sort as texts. */
		if (earliest == NULL || strcmp(price->valid_from, earliest->valid_from) < 0) earliest = price;
		if (date != NULL && strcmp(price->valid_from, date) > 0) continue;
		if (newest == NULL || strcmp(price->valid_from, newest->valid_from) > 0) newest = price;
	}
	*is_early = newest == NULL && earliest != NULL;
	return newest != NULL ? newest : earliest;
}

static void free_gpus(struct catalogue *c)
{
	for (int32_t i = 0; i < c->gpu_count; i++) {
		struct gpu_type *g = &c->gpus[i];
		char *texts[] = {g->id, g->vendor, g->form, g->link, g->announced, g->source, g->date, g->note};
		for (size_t t = 0; t < G_N_ELEMENTS(texts); t++) g_free(texts[t]);
	}
	g_free(c->gpus);
}

static void free_nodes(struct catalogue *c)
{
	for (int32_t i = 0; i < c->node_count; i++) {
		struct node_type *n = &c->nodes[i];
		char *texts[] = {n->id, n->gpu_name, n->source, n->date, n->note};
		for (size_t t = 0; t < G_N_ELEMENTS(texts); t++) g_free(texts[t]);
	}
	g_free(c->nodes);
}

static void free_instances(struct catalogue *c)
{
	for (int32_t i = 0; i < c->instance_count; i++) {
		struct instance_type *n = &c->instances[i];
		char *texts[] = {n->id, n->gpu_name, n->source, n->date, n->note};
		for (size_t t = 0; t < G_N_ELEMENTS(texts); t++) g_free(texts[t]);
		for (int32_t p = 0; p < n->price_count; p++) {
			g_free(n->prices[p].region);
			g_free(n->prices[p].valid_from);
			g_free(n->prices[p].source);
		}
		g_free(n->prices);
	}
	g_free(c->instances);
}

void rr_catalogue_free(struct catalogue *c)
{
	if (c == NULL) return;
	free_gpus(c);
	free_nodes(c);
	free_instances(c);
	for (int32_t i = 0; i < c->provider_count; i++) {
		struct cloud_provider *p = &c->providers[i];
		char *texts[] = {p->id, p->title, p->source, p->date, p->note};
		for (size_t t = 0; t < G_N_ELEMENTS(texts); t++) g_free(texts[t]);
	}
	g_free(c->providers);
	g_free(c);
}
