/* node.c - trees of nodes: making, changing, describing. */
#include "scenarios/format/node.h"

#include <string.h>

static void node_free(gpointer data)
{
	struct node *node = data;
	g_free(node->text);
	if (node->keys != NULL) g_ptr_array_unref(node->keys);
	if (node->items != NULL) g_ptr_array_unref(node->items);
	g_free(node);
}

void tree_init(struct tree *tree)
{
	tree->nodes = g_ptr_array_new_with_free_func(node_free);
	tree->names = g_string_chunk_new(256);
}

void tree_done(struct tree *tree)
{
	g_ptr_array_unref(tree->nodes);
	g_string_chunk_free(tree->names);
}

static struct node *node_new(struct tree *tree, const struct node *where, enum node_kind kind)
{
	struct node *node = g_new0(struct node, 1);
	*node = (struct node){.kind = kind, .file = where->file, .line = where->line, .column = where->column};
	if (kind != NODE_TEXT) node->items = g_ptr_array_new();
	if (kind == NODE_MAP) node->keys = g_ptr_array_new();
	g_ptr_array_add(tree->nodes, node);
	return node;
}

struct node *node_new_map(struct tree *tree, const struct node *where)
{
	return node_new(tree, where, NODE_MAP);
}

struct node *node_new_text(struct tree *tree, const struct node *where, const char *text)
{
	struct node *node = node_new(tree, where, NODE_TEXT);
	node->text = g_strdup(text);
	return node;
}

static struct node *key_at(const struct node *map, guint at)
{
	return g_ptr_array_index(map->keys, at);
}

struct node *node_get(const struct node *map, const char *key)
{
	if (map == NULL || map->kind != NODE_MAP) return NULL;
	for (guint i = 0; i < map->keys->len; i++)
		if (strcmp(key_at(map, i)->text, key) == 0) return g_ptr_array_index(map->items, i);
	return NULL;
}

void node_set(struct tree *tree, struct node *map, const char *key, struct node *value)
{
	for (guint i = 0; i < map->keys->len; i++) {
		if (strcmp(key_at(map, i)->text, key) != 0) continue;
		map->items->pdata[i] = value;
		return;
	}
	g_ptr_array_add(map->keys, node_new_text(tree, value, key));
	g_ptr_array_add(map->items, value);
}

struct node *node_overlay(struct tree *tree, struct node *base, struct node *top)
{
	if (base == NULL || base->kind != NODE_MAP || top->kind != NODE_MAP) return top;
	struct node *both = node_new_map(tree, top);
	for (guint i = 0; i < base->keys->len; i++) {
		g_ptr_array_add(both->keys, key_at(base, i));
		g_ptr_array_add(both->items, g_ptr_array_index(base->items, i));
	}
	for (guint i = 0; i < top->keys->len; i++) {
		const char *key = key_at(top, i)->text;
		struct node *value = g_ptr_array_index(top->items, i), *below = node_get(both, key);
		if (below != NULL)
			node_set(tree, both, key, node_overlay(tree, below, value));
		else {
			g_ptr_array_add(both->keys, key_at(top, i));
			g_ptr_array_add(both->items, value);
		}
	}
	return both;
}

char *node_describe(const struct node *node)
{
	if (node->kind == NODE_MAP) return g_strdup("a mapping");
	if (node->kind == NODE_LIST) return g_strdup("a list");
	if (node->text[0] == '\0' && !node->quoted) return g_strdup("nothing");
	g_autofree char *shown = g_utf8_strlen(node->text, -1) > 40 ? g_utf8_substring(node->text, 0, 37) : NULL;
	return shown == NULL ? g_strdup_printf("'%s'", node->text) : g_strdup_printf("'%s...'", shown);
}
