#!/usr/bin/env bash
# qrcode 1.5.4 (npm): a picture of a given `width` has modules of different widths.
#
# Guess: `width: 250` draws each module with as many whole dots as fit, and leaves the rest white.
# What happens: 37 modules (29 and the margin of 4) share the 250 dots by rounding: some are 6 dots wide, some 7. At
#   `width: 100` some are 2 and some 3: a half more. Only a multiple of the modules, or `scale`, gives equal ones.
# Why a till cares: a receipt printer burns these dots as they are. At 8 dots a millimetre a module of 2 beside one of 3 is
#   what a phone's camera misses first.
# Source: `qrToImageData` in the package's lib/renderer/utils.js, `width` in its README; ISO/IEC 18004, 6.3.2: modules are
#   nominally square and equal.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts qrcode@1.5.4 pngjs@7.0.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import pngjs from 'pngjs'
import QRCode from 'qrcode'

const TEXT = 'https://points.example/q/PN5CA3DGA9WZ'
const margin = 4
const modules = QRCode.create(TEXT, { errorCorrectionLevel: 'M' }).modules.size + 2 * margin

/** The widths in dots of the module columns that a picture draws, found by sampling the timing pattern's row. */
async function columnWidths(options) {
  const file = await QRCode.toBuffer(TEXT, { ...options, margin, errorCorrectionLevel: 'M' })
  const { width, data } = pngjs.PNG.sync.read(file)
  // The seventh row of the code alternates dark and light between the finders: each run is one module.
  const y = Math.round(((margin + 6.5) * width) / modules)
  const runs = []
  for (let x = 0, dark = -1; x < width; x += 1) {
    const isDark = data[(y * width + x) * 4] < 128 ? 1 : 0
    if (isDark === dark) runs[runs.length - 1] += 1
    else runs.push(1)
    dark = isDark
  }
  // Without the margins and the two finders, which are seven modules wide in this row.
  return [...new Set(runs.slice(2, -2))].sort((a, b) => a - b)
}
const seen = {}
for (const width of [250, 100, 37 * 6]) seen[width] = await columnWidths({ width })
console.log(modules, 'modules:', JSON.stringify(seen))
assert.equal(modules, 37)
assert.deepEqual(seen, { 100: [2, 3], 222: [6], 250: [6, 7] })
JS
node run.mjs
# Seen: 37 modules: {"100":[2,3],"222":[6],"250":[6,7]}
