#!/bin/sh
# Installs what the build needs and is not there: by apt as root or with sudo;
# elsewhere it prints the line to type. Silent and instant when all is there.
set -u

missing=0
for tool in gcc ar pkg-config od cmp; do
	command -v "$tool" >/dev/null 2>&1 || missing=1
done
if [ "$missing" -eq 0 ]; then
	pkg-config --exists glib-2.0 gio-2.0 gsl yaml-0.1 sqlite3 libarchive jansson check 2>/dev/null || missing=1
fi
for header in csv.h glpk.h; do # these two have no pkg-config file
	if [ "$missing" -eq 0 ] && ! [ -e "/usr/include/$header" ] && ! [ -e "/usr/local/include/$header" ] &&
		! [ -e "/opt/homebrew/include/$header" ]; then missing=1; fi
done
command -v gnuplot >/dev/null 2>&1 || missing=1
[ "$missing" -eq 0 ] && exit 0

debian="gcc libc6-dev make binutils pkg-config libglib2.0-dev libgsl-dev libyaml-dev libsqlite3-dev libarchive-dev libcsv-dev libglpk-dev libjansson-dev check gnuplot-nox"
if command -v apt-get >/dev/null 2>&1; then
	root=""
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null 2>&1; then
			echo "rackrent needs some packages. As root, run: apt-get install $debian" >&2
			exit 1
		fi
		root="sudo"
	fi
	echo "rackrent: installing what the build needs (apt-get)" >&2
	$root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || true
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	# shellcheck disable=SC2086
	if $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $debian >"$log" 2>&1; then
		exit 0
	fi
	tail -n 20 "$log" >&2
	echo "rackrent: apt-get could not install: $debian" >&2
	exit 1
fi
echo "rackrent needs some packages; install them with:" >&2
if command -v dnf >/dev/null 2>&1; then
	echo "  sudo dnf install gcc make pkgconf-pkg-config glib2-devel gsl-devel libyaml-devel sqlite-devel libarchive-devel libcsv-devel glpk-devel jansson-devel check-devel gnuplot" >&2
elif command -v pacman >/dev/null 2>&1; then
	echo "  sudo pacman -S --needed gcc make pkgconf glib2 gsl libyaml sqlite libarchive libcsv glpk jansson check gnuplot" >&2
elif command -v brew >/dev/null 2>&1; then
	echo "  brew install gcc make pkg-config glib gsl libyaml sqlite libarchive libcsv glpk jansson check gnuplot" >&2
else
	echo "  gcc make pkg-config glib gsl libyaml sqlite libarchive libcsv glpk jansson check gnuplot (by your system's package manager)" >&2
fi
exit 1
