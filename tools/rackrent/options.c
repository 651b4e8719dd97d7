/* options.c - command lines read the same way by every command. */
#include "models/units/units.h"
#include "tools/rackrent/commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* GLib names an unknown option without a remedy: add the nearest known one. */
static void complain(const char *command, const char *message, const char *wrong, const GOptionEntry *entries)
{
	fprintf(stderr, "rackrent %s: %s", command, message);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (const GOptionEntry *e = entries; e->long_name != NULL; e++)
		g_ptr_array_add(names, (gpointer)(intptr_t)e->long_name);
	g_ptr_array_add(names, NULL);
	const char *near = wrong == NULL ? NULL : rr_nearest_word(wrong, (const char *const *)names->pdata);
	if (near != NULL) fprintf(stderr, "; did you mean --%s?", near);
	fprintf(stderr, "\n(rackrent %s --help lists the options)\n", command);
}

static char *unknown_option(char *const *argv, const GOptionEntry *entries)
{
	for (char *const *a = argv; *a != NULL && strcmp(*a, "--") != 0; a++) {
		if (!g_str_has_prefix(*a, "--")) continue;
		g_autofree char *name = g_strndup(*a + 2, strcspn(*a + 2, "="));
		bool known = strcmp(name, "help") == 0;
		for (const GOptionEntry *e = entries; e->long_name != NULL && !known; e++)
			known = strcmp(name, e->long_name) == 0;
		if (!known) return g_steal_pointer(&name);
	}
	return NULL;
}

bool rr_options_parse(int *argc, char ***argv, const GOptionEntry *entries, const char *synopsis, const char *about)
{
	g_autofree char *command = g_path_get_basename((*argv)[0]);
	/* GLib prints "prgname SYNOPSIS" as the usage line. */
	g_autoptr(GOptionContext) context = g_option_context_new(synopsis);
	g_autofree char *program = g_strdup_printf("rackrent %s", command);
	g_option_context_set_summary(context, about);
	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_set_help_enabled(context, FALSE);
	for (char **a = *argv + 1; *a != NULL && strcmp(*a, "--") != 0; a++) {
		if (strcmp(*a, "--help") != 0 && strcmp(*a, "-h") != 0) continue;
		g_set_prgname(program);
		g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
		fputs(text, stdout);
		/* Help ends the program here, whatever its caller still holds. */
		_exit(fflush(stdout) == 0 ? RR_EXIT_DONE : RR_EXIT_UNFINISHED);
	}
	g_autofree char *wrong = unknown_option(*argv + 1, entries);
	g_autoptr(GError) error = NULL;
	if (!g_option_context_parse(context, argc, argv, &error)) {
		complain(command, error->message, wrong, entries);
		return false;
	}
	return true;
}
