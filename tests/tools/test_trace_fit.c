/* trace fit and trace generate, as typed. */
#include "tests/support/test.h"

#include <string.h>

START_TEST(generated_work_is_read_back_and_fitted_again)
{
	char *folder = rr_test_folder(), *output = NULL;
	g_autofree char *line = g_strdup_printf(
	    "build/rackrent trace generate scenarios/first-look.yaml --days 60 --seed 5 --out %s/a.csv && "
	    "build/rackrent trace fit %s/a.csv >%s/fit.yaml && "
	    "build/rackrent trace generate %s/fit.yaml --jobs 700 >%s/b.csv && build/rackrent trace fit %s/b.csv",
	    folder, folder, folder, folder, folder, folder);
	ck_assert_int_eq(rr_test_shell(line, &output), 0);
	ck_assert_ptr_nonnull(strstr(output, "# b.csv (csv); weekdays by the trace's zero taken as a Monday"));
	ck_assert_ptr_nonnull(strstr(output, "# fitted to 700 jobs over "));
	g_free(output);
	rr_test_remove(folder);
}
END_TEST

START_TEST(fault_of_a_block_names_its_own_line)
{
	char *folder = rr_test_folder(), *output = NULL;
	g_autofree char *file = g_build_filename(folder, "block.yaml", NULL);
	ck_assert(g_file_set_contents(file, "synthetic:\n  arrivals: {rate: 4/h}\n  gpus: {1: 1}\n  duration: 45\n", -1,
				      NULL));
	g_autofree char *line = g_strdup_printf("build/rackrent trace generate %s --jobs 3", file);
	ck_assert_int_eq(rr_test_shell(line, &output), 2);
	g_autofree char *place = g_strdup_printf("%s:4:13: ", file);
	ck_assert_msg(strstr(output, place) != NULL, "%s", output);
	g_free(output);
	rr_test_remove(folder);
}
END_TEST

START_TEST(wrong_usage_is_status_2)
{
	static const char *const lines[] = {
	    "fit",      "fit --values 0 x.csv",  "fit nowhere.csv",
	    "generate", "generate nowhere.yaml", "generate scenarios/first-look.yaml --days -1"};
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		char *output = NULL;
		g_autofree char *line = g_strdup_printf("build/rackrent trace %s", lines[i]);
		ck_assert_int_eq(rr_test_shell(line, &output), 2);
		ck_assert(strlen(output) > 10);
		g_free(output);
	}
}
END_TEST

RR_TEST_MAIN("trace_fit", generated_work_is_read_back_and_fitted_again, fault_of_a_block_names_its_own_line,
	     wrong_usage_is_status_2)
