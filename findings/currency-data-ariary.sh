#!/usr/bin/env bash
# currency-codes 2.2.0 and dinero.js 2.0.2 (npm): the smallest unit of an amount in ariary is a hundredth or a fifth.
#
# Guess: a package of currencies knows the decimal places of ISO 4217, and they agree.
# What happens: for Madagascar's ariary (MGA) and Mauritania's ouguiya (MRU) currency-codes says two places, as the list of
#   ISO 4217 does. dinero.js counts in fifths, which is what the coins are: 13 are 2 ariary and 3 fifths, and toDecimal
#   throws, since fifths have no decimal text.
# Why a till cares: points for an amount that a program sends in its smallest unit differ by twenty times, and a slip that
#   shows the amount ends in an error in two countries alone.
# Source: ISO 4217, list one (maintained by SIX); the data of both packages.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts currency-codes@2.2.0 dinero.js@2.0.2
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import currencyCodes from 'currency-codes'
import { dinero, toDecimal, toUnits } from 'dinero.js'
import * as currencies from 'dinero.js/currencies'

const differ = currencyCodes.codes().filter((code) => {
  const other = currencies[code]
  return other !== undefined && other.base ** other.exponent !== 10 ** currencyCodes.code(code).digits
})
const amount = dinero({ amount: 13, currency: currencies.MGA })
console.log(differ, currencyCodes.code('MGA').digits, currencies.MGA, toUnits(amount))
assert.deepEqual(differ, ['MGA', 'MRU'])
assert.equal(currencyCodes.code('MGA').digits, 2)
assert.deepEqual(currencies.MGA, { code: 'MGA', base: 5, exponent: 1 })
assert.deepEqual(toUnits(amount), [2, 3])
assert.throws(() => toDecimal(amount), /Currency is not decimal/)
JS
node run.mjs
# Seen: [ 'MGA', 'MRU' ] 2 { code: 'MGA', base: 5, exponent: 1 } [ 2, 3 ]
