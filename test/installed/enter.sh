#!/bin/sh
# enter.sh ROOT PROJECT ARCHIVES USER PROGRAM [ARGUMENT …]
# Runs a program in the Debian system below ROOT, as root or as cashier. The mounts are visible to this program only, and
# end with it: the project, read-only, at /srv/project, and ARCHIVES, where apt keeps the packages that it downloaded.
set -e
if [ "$1" != --mounted ]; then exec unshare --mount --propagation private -- "$0" --mounted "$@"; fi
root=$2 project=$3 archives=$4 user=$5
shift 5
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$archives" "$root/var/cache/apt/archives"
mount --bind "$project" "$root/srv/project"
mount -o remount,ro,bind "$root/srv/project"
if [ "$user" = root ]; then home=/root; else home=/home/$user; fi
exec chroot --userspec="$user:$user" "$root" /usr/bin/env -i \
  HOME="$home" USER="$user" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive TILLPOINTS_STAND_IN_HOME=/srv/project/test/support/electron-stand-in \
  TILLPOINTS_NODE=/srv/project/node_modules/.bin/node sh -c 'cd && exec "$@"' sh "$@"
