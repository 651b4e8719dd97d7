/* The walls of the house, held by rules over the sources and the library:
 * tools -> reports -> sim -> scenarios -> models, and never the other way. */
#include "tests/support/test.h"

#include <string.h>

enum { LINES_MAX = 600 };

/* Each layer may include itself and those after it. */
static const char *const layers[] = {"tools", "reports", "sim", "scenarios", "models"};

struct source {
	char *path, *text;
};

static void source_free(void *pointer)
{
	struct source *source = pointer;
	g_free(source->path);
	g_free(source->text);
	g_free(source);
}

static void add_source(GPtrArray *sources, const char *path, const char *text)
{
	struct source *source = g_new0(struct source, 1);
	source->path = g_strdup(path);
	source->text = g_strdup(text);
	g_ptr_array_add(sources, source);
}

/* ROOT is the checkout; FOLDER is relative to it, as paths in includes are. */
static void collect(GPtrArray *sources, const char *root, const char *folder)
{
	g_autofree char *whole = g_build_filename(root, folder, NULL);
	g_autoptr(GDir) dir = g_dir_open(whole, 0, NULL);
	const char *name = NULL;
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_autofree char *file = g_build_filename(root, path, NULL);
		if (g_file_test(file, G_FILE_TEST_IS_DIR)) {
			collect(sources, root, path);
		} else if (g_str_has_suffix(name, ".c") || g_str_has_suffix(name, ".h")) {
			g_autofree char *text = NULL;
			ck_assert(g_file_get_contents(file, &text, NULL, NULL));
			add_source(sources, path, text);
		}
	}
}

static GPtrArray *all_sources(void)
{
	g_autofree char *tests = rr_test_path(".");
	g_autofree char *root = g_build_filename(tests, "..", NULL);
	GPtrArray *sources = g_ptr_array_new_with_free_func(source_free);
	for (size_t i = 0; i < G_N_ELEMENTS(layers); i++) {
		guint before = sources->len;
		collect(sources, root, layers[i]);
		ck_assert_msg(sources->len > before, "no sources under %s/", layers[i]);
	}
	collect(sources, root, "tests");
	return sources;
}

/* Position among the layers; -1 for tests/ and for what is generated. */
static int layer_of(const char *path)
{
	for (size_t i = 0; i < G_N_ELEMENTS(layers); i++) {
		size_t length = strlen(layers[i]);
		if (strncmp(path, layers[i], length) == 0 && path[length] == '/') return (int)i;
	}
	return -1;
}

/* Calls RULE for each include in quotes. */
typedef void (*include_rule)(const struct source *source, const char *included, GString *breaches);

static void each_include(const struct source *source, include_rule rule, GString *breaches)
{
	static const char word[] = "#include \"";
	for (const char *at = source->text; (at = strstr(at, word)) != NULL;) {
		bool line_start = at == source->text || at[-1] == '\n';
		at += sizeof word - 1;
		if (!line_start) continue;
		const char *end = strchr(at, '"');
		ck_assert_ptr_nonnull(end);
		g_autofree char *included = g_strndup(at, (gsize)(end - at));
		rule(source, included, breaches);
	}
}

static void only_downward(const struct source *source, const char *included, GString *breaches)
{
	int from = layer_of(source->path), to = layer_of(included);
	if (from < 0) return;
	if (to >= 0 ? to < from : g_str_has_prefix(included, "tests/"))
		g_string_append_printf(breaches, "%s includes %s, which is higher\n", source->path, included);
}

/* x/y/y.h is for everyone; any other header of x/y only for x/y and below. */
static void private_stays_home(const struct source *source, const char *included, GString *breaches)
{
	if (layer_of(source->path) < 0 || layer_of(included) < 0) return;
	g_autofree char *folder = g_path_get_dirname(included);
	g_autofree char *noun = g_path_get_basename(folder);
	g_autofree char *public_header = g_strdup_printf("%s/%s.h", folder, noun);
	g_autofree char *inside = g_strconcat(folder, "/", NULL);
	if (strcmp(included, public_header) != 0 && !g_str_has_prefix(source->path, inside))
		g_string_append_printf(breaches, "%s includes %s, private to %s\n", source->path, included, folder);
}

static void from_the_root(const struct source *source, const char *included, GString *breaches)
{
	bool generated = strcmp(included, "version.h") == 0;
	if (!generated && layer_of(included) < 0 && !g_str_has_prefix(included, "tests/"))
		g_string_append_printf(breaches, "%s includes \"%s\", not named from the root\n", source->path,
				       included);
}

static void not_too_long(const struct source *source, GString *breaches)
{
	size_t lines = 0;
	for (const char *at = source->text; (at = strchr(at, '\n')) != NULL; at++) lines++;
	if (lines > LINES_MAX)
		g_string_append_printf(breaches, "%s has %zu lines, more than %d: two nouns\n", source->path, lines,
				       LINES_MAX);
}

static void without_words(const struct source *source, const char *pattern, const char *why, GString *breaches)
{
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	ck_assert_ptr_nonnull(regex);
	g_autoptr(GMatchInfo) match = NULL;
	if (!g_regex_match(regex, source->text, 0, &match)) return;
	g_autofree char *found = g_match_info_fetch(match, 0);
	g_string_append_printf(breaches, "%s: '%s': %s\n", source->path, found, why);
}

static void no_shared_state_of_libc(const struct source *source, GString *breaches)
{
	if (layer_of(source->path) < 0) return;
	without_words(source, "\\b(rand|srand|random|srandom|drand48|srand48|rand_r)\\s*\\(",
		      "luck comes from models/random only", breaches);
	without_words(source, "\\bsetlocale\\s*\\(", "outputs are the same in every locale", breaches);
	without_words(source, "\\b(strtok|localtime|gmtime|asctime|ctime)\\s*\\(", "hidden state inside libc",
		      breaches);
}

static void models_are_pure(const struct source *source, GString *breaches)
{
	if (!g_str_has_prefix(source->path, "models/")) return;
	without_words(source, "<stdio\\.h>|<fcntl\\.h>|<gio/|<glib/gstdio\\.h>|\\bFILE\\b",
		      "models open no files and print nothing", breaches);
	without_words(source, "\\b(fopen|open|g_file_\\w+|g_getenv|getenv|printf|g_print\\w*)\\s*\\(",
		      "models open no files and print nothing", breaches);
	without_words(source, "\\b(time|clock|clock_gettime|gettimeofday|g_get_\\w*time)\\s*\\(",
		      "models know no clock of the machine", breaches);
}

static void simulation_knows_no_wall_clock(const struct source *source, GString *breaches)
{
	if (!g_str_has_prefix(source->path, "sim/")) return;
	without_words(source, "\\b(fopen|g_file_\\w+|printf|g_print|g_printerr|g_getenv|getenv)\\s*\\(",
		      "the simulation reads no file and prints nothing", breaches);
	without_words(source, "\\b(time|clock|clock_gettime|gettimeofday|g_get_\\w*time)\\s*\\(",
		      "the simulation knows no clock but its own", breaches);
}

/* Applies RULE or FILE_RULE, whichever is given, to all of SOURCES. */
static char *breaches_of(GPtrArray *sources, include_rule rule, void (*file_rule)(const struct source *, GString *))
{
	GString *breaches = g_string_new(NULL);
	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = g_ptr_array_index(sources, i);
		if (rule != NULL) each_include(source, rule, breaches);
		if (file_rule != NULL) file_rule(source, breaches);
	}
	return g_string_free(breaches, FALSE);
}

static void expect_none(include_rule rule, void (*file_rule)(const struct source *, GString *))
{
	g_autoptr(GPtrArray) sources = all_sources();
	g_autofree char *breaches = breaches_of(sources, rule, file_rule);
	ck_assert_msg(*breaches == '\0', "\n%s", breaches);
}

START_TEST(no_folder_includes_a_higher_one)
{
	expect_none(only_downward, NULL);
}
END_TEST

START_TEST(private_headers_stay_in_their_folder)
{
	expect_none(private_stays_home, NULL);
}
END_TEST

START_TEST(includes_are_named_from_the_root)
{
	expect_none(from_the_root, NULL);
}
END_TEST

START_TEST(no_file_is_longer_than_600_lines)
{
	expect_none(NULL, not_too_long);
}
END_TEST

START_TEST(no_luck_or_locale_of_libc)
{
	expect_none(NULL, no_shared_state_of_libc);
}
END_TEST

START_TEST(models_open_no_files_and_know_no_clock)
{
	expect_none(NULL, models_are_pure);
}
END_TEST

START_TEST(simulation_reads_no_file_and_no_clock)
{
	expect_none(NULL, simulation_knows_no_wall_clock);
}
END_TEST

/* The objects themselves: writable data that is not only relocated at start-up. */
static const char mutable_symbols[] =
    "objdump -t %s 2>/dev/null | awk '/file format/ { object = $1 }"
    " ($3 == \"O\" || $4 == \"O\") && / (\\.data|\\.bss|\\.tdata|\\.tbss|\\*COM\\*)/ && !/\\.data\\.rel\\.ro/"
    " { print object, $NF }'";

START_TEST(library_holds_no_mutable_globals)
{
	const char *given = g_getenv("RR_BINARY");
	g_autofree char *folder = given != NULL ? g_path_get_dirname(given) : g_strdup("build");
	g_autofree char *library = g_build_filename(folder, "librackrent.a", NULL);
	g_autofree char *traced = NULL;
	g_autofree char *ask =
	    g_strdup_printf("nm %s 2>/dev/null | grep -E '__(asan|tsan|gcov|llvm_gcov)_' | head -n 1", library);
	rr_test_shell(ask, &traced);
	if (*traced != '\0') RR_SKIP("an instrumented build adds globals of its own; the plain build is checked");
	g_autofree char *listed = NULL, *count = NULL;
	g_autofree char *members = g_strdup_printf("ar t %s", library);
	ck_assert_msg(rr_test_shell(members, &count) == 0, "%s", count);
	g_autofree char *command = g_strdup_printf(mutable_symbols, library);
	ck_assert_int_eq(rr_test_shell(command, &listed), 0);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(listed), "\n", -1);
	for (size_t i = 0; lines[i] != NULL; i++) {
		/* G_DEFINE_QUARK keeps the number of its word: the same for all, set once by GLib. */
		bool quark = g_regex_match_simple(" q(\\.\\d+)?$", lines[i], 0, 0) ||
			     g_regex_match_simple("_quark\\.q$", lines[i], 0, 0);
		ck_assert_msg(*lines[i] == '\0' || quark, "mutable global: %s", lines[i]);
	}
}
END_TEST

/* One planted breach for each rule, beside its lawful neighbour. */
static void plant(const char *path, const char *text, include_rule rule,
		  void (*file_rule)(const struct source *, GString *), bool breach)
{
	g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(source_free);
	add_source(sources, path, text);
	g_autofree char *found = breaches_of(sources, rule, file_rule);
	ck_assert_msg((*found != '\0') == breach, "%s with '%s': expected %s\n%s", path, text,
		      breach ? "a breach" : "none", found);
}

START_TEST(the_rules_find_planted_breaches)
{
	plant("sim/x/x.c", "#include \"reports/reports.h\"\n", only_downward, NULL, true);
	plant("models/x/x.c", "#include \"scenarios/scenarios.h\"\n", only_downward, NULL, true);
	plant("sim/x/x.c", "#include \"tests/support/test.h\"\n", only_downward, NULL, true);
	plant("sim/x/x.c", "#include \"models/units/units.h\"\n", only_downward, NULL, false);
	plant("sim/x/x.c", "#include \"sim/y/inner.h\"\n", private_stays_home, NULL, true);
	plant("sim/x/x.c", "#include \"sim/y/y.h\"\n", private_stays_home, NULL, false);
	plant("sim/y/part/x.c", "#include \"sim/y/inner.h\"\n", private_stays_home, NULL, false);
	plant("sim/x/x.c", "#include \"x.h\"\n", from_the_root, NULL, true);
	plant("sim/x/x.c", "int a = rand();\n", NULL, no_shared_state_of_libc, true);
	plant("sim/x/x.c", "int a = operand(b);\n", NULL, no_shared_state_of_libc, false);
	plant("tools/x/x.c", "setlocale(LC_ALL, \"\");\n", NULL, no_shared_state_of_libc, true);
	plant("models/x/x.c", "#include <stdio.h>\n", NULL, models_are_pure, true);
	plant("models/x/x.c", "g_file_get_contents(a, b, c, d);\n", NULL, models_are_pure, true);
	plant("sim/x/x.c", "int64_t now = g_get_monotonic_time();\n", NULL, simulation_knows_no_wall_clock, true);
	plant("sim/x/x.c", "advance_time(engine);\n", NULL, simulation_knows_no_wall_clock, false);
	g_autofree char *text = g_strnfill(LINES_MAX + 1, '\n');
	plant("sim/x/x.c", text, NULL, not_too_long, true);
	plant("sim/x/x.c", text + 1, NULL, not_too_long, false);
}
END_TEST

START_TEST(the_symbol_rule_finds_a_planted_global)
{
	char *folder = rr_test_folder();
	g_autofree char *code = g_build_filename(folder, "planted.c", NULL);
	g_autofree char *object = g_build_filename(folder, "planted.o", NULL);
	const char *text = "static int counter; int next(void); int next(void) { return counter++; }\n"
			   "extern const char *const names[]; const char *const names[] = {\"a\", \"b\"};\n";
	ck_assert(g_file_set_contents(code, text, -1, NULL));
	g_autofree char *compile = g_strdup_printf("gcc -fPIC -c -o %s %s", object, code);
	g_autofree char *said = NULL, *listed = NULL;
	ck_assert_msg(rr_test_shell(compile, &said) == 0, "%s", said);
	g_autofree char *command = g_strdup_printf(mutable_symbols, object);
	ck_assert_int_eq(rr_test_shell(command, &listed), 0);
	ck_assert_msg(strstr(listed, "counter") != NULL && strstr(listed, "names") == NULL, "found: %s", listed);
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("architecture", no_folder_includes_a_higher_one, private_headers_stay_in_their_folder,
	     includes_are_named_from_the_root, no_file_is_longer_than_600_lines, no_luck_or_locale_of_libc,
	     models_open_no_files_and_know_no_clock, simulation_reads_no_file_and_no_clock,
	     library_holds_no_mutable_globals, the_rules_find_planted_breaches, the_symbol_rule_finds_a_planted_global)
