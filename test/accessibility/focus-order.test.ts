/** The Tab key goes through a screen as it is read, leaves nothing out, and comes round without a trap. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

/** More than any screen has. */
const MOST_STOPS = 150

/** What holds the focus: its place among all elements, and what it is called. */
const focused = (page: Page): Promise<{ place: number; name: string; visible: boolean }> =>
  page.evaluate(() => {
    const { activeElement } = document
    const all = [...document.querySelectorAll('*')]
    const element =
      activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null
    const box = element?.getBoundingClientRect()
    return {
      place: element ? all.indexOf(element) : -1,
      name: element ? (element.getAttribute('aria-label') ?? element.innerText).slice(0, 40) : '',
      visible: box !== undefined && box.bottom > 0 && box.top < innerHeight && box.width > 0
    }
  })

test.concurrent.each([
  'till',
  'till-points',
  'customers',
  'rewards',
  'slips',
  'settings',
  'redeem-card',
  'redeem-done',
  'report-day',
  'report-collected',
  'slips-discard'
])('of %s', async (name) => {
  const { page, close } = await runner.open(screenshotNamed(name), {
    size: { width: 1024, height: 768 },
    theme: 'light',
    language: 'en'
  })
  const stops: { place: number; name: string; visible: boolean }[] = []
  for (let count = 0; count < MOST_STOPS; count++) {
    await page.keyboard.press('Tab')
    const stop = await focused(page)
    if (stops.some(({ place }) => place === stop.place)) break
    stops.push(stop)
  }
  const positive = await page.locator('[tabindex]:not([tabindex="0"]):not([tabindex="-1"])').count()
  await close()

  expect(stops.length).toBeGreaterThan(2)
  expect(stops.length).toBeLessThan(MOST_STOPS)
  expect(positive).toBe(0)
  expect(stops.filter(({ place, visible }) => place >= 0 && !visible)).toEqual([])
  // Once round, from wherever the focus was: in the order of the document, with at most one step back to its start.
  const places = stops.map(({ place }) => place).filter((place) => place >= 0)
  const stepsBack = places.filter((place, index) => index > 0 && place < (places[index - 1] ?? 0))
  expect(stepsBack.length).toBeLessThanOrEqual(1)
})
