#!/usr/bin/env bash
# Runs every test program given, prints what failed, and closes with the totals.
# usage: tests/run.sh PROGRAM...
set -u
passed=0 failed=0 skipped=0
for program in "$@"; do
	log="$program.log"
	"$program" >"$log" 2>&1 </dev/null
	status=$?
	line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$' "$log" | tail -n 1)
	if [ -z "$line" ]; then
		echo "FAIL $program: ended with status $status and no totals"
		tail -n 40 "$log"
		failed=$((failed + 1))
		continue
	fi
	read -r checks failures errors < <(printf '%s\n' "$line" | sed -E 's/.*Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+)/\1 \2 \3/')
	skips=$(grep -c '^SKIP ' "$log")
	bad=$((failures + errors))
	if [ "$bad" -eq 0 ] && [ "$status" -ne 0 ]; then bad=1; fi
	grep '^SKIP ' "$log"
	if [ "$bad" -gt 0 ]; then
		echo "FAIL $program"
		grep -vE '^(Running suite|[0-9]+%: Checks|SKIP )' "$log" | tail -n 60
	else
		echo "ok   $program ($checks)"
	fi
	failed=$((failed + bad))
	skipped=$((skipped + skips))
	passed=$((passed + checks - bad - skips))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
