#!/usr/bin/env bash
# Makes the picture of a report that README.md shows, from the built-in scenario.
# usage: tests/browser/picture.sh [PICTURE.png]
set -eu
cd "$(dirname "$0")/../.."
picture=${1:-reports/html/example.png}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build/rackrent run --quiet --only html,plots --out "$folder/out"
for browser in chromium chromium-browser google-chrome; do
	command -v "$browser" >/dev/null 2>&1 || continue
	"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,1136 \
		--user-data-dir="$folder/profile" --screenshot="$folder/picture.png" "file://$folder/out/report.html" >/dev/null 2>&1
	mv "$folder/picture.png" "$picture"
	echo "$picture: $(($(wc -c <"$picture") / 1024)) KB"
	exit 0
done
echo "picture: needs chromium" >&2
exit 1
