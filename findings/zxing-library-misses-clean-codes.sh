#!/usr/bin/env bash
# @zxing/library 0.21.3: about one clean QR code in twenty-five is not found, and a larger picture makes it worse.
#
# Guess: a code without noise, rotation or blur, with its quiet zone, is always read; `TRY_HARDER` helps if not.
# What happens: of 200 addresses of slips, drawn at 8 pixels a module, between 2 and 10 of 100 throw `NotFoundException`.
#   At 1 or 2 pixels a module all are read. `TRY_HARDER` and another binarizer change nothing; `PURE_BARCODE` reads all.
# Why a till cares: this decoder is in many web pages that scan a customer's code. A test of printed slips with it fails
#   for codes that are right, and a customer whose code is not read cannot know that the next one would be.
# Source: seen by the run; the project says that it is in maintenance mode.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @zxing/library@0.21.3 qrcode@1.5.4 pngjs@7.0.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { PNG } from 'pngjs'
import { toBuffer } from 'qrcode'
import * as zxing from '@zxing/library'

const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const COUNT = 200
const codeOf = (index) =>
  Array.from({ length: 12 }, (_, place) => LETTERS[(index * 7919 + place * place * 104729 + index * place) % 30]).join('')

async function countRead(scale, hints, Binarizer = zxing.HybridBinarizer) {
  let read = 0
  for (let index = 0; index < COUNT; index++) {
    const text = `https://points.example/q/${codeOf(index)}`
    const { data, width, height } = PNG.sync.read(await toBuffer(text, { scale, margin: 4 }))
    const grey = new Uint8ClampedArray(width * height).map((_, pixel) => data[pixel * 4])
    const bitmap = new zxing.BinaryBitmap(new Binarizer(new zxing.RGBLuminanceSource(grey, width, height)))
    try {
      if (new zxing.QRCodeReader().decode(bitmap, hints).getText() === text) read++
    } catch (error) {
      assert.equal(error.name, 'NotFoundException')
    }
  }
  return read
}

const small = await countRead(2)
const large = await countRead(8)
const harder = await countRead(8, new Map([[zxing.DecodeHintType.TRY_HARDER, true]]))
const other = await countRead(8, undefined, zxing.GlobalHistogramBinarizer)
const pure = await countRead(8, new Map([[zxing.DecodeHintType.PURE_BARCODE, true]]))
console.log({ of: COUNT, small, large, harder, other, pure })
assert.equal(small, COUNT)
assert.ok(large >= COUNT * 0.9 && large <= COUNT * 0.98, `large: ${large}`)
assert.equal(harder, large)
assert.equal(other, large)
assert.equal(pure, COUNT)
JS
node run.mjs
