/* node_read.c - from bytes to a tree, through libyaml. */
#include "scenarios/format/node.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

enum { SIZE_MOST = 16 << 20, NODES_MOST = 1000000, DEPTH_MOST = 100 };

struct reading {
	struct tree *tree;
	const char *file;
	yaml_document_t *document;
	GHashTable *open; /* libyaml's nodes above the one being read: aliases must not close a circle */
	int64_t nodes;
	struct rr_faults *faults;
};

static struct node *convert(struct reading *r, int index, int depth);

static struct node *make(struct reading *r, const yaml_node_t *y, enum node_kind kind)
{
	struct node *node = g_new0(struct node, 1);
	node->kind = kind;
	node->file = r->file;
	node->line = (long)y->start_mark.line + 1;
	node->column = (long)y->start_mark.column + 1;
	if (kind != NODE_TEXT) node->items = g_ptr_array_new();
	if (kind == NODE_MAP) node->keys = g_ptr_array_new();
	g_ptr_array_add(r->tree->nodes, node);
	return node;
}

static struct node *convert_text(struct reading *r, const yaml_node_t *y)
{
	struct node *node = make(r, y, NODE_TEXT);
	node->text = g_strndup((const char *)y->data.scalar.value, y->data.scalar.length);
	node->quoted = y->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	return node;
}

static struct node *convert_list(struct reading *r, const yaml_node_t *y, int depth)
{
	struct node *node = make(r, y, NODE_LIST);
	for (yaml_node_item_t *i = y->data.sequence.items.start; i < y->data.sequence.items.top; i++) {
		struct node *item = convert(r, *i, depth + 1);
		if (item == NULL) return NULL;
		g_ptr_array_add(node->items, item);
	}
	return node;
}

/* The key of PAIR; NULL after a fault. Keys seen before are kept in SEEN. */
static struct node *convert_key(struct reading *r, const yaml_node_pair_t *pair, GHashTable *seen)
{
	const yaml_node_t *y = yaml_document_get_node(r->document, pair->key);
	long line = (long)y->start_mark.line + 1, column = (long)y->start_mark.column + 1;
	if (y->type != YAML_SCALAR_NODE) {
		rr_faults_add(r->faults, r->file, line, column, "a key must be a word, found a list or mapping");
		return NULL;
	}
	struct node *key = convert_text(r, y);
	if (strcmp(key->text, "<<") == 0) {
		rr_faults_add(r->faults, r->file, line, column,
			      "merge keys ('<<') are not supported; fleets can say 'extends: NAME'");
		return NULL;
	}
	const struct node *first = g_hash_table_lookup(seen, key->text);
	if (first != NULL) {
		rr_faults_add(r->faults, r->file, line, column, "key '%s' is given twice; the first is at line %ld",
			      key->text, first->line);
		return NULL;
	}
	g_hash_table_insert(seen, key->text, key);
	return key;
}

static struct node *convert_map(struct reading *r, const yaml_node_t *y, int depth)
{
	struct node *node = make(r, y, NODE_MAP);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (yaml_node_pair_t *p = y->data.mapping.pairs.start; p < y->data.mapping.pairs.top; p++) {
		struct node *key = convert_key(r, p, seen);
		if (key == NULL) continue; /* go on: all faults in one go */
		struct node *value = convert(r, p->value, depth + 1);
		if (value == NULL) return NULL;
		g_ptr_array_add(node->keys, key);
		g_ptr_array_add(node->items, value);
	}
	return node;
}

/* NULL only when reading must stop. */
static struct node *convert(struct reading *r, int index, int depth)
{
	const yaml_node_t *y = yaml_document_get_node(r->document, index);
	long line = (long)y->start_mark.line + 1, column = (long)y->start_mark.column + 1;
	if (y->type == YAML_SCALAR_NODE) {
		if (++r->nodes <= NODES_MOST) return convert_text(r, y);
	} else if (++r->nodes <= NODES_MOST && depth < DEPTH_MOST) {
		if (!g_hash_table_add(r->open, GINT_TO_POINTER(index))) {
			rr_faults_add(r->faults, r->file, line, column,
				      "an alias (*) here leads back to this very node");
			return NULL;
		}
		struct node *node =
		    y->type == YAML_SEQUENCE_NODE ? convert_list(r, y, depth) : convert_map(r, y, depth);
		g_hash_table_remove(r->open, GINT_TO_POINTER(index));
		return node;
	}
	if (r->nodes > NODES_MOST)
		rr_faults_add(r->faults, r->file, line, column, "aliases unfold to more than a million values");
	else
		rr_faults_add(r->faults, r->file, line, column, "nested more than %d deep", (int)DEPTH_MOST);
	return NULL;
}

static bool tab_indents(const char *bytes, size_t size, size_t line)
{
	const char *at = bytes, *end = bytes + size;
	while (line-- > 0 && at < end) {
		const char *next = memchr(at, '\n', (size_t)(end - at));
		at = next == NULL ? end : next + 1;
	}
	while (at < end && *at == ' ') at++;
	return at < end && *at == '\t';
}

static void tell_syntax(const yaml_parser_t *parser, const char *bytes, size_t size, const char *file,
			struct rr_faults *faults)
{
	long line = (long)parser->problem_mark.line + 1, column = (long)parser->problem_mark.column + 1;
	if (tab_indents(bytes, size, parser->problem_mark.line))
		rr_faults_add(faults, file, line, 1, "a tab is used as indentation; YAML wants spaces");
	else if (parser->context != NULL)
		rr_faults_add(faults, file, line, column, "not YAML: %s %s", parser->problem, parser->context);
	else
		rr_faults_add(faults, file, line, column, "not YAML: %s", parser->problem);
}

/* Line of byte AT, 1-based. */
static long line_of(const char *bytes, size_t at)
{
	long line = 1;
	for (size_t i = 0; i < at; i++) line += bytes[i] == '\n';
	return line;
}

static bool is_text(const char *bytes, size_t size, const char *file, struct rr_faults *faults)
{
	const char *bad = NULL;
	if (size > SIZE_MOST) {
		rr_faults_add(faults, file, 0, 0,
			      "larger than 16 MiB; a scenario is a short text (traces stand in their own files)");
		return false;
	}
	if (g_utf8_validate(bytes, (gssize)size, &bad)) return true;
	rr_faults_add(faults, file, line_of(bytes, (size_t)(bad - bytes)), 0,
		      "not text: byte 0x%02x is not UTF-8; a scenario is a YAML text", (unsigned)(unsigned char)*bad);
	return false;
}

static struct node *read_document(struct tree *tree, yaml_parser_t *parser, const char *bytes, size_t size,
				  const char *file, struct rr_faults *faults)
{
	yaml_document_t document;
	if (!yaml_parser_load(parser, &document)) {
		tell_syntax(parser, bytes, size, file, faults);
		return NULL;
	}
	struct node *root = NULL;
	if (yaml_document_get_root_node(&document) == NULL)
		rr_faults_add(faults, file, 0, 0, "the file is empty");
	else {
		g_autoptr(GHashTable) open = g_hash_table_new(NULL, NULL);
		struct reading r = {tree, file, &document, open, 0, faults};
		root = convert(&r, 1, 0);
	}
	yaml_document_delete(&document);
	return root;
}

/* Whether the document read is the last one. */
static bool is_last(yaml_parser_t *parser, const char *bytes, size_t size, const char *file, struct rr_faults *faults)
{
	yaml_document_t document;
	if (!yaml_parser_load(parser, &document)) {
		tell_syntax(parser, bytes, size, file, faults);
		return false;
	}
	bool last = yaml_document_get_root_node(&document) == NULL;
	long line = (long)document.start_mark.line + 1;
	yaml_document_delete(&document);
	if (!last) rr_faults_add(faults, file, line, 1, "a second document begins here ('---'); one file holds one");
	return last;
}

struct node *node_read(struct tree *tree, const char *bytes, size_t size, const char *file, struct rr_faults *faults)
{
	const char *name = g_string_chunk_insert_const(tree->names, file);
	if (!is_text(bytes, size, name, faults)) return NULL;
	yaml_parser_t parser;
	if (yaml_parser_initialize(&parser) == 0) g_error("libyaml: out of memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, size);
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	guint before = faults->texts->len;
	struct node *root = read_document(tree, &parser, bytes, size, name, faults);
	if (root != NULL && !is_last(&parser, bytes, size, name, faults)) root = NULL;
	yaml_parser_delete(&parser);
	g_assert(root != NULL || faults->texts->len + (guint)faults->dropped > before);
	return root;
}

bool node_read_file(const char *path, char **bytes, size_t *size, struct rr_faults *faults)
{
	struct stat about;
	if (stat(path, &about) != 0) {
		rr_faults_add(faults, path, 0, 0, "cannot be read: %s", g_strerror(errno));
		return false;
	}
	if (S_ISDIR(about.st_mode)) {
		rr_faults_add(faults, path, 0, 0, "is a folder; a YAML file was expected");
		return false;
	}
	if (about.st_size > SIZE_MOST) {
		rr_faults_add(faults, path, 0, 0,
			      "larger than 16 MiB; a scenario is a short text (traces stand in their own files)");
		return false;
	}
	g_autoptr(GError) error = NULL;
	if (g_file_get_contents(path, bytes, size, &error)) return true;
	rr_faults_add(faults, path, 0, 0, "cannot be read: %s", error->message);
	return false;
}
