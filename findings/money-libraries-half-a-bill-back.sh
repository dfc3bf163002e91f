#!/usr/bin/env bash
# currency.js 2.0.4 and dinero.js 2.0.2 (npm): half of a bill and its return do not add up to zero, in opposite directions.
#
# Guess: what is rounded when it is given is rounded the same way when it goes back.
# What happens: half of 9.99 is 5.00 with currency.js, and half of -9.99 is -4.99: halves go up, towards zero for what is
#   negative. With dinero.js it is 4.99 and -5.00: without a second choice the scale is changed by rounding down.
# Why a till cares: goods that come back in parts leave a cent, or take one too many, at each part. What is taken back has to
#   be what was given for the whole minus what is left of it, never a rounded negative amount.
# Source: rounding in currency.js (Math.round); transformScale in dinero.js, whose default is `down`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts currency.js@2.0.4 dinero.js@2.0.2
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import currency from 'currency.js'
import { dinero, multiply, toDecimal, transformScale } from 'dinero.js'
import { EUR } from 'dinero.js/currencies'

const half = { amount: 5, scale: 1 }
const ways = {
  'currency.js': (cents) => currency(cents, { fromCents: true }).multiply(0.5).toString(),
  'dinero.js': (cents) => toDecimal(transformScale(multiply(dinero({ amount: cents, currency: EUR }), half), 2))
}
const seen = Object.entries(ways).map(([name, halfOf]) => `${name}: ${halfOf(999)} ${halfOf(-999)}`)
console.log(seen.join('\n'))
assert.deepEqual(seen, ['currency.js: 5.00 -4.99', 'dinero.js: 4.99 -5.00'])
JS
node run.mjs
# Seen: currency.js: 5.00 -4.99
#       dinero.js: 4.99 -5.00
