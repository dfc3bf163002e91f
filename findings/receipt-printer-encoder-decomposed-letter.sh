#!/usr/bin/env bash
# @point-of-sale/receipt-printer-encoder 4.0.1: a letter with a separate accent changes to the Vietnamese code page.
#
# Guess: "é" as one character and as "e" with a combining accent (what macOS gives in names of files and in some exports)
#   print the same, or the second loses its accent.
# What happens: with `codepage('auto')` the first is one byte of page 0. The second sends "e", changes to page 52
#   (windows-1258, Vietnamese) and sends byte EC, a combining accent there. A printer without that page prints another
#   sign, and stays on a page that the next line did not choose. With `star-prnt` the accent becomes "?".
# Why a till cares: the same customer's name prints right or wrong depending on where it was typed. Call
#   `normalize('NFC')` on every text before it is encoded.
# Source: Unicode Standard Annex 15; Epson's ESC/POS reference, ESC t, lists page 52 as WPC1258.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @point-of-sale/receipt-printer-encoder@4.0.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import encoder from '@point-of-sale/receipt-printer-encoder'

const Encoder = encoder.default ?? encoder
const sent = (language, text) =>
  Buffer.from(new Encoder({ language }).codepage('auto').text(text).encode()).toString('hex')
const [one, two] = ['José', 'José'.normalize('NFD')]
for (const language of ['esc-pos', 'star-prnt']) {
  console.log(`${language}: one character ${sent(language, one)}, two ${sent(language, two)}`)
}
assert.ok(sent('esc-pos', one).startsWith('1b74004a6f7382'))
assert.ok(sent('esc-pos', two).startsWith('1b74004a6f73651b7434ec'))
assert.ok(sent('star-prnt', two).startsWith('1b1d74004a6f73653f'))
JS
node run.mjs
# Seen: esc-pos: one character 1b74004a6f73820a0d, two 1b74004a6f73651b7434ec0a0d
