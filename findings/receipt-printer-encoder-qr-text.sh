#!/usr/bin/env bash
# @point-of-sale/receipt-printer-encoder 4.0.1: the printer's own QR code loses every letter that is not Latin-1.
#
# Guess: `qrcode(text)` sends the text as UTF-8, which phones read, or throws for what it cannot send.
# What happens: the text is encoded as ISO 8859-1. Each other letter is sent as "?", in all three languages, without an
#   error. The code prints, is scanned, and leads to another address.
# Why a till cares: a shop may have an address such as https://πόντοι.example. The slip looks right, and no customer can
#   collect. Encode the address first (`new URL(text).href`), or draw the code as an image.
# Source: `qrcode` in the package's src/languages/; Epson's ESC/POS reference, GS ( k function 180, takes any byte.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @point-of-sale/receipt-printer-encoder@4.0.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import encoder from '@point-of-sale/receipt-printer-encoder'

const Encoder = encoder.default ?? encoder
for (const language of ['esc-pos', 'star-prnt', 'star-line']) {
  const sent = Buffer.from(new Encoder({ language }).qrcode('https://πόντοι.example/q/é').encode()).toString('latin1')
  console.log(`${language}: ${/https[\x20-\xff]+/.exec(sent)?.[0]}`)
  assert.match(sent, /https:\/\/\?{6}\.example\/q\/é/)
  const encoded = new URL('https://πόντοι.example/q/é').href
  assert.ok(Buffer.from(new Encoder({ language }).qrcode(encoded).encode()).toString('latin1').includes(encoded))
}
JS
node run.mjs
# Seen: esc-pos, star-prnt and star-line each: https://??????.example/q/é
