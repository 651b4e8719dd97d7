#include "sim/scheduler/names.h"

#include <string.h>

void rr_recent_learn(struct rr_recent *recent, double value, double decay)
{
	recent->sum = recent->sum * decay + value;
	recent->weight = recent->weight * decay + 1;
}

double rr_recent_mean(const struct rr_recent *recent)
{
	return recent->sum / recent->weight;
}

static struct rr_name_node *node_at(const struct rr_names *names, int32_t at)
{
	return &g_array_index(names->nodes, struct rr_name_node, at);
}

static int32_t add_node(struct rr_names *names, size_t edge, size_t edge_length)
{
	struct rr_name_node node = {.edge = edge, .edge_length = edge_length, .first_child = -1, .next_child = -1};
	g_array_append_val(names->nodes, node);
	return (int32_t)names->nodes->len - 1;
}

void rr_names_init(struct rr_names *names)
{
	names->nodes = g_array_new(FALSE, FALSE, sizeof(struct rr_name_node));
	names->text = g_byte_array_new();
}

void rr_names_done(struct rr_names *names)
{
	g_array_free(names->nodes, TRUE);
	g_byte_array_free(names->text, TRUE);
}

int32_t rr_names_new_tree(struct rr_names *names)
{
	return add_node(names, 0, 0);
}

/* The child of AT whose edge begins as REST does, or -1. No two begin alike. */
static int32_t child_for(const struct rr_names *names, int32_t at, const char *rest)
{
	int32_t child = node_at(names, at)->first_child;
	while (child >= 0 && (char)names->text->data[node_at(names, child)->edge] != rest[0])
		child = node_at(names, child)->next_child;
	return child;
}

/* Bytes that the edge to NODE and REST have in common. */
static size_t common(const struct rr_names *names, int32_t node, const char *rest)
{
	const struct rr_name_node *n = node_at(names, node);
	size_t length = 0;
	while (length < n->edge_length && rest[length] != '\0' &&
	       (char)names->text->data[n->edge + length] == rest[length])
		length++;
	return length;
}

/* A leaf under AT with the edge REST. */
static int32_t add_leaf(struct rr_names *names, int32_t at, const char *rest)
{
	size_t edge = names->text->len;
	g_byte_array_append(names->text, (const guint8 *)rest, (guint)strlen(rest));
	int32_t leaf = add_node(names, edge, strlen(rest));
	node_at(names, leaf)->next_child = node_at(names, at)->first_child;
	node_at(names, at)->first_child = leaf;
	return leaf;
}

/* Cuts the edge to CHILD after LENGTH bytes: CHILD becomes the node in the middle and
 * a new node takes over what it was, so that no list has to be mended. */
static void split(struct rr_names *names, int32_t child, size_t length)
{
	struct rr_name_node was = *node_at(names, child);
	int32_t lower = add_node(names, was.edge + length, was.edge_length - length);
	node_at(names, lower)->exact = was.exact;
	node_at(names, lower)->below = was.below;
	node_at(names, lower)->first_child = was.first_child;
	struct rr_name_node *middle = node_at(names, child);
	middle->exact = (struct rr_recent){0};
	middle->edge_length = length;
	middle->first_child = lower;
}

void rr_names_learn(struct rr_names *names, int32_t root, const char *name, double value, double decay)
{
	int32_t at = root;
	const char *rest = name;
	rr_recent_learn(&node_at(names, at)->below, value, decay);
	while (rest[0] != '\0') {
		int32_t child = child_for(names, at, rest);
		size_t length = strlen(rest);
		if (child < 0)
			child = add_leaf(names, at, rest);
		else {
			length = common(names, child, rest);
			if (length < node_at(names, child)->edge_length) split(names, child, length);
		}
		at = child;
		rest += length;
		rr_recent_learn(&node_at(names, at)->below, value, decay);
	}
	rr_recent_learn(&node_at(names, at)->exact, value, decay);
}

void rr_names_find(const struct rr_names *names, int32_t root, const char *name, const struct rr_recent **exact,
		   const struct rr_recent **similar, size_t *shared)
{
	int32_t at = root;
	const char *rest = name;
	bool whole = true;
	while (whole && rest[0] != '\0') {
		int32_t child = child_for(names, at, rest);
		if (child < 0) break;
		size_t length = common(names, child, rest);
		whole = length == node_at(names, child)->edge_length;
		at = child;
		rest += length;
	}
	const struct rr_name_node *node = node_at(names, at);
	*exact = whole && rest[0] == '\0' && node->exact.weight > 0 ? &node->exact : NULL;
	*similar = &node->below;
	*shared = (size_t)(rest - name);
}
