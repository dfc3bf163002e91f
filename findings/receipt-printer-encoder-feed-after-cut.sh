#!/usr/bin/env bash
# @point-of-sale/receipt-printer-encoder 4.0.1: a receipt that ends with a cut is followed by a line feed.
#
# Guess: `.text('…').cut().encode()` ends with the bytes of the cut.
# What happens: `encode` ends with line feed and carriage return (0A 0D, in this order), after the cut too. The next
#   receipt begins with an empty line, and the first of the day does not.
# Why a till cares: slips of one job differ in length by a line (about 4 mm), and on a printer with a presenter the feed
#   pushes the next receipt's edge out. Remove the two bytes, or cut with your own command.
# Source: seen by the run; Epson's ESC/POS reference, GS V: the position after a cut is the beginning of a line.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @point-of-sale/receipt-printer-encoder@4.0.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import encoder from '@point-of-sale/receipt-printer-encoder'

const Encoder = encoder.default ?? encoder
for (const [language, cut] of [['esc-pos', '1d5601'], ['star-line', '1b6401']]) {
  const sent = Buffer.from(new Encoder({ language }).line('Thank you').cut('partial').encode()).toString('hex')
  console.log(`${language}: …${sent.slice(-10)}`)
  assert.ok(sent.endsWith(`${cut}0a0d`))
}
JS
node run.mjs
# Seen: esc-pos: …1d56010a0d, star-line: …1b64010a0d
