/* files.h - output files that are whole or not there. Private to reports.
 *
 * A file is written under a temporary name and renamed when all of it, flushing
 * included, went well. */
#ifndef RR_REPORTS_FILES_H
#define RR_REPORTS_FILES_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

struct report_file {
	FILE *stream;
	char *path, *temporary;
};

#define RR_REPORT_ERROR (rr_report_error_quark())
GQuark rr_report_error_quark(void);
enum { RR_REPORT_ERROR_WRITE, RR_REPORT_ERROR_WORD, RR_REPORT_ERROR_GNUPLOT };

bool report_folder_make(const char *folder, GError **error);
bool report_file_open(struct report_file *file, const char *folder, const char *name, GError **error);
/* Ends FILE: renamed into place when GOOD and nothing failed, else removed. */
bool report_file_close(struct report_file *file, bool good, GError **error);
/* Renames a file written by others; removes it when that fails. */
bool report_rename(const char *temporary, const char *path, GError **error);

#endif
