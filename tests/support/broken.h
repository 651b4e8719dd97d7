/* broken.h - folders of broken inputs, each with the exact message it must give. */
#ifndef RR_TESTS_SUPPORT_BROKEN_H
#define RR_TESTS_SUPPORT_BROKEN_H

/* The program under test, as an absolute path or one from the checkout's root. */
const char *rr_test_binary(void);

/* For every file of FOLDER (under tests/) that has NAME.expected beside it: runs
 * the program with COMMAND_FOR(NAME) inside FOLDER; it must exit 2 and print just
 * what is expected. The number of files. RR_UPDATE=1 writes what is printed. */
int rr_test_broken(const char *folder, char *(*command_for)(const char *name));

#endif
