/* main.c - the program's face: one table of subcommands. */
#include "models/units/units.h"
#include "tools/rackrent/commands.h"

#include "version.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *synopsis, *about;
};

static const struct command commands[] = {
    {"run", rr_command_run, "[SCENARIO]", "simulate every fleet of a scenario (the built-in one without a file)"},
    {"replay", rr_command_replay, "TRACE", "replay a trace on a fleet given by flags: --pool 64x8 --scheduler easy"},
    {"check", rr_command_check, "SCENARIO...", "read scenarios and their traces, say what is wrong, run nothing"},
    {"trace", rr_command_trace, "info|convert|fit|generate", "look at a trace, convert it, fit or draw synthetic work"},
    {"catalog", rr_command_catalog, "gpus|nodes|instances|...", "what is known by name: hardware, prices, policies"},
    {"explain", rr_command_explain, "KEY|METRIC", "what a key of the scenario file or a metric means"},
    {"schema", rr_command_schema, "", "JSON Schema of the scenario file, for editors; --reference for the page"},
};

const char *rr_program_version(void)
{
	return RR_VERSION " " RR_REVISION;
}

static void print_help(FILE *to)
{
	fputs("rackrent - the same work, on which GPUs: ours, rented, or both?\n\nusage: rackrent COMMAND "
	      "[OPTION...]\n\n",
	      to);
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *left = g_strdup_printf("%s %s", commands[i].name, commands[i].synopsis);
		fprintf(to, "  %-33s %s\n", left, commands[i].about);
	}
	fputs("\n'rackrent COMMAND --help' lists a command's options; 'rackrent --version' tells the build.\n", to);
}

static int print_version(void)
{
	printf("rackrent %s\nrevision %s\ncompiler %s\nflags %s\n", RR_VERSION, RR_REVISION, RR_COMPILER, RR_FLAGS);
	return RR_EXIT_DONE;
}

static int unknown_command(const char *word)
{
	const char *names[G_N_ELEMENTS(commands) + 1] = {NULL};
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) names[i] = commands[i].name;
	const char *near = rr_nearest_word(word, names);
	fprintf(stderr, "rackrent: unknown command '%s'", word);
	if (near != NULL) fprintf(stderr, ", did you mean '%s'?", near);
	fputs("\n(rackrent --help lists the commands)\n", stderr);
	return RR_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	/* A reader that goes away (| head) ends us by a write error, not a signal. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		print_help(stderr);
		return RR_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return RR_EXIT_DONE;
	}
	if (strcmp(argv[1], "--version") == 0) return print_version();
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		if (strcmp(argv[1], commands[i].name) != 0) continue;
		int status = commands[i].run(argc - 1, argv + 1);
		if ((fflush(stdout) != 0 || ferror(stdout)) && status == RR_EXIT_DONE) {
			fputs("rackrent: could not write to standard output\n", stderr);
			return RR_EXIT_UNFINISHED;
		}
		return status;
	}
	return unknown_command(argv[1]);
}
