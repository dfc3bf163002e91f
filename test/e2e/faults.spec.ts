import { MAX_PROBE_WAIT_MS } from '../../electron/main/session/reachability.ts'
import { KNOWN_CUSTOMERS, SEEDED_CODES } from '../../electron/service/index.ts'
import type { Fault } from '../support/faulty-network.ts'
import { FULL } from '../support/size.ts'
import { expect, test, type Counter } from './support/fixtures.ts'
import { holdTimers } from './support/main-process.ts'
import { shown } from './support/shown.ts'

const [known] = KNOWN_CUSTOMERS

test.use({ isVendors: true })

const NO_ANSWER = 'No answer from the points service'
const LOST = 'The answer was lost'
const NOT_KNOWN = /We don.t know whether this code was made/
const UNREADABLE = 'This till cannot read the answer of the points service'

/** A fault, and its message on search, on registration and on issuing. */
interface Row {
  readonly name: string
  readonly fault: Fault | 'unplugged'
  readonly read: string
  readonly register: string
  readonly issue: string | RegExp
  /** also while rewards are read and a code is checked: one of each kind of answer is enough there */
  readonly everywhere?: boolean
  /** only in the full size: `test/faults/` has every fault, and another row shows the same sentences */
  readonly full?: boolean
  /** whether a request of the till comes as far as the network */
  readonly seen?: boolean
}

const answering = (status: number, headers: Record<string, string>, body = ''): Fault => ({
  answer: { status, headers, body }
})
const broken = { read: NO_ANSWER, register: LOST, issue: NOT_KNOWN }
const unreadable = { read: UNREADABLE, register: LOST, issue: NOT_KNOWN }
const always = (says: string) => ({ read: says, register: says, issue: says })

const ROWS: readonly Row[] = [
  { name: 'a cable pulled out', fault: 'unplugged', ...always(NO_ANSWER), seen: false, everywhere: true },
  { name: 'a connection that breaks before the service reads', fault: 'lose-request', ...broken, full: true },
  { name: 'a connection that breaks after the service acted', fault: 'lose-answer', ...broken },
  {
    name: 'a service with a fault',
    fault: answering(503, { 'retry-after': '3600' }),
    read: 'The points service has a problem',
    register: LOST,
    issue: NOT_KNOWN,
    everywhere: true
  },
  {
    name: 'a service with too much to do',
    fault: answering(429, { 'retry-after': '60' }),
    ...always('Try again in 60 seconds')
  },
  {
    name: 'a page to sign in to the Wi-Fi',
    fault: answering(200, { 'content-type': 'text/html' }, '<!doctype html><title>Wi-Fi</title>'),
    ...unreadable,
    everywhere: true
  },
  {
    name: 'an answer cut short',
    fault: { change: ({ body }) => ({ body: body.subarray(0, -2) }) },
    ...unreadable,
    full: true
  },
  { name: 'an answer of 100 MB', fault: { pour: 100 * 1024 * 1024 }, ...unreadable, full: true },
  {
    name: 'a redirect elsewhere',
    fault: answering(307, { location: 'https://points.example/' }),
    ...unreadable,
    full: true
  },
  {
    name: 'a token that may not do this',
    fault: answering(403, {}),
    ...always('The points service does not allow this for this till')
  }
]

test('rewards that could not be read show the failure, and are read on retry', async ({
  openConnected,
  network
}) => {
  network.fail('lose-answer', 'GET /rewards')
  const { cashier, page } = await openConnected()
  await cashier.goTo('Rewards')
  // The banner says it while the till is offline, and the list its own failure once the till has reached the service again.
  const sentences = page
    .getByText(NO_ANSWER)
    .or(shown(page, 'The list appears when the points service answers'))
  await expect(sentences).toBeVisible()
  await cashier.retryAfter(() => network.fail('pass'))
  await expect(cashier.rewards.first()).toBeVisible()
  await expect(cashier.alert).toBeHidden()
})

test('every network fault shows the next step, keeps the input and repeats no write request', async ({
  openConnected,
  network
}) => {
  test.setTimeout(180_000)
  const { app, cashier, page }: Counter = await openConnected()
  await holdTimers(app, MAX_PROBE_WAIT_MS)
  await expect(cashier.search).toBeFocused()

  const posts = (path: string): number =>
    network.seen.filter((request) => request.method === 'POST' && request.path === path).length
  const begin = async ({ fault }: Row): Promise<void> => {
    if (fault === 'unplugged') await network.unplug()
    else network.fail(fault)
  }
  const end = async ({ fault }: Row): Promise<void> => {
    if (fault === 'unplugged') await network.plugIn()
    network.fail('pass')
  }

  for (const [index, row] of ROWS.filter(({ full }) => FULL || full !== true).entries()) {
    const sent = row.seen === false ? 0 : 1

    await test.step(`${row.name}: finding`, async () => {
      await begin(row)
      await cashier.searchFor(known.phone)
      // Without any answer the till is offline, which is said once.
      if (row.read === NO_ANSWER) await expect(cashier.offline).toContainText('Offline since')
      else await expect(cashier.alert).toContainText(row.read)
      await expect(cashier.search).toHaveValue(known.phone)
      await cashier.retryAfter(() => end(row))
      await expect(cashier.result(known.name).first()).toBeVisible()
    })

    await test.step(`${row.name}: registering`, async () => {
      const name = `Νέα Πελάτισσα ${index}`
      const before = posts('/customers')
      await cashier.searchFor(`690 000 ${1000 + index}`)
      // The fault is that of the registration alone.
      await expect(shown(page, 'No customer with')).toBeVisible()
      await page.getByRole('button', { name: 'Register customer' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await begin(row)
      const register = page.getByRole('button', { name: 'Register', exact: true })
      await register.click()
      await expect(cashier.alert).toContainText(row.register)
      await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
      expect(posts('/customers') - before, row.name).toBe(sent)
      await end(row)
      await register.click()
      await expect(cashier.customer).toContainText(name)
      expect(posts('/customers') - before, row.name).toBe(sent + 1)
    })

    await test.step(`${row.name}: issuing`, async () => {
      // Of no other number on the slip before, which may still be on its way out.
      const points = String(740 + index)
      const before = posts('/qr')
      await begin(row)
      await cashier.print(points)
      await expect(cashier.alert).toContainText(row.issue)
      await expect(cashier.points).toHaveValue(points)
      expect(posts('/qr') - before, row.name).toBe(sent)
      await end(row)
      const again =
        row.issue === NOT_KNOWN ? page.getByRole('button', { name: 'Issue again' }) : cashier.printButton
      await again.click()
      await expect(cashier.lastSlip).toContainText(points)
      expect(posts('/qr') - before, row.name).toBe(sent + 1)
    })

    if (row.everywhere !== true) continue

    await test.step(`${row.name}: rewards that were read before`, async () => {
      await begin(row)
      await cashier.goTo('Rewards')
      await expect(cashier.rewards.first()).toBeVisible()
      await end(row)
    })

    await test.step(`${row.name}: checking a code`, async () => {
      await cashier.goTo('Slips')
      await begin(row)
      await cashier.codeField.fill(SEEDED_CODES.used[0])
      await cashier.codeField.press('Enter')
      await expect(cashier.alert).toContainText(row.read)
      await expect(cashier.codeField).toHaveValue(SEEDED_CODES.used[0])
      // The banner may say it before the check itself has ended, which takes no Enter until then.
      await expect(page.getByRole('button', { name: 'Check', exact: true })).toBeEnabled()
      await end(row)
      await cashier.codeField.press('Enter')
      await expect(cashier.checkedCode).toBeVisible()
      await expect(cashier.alert).toBeHidden()
      await cashier.goTo('Till')
    })
  }
})
