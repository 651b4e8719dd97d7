#include "tests/support/test.h"

#include <string.h>
#include <sys/wait.h>

static const char *source_folder(void)
{
	const char *given = g_getenv("RR_SOURCE");
	return given != NULL ? given : ".";
}

char *rr_test_shared(const char *relative)
{
	const char *given = g_getenv("RR_SHARED");
	g_autofree char *base =
	    given != NULL ? g_strdup(given) : g_build_filename(source_folder(), "..", "shared", NULL);
	g_autofree char *path = g_build_filename(base, relative, NULL);
	return g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&path) : NULL;
}

char *rr_test_path(const char *relative)
{
	return g_build_filename(source_folder(), "tests", relative, NULL);
}

char *rr_test_folder(void)
{
	char *folder = g_dir_make_tmp("rackrent-test-XXXXXX", NULL);
	ck_assert_ptr_nonnull(folder);
	return folder;
}

static void remove_tree(const char *path)
{
	if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK)) {
		g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
		const char *name = NULL;
		while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
			g_autofree char *child = g_build_filename(path, name, NULL);
			remove_tree(child);
		}
	}
	(void)remove(path);
}

void rr_test_remove(char *folder)
{
	remove_tree(folder);
	g_free(folder);
}

int rr_test_shell(const char *command, char **output)
{
	g_autofree char *quoted = g_shell_quote(source_folder());
	g_autofree char *line = g_strdup_printf("cd %s && { %s ; } 2>&1 </dev/null", quoted, command);
	FILE *pipe = popen(line, "r");
	ck_assert_ptr_nonnull(pipe);
	GString *text = g_string_new(NULL);
	char chunk[4096];
	size_t got = 0;
	while ((got = fread(chunk, 1, sizeof chunk, pipe)) > 0) g_string_append_len(text, chunk, (gssize)got);
	int status = pclose(pipe);
	if (output != NULL)
		*output = g_string_free(text, FALSE);
	else
		g_string_free(text, TRUE);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int rr_test_run(const char *name, const TTest *const *tests)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 600);
	for (const TTest *const *t = tests; *t != NULL; t++) tcase_add_test(tcase, *t);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
