#!/usr/bin/env bash
# Lines covered by the tests, by folder, with gcov.
set -eu
cd "$(dirname "$0")/../.."
make -s -j"$(nproc)" BUILD=build/cover OPTIMISE='-O0' SANITIZE='--coverage' test
mkdir -p build/cover/gcov
# shellcheck disable=SC2016 # for the inner shell
find build/cover/models build/cover/scenarios build/cover/sim build/cover/reports build/cover/tools -name '*.gcda' -print0 |
	xargs -0 -n 1 sh -c 'gcov -n -o "$(dirname "$1")" "$1" 2>/dev/null' _ |
	awk '/^File /{ file = $2; gsub(/\x27/, "", file) }
	     /^Lines executed:/ && file !~ /^\// { split($2, a, ":"); n = $4; covered = a[2] * n / 100
	       split(file, p, "/"); dir = p[1] "/" p[2]; lines[dir] += n; hit[dir] += covered; all += n; got += covered; file = "/" }
	     END { for (d in lines) printf "%-24s %5.1f %% of %d lines\n", d, 100 * hit[d] / lines[d], lines[d]
	           printf "%-24s %5.1f %% of %d lines\n", "all", 100 * got / all, all }' | sort
