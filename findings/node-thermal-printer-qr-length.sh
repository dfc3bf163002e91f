#!/usr/bin/env bash
# node-thermal-printer 4.6.1: a QR code with a letter outside of ASCII is cut short, and its rest is printed as text.
#
# Guess: `printQR(text)` announces as many bytes as it sends.
# What happens: it announces the number of characters and sends UTF-8. Six Greek letters are twelve bytes, so the printer
#   takes an address that lacks its last six, and prints "xample" as text, or reads it as a command.
# Why a till cares: the code on the paper is valid and scans, so nothing looks wrong but a short word above it. Who reads
#   such a till's export or shares its printer sees addresses that end early.
# Source: `printQR` in the package's lib/types/epson.js and star.js; Epson's ESC/POS reference, GS ( k function 180:
#   pL and pH count the bytes that follow.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts node-thermal-printer@4.6.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import library from 'node-thermal-printer'

const printer = new library.ThermalPrinter({ type: library.PrinterTypes.EPSON, interface: 'tcp://127.0.0.1' })
const address = 'https://πόντοι.example'
await printer.printQR(address)
const sent = printer.getBuffer()
// GS ( k pL pH 31 50 30 data: the command that stores the data.
const start = sent.indexOf(Buffer.from('315030', 'hex'))
const announced = sent.readUInt16LE(start - 2) - 3
const taken = sent.subarray(start + 3, start + 3 + announced).toString()
console.log(`announced ${announced} bytes, sent ${Buffer.byteLength(address)}: the code says ${taken}`)
assert.equal(announced, address.length)
assert.equal(taken, 'https://πόντοι.e')
assert.equal(sent.subarray(start + 3 + announced, start + 9 + announced).toString(), 'xample')
JS
node run.mjs
# Seen: announced 22 bytes, sent 28: the code says https://πόντοι.e
