/* input.c - see input.h. */
#include "scenarios/traces/input.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK = 1 << 18, HEAD_MOST = 1 << 16 };

struct trace_input {
	struct archive *archive;
	char *name;
	char *chunk;
	GString *head; /* read ahead, given out again first */
	bool head_read, head_given;
};

static struct trace_input *start(struct archive *archive, const char *name, bool opened, struct rr_faults *faults)
{
	struct archive_entry *entry = NULL;
	int status = opened ? archive_read_next_header(archive, &entry) : ARCHIVE_FATAL;
	if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
		struct trace_input *input = g_new0(struct trace_input, 1);
		*input = (struct trace_input){.archive = archive, .name = g_strdup(name), .chunk = g_malloc(CHUNK)};
		input->head = g_string_new(NULL);
		return input;
	}
	if (status == ARCHIVE_EOF)
		rr_faults_add(faults, name, 0, 0, "the file is empty");
	else
		rr_faults_add(faults, name, 0, 0, "cannot be unpacked: %s", archive_error_string(archive));
	archive_read_free(archive);
	return NULL;
}

static struct archive *unpacker(void)
{
	struct archive *archive = archive_read_new();
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_format_zip(archive);
	archive_read_support_format_raw(archive);
	return archive;
}

struct trace_input *trace_input_open(const char *path, struct rr_faults *faults)
{
	struct stat about;
	if (stat(path, &about) != 0) {
		rr_faults_add(faults, path, 0, 0, "cannot be read: %s", g_strerror(errno));
		return NULL;
	}
	if (S_ISDIR(about.st_mode)) {
		rr_faults_add(faults, path, 0, 0, "is a folder; a trace file was expected");
		return NULL;
	}
	if (S_ISREG(about.st_mode) && about.st_size == 0) {
		rr_faults_add(faults, path, 0, 0, "the file is empty");
		return NULL;
	}
	struct archive *archive = unpacker();
	bool opened = archive_read_open_filename(archive, path, CHUNK) == ARCHIVE_OK;
	return start(archive, path, opened, faults);
}

struct trace_input *trace_input_open_bytes(const void *bytes, size_t size, const char *name, struct rr_faults *faults)
{
	struct archive *archive = unpacker();
	bool opened = archive_read_open_memory(archive, bytes, size) == ARCHIVE_OK;
	return start(archive, name, opened, faults);
}

void trace_input_close(struct trace_input *input)
{
	if (input == NULL) return;
	archive_read_free(input->archive);
	g_string_free(input->head, TRUE);
	g_free(input->name);
	g_free(input->chunk);
	g_free(input);
}

static ssize_t read_chunk(struct trace_input *input, struct rr_faults *faults)
{
	la_ssize_t got = archive_read_data(input->archive, input->chunk, CHUNK);
	if (got >= 0) return (ssize_t)got;
	rr_faults_add(faults, input->name, 0, 0, "cannot be unpacked: %s", archive_error_string(input->archive));
	return -1;
}

const char *trace_input_head(struct trace_input *input, struct rr_faults *faults)
{
	while (!input->head_read) {
		ssize_t got = read_chunk(input, faults);
		if (got > 0) g_string_append_len(input->head, input->chunk, got);
		bool enough = memchr(input->head->str, '\n', input->head->len) != NULL || input->head->len >= HEAD_MOST;
		input->head_read = got <= 0 || enough;
	}
	return input->head->str;
}

ssize_t trace_input_next(struct trace_input *input, const char **bytes, struct rr_faults *faults)
{
	if (!input->head_given) {
		(void)trace_input_head(input, faults);
		input->head_given = true;
		*bytes = input->head->str;
		if (input->head->len > 0) return (ssize_t)input->head->len;
	}
	*bytes = input->chunk;
	return read_chunk(input, faults);
}
