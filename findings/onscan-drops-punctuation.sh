#!/usr/bin/env bash
# onscan.js 1.5.2 (npm, tells a scanner from a keyboard): a scanned address loses its colon, slashes and dots.
#
# Guess: the text of a scan is what the scanner typed.
# What happens: keys are chosen by their number. Digits, letters and the numeric keypad are kept; the keys of - . / : = and
#   + on the row of a keyboard have numbers above 185, and are left out without a word. onScanError is not called.
# Why a till cares: an address becomes letters in a row, a phone loses its +, and two card numbers that differ in a hyphen
#   become one. Nothing says that the scan was changed, so the till looks up something else than was scanned.
# Source: decodeKeyEvent in the package's onscan.js; the numbers are those of browsers for an American keyboard.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts onscan.js@1.5.2 jsdom@26.1.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('<!doctype html>')
Object.assign(globalThis, { document: window.document, CustomEvent: window.CustomEvent, KeyboardEvent: window.KeyboardEvent })
const onScan = createRequire(import.meta.url)('onscan.js')

const MARKS = { ':': 186, '+': 187, '=': 187, '-': 189, '.': 190, '/': 191 }

/** Types a text and Enter as a scanner with an American layout does. Returns what was taken for a scan, or for none. */
function scan(text) {
  const seen = []
  onScan.attachTo(document, {
    onScan: (taken) => seen.push(taken),
    onScanError: ({ message }) => seen.push(message)
  })
  const press = (key, keyCode) =>
    document.dispatchEvent(new KeyboardEvent('keydown', { key, keyCode, shiftKey: /[A-Z:+]/.test(key) }))
  for (const key of text) press(key, MARKS[key] ?? key.toUpperCase().charCodeAt(0))
  press('Enter', 13)
  onScan.detachFrom(document)
  return seen
}
for (const [typed, taken] of [
  ['https://points.example.com/q/V4RFTS6WKTNV', 'httpspointsexamplecomqV4RFTS6WKTNV'],
  ['+306900000123', '306900000123'],
  ['12-3456', '123456'],
  ['V4RFTS6WKTNV', 'V4RFTS6WKTNV']
]) {
  console.log(typed, '->', ...scan(typed))
  assert.deepEqual(scan(typed), [taken])
}
process.exit(0)
JS
node run.mjs
# Seen: https://points.example.com/q/V4RFTS6WKTNV -> httpspointsexamplecomqV4RFTS6WKTNV
#       +306900000123 -> 306900000123
#       12-3456 -> 123456
#       V4RFTS6WKTNV -> V4RFTS6WKTNV
