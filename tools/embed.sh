#!/bin/sh
# Prints a C file that holds the files given, by name. Called by the Makefile.
set -eu
echo '#include "models/data/data.h"'
echo '#include <string.h>'
n=0
for file in "$@"; do
	n=$((n + 1))
	printf 'static const unsigned char file_%d[] = {' "$n"
	od -An -v -tu1 "$file" | tr -s ' \n' ',' | sed 's/^,//; s/,$//'
	echo ',0};'
done
echo 'static const struct { const char *name; const unsigned char *bytes; size_t size; } files[] = {'
n=0
for file in "$@"; do
	n=$((n + 1))
	printf '\t{"%s", file_%d, sizeof file_%d - 1},\n' "$file" "$n" "$n"
done
cat <<'C'
};
const char *rr_data_file(const char *name, size_t *size)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (strcmp(files[i].name, name) != 0) continue;
		*size = files[i].size;
		return (const char *)files[i].bytes;
	}
	return NULL;
}
C
