/* Every broken trace under tests/traces/broken gives its exact message and exit
 * status 2. A name with "-strict" is read with --strict. */
#include "tests/support/broken.h"
#include "tests/support/test.h"

#include <string.h>

static char *command_for(const char *name)
{
	const char *option = strstr(name, "-strict.") != NULL ? "--strict"
			     : g_str_has_prefix(name, "03-")  ? "--trace-format csv"
			     : g_str_has_prefix(name, "21-")  ? "--trace-format hellios"
							      : "";
	return g_strdup_printf("replay %s --pool flat:8 --quiet --only jobs --out /dev/null/never %s", name, option);
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

RR_TEST_MAIN("broken traces", each_broken_trace_gives_its_message, what_is_not_a_file_is_said)
