#!/usr/bin/env bash
# gs1-barcode-parser-mod 1.2.1 and bark-js 1.2.1 (npm): a coupon with loyalty points is not read, or read with too few digits.
#
# Guess: parsers of GS1 barcodes know AI (8111), "loyalty points of a coupon", which are four digits.
# What happens: the first one gives up the whole barcode, with the coupon's number (255) that it does know. The second one
#   takes two digits for (8111) as well as four: "8111" and "02", cut off by a scanner, are 2 points and not a fault.
# Why a till cares: points in a barcode come from the producer of the goods. One library makes the coupon worthless, the
#   other one gives what was not printed.
# Source: GS1 General Specifications, application identifier (8111), whose format is N4+N4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts gs1-barcode-parser-mod@1.2.1 bark-js@1.2.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { parseBarcode } = require('gs1-barcode-parser-mod')
const bark = require('bark-js')

const whole = '8111' + '0250'
const cut = '8111' + '02'
const coupon = '255' + '9501101020917' + '123456' + String.fromCharCode(29)
const points = (text) => bark(text).elements.map(({ ai, value }) => `${ai} ${value}`).join()
console.log('bark-js:', points(whole), '|', points(cut))
assert.equal(points(whole), '8111 0250')
assert.equal(points(cut), '8111 02')
const read = () => parseBarcode(`]C1${coupon}${whole}`)
let refused
try {
  read()
} catch (error) {
  refused = String(error)
}
console.log('gs1-barcode-parser-mod:', refused)
assert.match(refused, /invalid AI after '811'/)
assert.equal(parseBarcode(`]C1${coupon}`).parsedCodeItems[0].ai, '255')
JS
node run.mjs
# Seen: bark-js: 8111 0250 | 8111 02
#       gs1-barcode-parser-mod: invalid AI after '811'
