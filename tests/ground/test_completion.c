/* What the shells complete and what the manual page names is what the program has. */
#include "tests/support/test.h"

#include <string.h>

static char *ask(const char *arguments)
{
	const char *given = g_getenv("RR_BINARY");
	g_autofree char *command = g_strdup_printf("%s %s", given != NULL ? given : "build/rackrent", arguments);
	char *said = NULL;
	ck_assert_msg(rr_test_shell(command, &said) == 0, "%s: %s", command, said);
	return said;
}

/* What bash would offer behind "rackrent COMMAND", one word a line. */
static char *offered(const char *command)
{
	g_autofree char *script =
	    g_strdup_printf("bash -c 'source tools/completion/rackrent.bash; "
			    "COMP_WORDS=(rackrent %s \"\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
			    "_rackrent; printf \"%%s\\n\" \"${COMPREPLY[@]}\"'",
			    command);
	char *said = NULL;
	ck_assert_msg(rr_test_shell(script, &said) == 0, "%s", said);
	return said;
}

static bool has_line(const char *text, const char *word)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	return g_strv_contains((const char *const *)lines, word);
}

/* Words of TEXT that match PATTERN's group 1. */
static GPtrArray *words_of(const char *text, const char *pattern)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	for (g_regex_match(regex, text, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL))
		g_ptr_array_add(words, g_match_info_fetch(match, 1));
	return words;
}

START_TEST(every_option_of_every_command_is_completed)
{
	static const char *const commands[][2] = {{"run --help", "run"},
						  {"replay --help", "replay"},
						  {"check --help", "check"},
						  {"catalog --help", "catalog"},
						  {"schema --help", "schema"},
						  {"trace info --help", "trace"},
						  {"trace convert --help", "trace"},
						  {"trace fit --help", "trace"},
						  {"trace generate --help", "trace"}};
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *help = ask(commands[i][0]), *words = offered(commands[i][1]);
		g_autoptr(GPtrArray) options = words_of(help, "^  (?:-\\w, )?(--[a-z-]+)");
		ck_assert_uint_ge(options->len, 1);
		for (guint j = 0; j < options->len; j++) {
			const char *option = g_ptr_array_index(options, j);
			ck_assert_msg(has_line(words, option), "bash does not complete %s of '%s'", option,
				      commands[i][0]);
		}
	}
}
END_TEST

START_TEST(every_command_is_completed_and_in_the_manual)
{
	g_autofree char *help = ask("--help"), *words = offered("");
	g_autofree char *zsh_path = rr_test_path("../tools/completion/_rackrent");
	g_autofree char *man_path = rr_test_path("../tools/man/rackrent.1");
	g_autofree char *zsh = NULL, *manual = NULL;
	ck_assert(g_file_get_contents(zsh_path, &zsh, NULL, NULL));
	ck_assert(g_file_get_contents(man_path, &manual, NULL, NULL));
	g_autoptr(GPtrArray) commands = words_of(help, "^  ([a-z]+) ");
	ck_assert_uint_ge(commands->len, 7);
	for (guint i = 0; i < commands->len; i++) {
		const char *command = g_ptr_array_index(commands, i);
		g_autofree char *entry = g_strdup_printf("'%s:", command);
		g_autofree char *heading = g_strdup_printf("\n.B %s\n", command);
		ck_assert_msg(has_line(words, command), "bash does not complete %s", command);
		ck_assert_msg(strstr(zsh, entry) != NULL, "zsh does not complete %s", command);
		ck_assert_msg(strstr(manual, heading) != NULL, "the manual page does not name %s", command);
	}
}
END_TEST

RR_TEST_MAIN("completion", every_option_of_every_command_is_completed, every_command_is_completed_and_in_the_manual)
