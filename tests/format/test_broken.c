/* Every broken scenario under tests/format/broken gives its exact messages, all of
 * them in one go, and exit status 2. */
#include "tests/support/broken.h"
#include "tests/support/test.h"

static char *command_for(const char *name)
{
	return g_strdup_printf("run %s --quiet --only summary --out /dev/null/never", name);
}

START_TEST(each_broken_scenario_gives_its_messages)
{
	ck_assert_int_ge(rr_test_broken("format/broken", command_for), 20);
}
END_TEST

START_TEST(a_file_of_100_megabytes_is_refused_at_once)
{
	char *folder = rr_test_folder();
	g_autofree char *command =
	    g_strdup_printf("truncate -s 100M %s/large.yaml && %s run %s/large.yaml", folder, rr_test_binary(), folder);
	g_autofree char *output = NULL;
	ck_assert_int_eq(rr_test_shell(command, &output), 2);
	ck_assert_msg(g_str_has_suffix(output,
				       "larger than 16 MiB; a scenario is a short text (traces stand in their own "
				       "files)\n"),
		      "%s", output);
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("broken scenarios", each_broken_scenario_gives_its_messages, a_file_of_100_megabytes_is_refused_at_once)
