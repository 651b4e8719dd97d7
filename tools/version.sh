#!/bin/sh
# Prints version.h: what build this is. Works without git too (a tarball).
set -eu
revision=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
if [ "$revision" != unknown ] && ! git diff --quiet HEAD -- 2>/dev/null; then revision="$revision+changes"; fi
compiler=$("$2" --version 2>/dev/null | head -n 1 | sed 's/["\\]//g')
cat <<C
#ifndef RR_VERSION_H
#define RR_VERSION_H
#define RR_VERSION "$1"
#define RR_REVISION "$revision"
#define RR_COMPILER "$compiler"
#define RR_FLAGS "$3"
#endif
C
