/* node.h - a YAML file as a tree whose every node knows where it stands.
 *
 * Read by libyaml. Refused with a plain message: files over 16 MiB, bytes that
 * are not UTF-8 text, tabs as indentation, more than one document, aliases that
 * contain themselves or unfold to more than a million nodes. */
#ifndef RR_SCENARIOS_FORMAT_NODE_H
#define RR_SCENARIOS_FORMAT_NODE_H

#include "scenarios/scenarios.h"

enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	const char *file; /* owned by the tree */
	long line, column;
	char *text;       /* NODE_TEXT */
	bool quoted;      /* NODE_TEXT in quotes */
	GPtrArray *keys;  /* NODE_MAP: struct node *, texts */
	GPtrArray *items; /* NODE_MAP: the values in the order of keys; NODE_LIST */
};

/* Owns nodes and file names; freed as a whole. */
struct tree {
	GPtrArray *nodes;
	GStringChunk *names;
};
void tree_init(struct tree *tree);
void tree_done(struct tree *tree);

/* The root of the text's one document, or NULL after at least one fault. */
struct node *node_read(struct tree *tree, const char *bytes, size_t size, const char *file, struct rr_faults *faults);
/* The bytes of a file; false after a fault that says why not. */
bool node_read_file(const char *path, char **bytes, size_t *size, struct rr_faults *faults);

struct node *node_new_map(struct tree *tree, const struct node *where);
struct node *node_new_text(struct tree *tree, const struct node *where, const char *text);
/* The value of KEY in MAP, or NULL. */
struct node *node_get(const struct node *map, const char *key);
/* Sets KEY, a new one at the end. */
void node_set(struct tree *tree, struct node *map, const char *key, struct node *value);
/* BASE with all of TOP laid over it: mappings key by key, anything else whole. */
struct node *node_overlay(struct tree *tree, struct node *base, struct node *top);
/* "a mapping", "a list", "'text'", "nothing": what was found. Caller frees. */
char *node_describe(const struct node *node);

#endif
