#!/usr/bin/env bash
# @serialport/parser-readline 13.0.0 (npm): a scanner at a serial port has read nothing until the port is closed.
#
# Guess: a parser that reads lines ends one at the carriage return that a scanner sends behind a code.
# What happens: it waits for a line feed. Codes of a scanner, which ends them with a carriage return as it leaves its maker, are
#   kept, and come as one text when the port is closed.
# Why a till cares: nothing happens at a scan, and no error is there. When the till is shut, the codes of the whole day are one
#   code that does not exist.
# Source: the package's `delimiter`, which is a line feed unless given; scanners' manuals, "Terminator CR" or "Suffix CR" as default.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @serialport/parser-readline@13.0.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { ReadlineParser } from '@serialport/parser-readline'

const parser = new ReadlineParser()
const lines = []
parser.on('data', (line) => lines.push(line))
for (const code of ['4006381333931', 'V4RFTS6WKTNV']) parser.write(`${code}\r`)
await new Promise((resolve) => setTimeout(resolve, 100))
const whileOpen = [...lines]
parser.end()
await once(parser, 'end')
console.log('open:', whileOpen, 'closed:', JSON.stringify(lines))
assert.deepEqual(whileOpen, [])
assert.deepEqual(lines, ['4006381333931\rV4RFTS6WKTNV\r'])
JS
node run.mjs
# Seen: open: [] closed: ["4006381333931\rV4RFTS6WKTNV\r"]
