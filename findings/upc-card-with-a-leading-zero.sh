#!/usr/bin/env bash
# zxing-wasm 3.1.2 and zbar-wasm 0.11.0 (npm): a card with a UPC-A barcode has one digit more for a camera than for a scanner.
#
# Guess: a camera reads the twelve digits below the bars of a UPC-A code, and the eight of UPC-E.
# What happens: both libraries give thirteen for either: UPC-A is an EAN-13 with a leading zero, UPC-E is written out. A scanner
#   that acts as a keyboard types 12 and 8 digits as it leaves its maker.
# Why a till cares: a customer's card that was registered with a phone or a tablet is not found by the scanner at the till, and
#   the other way round; or the same customer has two cards.
# Source: GS1 General Specifications, EAN/UPC symbology (UPC-A is an EAN-13 whose first digit is zero); for scanners Zebra's
#   product reference guides, "UPC-A Preamble", whose default is "System Character": twelve digits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zxing-wasm@3.1.2 @undecaf/zbar-wasm@0.11.0 bwip-js@4.11.4 pngjs@7.0.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { scanImageData } from '@undecaf/zbar-wasm'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const require = createRequire(import.meta.url)
const bwip = require('bwip-js')
const { PNG } = require('pngjs')
const wasm = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) } })

/** Returns what the two readers say of a drawn barcode. */
async function read(bcid, text) {
  const size = { scale: 3, height: 12, paddingwidth: 12, paddingheight: 6 }
  const { data, width, height } = PNG.sync.read(await bwip.toBuffer({ bcid, text, ...size, backgroundcolor: 'FFFFFF' }))
  const image = { data: new Uint8ClampedArray(data), width, height }
  const [zxing] = await readBarcodes(image)
  const [zbar] = await scanImageData(image)
  return [zxing.text, zbar.decode()]
}
for (const [kind, printed, taken] of [
  ['upca', '036000291452', '0036000291452'],
  ['upce', '01234565', '0012345000065'],
  ['ean8', '96385074', '96385074']
]) {
  const readings = await read(kind, printed)
  console.log(kind, printed, '->', ...readings)
  assert.deepEqual(readings, [taken, taken])
}
JS
node run.mjs
# Seen: upca 036000291452 -> 0036000291452 0036000291452
#       upce 01234565 -> 0012345000065 0012345000065
#       ean8 96385074 -> 96385074 96385074
