#!/usr/bin/env bash
# Format, static analysis, shell scripts: of the files under version control.
set -eu
cd "$(dirname "$0")/../.."
tools/checks/need.sh clang-format:clang-format clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck
make -s -j"$(nproc)" all # the generated headers
mapfile -t sources < <(git ls-files '*.c' '*.h')
mapfile -t units < <(git ls-files 'models/*.c' 'scenarios/*.c' 'sim/*.c' 'reports/*.c' 'tools/*.c')
mapfile -t scripts < <(git ls-files '*.sh' '.ci/run')

echo "== clang-format (${#sources[@]} files)"
clang-format --dry-run -Werror "${sources[@]}"

echo "== clang-tidy (${#units[@]} files)"
flags=$(pkg-config --cflags glib-2.0 gio-2.0 gsl yaml-0.1 sqlite3 libarchive jansson | sed 's/-I/-isystem /g')
printf '%s\n' "${units[@]}" |
	xargs -P "$(nproc)" -n 6 sh -c 'clang-tidy --quiet "$@" -- -std=c11 -D_GNU_SOURCE -I. -Ibuild/gen '"$flags"' 2>/dev/null' _

echo "== cppcheck"
cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr -j "$(nproc)" -I. -Ibuild/gen -D_GNU_SOURCE \
	--enable=warning,portability --suppress=missingInclude --suppress=unknownMacro --library=gtk \
	--suppress=nullPointerRedundantCheck --suppress=uninitvar --suppress=varFuncNullUB --suppress=arrayIndexThenCheck "${units[@]}"

echo "== shellcheck (${#scripts[@]} files)"
shellcheck "${scripts[@]}"
echo "lint: clean"
