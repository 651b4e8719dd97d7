#!/usr/bin/env bash
# Reference pages into BUILD/docs. usage: docs.sh BUILD
set -eu
cd "$(dirname "$0")/../.."
build=$1
docs=$build/docs
mkdir -p "$docs/headers"
"$build/rackrent" schema >"$docs/scenario.schema.json"
"$build/rackrent" schema --reference >"$docs/scenario.md"
for section in gpus nodes instances policies formats distributions; do
	{ echo "# $section"; echo; echo '```'; "$build/rackrent" catalog "$section"; echo '```'; } >"$docs/catalog-$section.md"
done
"$build/rackrent" catalog policies --doc >"$docs/policies.md"
# A header is its own documentation: the public ones, as they stand.
git ls-files '*.h' | while IFS= read -r header; do
	folder=$(basename "$(dirname "$header")")
	[ "$(basename "$header" .h)" = "$folder" ] || continue
	{ echo "# $header"; echo; echo '```c'; cat "$header"; echo '```'; } >"$docs/headers/$folder.md"
done
cp tools/man/rackrent.1 "$docs/"
echo "docs: $docs"
