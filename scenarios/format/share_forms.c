/* share_forms.c - labels with their share of the jobs: tenants, priorities. */
#include "scenarios/format/table.h"

static const struct rr_key share_key = {.name = "share",
					.type = RR_KEY_QUANTITY,
					.at = offsetof(struct label_share, share),
					.dimension = RR_DIM_RATIO,
					.least = "0",
					.example = "60%"};

static const struct rr_key tenant_key = {
    .name = "tenant", .type = RR_KEY_TEXT, .at = offsetof(struct label_share, label), .example = "vision"};

static const struct rr_key priority_key = {.name = "priority",
					   .type = RR_KEY_INT,
					   .at = offsetof(struct label_share, number),
					   .dimension = RR_DIM_COUNT,
					   .example = "5"};

static void read_shares(struct rr_reader *r, const struct rr_key *label, const struct node *node, void *at,
			const char *path)
{
	struct label_shares *shares = at;
	if (node->kind != NODE_MAP || node->keys->len == 0) {
		g_autofree char *found = node_describe(node);
		table_add_fault(r, node, path, "expected a %s with its share of the jobs such as {%s: 60%%}, found %s",
				label->name, label->example, found);
		return;
	}
	double sum = 0;
	bool all_read = true;
	shares->count = (int32_t)node->keys->len;
	shares->rows = g_new0(struct label_share, node->keys->len);
	for (guint i = 0; i < node->keys->len; i++) {
		const struct node *name = g_ptr_array_index(node->keys, i);
		struct label_share *row = &shares->rows[i];
		g_autofree char *inner = g_strdup_printf("%s.%s", path, name->text);
		row->share = -1; /* stays when it cannot be read */
		table_read_value(r, label, name, row, inner);
		table_read_value(r, &share_key, g_ptr_array_index(node->items, i), row, inner);
		all_read = all_read && row->share >= 0;
		sum += row->share;
	}
	if (all_read && sum <= 0) table_add_fault(r, node, path, "the shares add up to nothing");
}

static void read_tenants(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
			 const char *path)
{
	(void)key;
	read_shares(r, &tenant_key, node, at, path);
}

static void read_priorities(struct rr_reader *r, const struct rr_key *key, const struct node *node, void *at,
			    const char *path)
{
	(void)key;
	read_shares(r, &priority_key, node, at, path);
}

static void clear_shares(void *at)
{
	struct label_shares *shares = at;
	for (int32_t i = 0; i < shares->count; i++) g_free(shares->rows[i].label);
	g_clear_pointer(&shares->rows, g_free);
	shares->count = 0;
}

static json_t *tenants_schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	return json_pack("{s:s, s:o, s:i}", "type", "object", "additionalProperties", schema_of_key(&share_key, words),
			 "minProperties", 1);
}

static json_t *priorities_schema(const struct rr_key *key, const struct rr_vocabulary *words)
{
	(void)key;
	return json_pack("{s:s, s:{s:o}, s:b, s:i}", "type", "object", "patternProperties", "^[-+]?[0-9]+$",
			 schema_of_key(&share_key, words), "additionalProperties", 0, "minProperties", 1);
}

const struct rr_form rr_form_tenants = {.noun = "tenants with their share of the jobs",
					.shape = "{vision: 60%, speech: 40%}; shares are normalised to 100 %",
					.read = read_tenants,
					.clear = clear_shares,
					.schema = tenants_schema};

const struct rr_form rr_form_priorities = {.noun = "priorities with their share of the jobs",
					   .shape = "{0: 80%, 5: 20%}; shares are normalised to 100 %",
					   .read = read_priorities,
					   .clear = clear_shares,
					   .schema = priorities_schema};
