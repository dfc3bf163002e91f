#!/usr/bin/env bash
# node-thermal-printer 4.6.1 (npm): opening the cash drawer sends two commands without their last two bytes.
#
# Guess: openCashDrawer() pulses both drawer pins of an ESC/POS printer, one after the other.
# What happens: ESC p takes three bytes: the pin, and how long the pulse is on and off. The library sends the pin alone, twice.
#   The printer takes the second ESC p for the times of the first pulse (27 and 112, in steps of 2 ms), so that pin 5 gets
#   no pulse at all, and a byte 01 is left over. Pin 2 works by chance, with a pulse of 54 ms.
# Why a till cares: a drawer on pin 5 stays shut. Were it only one command, the next two bytes of the slip would be its times.
# Source: Epson, ESC/POS command reference, "ESC p m t1 t2"; types/epson-config.js of the package. @node-escpos/core 0.6.0
#   sends all five bytes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts node-thermal-printer@4.6.1 @node-escpos/core@0.6.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { ThermalPrinter, PrinterTypes } = require('node-thermal-printer')
const { command } = require('@node-escpos/core')

const printer = new ThermalPrinter({ type: PrinterTypes.EPSON, interface: 'tcp://127.0.0.1:9', width: 32 })
printer.openCashDrawer()
const sent = printer.getBuffer().toString('hex')
const whole = Buffer.from(command.CASH_DRAWER.CD_KICK_2, 'latin1').toString('hex')
console.log('node-thermal-printer:', sent)
console.log('@node-escpos/core, pin 2:', whole)
assert.equal(sent, '1b7000' + '1b7001')
assert.equal(whole, '1b70001978')
JS
node run.mjs
# Seen: node-thermal-printer: 1b70001b7001
#       @node-escpos/core, pin 2: 1b70001978
