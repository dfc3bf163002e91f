#!/usr/bin/env bash
# node-thermal-printer 4.6.1 (npm): a line with a text at each side is one long text when both do not fit.
#
# Guess: leftRight() keeps a space between its texts, or puts the right one on a line of its own, as println() breaks lines.
# What happens: it fills up with spaces while there is room, and otherwise joins the two. Nor does it know of double width:
#   the spaces are counted for letters of single width, so that the amount ends on the next line.
# Why a till cares: "… and a cake1200 points": the printer breaks the line where it likes, in the middle of the number, and a
#   customer reads 12 or 00.
# Source: leftRight in the package's core.js.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts node-thermal-printer@4.6.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

const { ThermalPrinter, PrinterTypes } = createRequire(import.meta.url)('node-thermal-printer')

/** Returns the lines that a paper of 32 letters gets, without commands. */
function printed(print) {
  const printer = new ThermalPrinter({ type: PrinterTypes.EPSON, interface: 'tcp://127.0.0.1:9', width: 32 })
  print(printer)
  return printer.getBuffer().toString('latin1').replace(/\x1b!./, '').split('\n').slice(0, -1)
}
const long = printed((printer) => printer.leftRight('Thirty points for coffee and a cake', '1200 points'))
const wide = printed((printer) => {
  printer.setTextDoubleWidth()
  printer.leftRight('Points', '250')
})
const broken = printed((printer) => printer.println('Thirty points for coffee and a cake 1200 points'))
console.log(long, wide, broken)
assert.deepEqual(long, ['Thirty points for coffee and a cake1200 points'])
// 32 letters of double width are two lines of 16.
assert.deepEqual(wide, ['Points' + ' '.repeat(23) + '250'])
assert.deepEqual(broken, ['Thirty points for coffee and a', 'cake 1200 points'])
JS
node run.mjs
# Seen: [ 'Thirty points for coffee and a cake1200 points' ] [ 'Points                       250' ] [ 'Thirty points for coffee and a', 'cake 1200 points' ]
