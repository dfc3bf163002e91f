#!/usr/bin/env bash
# ipp 1.1.0 (npm): the range of pages 1 to 2 is sent as two ranges of 0 to 0.
#
# Guess: `'page-ranges': [1, 2]` is one range, or an error; the package checks the names of attributes, so also values.
# What happens: an attribute that may have several values takes the outer array for these. Each number becomes a range
#   of its own whose two ends are undefined, written as 0. The text '1-2' is written as 1 to 0. Only [[1, 2]] is right.
#   The same holds for `printer-resolution`: [203, 203, 'dpi'] becomes three resolutions of 0.
# Why a till cares: a print server refuses such a range, or ignores it and prints the whole file: fifty slips for one.
# Source: `writeValue` in the package's lib/serializer.js; RFC 8010, 3.9: rangeOfInteger is two integers, lower first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ipp@1.1.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import ipp from 'ipp'

/** The values of an attribute as sent, in hexadecimal. */
function sent(name, value) {
  const bytes = ipp.serialize({
    operation: 'Print-Job',
    id: 1,
    'operation-attributes-tag': { 'attributes-charset': 'utf-8', 'attributes-natural-language': 'en' },
    'job-attributes-tag': { [name]: value }
  })
  return bytes.subarray(bytes.indexOf(name) + name.length, -1).toString('hex')
}
for (const value of [[1, 2], '1-2', [[1, 2]]]) console.log(JSON.stringify(value), sent('page-ranges', value))
const range = (first, last) => `0008${first.toString(16).padStart(8, '0')}${last.toString(16).padStart(8, '0')}`
assert.equal(sent('page-ranges', [1, 2]), `${range(0, 0)}330000${range(0, 0)}`)
assert.equal(sent('page-ranges', '1-2'), range(1, 0))
assert.equal(sent('page-ranges', [[1, 2]]), range(1, 2))
assert.doesNotMatch(sent('printer-resolution', [203, 203, 'dpi']), /cb/)
JS
node run.mjs
# Seen: [1,2] 000800000000000000003300000008…, "1-2" 00080000000100000000, [[1,2]] 00080000000100000002
