/* test.h - what every test program shares. A test program is one file test_x.c
 * with RR_TEST_MAIN; `tests/run` runs them all and adds up their counts. */
#ifndef RR_TESTS_SUPPORT_TEST_H
#define RR_TESTS_SUPPORT_TEST_H

#include <check.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints why, once, as "SKIP name: reason": the runner counts it as skipped. */
#define RR_SKIP(...)                                                                                                   \
	do {                                                                                                           \
		g_autofree char *why_ = g_strdup_printf(__VA_ARGS__);                                                  \
		printf("SKIP %s: %s\n", __func__, why_);                                                               \
		fflush(stdout);                                                                                        \
		return;                                                                                                \
	} while (0)

/* Path under the shared data folder beside the checkout, or NULL when it is not
 * there. RR_SHARED overrides the folder. Caller frees. */
char *rr_test_shared(const char *relative);
/* Path under tests/ of the checkout (RR_SOURCE or the current folder). */
char *rr_test_path(const char *relative);
/* A fresh temporary folder; removed by rr_test_remove(). */
char *rr_test_folder(void);
void rr_test_remove(char *folder);
/* Runs a command line through sh in the checkout; returns the exit status and
 * what it printed on standard output and error together (caller frees). */
int rr_test_shell(const char *command, char **output);
/* Runs the suite of one program; the exit status for main. */
int rr_test_run(const char *name, const TTest *const *tests);

#define RR_TEST_MAIN(name, ...)                                                                                        \
	int main(void)                                                                                                 \
	{                                                                                                              \
		const TTest *const tests_[] = {__VA_ARGS__, NULL};                                                     \
		return rr_test_run(name, tests_);                                                                      \
	}

#endif
