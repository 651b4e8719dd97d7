/* table.h - one table per mapping of the file. Private to scenarios/format.
 *
 * A table drives the reading, defaults, ranges, units, references and error
 * texts, and from the same rows come the JSON Schema, the reference page and
 * `rackrent explain`. A new key is one row. */
#ifndef RR_SCENARIOS_FORMAT_TABLE_H
#define RR_SCENARIOS_FORMAT_TABLE_H

#include "scenarios/format/format.h"
#include "scenarios/format/node.h"

#include <jansson.h>
#include <stddef.h>

struct rr_reader;
struct rr_key;

enum rr_key_type {
	RR_KEY_BOOL,     /* bool */
	RR_KEY_INT,      /* int32_t, or int64_t with .wide */
	RR_KEY_QUANTITY, /* int64_t where the dimension is counted, else double */
	RR_KEY_SECONDS,  /* a duration kept as double seconds */
	RR_KEY_TEXT,     /* char * */
	RR_KEY_PATH,     /* char *, relative to the file's folder */
	RR_KEY_WORD,     /* int32_t: index into .words */
	RR_KEY_DATE,     /* int64_t seconds since 1970 */
	RR_KEY_TEXTS,    /* char **: a list of texts */
	RR_KEY_RECORD,   /* struct in place, by .table */
	RR_KEY_MAP,      /* array of structs by name, by .table; int32_t count at .also */
	RR_KEY_LIST,     /* array of structs, by .table; int32_t count at .also */
	RR_KEY_FORM      /* a shape of its own, by .form */
};

/* A shape that is more than one value: a distribution, a count with limits. */
struct rr_form {
	const char *noun;  /* "a distribution of durations" */
	const char *shape; /* how it is written, for the reference page */
	void (*read)(struct rr_reader *reader, const struct rr_key *key, const struct node *node, void *at,
		     const char *path);
	void (*clear)(void *at); /* NULL = nothing to free */
	json_t *(*schema)(const struct rr_key *key, const struct rr_vocabulary *words);
};

struct rr_table {
	const char *name;          /* in the schema and the reference: "pool" */
	const char *about;         /* one line */
	size_t size;               /* of the struct */
	size_t name_at;            /* in a map: where the char * name stands */
	const struct rr_key *keys; /* ends with a NULL name */
};

/* What a key changes: the simulation, or only what is reckoned from it afterwards. */
enum rr_key_mark { RR_KEY_FACT, RR_KEY_MONEY };

struct rr_key {
	const char *name;
	enum rr_key_type type;
	size_t at, also; /* offsets; .also: count of a map, currency of money, flag of a record */
	bool wide;       /* int64_t */
	bool required;
	bool inherited;    /* required, but it may come from what 'extends' names */
	bool any_currency; /* keeps the money's own currency at .also (char[4]) */
	bool flagged;      /* sets the bool at .also when the key is given */
	enum rr_dimension dimension;
	const char *least, *most; /* in the unit of a file */
	const char *preset;       /* the default, as text; NULL = unset (-1, NAN, NULL) */
	const char *const *words;
	const struct rr_table *table;
	const struct rr_form *form;
	enum rr_key_mark mark;
	const char *help, *example;
};

struct rr_reader {
	struct tree *tree;
	struct rr_faults *faults;
	const struct rr_load_options *options;
	const char *folder;
	char currency[4];   /* of the scenario; "" = any */
	GHashTable *places; /* path -> struct node *, for faults found later */
};

void table_defaults(struct rr_reader *reader, const struct rr_table *table, void *into);
void table_read(struct rr_reader *reader, const struct rr_table *table, const struct node *node, void *into,
		const char *path);
/* Frees what the struct holds, by the table. */
void table_clear(const struct rr_table *table, void *at);
/* One value as KEY wants it, into AT. */
void table_read_value(struct rr_reader *reader, const struct rr_key *key, const struct node *node, void *base,
		      const char *path);
void table_add_fault(struct rr_reader *reader, const struct node *node, const char *path, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
/* A fault at a place read before; PATH may name a key that is not there: then
 * the nearest mapping above it is named. */
void table_add_fault_at(struct rr_reader *reader, const char *path, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* ", did you mean 'x'?" or "", from NULL-terminated WORDS. Caller frees. */
char *table_hint(const char *text, const char *const *words);
bool table_has(const struct rr_reader *reader, const char *path);

/* The format's root, the fleet's own, and those of the catalogue. */
extern const struct rr_table rr_scenario_table, rr_catalogue_table;
extern const struct rr_form rr_form_duration, rr_form_count, rr_form_sizes, rr_form_profile, rr_form_scheduler,
    rr_form_numbers, rr_form_tenants, rr_form_priorities;

/* For schema and reference: what a quantity looks like. */
json_t *schema_of_key(const struct rr_key *key, const struct rr_vocabulary *words);
json_t *schema_of_table(const struct rr_table *table, const struct rr_vocabulary *words);

#endif
