/** Malformed requests to the local interface: each gets its status, nothing is issued, and memory stays flat. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { FULL } from '../support/size.ts'
import { BODY_FRAMINGS, exchange, sendVastBody, statusOf } from '../support/interface-client.ts'
import { createStoredCaller } from '../support/stored-caller.ts'
import { openInterface } from '../unit/main/local-interface/interface-fixture.ts'
import { temporaryFolder } from '../unit/main/slips/slip-service-fixture.ts'

const REQUESTS = FULL ? 10_000 : 500
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

const BODIES = FULL ? 200 : 20
/** A tenth of one body: what was read and discarded waits for the garbage collector. */
const MAX_PEAK_GROWTH_KB = 100_000

/** Returns the largest memory that a process ever had, in kB (proc(5)). */
const peakMemory = (pid: number): number =>
  Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

it.skipIf(process.platform !== 'linux')(
  `${BODIES} bodies of 1 GB are each answered, and are kept nowhere`,
  async () => {
    const folder = temporaryFolder()
    const { token, stored } = createStoredCaller('Shop POS')
    writeFileSync(join(folder, 'callers.json'), JSON.stringify(stored))
    const program = fileURLToPath(new URL('../crash/interface-process.ts', import.meta.url))
    const till = spawn(process.execPath, [program, folder, 'http://127.0.0.1:9'], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    onTestFinished(async () => {
      const ended = once(till, 'exit')
      till.kill()
      await ended
    })
    const [line] = (await once(till.stdout, 'data')) as [Buffer]
    const sendBodies = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent++) {
        const framing = BODY_FRAMINGS[sent % 2] ?? 'length'
        const { response } = await sendVastBody(Number(line), token, framing)
        expect(statusOf(response)).toBe(413)
      }
    }
    await sendBodies(BODIES / 2)
    const before = peakMemory(till.pid ?? 0)
    await sendBodies(BODIES / 2)
    expect(peakMemory(till.pid ?? 0) - before).toBeLessThan(MAX_PEAK_GROWTH_KB)
  }
)
