/* Every broken trace under tests/traces/broken gives its exact message and exit
 * status 2. A name with "-strict." is read with --strict, one with "-as-FORMAT-" as
 * that format. */
#include "tests/support/broken.h"
#include "tests/support/test.h"

#include <string.h>

static char *command_for(const char *name)
{
	const char *as = strstr(name, "-as-");
	g_autofree char *format = as == NULL ? NULL : g_strndup(as + 4, strcspn(as + 4, "-"));
	return g_strdup_printf("replay %s --pool flat:8 --quiet --only jobs --out /dev/null/never %s %s %s", name,
			       strstr(name, "-strict.") != NULL ? "--strict" : "",
			       format != NULL ? "--trace-format" : "", format != NULL ? format : "");
}

START_TEST(each_broken_trace_gives_its_message)
{
	ck_assert_int_ge(rr_test_broken("traces/broken", command_for), 20);
}
END_TEST

START_TEST(what_is_not_a_file_is_said)
{
	g_autofree char *output = NULL;
	const char *binary = rr_test_binary();
	g_autofree char *missing = g_strdup_printf("%s replay no/such.csv --pool flat:8", binary);
	ck_assert_int_eq(rr_test_shell(missing, &output), 2);
	ck_assert_str_eq(output, "no/such.csv: cannot be read: No such file or directory\n");
	g_autofree char *folder = g_strdup_printf("%s replay tests --pool flat:8", binary);
	g_autofree char *second = NULL;
	ck_assert_int_eq(rr_test_shell(folder, &second), 2);
	ck_assert_str_eq(second, "tests: is a folder; a trace file was expected\n");
}
END_TEST

START_TEST(a_line_without_end_is_refused)
{
	char *folder = rr_test_folder();
	g_autofree char *path = g_build_filename(folder, "endless.csv", NULL);
	g_autoptr(GString) text = g_string_new("id,submit_s,gpus,duration_s\na,0,4,100\nb,");
	for (int i = 0; i < 1100000; i++) g_string_append_c(text, '9');
	ck_assert(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
	g_autofree char *command = g_strdup_printf("%s replay %s --pool flat:8", rr_test_binary(), path),
			*output = NULL;
	ck_assert_int_eq(rr_test_shell(command, &output), 2);
	ck_assert_msg(g_str_has_suffix(output, "endless.csv:3: a line of more than 1 MiB: not a trace\n"), "%s",
		      output);
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("broken traces", a_line_without_end_is_refused, each_broken_trace_gives_its_message,
	     what_is_not_a_file_is_said)
