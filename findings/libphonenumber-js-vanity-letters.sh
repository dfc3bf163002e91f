#!/usr/bin/env bash
# libphonenumber-js 1.13.16: the letters of a phone such as 1-800-FLOWERS are dropped with all that follows.
#
# Guess: as in Google's libphonenumber, whose port this is, letters stand for the digits of a keypad; or the text is no
#   phone.
# What happens: reading stops at the first letter: 1-800-FLOWERS is +11800, country US, without an error. It is not
#   "valid", but a check of `isPossible` or of a result that is not undefined does not say which part was lost.
# Why a till cares: American business phones are printed this way. A field that takes what was read registers or searches
#   a number of five digits.
# Source: the package's README, which lists what the port leaves out; PhoneNumberUtil.convertAlphaCharactersInNumber.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts libphonenumber-js@1.13.16
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

const read = parsePhoneNumberFromString('1-800-FLOWERS', 'US')
console.log(read.number, read.country, `valid: ${read.isValid()}`)
assert.equal(read.number, '+11800')
assert.equal(read.isValid(), false)
JS
node run.mjs
