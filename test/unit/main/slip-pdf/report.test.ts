import { describe, expect, it } from 'vitest'
import { PAPER_SIZES, type PaperSize } from '../../../../electron/contract/paper.ts'
import type { SlipsReport } from '../../../../electron/contract/slip-report.ts'
import { type Box, paperLayout } from '../../../../electron/main/slip-pdf/column.ts'
import type { OperationDocument } from '../../../../electron/main/slip-pdf/operation-slip.ts'
import { layOutReport, type ReportDocument } from '../../../../electron/main/slip-pdf/report.ts'
import { SlipText } from '../../../../electron/main/slip-pdf/text/slip-text.ts'
import { expectBlankEdges } from '../../../support/blank-edges.ts'
import { readSlip, slipPicture } from '../../../support/read-slip.ts'
import { allFonts, renderer } from './sample-slips.ts'
import { statusesOf, sumOf } from './sample-reports.ts'
import { targetOf } from '../../../support/print-target.ts'

const ROLL_80 = paperLayout('80mm')

const fonts = await allFonts()

/** A day with a slip in each of its first `hours` hours. */
const day = (hours: number): SlipsReport => ({
  range: { from: '2026-11-21', to: '2026-11-21' },
  timeZone: 'UTC',
  bucketSize: 'hour',
  buckets: Array.from({ length: 24 }, (_, hour) => ({
    start: new Date(Date.UTC(2026, 10, 21, hour)).toISOString(),
    slips: hour < hours ? 1 : 0,
    points: hour < hours ? 1000 + hour * 100 : 0
  })),
  slips: hours,
  points: 12_345,
  copies: 2,
  offline: 0,
  removed: 0,
  collections: null,
  statuses: statusesOf({ printed: hours, unknown: 1 })
})

const document = (change: Partial<ReportDocument> = {}): ReportDocument => ({
  report: day(3),
  business: 'Kafeneio Aroma',
  tillName: 'Till 2',
  locale: 'en-GB',
  training: false,
  printedAt: '2026-11-21T19:02:00.000Z',
  ...change
})

const textOf = async (change?: Partial<ReportDocument>, paper: PaperSize = '80mm'): Promise<string> =>
  (await readSlip((await renderer.renderReport(document(change), targetOf(paper))).pdf)).text

describe('a printed report', () => {
  it.each(PAPER_SIZES)('on %s leaves the edges blank', async (paper) => {
    const long = document({ report: day(24), training: true })
    await expectBlankEdges(await renderer.renderReport(long, targetOf(paper)))
  })

  it('shows the business, the day and the sums', async () => {
    const text = await textOf()
    for (const words of ['Kafeneio Aroma', '21 Nov 2026', 'Till 2', '12,345', '21 Nov 2026, 19:02']) {
      expect(text).toContain(words)
    }
  })

  it('has a line for each hour with slips, and for no other', async () => {
    const text = await textOf()
    expect(text).toContain('02:00')
    expect(text).not.toContain('03:00')
  })

  it('lists only failures that happened', async () => {
    const text = await textOf()
    expect(text).toContain('Outcome unknown')
    expect(text).not.toContain('Discarded')
  })

  it('tells slips that were printed, saved and handed over apart', async () => {
    const text = await textOf({
      report: { ...day(9), statuses: statusesOf({ printed: 4, saved: 2, 'handed-over': 3 }) }
    })
    for (const line of [/Printed\s*4/, /Saved\s*2/, /Handed over, unconfirmed\s*3/])
      expect(text).toMatch(line)
    expect(await textOf()).not.toContain('Saved')
  })

  it('says how many slips are no longer in the list', async () => {
    expect(await textOf()).not.toContain('No longer in the list')
    expect(await textOf({ report: { ...day(3), removed: 2 } })).toMatch(/No longer in the list\s*2/)
  })

  it('is marked in training', async () => {
    expect(await textOf({ training: true })).toContain('TRAINING – NO VALUE')
  })

  it('is one page of the roll, as long as its lines', async () => {
    const quiet = await renderer.renderReport(document({ report: day(1) }), targetOf('80mm'))
    const busy = await renderer.renderReport(document({ report: day(24) }), targetOf('80mm'))
    expect(quiet.widthMillimetres).toBe(80)
    expect(busy.heightMillimetres).toBeGreaterThan(quiet.heightMillimetres + 50)
  })

  it.each(['58mm', '80mm'] as const)(
    'of an empty day is as high as wide on a roll of %s, so that no printer turns it',
    async (paper) => {
      const empty = { ...day(0), statuses: statusesOf({}) }
      const { pdf } = await renderer.renderReport(document({ report: empty }), targetOf(paper))
      const { widthMillimetres, heightMillimetres } = await readSlip(pdf)
      expect(heightMillimetres).toBeGreaterThanOrEqual(widthMillimetres)
    }
  )

  it('says which slips were collected where that is known, by time, cashier and program', async () => {
    expect(await textOf()).not.toContain('Collected or not')
    const collections: SlipsReport['collections'] = {
      asOf: '2026-11-21T18:30:00.000Z',
      total: sumOf(12, 9, 1234, 987, 468),
      groups: {
        time: [{ kind: 'named', label: '2026-11-21T08:00:00.000Z', ...sumOf(12, 9) }],
        batch: [{ kind: 'none', label: '', ...sumOf(12, 9) }],
        cashier: [
          { kind: 'named', label: 'Anna', ...sumOf(7, 6, 1200, 950, 421) },
          { kind: 'none', label: '', ...sumOf(5, 3) }
        ],
        program: [{ kind: 'named', label: 'Shop POS', ...sumOf(4, 0, 0, 37, 47) }]
      }
    }
    const text = await textOf({ report: { ...day(3), collections } })
    const words = [
      'Collected or not',
      '9 / 12',
      '75%',
      '3 hours',
      '1,234',
      '1,200',
      '21 Nov 2026, 18:30',
      'Anna',
      '6 / 7',
      'No cashier'
    ]
    for (const word of [...words, 'Shop POS', '0 / 4', 'By cashier']) expect(text).toContain(word)
    // Of all, of the cashier and of the program.
    for (const points of ['987', '950', '37'])
      expect(text).toMatch(new RegExp(`Points given at once\\s+${points}\\b`))
    for (const points of ['468', '421', '47'])
      expect(text).toMatch(new RegExp(`Points taken back\\s+${points}\\b`))
    // Slips of no batch alone are nothing to compare.
    expect(text).not.toContain('By batch')
  })

  it.each(['A6', 'A4'] as const)('of a whole day fits on %s, clear of its edges', async (paper) => {
    const { pdf } = await renderer.renderReport(document({ report: day(24) }), targetOf(paper))
    const { width, height, pixels } = await slipPicture(pdf)
    const rows = Array.from({ length: height }, (_, y) =>
      pixels.subarray(y * width, (y + 1) * width).some((pixel) => pixel < 128)
    )
    expect(rows.indexOf(true)).toBeGreaterThan(20)
    expect(height - rows.lastIndexOf(true)).toBeGreaterThan(20)
  })

  it.each([
    ['en-GB', 'left', (box: Box) => box.x],
    ['ar-AE', 'right', (box: Box) => box.x + box.width]
  ] as const)('has bars for %s that begin at one line, at the %s of it', (locale, _side, edge) => {
    const text = new SlipText(fonts, { locale, timeZone: 'UTC' })
    const pages = layOutReport(document({ locale }), ROLL_80, text)
    const items = pages.flatMap(({ fitted }) => fitted.composition.items)
    const bars = items.flatMap(({ kind, box }) => (kind === 'bar' && box.width < ROLL_80.width ? [box] : []))
    expect(bars).toHaveLength(3)
    expect(new Set(bars.map(edge)).size).toBe(1)
    expect(new Set(bars.map(({ width }) => width)).size).toBe(3)
  })
})

describe('a slip without a code', () => {
  const confirmation = (change: Partial<OperationDocument> = {}): OperationDocument => ({
    business: 'Kafeneio Aroma',
    done: 'redeemed',
    subject: 'Cappuccino and a slice of walnut cake',
    cost: 1200,
    balance: 3450,
    ...{ given: null, left: null, leftOnSlip: null, welcome: null },
    reason: null,
    affordable: null,
    ...{ expiry: null, ending: null },
    customerName: 'Maria',
    cashier: 'Anna',
    issuedAt: '2026-11-21T19:02:00.000Z',
    timeZone: 'UTC',
    locale: 'en-GB',
    tillName: 'Till 2',
    training: false,
    ...change
  })
  const read = async (change?: Partial<OperationDocument>, paper: PaperSize = '80mm') =>
    readSlip((await renderer.renderOperation(confirmation(change), targetOf(paper))).pdf)

  it.each(PAPER_SIZES)('has reward, points, customer and time on %s, and no code', async (paper) => {
    const { text, codes, widthMillimetres, heightMillimetres } = await read({}, paper)
    const words = ['Kafeneio Aroma', 'Redeemed', 'walnut', 'Maria', 'Anna', '21 Nov 2026, 19:02', 'Till 2']
    for (const word of words) expect(text).toContain(word)
    expect(text).toMatch(/Points taken\s*1,200/)
    expect(text).toMatch(/Your points now\s*3,450/)
    expect(codes).toEqual([])
    expect(heightMillimetres).toBeGreaterThanOrEqual(widthMillimetres)
  })

  it('of an undone one says that the points are back', async () => {
    const { text } = await read({ done: 'redemption-undone' })
    expect(text).toMatch(/Points given back\s*1,200/)
    expect(text).not.toMatch(/Redeemed|Points taken/)
  })

  const POINTS = { subject: '250', cost: null }

  it('of points that were given says what the customer can have now', async () => {
    const affordable = { best: 'Filter coffee', others: 2, next: { name: 'Walnut cake', missing: 50 } }
    const { text } = await read({ ...POINTS, done: 'credited', affordable })
    for (const word of ['Points added', '250', 'You can have', 'Filter coffee and 2 more']) {
      expect(text).toContain(word)
    }
    expect(text).toMatch(/50 more points for Walnut\s+cake/)
    expect(text).toMatch(/Your points now\s*3,450/)
    expect(text).not.toMatch(/Once collected|Points taken|Points given back/)
  })

  it.each(PAPER_SIZES)(
    'of points that were given says which end next, or else when these do, on %s',
    async (paper) => {
      const credited = { ...POINTS, done: 'credited', expiry: { months: 12, since: 'earned' } } as const
      const ending = { points: 1120, lastDay: '2026-11-30' }
      const words = async (change: Partial<OperationDocument>) =>
        (await read({ ...credited, ...change }, paper)).text.replaceAll(/\s+/g, ' ')
      expect(await words({})).toContain('Points end 12 months after they are collected')
      expect(await words({ ending })).toContain('1,120 points end on 30 Nov 2026')
      expect(await words({ ending })).not.toContain('Points end')
      expect(await words({ ending, expiry: null })).not.toMatch(/points? end/i)
    }
  )

  it('of points that went back says why, and what is left on the slip', async () => {
    const { text } = await read({
      ...POINTS,
      done: 'returned',
      balance: null,
      ...{ given: 350, leftOnSlip: 100 },
      reason: 'Faulty'
    })
    expect(text).toContain('Points taken back')
    expect(text).toMatch(/Given before\s*350\s+Left on your slip\s*100/)
    expect(text).toMatch(/Reason\s*Faulty/)
    expect(text).not.toContain('Your points now')
  })

  it.each(PAPER_SIZES)(
    'of points that a customer had says what was given, and what is left, on %s',
    async (paper) => {
      const returned = { ...POINTS, done: 'returned', given: 350, left: 100, balance: -40 } as const
      const { text } = await read(returned, paper)
      expect(text).toMatch(/Given before\s*350\s+Left of the purchase\s*100\s+Your points now\s*[-−]40/)
      expect(text).not.toContain('Left on your slip')
    }
  )

  it('of an undone credit says that the points went back', async () => {
    expect((await read({ ...POINTS, done: 'credit-undone' })).text).toContain('Points taken back')
  })

  it('leaves out what is not known or not printed', async () => {
    const { text } = await read({ balance: null, customerName: null, cashier: null, tillName: '' })
    expect(text).not.toMatch(/Your points now|For|Cashier|Till/)
  })

  it('is marked in training', async () => {
    expect((await read({ training: true })).text).toContain('TRAINING – NO VALUE')
    expect((await read()).text).not.toContain('TRAINING')
  })

  it.each(['de-DE', 'el-GR', 'ar-AE'])('is in the language of the slip in %s', async (locale) => {
    const { text } = await read({ locale })
    expect(text).not.toMatch(/Redeemed|Points taken/)
    expect(text).toContain('Maria')
  })
})
