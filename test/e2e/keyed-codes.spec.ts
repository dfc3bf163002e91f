/** A slip whose answer is lost, at the project's own service: it has one code, and the slip gets it. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { createGate } from '../support/faulty-network.ts'
import { slipsOf, stateOf } from './support/bridge.ts'
import { expect, test as base, type Counter } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const ISSUE = 'POST /ext/codes'
const [known] = KNOWN_CUSTOMERS

interface Fixtures {
  /** Returns the codes of the service with these points. */
  readonly codesWith: (points: number) => readonly string[]
  /** Opens a till that knows the extensions of its service. */
  readonly openKeyed: () => Promise<Counter>
}

const test = base.extend<Fixtures>({
  codesWith: async ({ userData }, use) => {
    await use((points) => {
      const database = new DatabaseSync(join(userData, 'service.sqlite'), { readOnly: true })
      const rows = database.prepare('SELECT code FROM codes WHERE points = ?').all(points)
      database.close()
      return rows.map(({ code }) => String(code))
    })
  },
  openKeyed: async ({ openConnected }, use) => {
    await use(async () => {
      const till = await openConnected()
      await expect
        .poll(async () => (await stateOf(till.page)).business?.extensions ?? [])
        .toContain('codes/1')
      return till
    })
  }
})

test('is printed by itself with its first code once the service answers', async ({
  openKeyed,
  codesWith,
  network
}) => {
  const { page, cashier } = await openKeyed()
  const gate = createGate()
  network.fail(gate.fault, ISSUE)
  await cashier.choose(known.phone, known.name)
  await cashier.print(773)
  // The service has made the code, and its answer is on its way.
  await expect.poll(() => codesWith(773)).toHaveLength(1)
  await network.unplug()
  await expect(shown(page, /We don.t know yet whether this code was made/u)).toBeVisible()
  expect((await slipsOf(page))[0]).toMatchObject({ state: 'unknown', code: null })
  network.fail('pass', ISSUE)
  await network.plugIn()
  await expect(cashier.lastSlip).toContainText('773')
  const [code] = codesWith(773)
  await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ state: 'printed', code })
  gate.open()
  await expect(cashier.points).toHaveValue('')
  expect(await slipsOf(page)).toHaveLength(1)
  expect(codesWith(773)).toHaveLength(1)
  const keys = network.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
})

test('has its first code after a kill of the till before the answer', async ({
  openKeyed,
  codesWith,
  network
}) => {
  const killed = await openKeyed()
  network.fail(createGate().fault, ISSUE)
  await killed.cashier.print(774)
  await expect.poll(() => codesWith(774)).toHaveLength(1)
  await killed.kill()
  network.fail('pass', ISSUE)
  const { page } = await openKeyed()
  const [code] = codesWith(774)
  // Its customer may have left: the cashier decides whether it is printed.
  await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ state: 'issued', code })
  expect(codesWith(774)).toHaveLength(1)
})
