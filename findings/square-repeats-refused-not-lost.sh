#!/usr/bin/env bash
# square 46.0.0 (npm, Square's client with its loyalty API): points are sent again after a refusal, not after a lost answer.
#
# Guess: a request with an idempotency key is repeated when its answer is lost, which is what the key is for.
# What happens: after a 503 the client sends the same request twice more, with the same key. When the connection ends before
#   an answer it does not ask again: the caller gets "fetch failed", without a status, and does not know whether the customer
#   has the points.
# Why a till cares: the common fault of a shop is a line that breaks. The key has to be kept by the caller and sent again by
#   the caller; the client's own repeats are for the other case.
# Source: requestWithRetries and fetcher in the package's core/fetcher.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts square@46.0.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { SquareClient } from 'square'

/** Gives points to a customer at a server that answers so. Resolves with the keys that it got, and the client's error. */
const give = async (answer) => {
  const keys = []
  const server = createServer(async (request, response) => {
    const body = []
    for await (const chunk of request) body.push(chunk)
    keys.push(JSON.parse(Buffer.concat(body).toString()).idempotency_key)
    answer(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new SquareClient({ token: 'sample', baseUrl: `http://127.0.0.1:${server.address().port}` })
  const asked = { accountId: 'a', locationId: 'l', accumulatePoints: { points: 5 }, idempotencyKey: 'key-1' }
  const error = await client.loyalty.accounts.accumulatePoints(asked).catch((reason) => reason)
  server.closeAllConnections()
  server.close()
  return { keys, status: error.statusCode, message: error.message.split('\n')[0] }
}
const refused = await give((response) => response.writeHead(503).end('{}'))
const lost = await give((response) => response.socket.destroy())
console.log(JSON.stringify(refused))
console.log(JSON.stringify(lost))
assert.deepEqual(refused.keys, ['key-1', 'key-1', 'key-1'])
assert.deepEqual(lost, { keys: ['key-1'], status: undefined, message: 'fetch failed' })
JS
node run.mjs
# Seen: {"keys":["key-1","key-1","key-1"],"status":503,"message":"Status code: 503"}
#       {"keys":["key-1"],"message":"fetch failed"}
