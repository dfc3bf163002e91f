#!/usr/bin/env bash
# @point-of-sale/keyboard-barcode-scanner 1.1.4 (npm): as it comes, it never hears a scanner that types every 80 ms.
#
# Guess: `timing: 'auto'` finds the speed of the scanner, as its README says that Zebra's type a key every 80 ms.
# What happens: a pause of more than 40 ms after the second key throws away what was typed, until a third key has come.
#   With 80 ms between keys each scan is thrown away two keys at a time, and no event comes. `timing: 100` hears it.
# Why a till cares: with such a scanner nothing happens, and nothing says why; the same scan pasted or typed by a test,
#   without pauses, works. A fast scanner over a remote desktop has such pauses, too.
# Source: the package's README, "What does this library do?", and its dist/keyboard-barcode-scanner.esm.js.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @point-of-sale/keyboard-barcode-scanner@1.1.4 jsdom@26.1.0
cp node_modules/@point-of-sale/keyboard-barcode-scanner/dist/keyboard-barcode-scanner.esm.js scanner.mjs
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { JSDOM } from 'jsdom'
import KeyboardBarcodeScanner from './scanner.mjs'

const { document, KeyboardEvent } = new JSDOM('<!doctype html>').window
let now = 0
let looks
// A clock that moves when a key is typed: no pause depends on the machine.
Object.defineProperty(globalThis, 'performance', { value: { now: () => now } })
Object.assign(globalThis, { document, setInterval: (look) => (looks = look), clearInterval: () => undefined })

/** Types a code with so many ms between keys. Returns what is taken for a scan. */
async function scan(pause, options) {
  const seen = []
  const scanner = new KeyboardBarcodeScanner(options)
  scanner.addEventListener('barcode', ({ value }) => seen.push(value))
  await scanner.connect()
  for (const key of [...'V4RFTS6WKTNV', 'Enter']) {
    now += pause
    looks()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }
  now += 10_000
  looks()
  await scanner.disconnect()
  await new Promise((resolve) => setTimeout(resolve, 0))
  return seen
}
const seen = {
  '10 ms': await scan(10),
  '80 ms': await scan(80),
  '80 ms, timing 100': await scan(80, { timing: 100 })
}
console.log(seen)
assert.deepEqual(seen, {
  '10 ms': ['V4RFTS6WKTNV'],
  '80 ms': [],
  '80 ms, timing 100': ['V4RFTS6WKTNV']
})
process.exit(0)
JS
node run.mjs
# Seen: '10 ms': [ 'V4RFTS6WKTNV' ], '80 ms': [], '80 ms, timing 100': [ 'V4RFTS6WKTNV' ]
