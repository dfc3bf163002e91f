#!/usr/bin/env bash
# dns-packet 5.6.1 (npm, below multicast-dns and bonjour-service): a printer with a dot in its name is found, and cannot be asked.
#
# Guess: a name that was decoded from an answer can be sent back in the next question.
# What happens: labels are joined with dots, and taken apart at dots. A printer is announced as one label, which may hold any
#   text ("EPSON TM-m30II v1.2"); in the question for its address that label is two, and no printer has that name.
# Why a till cares: the printer is in the list of what was found, and then has no host and port. Renaming it helps, which
#   nobody guesses.
# Source: RFC 6763, 4.1.1 and 4.3 (a dot within the instance's label is escaped or kept apart); index.js of the package.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts dns-packet@5.6.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import packet from 'dns-packet'

const label = (text) => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)])
const announced = Buffer.concat([...['EPSON TM-m30II v1.2', '_ipp', '_tcp', 'local'].map(label), Buffer.of(0)])
const name = packet.name.decode(announced)
const asked = packet.name.encode(name)
const labels = (bytes) => {
  const found = []
  for (let at = 0; bytes[at] > 0; at += bytes[at] + 1) found.push(bytes.toString('utf8', at + 1, at + 1 + bytes[at]))
  return found
}
console.log(name, labels(announced), labels(asked))
assert.equal(name, 'EPSON TM-m30II v1.2._ipp._tcp.local')
assert.deepEqual(labels(announced), ['EPSON TM-m30II v1.2', '_ipp', '_tcp', 'local'])
assert.deepEqual(labels(asked), ['EPSON TM-m30II v1', '2', '_ipp', '_tcp', 'local'])
JS
node run.mjs
# Seen: EPSON TM-m30II v1.2._ipp._tcp.local [ 'EPSON TM-m30II v1.2', '_ipp', '_tcp', 'local' ] [ 'EPSON TM-m30II v1', '2', '_ipp', '_tcp', 'local' ]
