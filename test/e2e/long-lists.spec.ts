import type { Locator, Page } from '@playwright/test'
import { FULL } from '../support/size.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

/** More than are scrolled to. Creating 100,000 takes many seconds for each test. */
const CUSTOMERS = FULL ? 100_000 : 4_000

/** So far down that the first rows are dropped: `paged-list.test.ts` keeps at most 1,300. */
const FAR_DOWN = FULL ? 6_500 : 1_500

const REWARDS = FULL ? 5_000 : 1_000

/** Most rows of a list that may be in the page, whatever its length. */
const MOST_ROWS = 150

const listOf = (page: Page, name: string): Locator => page.getByRole('list', { name, exact: true })
const rowsOf = (page: Page, name: string): Locator => listOf(page, name).getByRole('listitem')

/** The place, from 1, of the row that has the focus; 0 while none has. */
const focusedRow = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.activeElement?.closest('li')?.getAttribute('aria-posinset') ?? 0))

/** Whether the row that has the focus is wholly in sight, and known. */
const focusIsInSight = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const row = document.activeElement?.closest('li')
    const box = row?.closest('ul')?.parentElement?.parentElement?.parentElement
    if (!row || !box || row.textContent.trim() === '') return false
    const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()]
    return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
  })

/** Bytes on the heap of the page, after pending work and a garbage collection. */
async function heapStrings(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const collected = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize
  }
  let before = await collected()
  const change = async (): Promise<number> => {
    const now = await collected()
    const by = Math.abs(now - before)
    before = now
    return by
  }
  // Long enough for the next part of the page, which is fetched while nothing else is to do, to have come.
  await expect.poll(change, { intervals: [1000] }).toBeLessThan(10_000)
  await session.detach()
  return before
}

/** Presses End until a row this far down has the focus. */
async function goDownTo(page: Page, name: string, row: number): Promise<void> {
  for (let here = await focusedRow(page); here < row;) {
    // Where the next rows are still on their way, End leads nowhere yet.
    const pressed = async (): Promise<number> => {
      await page.keyboard.press('End')
      return focusedRow(page)
    }
    await expect.poll(pressed).toBeGreaterThan(here)
    here = await focusedRow(page)
    expect(await rowsOf(page, name).count()).toBeLessThan(MOST_ROWS)
  }
}

test.describe(`${CUSTOMERS} customers`, () => {
  test.use({ seed: { customers: CUSTOMERS } })

  test('scroll by keys and wheel with few rows in the DOM, and one far down is served', async ({
    openConnected
  }) => {
    const { cashier, page } = await openConnected()
    await cashier.goTo('Customers')
    const rows = rowsOf(page, 'Customers')
    await expect(rows.first()).toHaveAttribute('aria-posinset', '1')
    await expect(rows.first()).toHaveAttribute('aria-setsize', '-1')
    expect(await rows.count()).toBeLessThan(MOST_ROWS)

    await page.getByRole('searchbox', { name: 'Search customers' }).press('ArrowDown')
    await expect.poll(() => focusedRow(page)).toBe(1)
    await page.keyboard.press('PageDown')
    await expect.poll(() => focusedRow(page)).toBeGreaterThan(3)
    const oneDown = await focusedRow(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focusedRow(page)).toBe(oneDown + 1)

    await goDownTo(page, 'Customers', 1_500)
    if (FULL) {
      const middle = await heapStrings(page)
      await goDownTo(page, 'Customers', FAR_DOWN)
      const end = await heapStrings(page)
      // Some kilobytes for the places of 5,000 rows, and half a megabyte where parts of the page came meanwhile; their
      // customers alone would take more than 1,300.
      expect(end - middle).toBeLessThan(1_000_000)
    }

    const far = (await focusedRow(page)) - 1
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focusedRow(page)).toBe(far)
    await expect.poll(() => focusIsInSight(page)).toBe(true)
    await listOf(page, 'Customers').hover()
    await page.mouse.wheel(0, -30_000)
    // The scrolling is not done with the event.
    await expect.poll(() => focusIsInSight(page)).toBe(false)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focusedRow(page)).toBe(far - 1)
    await expect.poll(() => focusIsInSight(page)).toBe(true)
    const name = await page.evaluate(
      () => document.activeElement?.querySelector('.name')?.textContent.trim() ?? ''
    )
    await page.keyboard.press('Enter')
    await expect(page.getByRole('complementary').getByRole('heading', { level: 2 })).toHaveText(name)
    await page.getByRole('button', { name: 'Serve at the till' }).click()
    await expect(cashier.customer).toContainText(name)

    await cashier.goTo('Customers')
    await expect
      .poll(async () => Number(await rows.last().getAttribute('aria-posinset')))
      .toBeGreaterThan(FAR_DOWN / 2)
    await page.getByRole('searchbox', { name: 'Search customers' }).press('ArrowDown')
    await page.keyboard.press('Home')
    await expect.poll(() => focusedRow(page)).toBe(1)
    await expect.poll(() => focusIsInSight(page)).toBe(true)
  })

  test('are pressed while their list still scrolls', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.goTo('Customers')
    const row = rowsOf(page, 'Customers').nth(3)
    await expect(row).toBeVisible()
    await listOf(page, 'Customers').evaluate((list) => {
      let scroller: Element | null = list
      while (scroller && !/auto|scroll/u.test(getComputedStyle(scroller).overflowY))
        scroller = scroller.parentElement
      const step = (): void => {
        scroller?.scrollBy(0, 1)
        requestAnimationFrame(step)
      }
      step()
    })
    const { x, y, width, height } = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.click(x + width / 2, y + height / 2)
    await expect(page.getByRole('complementary').getByRole('heading', { level: 2 })).toBeVisible()
  })

  test('matching a search are one list', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.goTo('Customers')
    const search = page.getByRole('searchbox', { name: 'Search customers' })
    await search.fill('maria')
    // The service finds the name in every script.
    const maria = /mar[ií]a|μαρία|мария|مريم/iu
    const others = rowsOf(page, 'Customers').filter({ hasNotText: maria })
    await expect(others).toHaveCount(0)
    await expect(rowsOf(page, 'Customers').first()).toContainText(maria)
    await search.press('ArrowDown')
    await goDownTo(page, 'Customers', FULL ? 150 : 80)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowUp')
    await expect(search).toBeFocused()
  })
})

test.describe(`${REWARDS} rewards`, () => {
  test.use({ seed: { customers: 50, rewards: REWARDS } })
  const count = REWARDS.toLocaleString('en')

  test('are read completely, sorted at once, and loaded from disk at the next start', async ({
    openConnected,
    network
  }) => {
    const first = await openConnected()
    const { page } = first
    await first.cashier.goTo('Rewards')
    // A limit for what hangs: up to 250 pages are read.
    await expect(shown(page, `${count} rewards`)).toBeVisible({ timeout: 60_000 })
    const rows = rowsOf(page, 'Rewards')
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(REWARDS))
    expect(await rows.count()).toBeLessThan(MOST_ROWS)

    await page.getByRole('searchbox', { name: 'Search rewards' }).fill(`koulouri edition ${FULL ? 209 : 41}`)
    await expect(shown(page, `1 of ${count} rewards`)).toBeVisible()
    await expect(rows).toHaveCount(1)
    await page.getByRole('searchbox', { name: 'Search rewards' }).fill('')
    await page.getByRole('combobox', { name: 'Sort rewards' }).selectOption('Most expensive first')
    await expect(rows.first()).toContainText('5,000 points')
    await page.getByRole('combobox', { name: 'Sort rewards' }).selectOption('Cheapest first')
    await expect(rows.first()).toContainText('50 points')
    await page.getByRole('searchbox', { name: 'Search rewards' }).press('ArrowDown')
    await page.keyboard.press('End')
    await expect.poll(() => focusedRow(page)).toBe(REWARDS)
    await expect.poll(() => focusIsInSight(page)).toBe(true)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('complementary')).toContainText('5,000 points')
    await first.close()

    await network.unplug()
    const { cashier, page: again } = await openConnected()
    await cashier.goTo('Rewards')
    await expect(again.getByText(`${count} rewards`)).toBeVisible()
    await expect(again.getByText(/^Loaded \d/)).toBeVisible()
    await expect(cashier.alert).toBeHidden()
  })
})

test.describe('long slip history', () => {
  test('scrolls down to the first slip', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const started = await page.evaluate(() =>
      window.tillpoints?.batches.start({
        batchId: crypto.randomUUID(),
        points: 5,
        count: 100,
        oneJob: false
      })
    )
    expect(started?.ok).toBe(true)
    await cashier.goTo('Slips')
    // The list is measured while it still grows, as at a till that prints.
    await expect(rowsOf(page, 'History').first()).toBeVisible()
    await expect
      .poll(
        async () => {
          const left = await page.evaluate(() => window.tillpoints?.batches.unfinished())
          return left?.ok ? left.value.length : -1
        },
        // A limit for what hangs: a hundred papers are laid out.
        { timeout: 60_000 }
      )
      .toBe(0)
    await rowsOf(page, 'History').first().getByRole('button').focus()
    await goDownTo(page, 'History', 100)
    await expect.poll(() => page.evaluate(() => document.activeElement?.checkVisibility())).toBe(true)
    expect(await rowsOf(page, 'History').count()).toBeLessThan(MOST_ROWS)
    await page.keyboard.press('Home')
    await expect.poll(() => focusedRow(page)).toBe(1)
  })
})
