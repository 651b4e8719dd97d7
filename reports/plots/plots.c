/* plots.c - scripts with their data go to gnuplot's standard input; the SVG is
 * renamed into place when gnuplot ended well. */
#include "reports/plots/plots.h"

#include "reports/files.h"
#include "reports/plots/series.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

static const struct {
	const char *name, *caption;
	bool (*script)(const struct study *study, GString *script);
} plots[PLOT_COUNT] = {
    [PLOT_USE] = {"use.svg", "GPUs at work (filled) and GPUs there (line) over time; first replication.", series_use},
    [PLOT_WAIT] = {"wait.svg", "Share of jobs that wait longer than so long; all replications.", series_wait},
    [PLOT_FRAGMENTS] =
	{"fragments.svg",
	 "GPUs that are idle, idle while nobody who waits could use them (filled), and free but of no use "
	 "to the typical job; first replication.",
	 series_fragments},
    [PLOT_COST] = {"cost.svg", "Cash paid so far by month; first replication, repeated over the outlook.", series_cost},
};

const char *plots_name(enum plot plot)
{
	return plots[plot].name;
}

const char *plots_caption(enum plot plot)
{
	return plots[plot].caption;
}

static bool run_gnuplot(const char *script, const char *temporary, GError **error)
{
	g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
	if (gnuplot == NULL) {
		g_set_error(error, RR_REPORT_ERROR, RR_REPORT_ERROR_GNUPLOT,
			    "gnuplot is not installed (Debian: gnuplot-nox): no plots were drawn");
		return false;
	}
	g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
	    G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
	g_subprocess_launcher_setenv(launcher, "LC_ALL", "C", TRUE);
	g_subprocess_launcher_unsetenv(launcher, "GNUTERM");
	g_autoptr(GSubprocess) process = g_subprocess_launcher_spawn(launcher, error, gnuplot, "-d", "-", NULL);
	if (process == NULL) return false;
	g_autoptr(GString) whole = g_string_new(NULL);
	/* The name goes into single quotes, where gnuplot doubles a quote. */
	g_auto(GStrv) parts = g_strsplit(temporary, "'", -1);
	g_autofree char *quoted = g_strjoinv("''", parts);
	g_string_printf(whole, "set output '%s'\n%s\nunset output\n", quoted, script);
	g_autofree char *errors = NULL;
	if (!g_subprocess_communicate_utf8(process, whole->str, NULL, NULL, &errors, error)) return false;
	if (g_subprocess_get_successful(process) && g_file_test(temporary, G_FILE_TEST_EXISTS)) return true;
	g_set_error(error, RR_REPORT_ERROR, RR_REPORT_ERROR_WRITE, "gnuplot could not draw: %s", errors);
	return false;
}

static bool draw(const char *script, const char *folder, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *temporary = g_strconcat(path, ".part", NULL);
	(void)g_unlink(temporary);
	if (run_gnuplot(script, temporary, error)) return report_rename(temporary, path, error);
	(void)g_unlink(temporary);
	return false;
}

bool plots_write(const struct study *study, const char *folder, GError **error)
{
	g_autofree char *inner = g_build_filename(folder, "plots", NULL);
	if (!report_folder_make(inner, error)) return false;
	for (int p = 0; p < PLOT_COUNT; p++) {
		g_autoptr(GString) script = g_string_new(NULL);
		g_autofree char *path = g_build_filename(inner, plots[p].name, NULL);
		if (!plots[p].script(study, script))
			(void)g_unlink(path); /* none of an earlier run */
		else if (!draw(script->str, inner, plots[p].name, error))
			return false;
	}
	return true;
}
