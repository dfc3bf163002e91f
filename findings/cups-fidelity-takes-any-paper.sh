#!/usr/bin/env bash
# CUPS 2.4.2 (Debian 12): a job that must be printed exactly as asked is printed on another paper, and completed.
#
# Guess: with `ipp-attribute-fidelity` a printer refuses a size that it does not have, as RFC 8011 demands, and
#   Validate-Job says so before. At least the status is successful-ok-ignored-or-substituted-attributes.
# What happens: to a queue whose `media-supported` has no A6, Validate-Job and Print-Job with `media` A6 and
#   `ipp-attribute-fidelity` true are successful-ok, without any unsupported attribute. The page comes out on Letter, the
#   default of the driver, and the job is completed.
# Why a till cares: a slip on another paper than it was made for loses its edges or its scale, and counts as printed. The
#   client has to compare the size with `media-supported` by itself.
# Source: RFC 8011, 4.1.7 and 4.2.1.1 (ipp-attribute-fidelity); scheduler/ipp.c and filter/pstops of CUPS.
#
# Needs Linux, root, and Debian's cups-daemon, cups-client, cups-filters, cups-ipp-utils, ghostscript and poppler-utils. The
# scheduler has a folder, a socket and a configuration of its own.
set -euo pipefail
folder=$(mktemp -d)
scheduler=
end() {
  [ -z "$scheduler" ] || { kill "$scheduler"; wait "$scheduler" || true; }
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
port=$((20000 + $$ % 10000))
mkdir -p etc/ppd spool/tmp cache state log
cat > files.conf <<CONF
ServerRoot $folder/etc
RequestRoot $folder/spool
TempDir $folder/spool/tmp
CacheDir $folder/cache
StateDir $folder/state
ErrorLog $folder/log/error_log
AccessLog $folder/log/access_log
PageLog $folder/log/page_log
FileDevice Yes
User nobody
Group nogroup
SystemGroup root
CONF
cat > cupsd.conf <<CONF
Listen localhost:$port
DefaultAuthType None
<Location />
  Allow all
</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  <Limit All>
    Allow all
  </Limit>
</Policy>
CONF
touch printed
chmod 666 printed
# A black page of A6.
echo '<< /PageSize [298 420] >> setpagedevice 0 0 298 420 rectfill showpage' |
  gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=page.pdf -
chown -R nobody:nogroup "$folder"
"$(command -v cupsd || echo /usr/sbin/cupsd)" -f -c "$folder/cupsd.conf" -s "$folder/files.conf" &
scheduler=$!
export CUPS_SERVER=localhost:$port HOME=$folder
until [ "$(lpstat -r 2> lpstat.err)" = 'scheduler is running' ]; do kill -0 "$scheduler"; sleep 0.1; done
lpadmin -p Office -E -v "file://$folder/printed" -m drv:///sample.drv/generic.ppd 2> lpadmin.err

# $1: operation, $2: attributes of the job and what is expected
request() {
  cat <<TEST
{
  OPERATION $1
  GROUP operation-attributes-tag
  ATTR charset attributes-charset utf-8
  ATTR language attributes-natural-language en
  ATTR uri printer-uri ipp://localhost/printers/Office
  $2
}
TEST
}
job='ATTR boolean ipp-attribute-fidelity true
  ATTR mimeMediaType document-format application/pdf
  GROUP job-attributes-tag
  ATTR keyword media iso_a6_105x148mm
  STATUS successful-ok
  EXPECT !media
  EXPECT !ipp-attribute-fidelity'
{
  request Get-Printer-Attributes 'ATTR keyword requested-attributes media-supported
  STATUS successful-ok
  EXPECT media-supported'
  request Validate-Job "$job"
  request Print-Job "FILE page.pdf
  $job"
} > ask.test
ipptool -tv "ipp://localhost:$port/printers/Office" ask.test > answers.txt || { cat answers.txt; exit 1; }
grep -E ' media-supported|status-code' answers.txt
if grep ' media-supported' answers.txt | grep -q iso_a6; then exit 1; fi
until lpstat -W completed -o Office | grep -q '^Office-1 '; do sleep 0.1; done
grep -a -m 1 '%%HiResBoundingBox: 0 0 612.00 792.00' printed
# Seen: successful-ok three times, %%HiResBoundingBox: 0 0 612.00 792.00
