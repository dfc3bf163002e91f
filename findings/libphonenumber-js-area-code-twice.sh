#!/usr/bin/env bash
# libphonenumber-js 1.13.16: what is typed digit by digit in fourteen island countries gets its area code twice.
#
# Guess: `new AsYouType(country)` and `parsePhoneNumber(text, country)` read the same text as the same number.
# What happens: in Anguilla, American Samoa, Barbados, Bermuda, Dominica, Grenada, Guam, the Cayman Islands, St Lucia,
#   the Northern Marianas, Trinidad and Tobago, St Vincent, and both Virgin Islands, `getNumber()` of (868) 291-1234
#   returns +18688682911234. The parser returns +18682911234, and so does the formatter when it gets the whole text in
#   one `input`. A rule of the metadata completes local numbers of seven digits, and is applied while one is typed.
# Why a till cares: a search field that formats while a phone is typed, and sends `getNumber()`, never finds the
#   customer, and registers a number that does not exist. Parse the text of the field instead.
# Source: `nationalPrefixTransformRule` in libphonenumber's PhoneNumberMetadata.xml.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts libphonenumber-js@1.13.16
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { AsYouType, getCountries, getCountryCallingCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'

const different = getCountries().filter((country) => {
  const example = getExampleNumber(country, examples)
  if (example === undefined) return false
  assert.equal(parsePhoneNumberFromString(example.nationalNumber, country)?.number, example.number, country)
  const typed = new AsYouType(country)
  for (const digit of example.nationalNumber) typed.input(digit)
  return typed.getNumber()?.number !== example.number
})
console.log(different.join(' '))
for (const country of different) {
  const { number, nationalNumber } = getExampleNumber(country, examples)
  const typed = new AsYouType(country)
  for (const digit of nationalNumber) typed.input(digit)
  assert.equal(getCountryCallingCode(country), '1')
  assert.equal(typed.getNumber().number, `${number.slice(0, 5)}${nationalNumber}`)
}
assert.equal(different.join(' '), 'AI AS BB BM DM GD GU KY LC MP TT VC VG VI')
JS
node run.mjs
