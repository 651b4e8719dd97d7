/* commands.h - the subcommands of the program, one file each.
 *
 * A command gets its own name in argv[0] and returns the exit status: 0 done,
 * 1 could not finish, 2 wrong usage or wrong input. */
#ifndef RR_TOOLS_COMMANDS_H
#define RR_TOOLS_COMMANDS_H

#include <glib.h>
#include <stdbool.h>

enum { RR_EXIT_DONE = 0, RR_EXIT_UNFINISHED = 1, RR_EXIT_USAGE = 2 };

int rr_command_run(int argc, char **argv);
int rr_command_replay(int argc, char **argv);
int rr_command_check(int argc, char **argv);
int rr_command_schema(int argc, char **argv);
int rr_command_explain(int argc, char **argv);
int rr_command_catalog(int argc, char **argv);
int rr_command_trace(int argc, char **argv);
int rr_command_trace_fit(int argc, char **argv);
int rr_command_trace_generate(int argc, char **argv);

/* The program's version and revision, as it stands in every output. */
const char *rr_program_version(void);

/* Reads the options of one command from ARGV (ENTRIES end with a NULL row);
 * SYNOPSIS and ABOUT are for --help, which prints and exits 0. What is left in
 * ARGV are the operands. False after a usage error was printed with the nearest
 * known option. */
bool rr_options_parse(int *argc, char ***argv, const GOptionEntry *entries, const char *synopsis, const char *about);

#endif
