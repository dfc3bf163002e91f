#!/usr/bin/env bash
# opening_hours 3.15.0 (npm): with null for the place of the shop, public holidays are those of Germany.
#
# Guess: without a place the library knows no holidays, or refuses hours that name them ("PH off").
# What happens: with nothing it refuses, and says that a country is missing. With null it takes a village's in Germany: closed on
#   3 October, open on 14 July and 25 March, whatever the shop's country.
# Why a till cares: a field of the shop's place that is empty is null in JSON and in a database. Bonus hours of a shop in Greece
#   then rest on a German holiday, once a year.
# Source: the package's README (a default location is used for null), and its constructor, where that is a village in Germany.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts opening_hours@3.15.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import OpeningHours from 'opening_hours'

const HOLIDAYS = { 'Germany, 3 October': '2026-10-03', 'France, 14 July': '2026-07-14', 'Greece, 25 March': '2026-03-25' }

/** Returns the holidays on which a shop at a place is closed. */
const closedOn = (place) => {
  const shop = new OpeningHours('open; PH off', place)
  return Object.entries(HOLIDAYS)
    .filter(([, day]) => !shop.getState(new Date(`${day}T10:00:00`)))
    .map(([name]) => name)
}
const greek = closedOn({ address: { country_code: 'gr' } })
const none = closedOn(null)
console.log('gr:', greek, 'null:', none)
assert.deepEqual(greek, ['Greece, 25 March'])
assert.deepEqual(none, ['Germany, 3 October'])
assert.throws(() => closedOn(undefined), (error) => /Country code missing/.test(String(error)))
JS
node run.mjs
# Seen: gr: [ 'Greece, 25 March' ] null: [ 'Germany, 3 October' ]
