/** Slips that are longer than their sheet, with the longest texts that they show. */
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../../electron/contract/language.ts'
import { POINTS_PER_DOT } from '../../../../electron/contract/paper.ts'
import { paperLayout } from '../../../../electron/main/slip-pdf/column.ts'
import { composeSlip, composeSlipPages } from '../../../../electron/main/slip-pdf/compose.ts'
import { type FittedPage, fitOnPages } from '../../../../electron/main/slip-pdf/draw.ts'
import { createLogoReader } from '../../../../electron/main/slip-pdf/logo.ts'
import { MIN_MODULE_DOTS } from '../../../../electron/images/qr-code.ts'
import { type SlipDocument, slipWords } from '../../../../electron/main/slip-pdf/slip-document.ts'
import { SlipText } from '../../../../electron/main/slip-pdf/text/slip-text.ts'
import { expectBlankEdges } from '../../../support/blank-edges.ts'
import { scan, slipPicture } from '../../../support/read-slip.ts'
import { sampleSlip } from '../../../support/sample-slip.ts'
import { allFonts, pngOf, renderSlips } from './sample-slips.ts'

const SMALLEST_POINTS = 8

const fonts = await allFonts()

const WORDS = {
  en: 'Neighbourhood coffee roasters',
  de: 'Nachbarschaftskaffeerösterei',
  fr: 'Torréfaction artisanale de quartier',
  es: 'Tostadores artesanos de café',
  el: 'Ελληνικό Ζαχαροπλαστείο',
  ar: 'مقهى الزاوية للحلويات'
} as const

/** A slip of a shop that prints all that there is. */
const everything = (locale: keyof typeof WORDS): SlipDocument => ({
  ...sampleSlip,
  locale,
  joinUrl: 'https://points.example/join/corner-cafe',
  logo: pngOf(300, 100),
  footer: WORDS[locale],
  tillName: 'Till 1',
  expiresAt: '2026-12-21T12:05:33.000Z',
  expiry: { months: 12, since: 'earned' },
  affordable: { best: 'Cappuccino', others: 4, next: { name: 'Cake', missing: 30 } }
})

/** Every text takes all of its lines. */
function longest(locale: keyof typeof WORDS): SlipDocument {
  const text = `${WORDS[locale]} `.repeat(12).trim()
  return {
    ...everything(locale),
    business: {
      name: text,
      address: { street: text, city: text, state: text, country: text, zipCode: '10563' }
    },
    points: 9_999_999,
    customerName: text,
    headline: text,
    footer: text,
    tillName: text,
    code: '0123456789abcdef'.repeat(12),
    url: `https://points.example/q/${'x'.repeat(175)}`,
    copy: 12,
    training: true,
    affordable: { best: text, others: 1_234_567, next: { name: text, missing: 1_234_567 } }
  }
}

/** The sheets of a slip, and the slip in one piece. */
function laidOut(slip: SlipDocument, paper: 'A6' | 'A4') {
  const layout = paperLayout(paper)
  const options = { layout, text: new SlipText(fonts, slip), readLogo: createLogoReader() }
  const whole = composeSlip(slip, options)
  const pages = (height: number) => composeSlipPages(slip, options, height)
  return { whole, sheets: fitOnPages({ whole: () => whole, pages }, layout) }
}

const textsOf = ({ items }: Pick<FittedPage['composition'], 'items'>): string[] =>
  items.flatMap((item) => (item.kind === 'text' ? [item.line.text] : []))

describe.each(['A6', 'A4'] as const)('on %s', (paper) => {
  describe.each(LANGUAGES)('in %s', (locale) => {
    test.each([
      ['an ordinary slip', { ...sampleSlip, locale }],
      ['everything', everything(locale)],
      ['the longest texts', longest(locale)]
    ])('%s: type of 8 points, and codes that scan', async (_what, slip) => {
      const { whole, sheets } = laidOut(slip, paper)
      for (const { composition, page } of sheets) {
        for (const item of composition.items) {
          if (item.kind === 'text')
            expect(item.line.style.size * page.scale * POINTS_PER_DOT).toBeGreaterThanOrEqual(SMALLEST_POINTS)
          if (item.kind === 'qr') expect(item.module * page.scale).toBeGreaterThanOrEqual(MIN_MODULE_DOTS)
        }
      }
      const shown = new Set(sheets.flatMap(({ composition }) => textsOf(composition)))
      expect(textsOf(whole).filter((text) => !shown.has(text))).toEqual([])

      const { pdf, pages, leftOut } = await renderSlips(slip, paper)
      expect(pages).toBe(sheets.length)
      const codes: string[] = []
      for (let index = 0; index < pages; index++)
        codes.push(...(await scan(await slipPicture(pdf, undefined, index))))
      const { url, joinUrl = null } = slip
      expect(leftOut).toEqual([])
      expect(codes.sort()).toEqual([url, ...(joinUrl === null ? [] : [joinUrl])].sort())
    })

    test('each sheet of a copy in training mode says so, has its number, and ends above the margin', async () => {
      const slip = longest(locale)
      const { sheets } = laidOut(slip, paper)
      const words = slipWords(slip)
      expect(sheets.length).toBeGreaterThan(1)
      for (const [index, { composition, page }] of sheets.entries()) {
        const texts = textsOf(composition).map((text) => text.replace(/[\u2066-\u2069]/gu, ''))
        const marks = [words.copy({ number: '12' }), words.training()]
        for (const mark of marks) expect(texts.filter((text) => text === mark)).toHaveLength(2)
        const numbers = { page: String(index + 1), pages: String(sheets.length) }
        expect(texts).toContain(words.reportPage(numbers))
        expect(page.heightMillimetres).toBe(paper === 'A6' ? 148 : 297)
      }
      await expectBlankEdges(await renderSlips(slip, paper))
    })
  })

  test('an ordinary slip takes one sheet', () => {
    for (const locale of LANGUAGES) expect(laidOut({ ...sampleSlip, locale }, paper).sheets).toHaveLength(1)
  })
})
