#!/usr/bin/env bash
# zxing-wasm 3.1.4: the reader that is installed asks a public server for its WebAssembly at the first code.
#
# Guess: the package holds the .wasm file (it does: dist/reader/zxing_reader.wasm) and loads that one.
# What happens: `readBarcodes` fetches the file from a content delivery network, and rejects without one. The file in
#   the package is used only when `prepareZXingModule` is given its bytes before.
# Why a till cares: a till's page forbids other servers, and its line may be down; the first scan of the day then fails,
#   after all tests on a machine with a network have passed.
# Source: the README of the package, "Wasm serving"; the address is in its dist/.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zxing-wasm@3.1.4 qrcode@1.5.4
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { toBuffer } from 'qrcode'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const code = new Blob([await toBuffer('https://points.example/q/K7QF29XMA1B2', { scale: 4 })])
const asked = []
globalThis.fetch = (address) => {
  asked.push(new URL(address).hostname)
  return Promise.reject(new Error('no network'))
}
await assert.rejects(readBarcodes(code))
console.log(`asked: ${asked.join(', ')}`)
assert.ok(asked.length > 0 && asked.every((host) => host.endsWith('jsdelivr.net')))

const file = new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
await prepareZXingModule({ overrides: { wasmBinary: readFileSync(file) }, fireImmediately: true })
const [found] = await readBarcodes(code)
console.log(`with the bytes given: ${found.text}`)
assert.equal(found.text, 'https://points.example/q/K7QF29XMA1B2')
JS
node run.mjs 2>/dev/null
