/* README.md promises only what happens: its commands are run as they stand. */
#include "tests/support/test.h"

#include <string.h>
#include <unistd.h>

static char *page(const char *relative)
{
	g_autofree char *tests = rr_test_path("..");
	g_autofree char *path = g_build_filename(tests, relative, NULL);
	char *text = NULL;
	ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "%s is not there", path);
	return text;
}

/* The sh blocks of README.md, in order. */
static GPtrArray *blocks(void)
{
	static const char open[] = "\n```sh\n";
	g_autofree char *text = page("README.md");
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	for (const char *at = text; (at = strstr(at, open)) != NULL;) {
		at += sizeof open - 1;
		const char *end = strstr(at, "\n```");
		ck_assert_ptr_nonnull(end);
		g_ptr_array_add(found, g_strndup(at, (gsize)(end - at)));
	}
	ck_assert_uint_ge(found->len, 8);
	return found;
}

static bool is_for_newcomers(const char *block)
{
	return strstr(block, "git clone") != NULL || g_str_has_prefix(block, "make ");
}

/* A folder that looks like a built checkout beside the shared data. */
static char *scratch_checkout(const char *folder)
{
	g_autofree char *tests = rr_test_path("..");
	g_autofree char *root = g_canonicalize_filename(tests, NULL);
	const char *given = g_getenv("RR_BINARY");
	g_autofree char *binary = g_canonicalize_filename(given != NULL ? given : "build/rackrent", root);
	char *checkout = g_build_filename(folder, "checkout", NULL);
	g_autofree char *build = g_build_filename(checkout, "build", NULL);
	ck_assert_int_eq(g_mkdir_with_parents(build, 0755), 0);
	g_autofree char *program = g_build_filename(build, "rackrent", NULL);
	g_autofree char *scenarios = g_build_filename(checkout, "scenarios", NULL);
	g_autofree char *own = g_build_filename(root, "scenarios", NULL);
	ck_assert_int_eq(symlink(binary, program), 0);
	ck_assert_int_eq(symlink(own, scenarios), 0);
	g_autofree char *shared = rr_test_shared(".");
	if (shared != NULL) {
		g_autofree char *there = g_canonicalize_filename(shared, root);
		g_autofree char *beside = g_build_filename(folder, "shared", NULL);
		ck_assert_int_eq(symlink(there, beside), 0);
	}
	return checkout;
}

static void run_blocks(bool with_shared)
{
	char *folder = rr_test_folder();
	g_autofree char *checkout = scratch_checkout(folder);
	g_autoptr(GPtrArray) all = blocks();
	int done = 0;
	for (guint i = 0; i < all->len; i++) {
		const char *block = g_ptr_array_index(all, i);
		bool needs_shared = strstr(block, "../shared/") != NULL;
		if (is_for_newcomers(block) || (needs_shared && !with_shared)) continue;
		g_autofree char *script = g_build_filename(folder, "block.sh", NULL);
		ck_assert(g_file_set_contents(script, block, -1, NULL));
		g_autofree char *command = g_strdup_printf("cd %s && sh -e %s", checkout, script);
		g_autofree char *said = NULL;
		int status = rr_test_shell(command, &said);
		ck_assert_msg(status == 0, "exit %d:\n%s\n%s", status, block, said);
		done++;
	}
	ck_assert_int_ge(done, 5);
	rr_test_remove(folder);
}

START_TEST(commands_of_the_page_run_as_they_stand)
{
	g_autofree char *shared = rr_test_shared("traces");
	run_blocks(shared != NULL);
	if (shared == NULL) RR_SKIP("the commands that read ../shared: the shared data is not there");
}
END_TEST

/* What `.ci/run` and the clean clone run is not run here once more. */
START_TEST(make_targets_of_the_page_are_run_by_ci)
{
	g_autofree char *readme = page("README.md"), *ci = page(".ci/run"),
			*clone = page("tests/ground/clean_clone.sh");
	static const char *const targets[] = {"run", "test", "verify", "docs", "install", "lint", "sanitize", "fuzz"};
	for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
		g_autofree char *command = g_strdup_printf("make %s\\b", targets[i]);
		if (!g_regex_match_simple(command, readme, 0, 0)) continue;
		g_autofree char *in_ci = g_strdup_printf("make [^\n]*\\b%s\\b", targets[i]);
		ck_assert_msg(g_regex_match_simple(in_ci, ci, 0, 0) || g_regex_match_simple(in_ci, clone, 0, 0),
			      "'make %s' is on the page, but .ci/run does not run it", targets[i]);
	}
	ck_assert_ptr_nonnull(strstr(clone, "git clone"));
	ck_assert_ptr_nonnull(strstr(ci, "clean_clone.sh"));
}
END_TEST

START_TEST(files_that_the_page_names_are_there)
{
	g_autofree char *readme = page("README.md");
	g_autoptr(GRegex) link = g_regex_new("\\]\\(([^)#:]+)\\)", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	int links = 0;
	for (g_regex_match(link, readme, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *target = g_match_info_fetch(match, 1);
		g_free(page(target));
		links++;
	}
	ck_assert_int_ge(links, 2);
}
END_TEST

START_TEST(table_of_formats_is_that_of_the_program)
{
	g_autofree char *readme = page("README.md");
	const char *given = g_getenv("RR_BINARY");
	g_autofree char *command = g_strdup_printf("%s catalog formats --format csv", given ? given : "build/rackrent");
	g_autofree char *said = NULL;
	ck_assert_msg(rr_test_shell(command, &said) == 0, "%s", said);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(said), "\n", -1);
	ck_assert_uint_ge(g_strv_length(lines), 10);
	for (size_t i = 1; lines[i] != NULL; i++) {
		g_autofree char *id = g_strndup(lines[i], strcspn(lines[i], ","));
		g_autofree char *row = g_strdup_printf("\n| `%s` |", id);
		ck_assert_msg(strstr(readme, row) != NULL, "format %s has no row on the page", id);
	}
}
END_TEST

RR_TEST_MAIN("readme", commands_of_the_page_run_as_they_stand, make_targets_of_the_page_are_run_by_ci,
	     files_that_the_page_names_are_there, table_of_formats_is_that_of_the_program)
