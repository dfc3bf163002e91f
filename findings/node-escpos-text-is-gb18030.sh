#!/usr/bin/env bash
# @node-escpos/core 0.6.0 (npm): text is written as GB18030, and no command says so.
#
# Guess: text goes out in the code page that ESC/POS printers begin with (437), or the package selects one with ESC t.
# What happens: the euro sign and each accented or Greek letter become two or four bytes of the Chinese GB18030. Another
#   encoding, set by `encode('CP858')`, writes that page's bytes, again without ESC t, so the printer reads them in its own.
# Why a till cares: "5 €" on a European printer ends in two wrong letters, and the same code prints right on the
#   developer's Chinese one. A till that knows its printer sends ESC t itself, or draws its text as a raster.
# Source: `Printer.encoding` in the package's dist/index.mjs; Epson's ESC/POS reference, ESC t: the default page is 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @node-escpos/core@0.6.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { Printer } from '@node-escpos/core'

/** What the printer gets for a text, in hexadecimal. */
async function sent(write) {
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
  write(printer)
  await printer.flush()
  return Buffer.concat(chunks).toString('hex')
}
const standard = await sent((printer) => printer.text('5 €'))
const page858 = await sent((printer) => printer.encode('CP858').text('5 €'))
console.log('standard', standard, 'CP858', page858)
assert.equal(standard, '3520a2e30a')
assert.equal(page858, '3520d50a')
JS
node run.mjs
# Seen: standard 3520a2e30a CP858 3520d50a
