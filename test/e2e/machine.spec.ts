import { groupedCode } from '../../electron/contract/code-groups.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Slip } from '../../electron/contract/slips.ts'
import { FALLBACK_RETRY_MS } from '../../electron/main/lazy.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { changeSettings, slipsOf, stateOf } from './support/bridge.ts'
import { FULL } from '../support/size.ts'
import { electron } from './support/electron.ts'
import { expect, test, type Counter } from './support/fixtures.ts'
import {
  answerMessageBox,
  crashRenderer,
  endSession,
  evaluateInRenderer,
  killPdfWorkerOnce,
  suspendAndResume
} from './support/main-process.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { startReceiptPrinter, type SimulatedReceiptPrinter } from '../support/receipt-printer/index.ts'

const [known] = KNOWN_CUSTOMERS

/** Longer than a crash, a suspend or a quit takes; shorter than the till's timeout. */
const ON_ITS_WAY = { delay: 1500 }

const posts = (seen: readonly { method: string }[]): number =>
  seen.filter(({ method }) => method === 'POST').length

/** The newest slips, asked for in the page that is there now. */
const slipsIn = ({ app }: Counter): Promise<readonly Slip[] | undefined> =>
  evaluateInRenderer(app, 'window.tillpoints.slips.list({ offset: 0 }).then((answer) => answer.value?.slips)')

const textOf = ({ app }: Counter): Promise<string> =>
  evaluateInRenderer<string>(app, 'document.body.innerText').then((text) => text ?? '')

/** Bytes after which a printer has a part of a slip: what comes before it is shorter, and a slip is longer. */
const PART_OF_SLIP = 1000

/** Prints a slip on a printer that takes a part of it and reads no more: the job is there until one of them ends it. */
async function printPartOfSlip(till: Counter, printer: SimulatedReceiptPrinter): Promise<void> {
  printer.behave({ stallAfterBytes: PART_OF_SLIP })
  await changeSettings(till.page, { printer: { destination: networkPrinter(printer), paperSize: '80mm' } })
  await till.cashier.print(20)
  await expect.poll(() => printer.received().length).toBeGreaterThan(PART_OF_SLIP)
}

const papersOf = async (till: Counter): Promise<string[]> =>
  (await readdir(join(till.userData, 'slips')).catch(() => [])).filter((name) => name.endsWith('.pdf'))

test.describe('renderer crash', () => {
  test('restores customer, points and the pending request', async ({ openConnected, network }) => {
    const till = await openConnected()
    await till.cashier.choose(known.phone, known.name)
    await till.cashier.points.fill('250')
    await crashRenderer(till.app)
    await expect.poll(() => textOf(till)).toContain(known.name)
    const points = `[...document.querySelectorAll('input')].map(({ value }) => value)`
    await expect.poll(() => evaluateInRenderer<string[]>(till.app, points)).toContain('250')
    await evaluateInRenderer(
      till.app,
      `[...document.querySelectorAll('button')].find(({ innerText }) => innerText.includes('Save slip'))?.click()`
    )
    await expect
      .poll(async () => (await slipsIn(till))?.map(({ state, points }) => [state, points]))
      .toEqual([['printed', 250]])
    expect(posts(network.seen)).toBe(1)
  })

  test('during issuing shows the result and issues nothing twice', async ({ openConnected, network }) => {
    const till = await openConnected()
    await till.cashier.choose(known.phone, known.name)
    network.fail(ON_ITS_WAY, 'POST')
    await till.cashier.print(75)
    await expect.poll(() => posts(network.seen)).toBe(1)
    await crashRenderer(till.app)
    await expect.poll(async () => (await slipsIn(till))?.map(({ state }) => state)).toEqual(['printed'])
    const [slip] = (await slipsIn(till)) ?? []
    // The slip that was handed over is in sight, and the counter is free.
    await expect.poll(() => textOf(till)).toContain(groupedCode(slip?.code ?? 'no code'))
    expect(posts(network.seen)).toBe(1)
    expect((await papersOf(till)).length).toBe(1)
  })
})

test.describe('uncaught error in main', () => {
  const FAULTS = [
    ['thrown', 1, 'setTimeout(() => { throw new Error("unforeseen by all") })'],
    ['a promise', 0, 'void Promise.reject(new Error("unforeseen by all"))']
  ] as const
  // A promise is also in diagnostics.spec.ts.
  for (const [what, button, fault] of FULL ? FAULTS : FAULTS.slice(0, 1)) {
    test(`(${what}) is reported and logged, and the issued slip is there after the restart`, async ({
      openConnected
    }) => {
      const till = await openConnected()
      await till.cashier.print(40)
      await expect.poll(async () => (await slipsOf(till.page))[0]?.state).toBe('printed')
      await answerMessageBox(till.app, button)
      const ended = once(till.app.process(), 'exit')
      // Where Electron's own process is debugged, a script of its own is as good as a fault of the till.
      await till.app.evaluate((_electron, code) => {
        setImmediate(() => {
          ;(0, eval)(code)
        })
      }, fault)
      await ended
      const log = await readFile(join(till.userData, 'logs', 'till.log'), 'utf8')
      expect(log).toContain('uncaught-error')
      expect(log).toContain('unforeseen by all')

      const again = await openConnected()
      expect((await slipsOf(again.page)).map(({ state, points }) => [state, points])).toEqual([
        ['printed', 40]
      ])
      expect((await stateOf(again.page)).notices).toEqual([])
    })
  }
})

test('a locked journal blocks issuing until the lock is released', async ({ openConnected, network }) => {
  const before = await openConnected()
  await before.cashier.print(10)
  await expect.poll(async () => (await slipsOf(before.page))[0]?.state).toBe('printed')
  await before.close()
  const holder = fork(join(import.meta.dirname, '../faults/lock-holder.ts'), [
    join(before.userData, 'journal.sqlite')
  ])
  try {
    await once(holder, 'message')
    const till = await openConnected()
    const notice = till.page.getByText(/cannot save its list of slips/)
    await expect(notice).toBeVisible()
    await till.cashier.print(20)
    await expect(till.cashier.alert.filter({ hasText: /no slip was printed/ })).toBeVisible()

    const ended = once(holder, 'exit')
    holder.send('let go')
    await ended
    // For that long main does not try again.
    await till.page.waitForTimeout(FALLBACK_RETRY_MS)
    await till.cashier.printButton.click()
    await expect
      .poll(async () => (await slipsOf(till.page)).map(({ state, points }) => [state, points]))
      .toEqual([
        ['printed', 20],
        ['printed', 10]
      ])
    await expect(notice).toBeHidden()
    expect(posts(network.seen)).toBe(2)
  } finally {
    holder.kill()
  }
})

test('a print job that ends while the journal is locked is recorded when the lock is released', async ({
  openConnected
}) => {
  const till = await openConnected()
  const printer = await startReceiptPrinter()
  await printPartOfSlip(till, printer)
  const holder = fork(join(import.meta.dirname, '../faults/lock-holder.ts'), [
    join(till.userData, 'journal.sqlite')
  ])
  try {
    await once(holder, 'message')
    await printer.stop()
    const log = (): Promise<string> => readFile(join(till.userData, 'logs', 'till.log'), 'utf8')
    await expect.poll(log).toContain('journal-not-written')
    const ended = once(holder, 'exit')
    holder.send('let go')
    await ended
    await expect.poll(async () => (await slipsOf(till.page))[0]?.state).toBe('print-failed')
  } finally {
    holder.kill()
  }
})

test.describe('at a vendor’s service', () => {
  test.use({ isVendors: true })

  test('after system sleep pending requests have failed and the service is asked again', async ({
    openConnected,
    network
  }) => {
    const till = await openConnected()
    await till.cashier.choose(known.phone, known.name)
    network.fail('silence', 'POST')
    await till.cashier.print(40)
    await expect.poll(() => posts(network.seen)).toBe(1)
    const before = network.seen.length
    await suspendAndResume(till.app)
    await expect(till.cashier.alert).toContainText(/We don.t know whether this code was made/)
    // Not the time limit: the connection was closed.
    const [slip] = await slipsOf(till.page)
    expect(slip?.failure).toEqual({ kind: 'unknown-outcome', cause: 'connection-lost' })
    await expect.poll(() => network.seen.slice(before).map(({ path }) => path)).toContain('/account')
    expect(posts(network.seen)).toBe(1)
  })
})

if (electron.kind === 'stand-in') {
  test('the end of the Windows session closes the journal, which the next start need not check', async ({
    openConnected
  }) => {
    const till = await openConnected()
    await till.cashier.print(30)
    await expect.poll(async () => (await slipsOf(till.page))[0]?.state).toBe('printed')
    await endSession(till.app)
    expect(await readFile(join(till.userData, 'logs', 'till.log'), 'utf8')).toContain('session-ended')
    const journal = new DatabaseSync(join(till.userData, 'journal.sqlite'), { readOnly: true })
    expect(journal.prepare('SELECT clean FROM shutdown').get()).toEqual({ clean: 1 })
    journal.close()

    const again = await openConnected()
    expect((await slipsOf(again.page)).map(({ state, points }) => [state, points])).toEqual([['printed', 30]])
  })
}

test.describe('quit request', () => {
  const terminate = async (till: Counter): Promise<void> => {
    const child = till.app.process()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  test('during issuing keeps the code and prints it once', async ({ openConnected, network }) => {
    const till = await openConnected()
    network.fail(ON_ITS_WAY, 'POST')
    await till.cashier.print(30)
    await expect.poll(() => posts(network.seen)).toBe(1)
    await terminate(till)
    const papers = await papersOf(till)

    const again = await openConnected()
    const [slip] = await slipsOf(again.page)
    expect(slip?.code).not.toBeNull()
    // Its paper came out before the till ended, or waits for a person: the journal says which. A till that quits gives
    // its PDF worker three seconds, so that on a slow machine the print has failed.
    const states = papers.length === 1 ? ['printed'] : ['issued', 'print-failed']
    expect(states).toContain(slip?.state)
    expect(papers.length).toBeLessThanOrEqual(1)
    expect(posts(network.seen)).toBe(1)
    expect(await papersOf(again)).toEqual(papers)
  })

  test('during printing reports that the slip may come out, and prints nothing by itself', async ({
    openConnected
  }) => {
    const printer = await startReceiptPrinter()
    try {
      const till = await openConnected()
      await printPartOfSlip(till, printer)
      await terminate(till)

      const again = await openConnected()
      const [slip] = await slipsOf(again.page)
      expect(slip).toMatchObject({ state: 'print-failed', points: 20 })
      expect(slip?.failure).toMatchObject({ kind: 'not-printed', mayStillPrint: true })
      expect(printer.connections().made).toBe(1)
    } finally {
      await printer.stop()
    }
  })
})

test('a slip whose PDF worker was killed keeps its code and prints on retry', async ({
  openConnected,
  network
}) => {
  const till = await openConnected()
  await killPdfWorkerOnce(till.app)
  await till.cashier.print(120)
  await expect(till.cashier.alert).toBeVisible()
  const [slip] = await slipsOf(till.page)
  expect(slip?.url).toContain('http')
  expect(await papersOf(till)).toEqual([])
  await till.page.getByRole('button', { name: 'Save now' }).first().click()
  await expect.poll(async () => (await slipsOf(till.page))[0]?.state).toBe('printed')
  expect(await papersOf(till)).toHaveLength(1)
  expect(posts(network.seen)).toBe(1)
})
