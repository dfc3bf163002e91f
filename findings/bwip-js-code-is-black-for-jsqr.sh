#!/usr/bin/env bash
# bwip-js 4.11.4 and jsqr 1.4.0 (npm): a QR code drawn by the one is not found by the other.
#
# Guess: a test that draws a code and decodes it passes with both packages as they come.
# What happens: bwip-js draws black modules on nothing (alpha 0, and colour 0,0,0), without a quiet zone. jsQR reads the
#   colours and not the alpha, so the whole picture is black for it: the answer is null, also with a quiet zone of four
#   modules. With a white background it reads the same picture, even without the quiet zone.
# Why a till cares: in a dark window the same picture is black on black for a customer's phone, and a self-test that
#   decodes it reports a broken code where only the background is missing.
# Source: the documents of bwip-js, backgroundcolor (no default) and padding; jsQR's binarizer, which takes R, G and B.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts bwip-js@4.11.4 jsqr@1.4.0 pngjs@7.0.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import bwipjs from 'bwip-js/node'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'

const TEXT = 'https://points.example.com/q/V4RFTS6WKTNV'
const SCALE = 4

/** Returns what jsQR reads of the code drawn with these options. */
async function read(options) {
  const image = await bwipjs.toBuffer({ bcid: 'qrcode', text: TEXT, scale: SCALE, ...options })
  const { data, width, height } = PNG.sync.read(image)
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data ?? null
}
const seen = {
  'as it comes': await read({}),
  'quiet zone': await read({ padding: 4 * SCALE }),
  'white background': await read({ backgroundcolor: 'FFFFFF' })
}
console.log(seen)
assert.deepEqual(seen, { 'as it comes': null, 'quiet zone': null, 'white background': TEXT })
JS
node run.mjs
# Seen: 'as it comes': null, 'quiet zone': null, 'white background': 'https://points.example.com/q/V4RFTS6WKTNV'
