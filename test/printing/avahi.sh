# Runs "$@" in a network of its own, in which Avahi announces two printers. Needs root, `unshare -n -m`, and iproute2.
set -eu
folder=$(mktemp -d)
avahi= printer1= printer2=
stop() {
  kill $printer1 $printer2 $avahi $(cat "$folder/dbus.pid") 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT
mount -t tmpfs tmpfs /run
mkdir /run/dbus
# Avahi does not announce on loopback.
ip link set lo up
ip link add till0 type veth peer name till1
ip addr add 10.77.0.1/24 dev till0
ip link set till0 up
ip link set till1 up
dbus-daemon --system --fork --print-pid >"$folder/dbus.pid"
avahi-daemon --no-drop-root --no-chroot --no-rlimits >"$folder/avahi.log" 2>&1 &
avahi=$!
# `--check` is true before Avahi is on D-Bus, and ippeveprinter then ends. 2 is AVAHI_SERVER_RUNNING.
until dbus-send --system --print-reply --dest=org.freedesktop.Avahi / org.freedesktop.Avahi.Server.GetState 2>&1 |
  grep -q 'int32 2'; do kill -0 $avahi; done
ippeveprinter -d "$folder" -p 8631 -M EPSON -m TM-m30III 'Bar no. 1' >"$folder/1.log" 2>&1 &
printer1=$!
ippeveprinter -d "$folder" -p 8632 -M Star -m mC-Print3 'Kitchen printer' >"$folder/2.log" 2>&1 &
printer2=$!
"$@"
