#!/bin/sh
# usage: need.sh COMMAND:PACKAGE... - installs the packages whose command is missing.
set -u
packages=""
for pair in "$@"; do
	command -v "${pair%%:*}" >/dev/null 2>&1 || packages="$packages ${pair#*:}"
done
[ -z "$packages" ] && exit 0
root=""
if [ "$(id -u)" -ne 0 ]; then root="sudo"; fi
if command -v apt-get >/dev/null 2>&1 && { [ -z "$root" ] || command -v sudo >/dev/null 2>&1; }; then
	echo "installing:$packages" >&2
	$root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || true
	# shellcheck disable=SC2086
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null && exit 0
fi
echo "needed and not there:$packages (Debian's names)" >&2
exit 1
