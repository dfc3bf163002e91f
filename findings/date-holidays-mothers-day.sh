#!/usr/bin/env bash
# date-holidays 3.37.0 (npm): Mother's Day is a holiday, and so is a Sunday that is one anyway.
#
# Guess: isHoliday() says whether shops are shut, or a bonus of public holidays holds.
# What happens: it returns a list for every day with a name: for Germany Mother's Day, All Saints' Day where it is none, and
#   others, as `observance`. A list is true in a condition. Christmas Eve, when shops shut at noon, is none. The type has to be
#   looked at, or the library opened with { types: ['public'] }.
# Why a till cares: double points on public holidays are given on the busiest Sunday in May.
# Source: the package's README, "Types of holidays"; `types` is an option.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts date-holidays@3.37.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import Holidays from 'date-holidays'

const DAYS = { 'unity day': '2026-10-03', "mother's day": '2026-05-10', 'all saints': '2026-11-01', 'an ordinary day': '2026-05-12' }
const named = (options) => {
  const holidays = new Holidays('DE', options)
  return Object.entries(DAYS)
    .filter(([, day]) => holidays.isHoliday(new Date(`${day}T10:00:00`)))
    .map(([name]) => name)
}
console.log(named(), named({ types: ['public'] }))
assert.deepEqual(named(), ['unity day', "mother's day", 'all saints'])
assert.deepEqual(named({ types: ['public'] }), ['unity day'])
JS
node run.mjs
# Seen: [ 'unity day', "mother's day", 'all saints' ] [ 'unity day' ]
