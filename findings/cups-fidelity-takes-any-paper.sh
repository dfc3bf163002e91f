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
# Needs Debian 12 and root. CUPS and its filters are unpacked into the folder, where the scheduler has its configuration; the
# libraries below them, ghostscript and poppler-utils are the system's.
set -euo pipefail
folder=$(mktemp -d)
scheduler=
end() {
  [ -z "$scheduler" ] || { kill "$scheduler"; wait "$scheduler" || true; }
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
cups=2.4.2-3+deb12u9 filters=1.28.17-3+deb12u2
apt-get -q download cups-daemon=$cups cups-common=$cups cups-core-drivers=$cups cups-client=$cups cups-ipp-utils=$cups cups=$cups \
  libcups2=$cups libcupsimage2=$cups cups-ppdc=$cups cups-filters=$filters cups-filters-core-drivers=$filters \
  libcupsfilters1=$filters libfontembed1=$filters > apt.log 2>&1
for package in ./*.deb; do dpkg -x "$package" root; done
export PATH=$folder/root/usr/bin:$folder/root/usr/sbin:$PATH
export LD_LIBRARY_PATH="$folder/root/usr/lib/$(uname -m)-linux-gnu"
port=$((20000 + $$ % 10000))
mkdir -p etc/ppd spool/tmp cache state log
cat > files.conf <<CONF
ServerRoot $folder/etc
ServerBin $folder/root/usr/lib/cups
DataDir $folder/root/usr/share/cups
SetEnv LD_LIBRARY_PATH $LD_LIBRARY_PATH
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
chmod 755 "$folder"
chown -R nobody:nogroup etc spool cache state log printed page.pdf
cupsd -f -c "$folder/cupsd.conf" -s "$folder/files.conf" &
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
