#!/usr/bin/env bash
# The tests under AddressSanitizer with UndefinedBehaviorSanitizer, those with
# threads under ThreadSanitizer, and the quick ones under valgrind.
set -eu
cd "$(dirname "$0")/../.."
tools/checks/need.sh valgrind:valgrind
jobs=$(nproc)

echo "== AddressSanitizer and UndefinedBehaviorSanitizer"
ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
	make -s -j"$jobs" BUILD=build/asan OPTIMISE='-O1' \
	SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer' test

echo "== ThreadSanitizer"
make -s -j"$jobs" BUILD=build/tsan OPTIMISE='-O1' SANITIZE='-fsanitize=thread' all
# GLib itself is not built for it: what it does inside is not ours to report.
TSAN_OPTIONS="suppressions=$PWD/tools/checks/tsan.supp halt_on_error=1" \
	build/tsan/rackrent run --set horizon=20d --replications 4 --threads 2 --quiet --only summary,jobs --out build/tsan/out
echo "4 replications on 2 threads: no race"

echo "== valgrind"
make -s -j"$jobs" BUILD=build/valgrind OPTIMISE='-O1' tests
for program in units/test_units models/test_pricing engine/test_engine format/test_format tools/test_cli; do
	[ -x "build/valgrind/tests/$program" ] || continue
	case "$program" in
	tools/test_cli) command="build/valgrind/rackrent run --set horizon=2d --replications 1 --quiet --only summary,jobs,database --out build/valgrind/out" ;;
	*) command="env CK_FORK=no CK_RUN_FAST=1 build/valgrind/tests/$program" ;;
	esac
	# shellcheck disable=SC2086
	valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
		--suppressions=tools/checks/valgrind.supp $command >build/valgrind/log 2>&1 || { cat build/valgrind/log; exit 1; }
	echo "clean: $program"
done
