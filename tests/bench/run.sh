#!/usr/bin/env bash
# Runs the bench programs given, one after another: one machine, one report.
set -eu
cd "$(dirname "$0")/../.."
echo "rackrent bench: $(build/rackrent --version | sed -n 2p), $(nproc) processors, $(date -u +%F)"
for program in "$@"; do
	echo
	"$program"
done
