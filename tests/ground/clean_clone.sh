#!/usr/bin/env bash
# What a newcomer does: clone, make run. In a folder of its own.
set -eu
top=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone -q "$top" "$folder/rackrent"
cd "$folder/rackrent"
make -s -j2 run
test -s out/first-look/report.html
test -s out/first-look/jobs.csv
test -s out/first-look/summary.json
test -s out/first-look/result.db
echo "clean clone: make run wrote its report"
