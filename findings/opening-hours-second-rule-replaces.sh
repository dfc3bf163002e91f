#!/usr/bin/env bash
# opening_hours 3.15.0 (npm, OpenStreetMap's format of opening hours): the hours of an afternoon close the morning.
#
# Guess: "Mo-Fr 08:00-12:00; Mo-Fr 14:00-18:00" is open in the morning and in the afternoon.
# What happens: a rule behind a semicolon replaces what was said before about its days, so that the shop opens at 14:00. With
#   a comma both hold. "Mo-Sa 09:00-19:00; Fr 20:00-23:00" is closed on Friday at noon. No warning is given.
# Why a till cares: bonus hours, or slips that are issued outside opening hours, are wrong for half of the day where the hours
#   come from the map.
# Source: OpenStreetMap, opening_hours specification, "normal_rule_separator" and "additional_rule_separator".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts opening_hours@3.15.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import OpeningHours from 'opening_hours'

/** Returns whether a shop is open on Friday, 27 November 2026, and what the library warns of. */
const isOpen = (hours, time) => {
  const shop = new OpeningHours(hours)
  return [hours, time, shop.getState(new Date(`2026-11-27T${time}:00`)), shop.getWarnings().length]
}
const seen = [
  isOpen('Mo-Fr 08:00-12:00; Mo-Fr 14:00-18:00', '09:00'),
  isOpen('Mo-Fr 08:00-12:00, Mo-Fr 14:00-18:00', '09:00'),
  isOpen('Mo-Sa 09:00-19:00; Fr 20:00-23:00', '12:00')
]
console.log(seen.map((one) => one.join(' | ')).join('\n'))
assert.deepEqual(seen.map(([, , open, warnings]) => [open, warnings]), [[false, 0], [true, 0], [false, 0]])
JS
node run.mjs
# Seen: Mo-Fr 08:00-12:00; Mo-Fr 14:00-18:00 | 09:00 | false | 0
#       Mo-Fr 08:00-12:00, Mo-Fr 14:00-18:00 | 09:00 | true | 0
#       Mo-Sa 09:00-19:00; Fr 20:00-23:00 | 12:00 | false | 0
