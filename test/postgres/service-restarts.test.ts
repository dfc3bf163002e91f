/**
 * The services of three machines, each of which is restarted under load while its socket stays: each request is answered. The
 * longest wait is printed.
 */
import { expect, it, onTestFinished } from 'vitest'
import { ThreeMachines } from '../support/postgres/three-machines.ts'
import { caddySkipReason } from '../support/proxy/caddy.ts'
import { socketUnitSkipReason } from '../support/socket-unit.ts'
import { SteadyIssuing } from '../support/steady-issuing.ts'

/** Restarts of each service. */
const ROUNDS = 7
/** Requests that begin between two restarts. */
const BETWEEN = 100
/** For a test that hangs. */
const TEST_TIMEOUT_MS = 3_600_000

it.skipIf(caddySkipReason() !== null || socketUnitSkipReason() !== null)(
  `answers every request over ${String(3 * ROUNDS)} restarts of the services of three machines`,
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const site = await ThreeMachines.start()
    onTestFinished(() => site.remove())
    const load = await SteadyIssuing.start(await site.reached(), await site.openShop())
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const machine of site.machines) {
        const before = load.begun
        await expect.poll(() => load.begun).toBeGreaterThan(before + BETWEEN)
        await machine.restartService()
      }
    }
    await load.stop()
    expect(load.failures).toEqual([])
    expect(load.codes.size).toBe(load.begun)
    const client = await site.connect('points')
    const { rows } = await client.query<{ code: string }>('SELECT code FROM codes')
    await client.end()
    expect(new Set(rows.map(({ code }) => code))).toEqual(load.codes)
    process.stdout.write(
      `${String(3 * ROUNDS)} restarts: ${String(load.begun)} requests answered, ${String(load.held)} held back, the longest wait was ${load.longestMs.toFixed(0)} ms\n`
    )
  }
)
