/** Reports of any length can be read on each paper. */
import { describe, expect, test } from 'vitest'
import { PAPER_SIZES, PAPERS, type PaperSize, POINTS_PER_DOT } from '../../../../electron/contract/paper.ts'
import { paperLayout } from '../../../../electron/main/slip-pdf/column.ts'
import type { LaidOutPage } from '../../../../electron/main/slip-pdf/paginate.ts'
import { layOutReport, type ReportDocument } from '../../../../electron/main/slip-pdf/report.ts'
import { SlipText } from '../../../../electron/main/slip-pdf/text/slip-text.ts'
import { expectBlankEdges } from '../../../support/blank-edges.ts'
import { targetOf } from '../../../support/print-target.ts'
import { FULL } from '../../../support/size.ts'
import { allFonts, renderer } from './sample-slips.ts'
import { busyReport, type Period, WITHOUT_SLIPS, type WithoutSlips } from './sample-reports.ts'

/** What people read without a glass: on paper at arm's length, and on receipts. */
const MIN_POINTS = { sheet: 8, roll: 6 }

/** Headings have 30 dots, the rows below them 23; a tenth less on a small roll. */
const SMALL_TYPE = 0.9

const fonts = await allFonts()

const document = (period: Period, beside: WithoutSlips, groups?: number): ReportDocument => ({
  report: busyReport(period, beside, groups),
  business: 'Kafeneio Aroma',
  tillName: 'Till 2',
  locale: 'en-GB',
  training: false,
  printedAt: '2026-11-21T19:02:00.000Z'
})

const laidOut = new Map<string, LaidOutPage[]>()

/** Lays out a report of the sample shop, each once. */
function layOut(
  paper: PaperSize,
  [period, beside, groups]: Parameters<typeof document>,
  locale = 'en-GB'
): LaidOutPage[] {
  const key = [paper, period, beside, groups, locale].join(' ')
  const text = new SlipText(fonts, { locale, timeZone: 'Europe/Athens' })
  const report = { ...document(period, beside, groups), locale }
  const pages = laidOut.get(key) ?? layOutReport(report, paperLayout(paper), text)
  laidOut.set(key, pages)
  return pages
}

const textsOf = ({ fitted }: LaidOutPage) =>
  fitted.composition.items.flatMap((item) => (item.kind === 'text' ? [item] : []))
const linesOf = (pages: readonly LaidOutPage[]): string[] =>
  pages.flatMap((page) => textsOf(page).map(({ line }) => line.text))

const LOCALES = ['en-GB', 'de-DE', 'fr-FR', 'es-ES', 'el-GR', 'ar-AE']
const PERIODS = ['day', 'month', 'year'] as const
/** In the full size all, else the shortest and the longest. */
const CASES = PERIODS.flatMap((period) =>
  WITHOUT_SLIPS.filter((_beside, at) => FULL || at % 3 === 0).map((beside) => [period, beside] as const)
)
const LONGEST = CASES.filter(([, beside]) => FULL || beside !== 'nothing')

describe.each(PAPER_SIZES)('on %s the report', (paper) => {
  const { sheet } = PAPERS[paper]

  test.each(CASES)('of a %s with %s beside slips has type that is large enough', (period, beside) => {
    const sizes = layOut(paper, [period, beside]).flatMap((page) =>
      textsOf(page).map(({ line }) => line.style.size * page.fitted.page.scale * POINTS_PER_DOT)
    )
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(sheet === null ? MIN_POINTS.roll : MIN_POINTS.sheet)
  })

  test.each(CASES)(
    'of a %s with %s beside slips is short, and each page has its number',
    (period, beside) => {
      const pages = layOut(paper, [period, beside])
      const numbers = linesOf(pages).filter((text) => /^Page \d+ of \d+$/.test(text))
      if (sheet === null) {
        expect(pages).toHaveLength(1)
        expect(pages[0]?.fitted.page.heightMillimetres).toBeLessThanOrEqual(600)
        expect(numbers).toEqual([])
      } else {
        expect(pages.length).toBeGreaterThan(1)
        expect(pages.length).toBeLessThanOrEqual(6)
        expect(numbers).toEqual(
          pages.map((_, index) => `Page ${String(index + 1)} of ${String(pages.length)}`)
        )
      }
    }
  )

  test.each(CASES)('of a %s with %s beside slips has a heading above each column', (period, beside) => {
    for (const page of layOut(paper, [period, beside])) {
      const { height } = page.fitted.composition
      const columns = Object.groupBy(textsOf(page), ({ box }) => Math.floor((box.x + box.width / 2) / 680))
      for (const texts of Object.values(columns)) {
        // The number of the page is at its end.
        const [first] = (texts ?? []).filter(({ box }) => box.y < height - 60)
        if (first) expect.soft(first.line.style.size, first.line.text).toBeGreaterThanOrEqual(30 * SMALL_TYPE)
      }
    }
  })

  test.each(LONGEST)('of a %s with %s beside slips has nothing at the edges', async (period, beside) => {
    await expectBlankEdges(await renderer.renderReport(document(period, beside), targetOf(paper)))
  })

  test.each(LOCALES)('in %s has each line whole, and none over another', (locale) => {
    const pages = layOut(paper, ['month', 'redemptions, credits and returns'], locale)
    expect(linesOf(pages).filter((text) => text.includes('…'))).toEqual([])
    for (const page of pages) {
      const { composition } = page.fitted
      const boxes = textsOf(page).map(({ box }) => box)
      for (const [index, box] of boxes.entries()) {
        expect(box.y + box.height).toBeLessThanOrEqual(composition.height)
        const over = boxes
          .slice(index + 1)
          .filter(
            (other) =>
              box.x < other.x + other.width &&
              other.x < box.x + box.width &&
              box.y < other.y + other.height &&
              other.y < box.y + box.height
          )
        expect(over).toEqual([])
      }
    }
  })

  test('sums up the groups that it has no room for, and says where they are', () => {
    const lines = linesOf(layOut(paper, ['month', 'nothing', 300]))
    const others = lines.flatMap((text, index) => {
      const count = /^Others \((\d+)\)$/.exec(text)?.[1]
      return count === undefined ? [] : [{ index, count: Number(count) }]
    })
    expect(others).toHaveLength(3)
    const [, cashiers] = others
    const named = lines.flatMap((text, index) =>
      text.startsWith('Konstant') ? [Number((lines[index - 1] ?? '').split(' / ')[1]?.replace(',', ''))] : []
    )
    // Those with the most slips: each cashier has one more than the cashier before.
    expect(named.length + (cashiers?.count ?? 0)).toBe(300)
    expect(Math.min(...named)).toBe(1500 + (cashiers?.count ?? 0))
    const issued = Number((lines[(cashiers?.index ?? 0) - 1] ?? '').split(' / ')[1]?.replace(/,/g, ''))
    const total = Array.from({ length: 300 }, (_, index) => 1500 + index).reduce((sum, some) => sum + some, 0)
    expect(issued + named.reduce((sum, some) => sum + some, 0)).toBe(total)
    expect(lines.join(' ')).toContain('Export as CSV')
  })

  test('with few groups lists all of them, and no more', () => {
    const lines = linesOf(layOut(paper, ['month', 'redemptions', 3]))
    expect(lines.filter((text) => text.startsWith('Others'))).toEqual([])
    expect(lines.join(' ')).not.toContain('CSV')
    // Each day in what was issued, and in what was collected.
    expect(lines.filter((text) => /^\w{3},? \d+ Nov$/.test(text))).toHaveLength(2 * 30)
  })
})

test.each([
  ['de-DE', 'Seite 1 von 2'],
  ['fr-FR', 'Page 1 sur 2'],
  ['es-ES', 'Página 1 de 2'],
  ['el-GR', 'Σελίδα 1 από 2'],
  ['ar-AE', 'صفحة 1 من 2']
])('in %s the pages are numbered', (locale, number) => {
  const pages = layOut('A4', ['day', 'nothing', 12], locale)
  expect(linesOf(pages)).toContain(number)
})
