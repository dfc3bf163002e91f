# Runs "$@" in a network of its own, in which this machine has the addresses 192.0.2.1 and 2001:db8::1 and the name
# print.example. Needs root, `unshare -n -m`, and iproute2.
set -eu
hosts=$(mktemp)
trap 'rm "$hosts"' EXIT
printf '127.0.0.1 localhost\n192.0.2.1 print.example\n' >"$hosts"
mount --bind "$hosts" /etc/hosts
ip link set lo up
ip link add till0 type veth peer name till1
ip addr add 192.0.2.1/24 dev till0
ip addr add 2001:db8::1/64 dev till0 nodad
ip link set till0 up
ip link set till1 up
"$@"
