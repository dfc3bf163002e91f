#!/usr/bin/env bash
# @node-escpos/core 0.6.0 (npm): `qrcode()` sends GS Z and ESC Z, not the GS ( k of the ESC/POS reference.
#
# Guess: a package for ESC/POS stores the code with GS ( k, function 180, and prints it with function 181.
# What happens: it sends 1D 5A 02 (choose QR) and 1B 5A with version, level, size, length and the text: the commands of
#   other makers. There is no GS ( k in the output, and no option for it.
# Why a till cares: a printer that follows the reference knows neither command, and the address comes out as text at best:
#   the slip looks printed, and nobody can collect it.
# Source: `CODE2D_FORMAT` in the package's dist/index.mjs; Epson's ESC/POS reference, GS ( k for QR codes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @node-escpos/core@0.6.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { Printer } from '@node-escpos/core'

const chunks = []
const device = {
  open: (done) => done?.(null),
  write: (data, done) => {
    chunks.push(Buffer.from(data))
    done?.(null)
  },
  close: (done) => done?.(null)
}
const printer = new Printer(device, {})
printer.qrcode('points')
await printer.flush()
const bytes = Buffer.concat(chunks).toString('hex')
console.log(bytes)
assert.equal(bytes, '1d5a021b5a034c060600' + Buffer.from('points').toString('hex'))
assert.doesNotMatch(bytes, /1d286b/)
JS
node run.mjs
# Seen: 1d5a021b5a034c060600706f696e7473
