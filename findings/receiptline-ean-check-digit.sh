#!/usr/bin/env bash
# receiptline 4.0.4 (npm): an EAN-13 with a wrong check digit is printed as another, valid number.
#
# Guess: a barcode whose last digit is wrong is refused or left out, as other barcode packages do.
# What happens: the thirteenth digit is dropped in silence, and the printer is sent the other twelve. It computes the
#   digit itself, so 4006381333930 comes out as 4006381333931, the same as for the right number.
# Why a till cares: the number on the paper is not the number in the file, and it scans: a gift card or a coupon with a
#   mistyped digit becomes somebody else's instead of an error.
# Source: the package's lib/receiptline.js, barcodes of printers; JsBarcode 3.12.3, which says "not a valid input".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts receiptline@4.0.4 jsbarcode@3.12.3
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import JsBarcode from 'jsbarcode'
import receiptline from 'receiptline'

/** The digits after GS k C (EAN-13, with a length byte) of the commands, or undefined. */
function digitsSent(number) {
  const commands = receiptline.transform(`{code:${number};option:ean}\n`, {
    cpl: 32,
    encoding: 'cp437',
    command: 'escpos'
  })
  return /\x1dkC[\x0c\x0d](\d{12,13})/.exec(commands)?.[1]
}
const right = digitsSent('4006381333931')
const wrong = digitsSent('4006381333930')
console.log('right', right, 'wrong', wrong)
assert.equal(right, '400638133393')
assert.equal(wrong, right)
assert.throws(() => JsBarcode({}, '4006381333930', { format: 'EAN13' }), /not a valid input/)
JS
node run.mjs
# Seen: right 400638133393 wrong 400638133393
