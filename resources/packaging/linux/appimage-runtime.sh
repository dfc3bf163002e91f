#!/bin/sh
# Takes the place of the AppImage runtime in a test build: unpacks the image to a folder, which is removed as soon as the
# app has ended, as the mount of the runtime is. Needs unsquashfs (squashfs-tools). The image begins at byte 4096.
APPIMAGE=$(readlink -f -- "$0") || exit 1
APPDIR=$(mktemp -d "${TMPDIR:-/tmp}/.mount_tillpoints-XXXXXX") || exit 1
ARGV0=$0
OWD=$PWD
export APPIMAGE APPDIR ARGV0 OWD
unsquashfs -quiet -no-progress -force -offset 4096 -dest "$APPDIR" "$APPIMAGE" >/dev/null || exit 1
mkfifo "$APPDIR.running" || exit 1
# Only the app holds the pipe's writing end: the reader sees its end when the app has ended, however it ended.
setsid sh -c 'read -r _ <"$1.running"; rm -rf -- "$1" "$1.running"' sh "$APPDIR" </dev/null >/dev/null 2>&1 &
exec 9>"$APPDIR.running"
exec "$APPDIR/AppRun" "$@"
