/* files.c - see files.h. */
#include "reports/files.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

G_DEFINE_QUARK(rr - report - error, rr_report_error)

static bool fail(const char *what, const char *path, int number, GError **error)
{
	g_set_error(error, RR_REPORT_ERROR, RR_REPORT_ERROR_WRITE, "%s %s: %s", what, path, g_strerror(number));
	return false;
}

bool report_folder_make(const char *folder, GError **error)
{
	return g_mkdir_with_parents(folder, 0777) == 0 || fail("cannot make the folder", folder, errno, error);
}

bool report_file_open(struct report_file *file, const char *folder, const char *name, GError **error)
{
	file->path = g_build_filename(folder, name, NULL);
	file->temporary = g_strdup_printf("%s.%ld.part", file->path, (long)getpid());
	file->stream = fopen(file->temporary, "wb");
	if (file->stream != NULL) return true;
	fail("cannot write", file->path, errno, error);
	g_free(file->path);
	g_free(file->temporary);
	return false;
}

bool report_rename(const char *temporary, const char *path, GError **error)
{
	if (g_rename(temporary, path) == 0) return true;
	int number = errno;
	(void)g_unlink(temporary);
	return fail("cannot rename into", path, number, error);
}

bool report_file_close(struct report_file *file, bool good, GError **error)
{
	errno = 0;
	bool written = fflush(file->stream) == 0 && ferror(file->stream) == 0;
	int number = errno != 0 ? errno : EIO;
	written = fclose(file->stream) == 0 && written;
	bool done = false;
	if (!written) fail("cannot write", file->path, number, good ? error : NULL);
	if (good && written)
		done = report_rename(file->temporary, file->path, error);
	else
		(void)g_unlink(file->temporary);
	g_free(file->path);
	g_free(file->temporary);
	return done;
}
