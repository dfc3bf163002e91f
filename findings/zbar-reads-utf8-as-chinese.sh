#!/usr/bin/env bash
# ZBar 0.23.92 (zbarimg of Debian 12): accented letters in a QR code are read as Chinese or Japanese ones.
#
# Guess: a code in byte mode that holds UTF-8, as all common generators write it, is read as UTF-8, or as Latin-1.
# What happens: without an ECI mark the encoding is guessed. https://café.example comes out as https://caf矇.example
#   (Big5), and Ñandú in katakana (Shift_JIS). Greek, Cyrillic and Arabic addresses of the same length are read right,
#   so tests with those scripts do not show it. `--raw -Sbinary` returns the bytes.
# Why a till cares: ZBar is behind many scanner programs and kiosks. An address with one accent becomes another host.
#   Encode addresses (punycode, percent signs) before they become a code.
# Source: zbar/qrcode/qrdectxt.c, which tries the encodings in an order that depends on the bytes; ISO/IEC 18004, 7.4.2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download zbar-tools=0.23.92-7+deb12u1 libzbar0=0.23.92-7+deb12u1 libmagickwand-6.q16-6 libmagickcore-6.q16-6 \
  libv4l-0 libv4lconvert0 > /dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" root; done
npm install --silent --no-audit --no-fund --ignore-scripts qrcode@1.5.4
read_code() {
  node -e 'require("qrcode").toFile("code.png", process.argv[1], { scale: 6 })' "$1"
  LD_LIBRARY_PATH="$PWD/root/usr/lib/$(uname -m)-linux-gnu" root/usr/bin/zbarimg -q --raw "${@:2}" code.png 2> /dev/null
}
expect() { echo "$1 is read as $2"; [ "$(read_code "$1")" = "$2" ]; }
expect 'https://café.example/q/ü' 'https://caf矇.example/q/羹'
expect 'https://points.example/q/1?n=Ñandú' 'https://points.example/q/1?n=ﾃ疎ndﾃｺ'
expect 'https://πόντοι.example/q/1' 'https://πόντοι.example/q/1'
[ "$(read_code 'https://café.example/q/ü' -Sbinary)" = 'https://café.example/q/ü' ]
