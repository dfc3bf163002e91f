/**
 * The three machines of docs/service.md under load through their proxies, while each part of them is killed and started
 * again. The longest time without an acknowledged write is printed.
 */
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { readExample } from '../support/examples.ts'
import { PARTS, type Machine, type Part } from '../support/postgres/machine.ts'
import { PointsLoad } from '../support/postgres/points-load.ts'
import { ThreeMachines } from '../support/postgres/three-machines.ts'
import { caddySkipReason } from '../support/proxy/caddy.ts'
import { socketUnitSkipReason } from '../support/socket-unit.ts'
import { FULL } from '../support/size.ts'

const ROUNDS = FULL ? 3 : 1
/** Acknowledged writes between two faults. */
const WRITES = FULL ? 1000 : 100
/** Until systemd starts a part again. */
const RESTART_MS = 1000 * Number(/^RestartSec=(\d+)$/m.exec(readExample('three-machines/restart.conf'))?.[1])
/** After which the machines that are left know that one is gone. */
const UNREADY_MS = 6000
/** For a test that hangs: each of its steps ends with a sentence earlier. */
const TEST_TIMEOUT_MS = 3_600_000

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const openLoad = async (site: ThreeMachines): Promise<PointsLoad> => {
  const code = await site.openShop()
  const load = new PointsLoad(await site.reached())
  await load.pair(code)
  return load
}

/** Compares what the database has with what was acknowledged. */
const compare = async (site: ThreeMachines, { issued, collected, unknown }: PointsLoad): Promise<void> => {
  const client = await site.connect('points')
  const codes = await client.query<{ code: string; points: string }>('SELECT code, points FROM codes')
  const entries = await client.query<{ code: string; phone: string }>(
    'SELECT e.code, c.phone FROM entries e JOIN customers c USING (customer) ORDER BY e.entry'
  )
  const balances = await client.query<{ phone: string; balance: string }>(
    'SELECT phone, balance FROM customers'
  )
  await client.end()

  const pointsOf = new Map(codes.rows.map(({ code, points }) => [code, Number(points)]))
  expect(
    [...issued].filter(([code, points]) => pointsOf.get(code) !== points),
    'lost codes'
  ).toEqual([])
  expect(pointsOf.size - issued.size, 'codes that no till asked for').toBeLessThanOrEqual(unknown)
  const phoneOf = new Map(entries.rows.map(({ code, phone }) => [code, phone]))
  expect(
    [...collected].filter(([code, phone]) => phoneOf.get(code) !== phone),
    'lost points'
  ).toEqual([])
  expect(
    entries.rows.filter(({ code, phone }) => collected.get(code) !== phone),
    'points that none got'
  ).toEqual([])
  expect(entries.rows, 'codes that were collected twice').toHaveLength(phoneOf.size)
  const sums = new Map<string, number>()
  for (const [code, phone] of collected) sums.set(phone, (sums.get(phone) ?? 0) + (issued.get(code) ?? 0))
  const wrong = balances.rows.filter(({ phone, balance }) => Number(balance) !== (sums.get(phone) ?? 0))
  expect(wrong, 'wrong balances').toEqual([])
}

it.skipIf(caddySkipReason() !== null || socketUnitSkipReason() !== null)(
  'loses no acknowledged write and does none twice while each part is killed',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const site = await ThreeMachines.start()
    onTestFinished(() => site.remove())
    const load = await openLoad(site)
    load.start()
    await load.acknowledged(WRITES)
    load.takeStops()

    /** Waits until writes are acknowledged again, and until all of it runs for the next fault. */
    const recovered = async (fault: string, allowed = Number.POSITIVE_INFINITY): Promise<void> => {
      await load.acknowledged(WRITES)
      await site.healthy()
      const { seconds, lost } = load.takeStops()
      expect(lost, `answers lost when ${fault}`).toBeLessThanOrEqual(allowed)
      say(`${fault}: no acknowledged write for ${seconds.toFixed(1)} s, ${String(lost)} answers lost`)
    }
    const kill = async (
      machines: readonly Machine[],
      parts: readonly Part[],
      until: () => Promise<unknown>
    ) => {
      for (const machine of machines) for (const part of parts) machine.kill(part)
      await until()
      for (const machine of machines) for (const part of parts) await machine.start(part)
    }
    const moment = (): Promise<void> => wait(RESTART_MS)

    for (let round = 0; round < ROUNDS; round += 1) {
      const any = site.machines.slice(round, round + 1)
      for (const machine of site.machines) {
        await machine.restartService()
        await recovered('a service restarted', 0)
      }
      await kill(any, ['service'], moment)
      await recovered('a service killed')
      await kill(any, ['proxy'], moment)
      await recovered('a proxy killed')
      await kill([await site.leader()], ['etcd'], moment)
      await recovered("the leader's etcd killed")
      if (FULL) {
        await kill([await site.leader()], ['etcd', 'database'], moment)
        await recovered("the leader's etcd, Patroni and PostgreSQL killed")
        const leader = await site.leader()
        await kill(site.machines.filter((machine) => machine !== leader).slice(0, 1), PARTS, () =>
          wait(UNREADY_MS)
        )
        await recovered('another machine gone')
      }
      await kill([await site.leader()], PARTS, async () => {
        await wait(UNREADY_MS)
        load.addWorker()
        await site.leader()
      })
      await recovered("the leader's machine gone")
    }
    expect(load.turnedAway, 'calls that waited for no service').toBe(0)
    if (FULL) {
      await site.switchOver()
      await recovered('switchover')
      await kill(site.machines, PARTS, moment)
      await recovered('all machines killed')
    }
    await load.stop()

    const [machine] = site.machines
    await machine?.command(v.unknown(), 'verify')
    await compare(site, load)
    const { issued, collected, refused, unknown } = load
    say(
      `acknowledged: ${String(issued.size)} codes, ${String(collected.size)} collected; ` +
        `refused: ${String(refused)}, codes without an answer: ${String(unknown)}`
    )
  }
)
