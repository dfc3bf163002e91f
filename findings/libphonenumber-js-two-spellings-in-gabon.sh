#!/usr/bin/env bash
# libphonenumber-js 1.13.16: one phone in Gabon has two valid E.164 numbers.
#
# Guess: two ways to write one phone of a country, both valid, give one E.164 number; that is what E.164 is for.
# What happens: the metadata has eight digits that begin with a zero, which belongs to the number, and seven without it.
#   06000000 gives +24106000000, 6000000 gives +2416000000: both valid, both mobile, and both formatted for home as
#   06 00 00 00.
# Why a till cares: phones are the key of a customer. The second spelling makes a second account, and the first one's
#   points are not found. Compare what `formatNational` gives before a customer is registered in such a country.
# Source: libphonenumber's metadata for GA (`generalDesc`, `nationalPrefixForParsing`).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts libphonenumber-js@1.13.16
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

const [withZero, without] = ['06000000', '6000000'].map((text) => parsePhoneNumberFromString(text, 'GA'))
for (const { number, country } of [withZero, without]) console.log(number, country)
assert.ok(withZero.isValid() && without.isValid())
assert.deepEqual([withZero.number, without.number], ['+24106000000', '+2416000000'])
assert.deepEqual([withZero.getType(), without.getType()], ['MOBILE', 'MOBILE'])
assert.equal(withZero.formatNational(), without.formatNational())
JS
node run.mjs
