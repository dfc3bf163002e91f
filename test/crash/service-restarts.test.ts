/**
 * A service behind Caddy that is restarted under load, with the socket that its unit keeps and the Caddyfile of
 * docs/service.md: each request is answered. The longest wait is printed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { readExample } from '../support/examples.ts'
import { freePort, LOOPBACK, ownAddress } from '../support/loopback.ts'
import { Caddy, caddySkipReason } from '../support/proxy/caddy.ts'
import { FULL } from '../support/size.ts'
import { SocketUnit, socketUnitSkipReason } from '../support/socket-unit.ts'
import { SteadyIssuing } from '../support/steady-issuing.ts'
import { ServiceProgram } from '../unit/service/cli/program.ts'

const RESTARTS = Number(process.env['TILLPOINTS_RESTARTS'] ?? (FULL ? 20 : 3))
/** Requests that begin between two restarts. */
const BETWEEN = 100
/** For a test that hangs. */
const TEST_TIMEOUT_MS = 3_600_000

const HOST = 'points.example.com'

const program = new ServiceProgram()

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

    const authority = await readFile(caddy.authorityFile)
    const load = await SteadyIssuing.start({ hosts: [host], port: httpsPort, name: HOST, authority }, code)
    for (let restart = 1; restart <= RESTARTS; restart += 1) {
      const before = load.begun
      await expect.poll(() => load.begun).toBeGreaterThan(before + BETWEEN)
      await service.restart()
    }
    await load.stop()
    expect(load.failures).toEqual([])
    expect(load.codes.size).toBe(load.begun)
    process.stdout.write(
      `${String(RESTARTS)} restarts: ${String(load.begun)} requests answered, ${String(load.held)} held back, the longest wait was ${load.longestMs.toFixed(0)} ms\n`
    )
  }
)
