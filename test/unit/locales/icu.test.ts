/**
 * Electron's processes use Chromium's ICU, which lacks parts of Node's. Here a Chromium is asked for everything in it that
 * a slip, an export or a customer search depends on.
 */
import { chromium, type Browser, type Page } from '@playwright/test'
import { getCountries } from 'libphonenumber-js/min'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM_MISSING, findChromium } from '../../support/chromium.ts'
import { formattedSamples } from './formatted-samples.ts'

let browser: Browser
let page: Page

beforeAll(async () => {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(CHROMIUM_MISSING)
  browser = await chromium.launch({ executablePath })
  page = await browser.newPage()
})

afterAll(() => browser.close())

/** Expects the same result of `work` in Node and in Chromium. It can use nothing outside of itself. */
async function expectSameInChromium<Input>(work: (input: Input) => unknown, input: Input): Promise<void> {
  const inChromium: unknown = await page.evaluate(`(${work.toString()})(${JSON.stringify(input)})`)
  expect(inChromium).toEqual(work(input))
}

test('Chromium writes what main does, in each language of the till for each country', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: `${import.meta.dirname}/formatted-samples.ts`, formats: ['iife'], name: 'samples' }
    }
  })
  const [bundle] = [built].flat()
  if (bundle === undefined || !('output' in bundle)) throw new Error('Vite built nothing')
  const inChromium: unknown = await page.evaluate(`${bundle.output[0].code}; samples.formattedSamples()`)
  expect(inChromium).toEqual(formattedSamples())
})

test('Chromium writes the days of ISO 8601 in Swedish', () =>
  expectSameInChromium(
    (tag) =>
      new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' }).format(0),
    'sv-SE'
  ))

test('Chromium reads the digits of every script', () =>
  expectSameInChromium(
    (systems) =>
      systems.map((numberingSystem) =>
        new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9_876_543_210)
      ),
    Intl.supportedValuesOf('numberingSystem')
  ))

// Its dictionaries are smaller than those of Node, so the words may be others.
test('Chromium has a dictionary for each script without spaces', async () => {
  const texts = ['ร้านกาแฟหัวมุม', 'ຮ້ານກາເຟ', 'ហាងកាហ្វេ', 'ကော်ဖီဆိုင်']
  const wordCounts = await page.evaluate((words) => {
    const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
    return words.map((text) => [...segmenter.segment(text)].length)
  }, texts)
  expect(wordCounts.filter((count) => count < 2)).toEqual([])
})

test('Chromium names all countries in the languages that are recognised for each of them', async () => {
  const languages = ['en', 'fr', 'es', 'de', 'it', 'pt', 'nl', 'el', 'ru', 'ar', 'tr', 'pl', 'zh', 'ja']
  await expectSameInChromium(
    ({ languages, countries }) =>
      languages.map((language) => {
        const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
        return countries.filter((country) => names.of(country) === undefined)
      }),
    { languages, countries: getCountries() }
  )
})
