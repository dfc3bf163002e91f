import type { Page } from '@playwright/test'
import { createGate } from '../support/faulty-network.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

/** Slips of a batch that are issued before the service answers no more. */
const FIRST = 2

const bodiesOf = (seen: readonly { method: string }[]): number =>
  seen.filter(({ method }) => method === 'POST').length

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** Presses Pause while requests are pending. Resolves when main has received it. */
async function pause(page: Page): Promise<void> {
  await press(page, 'Pause')
  // Calls of one page reach main in their order.
  await slipsOf(page)
}

/** The slips of the newest batch by their state, and how many different codes they have. */
async function countSlips(page: Page): Promise<{ printed: number; others: string[]; codes: number }> {
  const all = await slipsOf(page)
  const slips = all.filter(({ batch }) => batch?.batchId === all[0]?.batch?.batchId)
  const others = slips.map(({ state }) => state).filter((state) => state !== 'printed')
  const codes = new Set(slips.flatMap(({ code }) => code ?? [])).size
  return { printed: slips.length - others.length, others, codes }
}

test.describe('batch of slips', () => {
  test('a batch of twelve issues each slip once and prints all', async ({
    shared: { cashier, page, network }
  }) => {
    await cashier.issueBatch(12, 20)
    await expect(shown(page, 'Finished')).toBeVisible()
    const slips = (await slipsOf(page)).slice(0, 12)
    expect(slips.map(({ state, points }) => [state, points])).toEqual(Array(12).fill(['printed', 20]))
    expect(new Set(slips.map(({ code }) => code)).size).toBe(12)
    expect(bodiesOf(network.seen)).toBe(12)
  })

  test('a paused batch continues after a restart where it stopped', async ({ openConnected, network }) => {
    const first = await openConnected()
    const service = createGate(FIRST)
    network.fail(service.fault, 'POST')
    await first.cashier.issueBatch(20, 15)
    await expect(first.cashier.batchIssued).toHaveJSProperty('value', FIRST)
    await pause(first.page)
    service.open()
    await expect(shown(first.page, 'Paused', { exact: true })).toBeVisible()
    await first.close()
    const asked = bodiesOf(network.seen)
    expect(asked).toBeLessThan(20)

    network.fail('pass')
    const { page, cashier } = await openConnected()
    await press(page, 'Open batch')
    // What was under way when it was paused came in; nothing was asked for since.
    await expect(cashier.batchIssued).toHaveJSProperty('value', asked)
    expect(bodiesOf(network.seen)).toBe(asked)
    await press(page, 'Resume')
    await expect(shown(page, 'Finished')).toBeVisible()
    expect(await countSlips(page)).toEqual({ printed: 20, others: [], codes: 20 })
    expect(bodiesOf(network.seen)).toBe(20)
  })

  test('a batch that runs while the till changes to training mode is not offered there, and continues after it', async ({
    shared: { page, cashier, network }
  }) => {
    const service = createGate(FIRST)
    network.fail(service.fault, 'POST')
    await cashier.issueBatch(20, 15)
    await expect(cashier.batchIssued).toHaveJSProperty('value', FIRST)
    await page.evaluate(() => window.tillpoints?.till.startTraining())
    service.open()
    network.fail('pass')
    await expect.poll(() => slipsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Slips' }).click()
    await expect(shown(page, 'No slips yet.')).toBeVisible()
    await page.getByRole('link', { name: 'Till' }).click()
    await expect(page.getByRole('button', { name: 'Open batch' })).toHaveCount(0)
    await page.evaluate(() => window.tillpoints?.till.leaveTraining())
    await press(page, 'Open batch')
    await press(page, 'Resume')
    await expect(shown(page, 'Finished')).toBeVisible()
    expect(await countSlips(page)).toEqual({ printed: 20, others: [], codes: 20 })
  })

  test('a batch stops when the service is unreachable, without lost or repeated requests', async ({
    shared: { page, cashier, network }
  }) => {
    const service = createGate(FIRST)
    network.fail(service.fault, 'POST')
    await cashier.issueBatch(20, 15)
    await expect(cashier.batchIssued).toHaveJSProperty('value', FIRST)
    // Nothing more reaches the service; what is there already is answered.
    network.fail('lose-request', 'POST')
    service.open()
    await expect(shown(page, 'The batch stopped. Nothing was issued twice.')).toBeVisible()
    network.fail('pass')
    // What was lost on its way is asked for with its key.
    await press(page, 'Resume')
    await expect(shown(page, 'Finished')).toBeVisible()
    const { printed, codes } = await countSlips(page)
    expect(printed).toBe(20)
    expect(codes).toBe(20)
  })

  test('a cancelled batch prints the slips that have a code and issues no more', async ({
    shared: { page, cashier, network }
  }) => {
    const service = createGate(FIRST)
    network.fail(service.fault, 'POST')
    await cashier.issueBatch(20, 15)
    await expect(cashier.batchIssued).toHaveJSProperty('value', FIRST)
    await pause(page)
    service.open()
    await expect(shown(page, 'Paused', { exact: true })).toBeVisible()
    await press(page, 'End batch')
    await press(page, 'Keep batch')
    const question = page.getByRole('alertdialog')
    // It has a button of the same name, until it is gone.
    await expect(question).toBeHidden()
    await press(page, 'End batch')
    await question.getByRole('button', { name: /^End (batch|and save)$/ }).click()
    await expect(shown(page, 'Cancelled', { exact: true })).toBeVisible()
    const asked = bodiesOf(network.seen)
    await expect.poll(() => countSlips(page)).toEqual({ printed: asked, others: [], codes: asked })
    expect(asked).toBeLessThan(20)
  })
})
