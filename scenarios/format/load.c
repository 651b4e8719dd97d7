/* load.c - from a file and its overrides to a scenario. */
#include "models/data/data.h"
#include "scenarios/format/resolve.h"
#include "scenarios/format/table.h"

#include <string.h>

/* ---------------------------------------------------------------- overrides */

/* Marks a value as coming from the command line, not from a place in a file. */
static void stamp(struct node *node, const char *file)
{
	node->file = file;
	node->line = node->column = 0;
	for (guint i = 0; node->items != NULL && i < node->items->len; i++) {
		stamp(g_ptr_array_index(node->items, i), file);
		if (node->keys != NULL) stamp(g_ptr_array_index(node->keys, i), file);
	}
}

/* "a.b.c=value": VALUE is YAML, so that {min: 0, max: 4} works too. */
static void override(struct rr_reader *r, struct node *root, const char *text)
{
	g_autofree char *label = g_strdup_printf("--set %s", text);
	const char *file = g_string_chunk_insert_const(r->tree->names, label);
	const char *equals = strchr(text, '=');
	if (equals == NULL || equals == text) {
		rr_faults_add(r->faults, file, 0, 0, "expected PATH=VALUE such as horizon=1y");
		return;
	}
	struct node *value = node_read(r->tree, equals + 1, strlen(equals + 1), file, r->faults);
	if (value == NULL) return;
	stamp(value, file);
	g_autofree char *path = g_strndup(text, (gsize)(equals - text));
	g_auto(GStrv) parts = g_strsplit(path, ".", -1);
	struct node *at = root;
	for (char **part = parts; *part != NULL; part++) {
		if (at->kind != NODE_MAP) {
			g_autofree char *found = node_describe(at);
			rr_faults_add(r->faults, file, 0, 0, "there is no key '%s' here: what stands above it is %s",
				      *part, found);
			return;
		}
		struct node *below = part[1] == NULL ? value : node_get(at, *part);
		if (below == NULL) below = node_new_map(r->tree, value);
		node_set(r->tree, at, *part, below);
		/* The key too counts as written on the command line. */
		for (guint i = 0; part[1] == NULL && i < at->keys->len; i++) {
			struct node *key = g_ptr_array_index(at->keys, i);
			if (strcmp(key->text, *part) == 0) stamp(key, file);
		}
		at = below;
	}
}

/* -------------------------------------------------------------------- extends */

/* The fleet NAME laid over the one that it extends; NULL after a fault. OPEN
 * holds the fleets being laid out, to find circles. */
static struct node *lay_out(struct rr_reader *r, struct node *fleets, const char *name, GHashTable *open)
{
	struct node *fleet = node_get(fleets, name), *extends = node_get(fleet, "extends");
	if (extends == NULL || extends->kind != NODE_TEXT) return fleet;
	g_autofree char *path = g_strdup_printf("fleets.%s.extends", name);
	if (node_get(fleets, extends->text) == NULL) {
		g_autoptr(GPtrArray) names = g_ptr_array_new();
		for (guint i = 0; i < fleets->keys->len; i++)
			g_ptr_array_add(names, ((struct node *)g_ptr_array_index(fleets->keys, i))->text);
		g_ptr_array_add(names, NULL);
		g_autofree char *hint = table_hint(extends->text, (const char *const *)names->pdata);
		table_add_fault(r, extends, path, "there is no fleet '%s'%s", extends->text, hint);
		return NULL;
	}
	if (!g_hash_table_add(open, (gpointer)(intptr_t)name)) {
		table_add_fault(r, extends, path, "the fleets extend each other in a circle");
		return NULL;
	}
	struct node *base = lay_out(r, fleets, extends->text, open);
	g_hash_table_remove(open, name);
	return base == NULL ? NULL : node_overlay(r->tree, base, fleet);
}

static void lay_out_fleets(struct rr_reader *r, struct node *root)
{
	struct node *fleets = node_get(root, "fleets");
	if (fleets == NULL || fleets->kind != NODE_MAP) return;
	struct node *whole = node_new_map(r->tree, fleets);
	for (guint i = 0; i < fleets->keys->len; i++) {
		struct node *name = g_ptr_array_index(fleets->keys, i);
		g_autoptr(GHashTable) open = g_hash_table_new(g_str_hash, g_str_equal);
		struct node *fleet = lay_out(r, fleets, name->text, open);
		g_ptr_array_add(whole->keys, name);
		g_ptr_array_add(whole->items, fleet != NULL ? fleet : g_ptr_array_index(fleets->items, i));
	}
	node_set(r->tree, root, "fleets", whole);
}

/* -------------------------------------------------------------------- loading */

/* Money is checked against the scenario's currency while it is read, so that
 * key is looked at first. */
static void find_currency(struct rr_reader *r, const struct node *root)
{
	const struct node *node = node_get(root, "currency");
	const char *text = node != NULL && node->kind == NODE_TEXT ? node->text : "USD";
	bool sound = strlen(text) == 3;
	for (const char *c = text; *c != '\0'; c++) sound = sound && g_ascii_isupper(*c);
	if (sound)
		memcpy(r->currency, text, 4);
	else
		table_add_fault(r, node, "currency", "expected three capital letters such as USD, found '%s'", text);
}

static void digest(struct scenario *s, const char *bytes, size_t size, const struct rr_load_options *options)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(sum, (const guchar *)bytes, (gssize)size);
	for (const char *const *o = options->overrides; o != NULL && *o != NULL; o++)
		g_checksum_update(sum, (const guchar *)*o, (gssize)strlen(*o) + 1);
	g_strlcpy(s->digest, g_checksum_get_string(sum), sizeof s->digest);
}

static struct scenario *read_scenario(struct rr_reader *r, struct node *root, const char *name)
{
	struct scenario *s = g_new0(struct scenario, 1);
	s->file = g_strdup(name);
	s->notes = g_ptr_array_new_with_free_func(g_free);
	memcpy(s->currency, r->currency[0] != '\0' ? r->currency : "USD", 4);
	table_defaults(r, &rr_scenario_table, s);
	table_read(r, &rr_scenario_table, root, s, "");
	if (root->kind == NODE_MAP) resolve_scenario(r, s);
	return s;
}

struct scenario *rr_scenario_load_bytes(const char *bytes, size_t size, const char *name, const char *folder,
					const struct rr_load_options *options, struct rr_faults *faults)
{
	struct tree tree;
	tree_init(&tree);
	struct scenario *s = NULL;
	guint before = faults->texts->len;
	struct rr_reader r = {.tree = &tree,
			      .faults = faults,
			      .options = options,
			      .folder = folder,
			      .places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
	struct node *root = node_read(&tree, bytes, size, name, faults);
	if (root != NULL && root->kind == NODE_MAP) {
		for (const char *const *o = options->overrides; o != NULL && *o != NULL; o++) override(&r, root, *o);
		find_currency(&r, root);
		lay_out_fleets(&r, root);
	}
	if (root != NULL) s = read_scenario(&r, root, name);
	if (s != NULL) digest(s, bytes, size, options);
	rr_faults_sort(faults, before);
	if (faults->texts->len > before) g_clear_pointer(&s, rr_scenario_free);
	g_hash_table_unref(r.places);
	tree_done(&tree);
	return s;
}

struct scenario *rr_scenario_load(const char *path, const struct rr_load_options *options, struct rr_faults *faults)
{
	g_autofree char *bytes = NULL;
	size_t size = 0;
	if (!node_read_file(path, &bytes, &size, faults)) return NULL;
	g_autofree char *folder = g_path_get_dirname(path);
	return rr_scenario_load_bytes(bytes, size, path, folder, options, faults);
}

const char *rr_scenario_builtin(size_t *size, const char **name)
{
	*name = "scenarios/first-look.yaml";
	return rr_data_file(*name, size);
}

void rr_scenario_free(struct scenario *s)
{
	if (s == NULL) return;
	for (int32_t f = 0; s->fleets != NULL && f < s->fleet_count; f++)
		for (int32_t p = 0; p < s->fleets[f].pool_count; p++) {
			g_free(s->fleets[f].pools[p].price_source);
			g_free(s->fleets[f].pools[p].gpu_type);
		}
	table_clear(&rr_scenario_table, s);
	g_free(s->file);
	rr_catalogue_free(s->catalogue);
	g_ptr_array_unref(s->notes);
	g_free(s);
}
