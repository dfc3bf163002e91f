#!/usr/bin/env bash
# ipp 1.1.0 (npm): a job cannot say the exact size of its paper, nor that the page must not be scaled.
#
# Guess: the usual IPP client for Node sends `media-col` with `media-size`, as every driverless printer expects, and
#   `print-scaling`, since both have been in PWG standards for over ten years.
# What happens: `media-col` with a `media-size` throws a TypeError while it is written, and `print-scaling` and
#   `fit-to-page` are refused as "Unknown attribute". What remains is the name of a size in `media`.
# Why a till cares: slips have the length of their text. Without a size and without `print-scaling=none` a printer puts
#   them on its default sheet, scaled, and the code may become too small to scan.
# Source: the package's lib/attributes.js and lib/serializer.js; PWG 5100.3 (media-col), PWG 5100.13 (print-scaling).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ipp@1.1.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import ipp from 'ipp'

const send = (attributes) => () =>
  ipp.serialize({
    operation: 'Print-Job',
    id: 1,
    'operation-attributes-tag': { 'attributes-charset': 'utf-8', 'attributes-natural-language': 'en' },
    'job-attributes-tag': attributes
  })
const size = { 'x-dimension': 5800, 'y-dimension': 10000 }
assert.throws(send({ 'media-col': { 'media-size': size } }), TypeError)
assert.throws(send({ 'print-scaling': 'none' }), (error) => error === 'Unknown attribute: print-scaling')
assert.throws(send({ 'fit-to-page': true }), (error) => error === 'Unknown attribute: fit-to-page')
assert.ok(send({ media: 'custom_58x100mm_58x100mm' })().length > 0)
console.log('media-col with media-size: TypeError; print-scaling, fit-to-page: Unknown attribute; media: sent')
JS
node run.mjs
