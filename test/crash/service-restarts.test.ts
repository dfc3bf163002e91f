/**
 * A service behind Caddy that is restarted under load, with the socket that its unit keeps and the Caddyfile of
 * docs/service.md: each request is answered. The longest wait is printed.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { readExample } from '../support/examples.ts'
import { freePort, LOOPBACK, ownAddress } from '../support/loopback.ts'
import { Caddy, caddySkipReason } from '../support/proxy/caddy.ts'
import { FULL } from '../support/size.ts'
import { SocketUnit, socketUnitSkipReason } from '../support/socket-unit.ts'
import { ServiceProgram } from '../unit/service/cli/program.ts'

const RESTARTS = Number(process.env['TILLPOINTS_RESTARTS'] ?? (FULL ? 20 : 3))
/** Requests in a second. */
const RATE = 50
/** Requests that begin between two restarts. */
const BETWEEN = 100
/** For a test that hangs. */
const TEST_TIMEOUT_MS = 3_600_000

const HOST = 'points.example.com'

const program = new ServiceProgram()

/** Sends requests at a rate, whether or not earlier ones are answered. */
class SteadyLoad {
  begun = 0
  longestMs = 0
  /** what was not answered with 200 */
  readonly failures: string[] = []
  readonly #send: (index: number) => Promise<number | undefined>
  readonly #sending = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout

  /** @param send resolves with the status of the answer */
  constructor(send: (index: number) => Promise<number | undefined>) {
    this.#send = send
    this.#timer = setInterval(() => this.#begin(), 1000 / RATE)
  }

  /** Resolves when all are answered. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#sending)
  }

  #begin(): void {
    const sending = this.#ask(this.begun++).finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  async #ask(index: number): Promise<void> {
    const start = performance.now()
    const status = await this.#send(index).catch(String)
    if (status !== 200) this.failures.push(String(status))
    this.longestMs = Math.max(this.longestMs, performance.now() - start)
  }
}

it.skipIf(caddySkipReason() !== null || socketUnitSkipReason() !== null)(
  `answers every request over ${String(RESTARTS)} restarts`,
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const [address, host] = [ownAddress(), LOOPBACK]
    const [port, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()]
    const service = await SocketUnit.start({
      host: address,
      port,
      options: ['--public-url', `https://${HOST}`, '--behind-proxy', host],
      env: { TILLPOINTS_SERVICE_DATA: program.data },
      cwd: program.folder,
      log: join(program.folder, 'log')
    })
    onTestFinished(() => service.kill())
    await service.ready
    await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
    const { code } = await program.json(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
    const sites = readExample('Caddyfile', { [`${LOOPBACK}:4010`]: `${address}:${String(port)}` })
    const caddy = await Caddy.start({ folder: join(program.folder, 'caddy'), sites, httpPort, httpsPort })
    onTestFinished(() => caddy.stop())

    const ca = await readFile(caddy.authorityFile)
    const till = new Agent({ ca, keepAlive: true })
    const post = async (path: string, body: object, agent: Agent | false, token = '') => {
      const place = { host, port: httpsPort, servername: HOST, ca, path }
      const headers = { host: HOST, 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const sent = request({ ...place, method: 'POST', agent, headers }).end(JSON.stringify(body))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return { status: response.statusCode, text: await textOf(response) }
    }
    const paired = await post('/pair', { code }, till)
    const { token } = v.parse(v.object({ token: v.string() }), JSON.parse(paired.text))

    const codes = new Set<string>()
    const load = new SteadyLoad(async (index) => {
      // Tills keep their connection, customers come with one of their own.
      const { status, text } = await post('/api/qr', { points: 5 }, index % 2 === 0 ? till : false, token)
      if (status === 200) codes.add(v.parse(v.object({ code: v.string() }), JSON.parse(text)).code)
      return status
    })
    for (let restart = 1; restart <= RESTARTS; restart += 1) {
      const before = load.begun
      await expect.poll(() => load.begun).toBeGreaterThan(before + BETWEEN)
      await service.restart()
    }
    await load.stop()
    till.destroy()
    expect(load.failures).toEqual([])
    expect(codes.size).toBe(load.begun)
    process.stdout.write(
      `${String(RESTARTS)} restarts: ${String(load.begun)} requests answered, the longest wait was ${load.longestMs.toFixed(0)} ms\n`
    )
  }
)
