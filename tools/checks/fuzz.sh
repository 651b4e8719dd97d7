#!/usr/bin/env bash
# libFuzzer on every tests/fuzz/fuzz_*.c. usage: fuzz.sh SECONDS_EACH
# The corpus in tests/fuzz/corpus/NAME is kept; what a run finds goes to build/fuzz.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-15}
tools/checks/need.sh clang:clang
# Some systems keep libFuzzer in a package of its own.
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n); int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n > 9; }' |
	clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null ||
	tools/checks/need.sh no-libfuzzer-here:"libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
make -s -j"$(nproc)" BUILD=build/fuzz CC=clang OPTIMISE='-O1' \
	SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all' build/fuzz/librackrent.a
libs="$(pkg-config --libs glib-2.0 gio-2.0 gsl yaml-0.1 sqlite3 libarchive jansson) -lcsv -lglpk -lm"
flags=$(pkg-config --cflags glib-2.0 gio-2.0 gsl yaml-0.1 sqlite3 libarchive jansson | sed 's/-I/-isystem /g')
for source in tests/fuzz/fuzz_*.c; do
	[ -e "$source" ] || continue
	name=$(basename "$source" .c)
	name=${name#fuzz_}
	found=build/fuzz/found/$name
	mkdir -p "$found"
	# shellcheck disable=SC2086
	clang -std=c11 -D_GNU_SOURCE -I. $flags -g -O1 -fsanitize=address,undefined,fuzzer -fno-sanitize-recover=all \
		-o "build/fuzz/fuzz_$name" "$source" build/fuzz/librackrent.a $libs -pthread
	echo "== fuzz $name for $seconds s"
	"build/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 -max_len=16384 -print_final_stats=0 \
		-artifact_prefix="$found/crash-" "$found" "tests/fuzz/corpus/$name" >"build/fuzz/$name.log" 2>&1 ||
		{ tail -n 60 "build/fuzz/$name.log"; exit 1; }
	grep -E '^Done' "build/fuzz/$name.log" || tail -n 1 "build/fuzz/$name.log"
done
