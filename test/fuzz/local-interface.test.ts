/** Malformed requests to the local interface: each gets its status, nothing is issued, and memory stays flat. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { FULL } from '../support/size.ts'
import { exchange, statusOf } from '../support/interface-client.ts'
import { openInterface } from '../unit/main/local-interface/interface-fixture.ts'

const REQUESTS = FULL ? 10_000 : 1000
const AT_ONCE = 50
/** The client is in the same process. */
const MAX_GROWTH_BYTES = 5_000_000

/** Returns the size of the live heap. */
function liveHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}

it(`${REQUESTS} malformed requests issue nothing and leave no memory behind`, async () => {
  const till = await openInterface()
  const { token } = await till.pair()
  const { port } = till
  const host = `Host: 127.0.0.1:${port}\r\n`
  const json = `${host}Content-Type: application/json\r\n`
  const malformed: readonly (readonly [string, number])[] = [
    ['GET / HTTP/9.9\r\n\r\n', 400],
    [`GET /${'x'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`, 431],
    [`POST /v1/pairing HTTP/1.1\r\n${json}Content-Length: 1\r\n\r\n{`, 400],
    [`POST /v1/pairing HTTP/1.1\r\n${json}Content-Length: 2\r\n\r\n[]`, 422],
    [`POST /v1/pairing HTTP/1.1\r\n${json}Content-Length: 99999\r\n\r\n{`, 413],
    [`POST /v1/slips HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    [`POST /v1/slips HTTP/1.1\r\n${host}Authorization: Bearer wrong\r\nContent-Length: 0\r\n\r\n`, 401],
    [`GET /v1/slips/%E0%A4%A HTTP/1.1\r\n${host}\r\n`, 401],
    ['GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n', 403],
    [`GET /v1/events HTTP/1.1\r\n${host}Origin: https://evil.example\r\n\r\n`, 403],
    [`BREW /v1/slips HTTP/1.1\r\n${host}\r\n`, 400]
  ]
  const sendAll = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += AT_ONCE) {
      const some = Array.from(
        { length: AT_ONCE },
        (_none, index) => malformed[(sent + index) % malformed.length]
      )
      const responses = await Promise.all(
        some.map((one) => exchange(port, (socket) => socket.write(one?.[0] ?? '')))
      )
      expect(responses.map(statusOf)).toEqual(some.map((one) => one?.[1]))
    }
  }
  // What is loaded and compiled with the first requests stays.
  await sendAll(REQUESTS / 10)
  const before = liveHeap()
  await sendAll(REQUESTS - REQUESTS / 10)
  expect(liveHeap() - before).toBeLessThan(MAX_GROWTH_BYTES)
  expect(till.codesRequested()).toBe(0)
  expect((await till.call({ path: '/v1/status', token })).status).toBe(200)
})
