#include "tests/support/broken.h"

#include "tests/support/test.h"

#include <string.h>

const char *rr_test_binary(void)
{
	const char *given = g_getenv("RR_BINARY");
	return given != NULL ? given : "build/rackrent";
}

static void check(const char *folder, const char *name, const char *arguments)
{
	g_autofree char *expected_name = g_strconcat(name, ".expected", NULL);
	g_autofree char *expected_path = g_build_filename(folder, expected_name, NULL);
	g_autofree char *binary = g_canonicalize_filename(rr_test_binary(), NULL);
	g_autofree char *command = g_strdup_printf("cd %s && %s %s", folder, binary, arguments);
	g_autofree char *output = NULL, *expected = NULL;
	int status = rr_test_shell(command, &output);
	ck_assert_msg(status == 2, "%s: exit %d:\n%s", name, status, output);
	if (g_getenv("RR_UPDATE") != NULL) ck_assert(g_file_set_contents(expected_path, output, -1, NULL));
	ck_assert_msg(g_file_get_contents(expected_path, &expected, NULL, NULL), "%s is not there", expected_path);
	ck_assert_msg(strcmp(output, expected) == 0, "%s: expected\n%sfound\n%s", name, expected, output);
}

int rr_test_broken(const char *folder, char *(*command_for)(const char *name))
{
	g_autofree char *path = rr_test_path(folder);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	ck_assert_ptr_nonnull(dir);
	int count = 0;
	for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
		if (g_str_has_suffix(name, ".expected")) continue;
		g_autofree char *arguments = command_for(name);
		check(path, name, arguments);
		count++;
	}
	return count;
}
