#!/bin/sh
# The service's command line, as the user of the service, who owns the data. Like root it reads every file, such as a list of
# customers or a backup, and it writes only where the service may write.
set -eu
data=/var/lib/private/tillpoints-service
if [ "$(id -u)" -ne 0 ]; then
  echo 'tillpoints-service needs root: sudo tillpoints-service' >&2
  exit 1
fi
if ! [ -d "$data" ]; then
  echo 'There is no data yet. Start the service once: systemctl start tillpoints-service' >&2
  exit 1
fi
[ $# -gt 0 ] || set -- help
[ ! -e /etc/default/tillpoints-service ] || . /etc/default/tillpoints-service
# It looks at what the options of the service lead to, and at its socket, such as 127.0.0.1:4010 or [::]:443.
if [ "$1" = doctor ]; then
  shift
  place=$(systemctl show --property=Listen --value tillpoints-service.socket | sed -n 's/ (Stream)$//p' | tr -d '[]')
  # shellcheck disable=SC2086 # several words, as systemd reads them
  set -- doctor ${place:+--listen "${place%:*}" --port "${place##*:}"} ${SERVE_OPTIONS:-} "$@"
fi
export TILLPOINTS_SERVICE_DATABASE="${TILLPOINTS_SERVICE_DATABASE:-}" TILLPOINTS_SERVICE_DATA=/var/lib/tillpoints-service
unset HOME XDG_CACHE_HOME
umask 077
# no_setuid_fixup: access(2) ignores the capability of users other than root otherwise.
exec setpriv --reuid="$(stat -c %u "$data")" --regid="$(stat -c %g "$data")" --clear-groups --no-new-privs \
  --securebits=+no_setuid_fixup --inh-caps=-all,+dac_read_search --ambient-caps=-all,+dac_read_search \
  --bounding-set=-all,+dac_read_search \
  /usr/lib/tillpoints-service/node --enable-source-maps /usr/lib/tillpoints-service/main.mjs "$@"
