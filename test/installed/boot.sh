#!/bin/sh
# boot.sh ROOT
# Starts systemd as process 1 of the Debian system below ROOT, with processes, mounts, names, control groups and a network
# (loopback only) of its own. Ends when that process ends, which ends all others. Needs root and control groups (cgroup2).
set -e
case $1 in
--own-mounts)
  root=$2
  mount -t cgroup2 cgroup2 "$root/mnt"
  groups=$root/mnt/tillpoints-$$
  mkdir "$groups"
  sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$groups" \
    unshare --cgroup --ipc --mount --net --pid --uts --fork --kill-child -- "$0" --machine "$root" || true
  find "$groups" -depth -type d -exec rmdir {} +
  ;;
--machine)
  root=$2
  mount --bind "$root" "$root"
  cd "$root"
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  for folder in run tmp dev; do mount -t tmpfs tmpfs $folder; done
  for device in null zero full random urandom tty; do
    touch dev/$device
    mount --bind /dev/$device dev/$device
  done
  ln -s /proc/self/fd dev/fd
  mkdir dev/shm dev/pts
  mount -t tmpfs tmpfs dev/shm
  mount -t devpts devpts dev/pts -o newinstance,ptmxmode=666
  ln -s pts/ptmx dev/ptmx
  pivot_root . mnt
  umount -l /mnt
  # As systemd makes it on a machine: mounts for a service, such as its credentials, are made in a namespace first.
  mount --make-rshared /
  exec env -i container=test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
  ;;
*) exec unshare --mount --propagation private -- "$0" --own-mounts "$1" ;;
esac
