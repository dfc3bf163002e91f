import fc from 'fast-check'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { err, ok, type Failure } from '../../../../electron/contract/failure.ts'
import {
  csvField,
  csvRecord,
  csvSeparator,
  guardFormulas,
  unguardFormulas
} from '../../../../electron/contract/text.ts'
import type { JournalSearch } from '../../../../electron/main/reports/slip-search.ts'
import { issueAndPrint, openSlipService, press, valueOf } from '../slips/slip-service-fixture.ts'

describe('CSV export', () => {
  it('is UTF-8 with a byte order mark, a header and a record per slip, newest first', async () => {
    const till = openSlipService({ currentCashier: () => ({ id: 'k1', name: 'Anna', number: 1 }) })
    const customer = { id: 'c1', name: '=Μαρία, "M"' }
    await issueAndPrint(till, { ...press(250), customer, reference: 'R-1042' })
    await issueAndPrint(till, press(5))
    const file = join(till.folder, 'slips.csv')
    expect(await till.slips.reports.exportSlips(file, {})).toEqual(ok(2))
    const bytes = readFileSync(file)
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [header, first, second, end] = bytes.toString('utf8').slice(1).split('\r\n')
    expect(header).toContain('Requested (Europe/Athens),')
    expect(first).toMatch(/^2026-11-21 14:05:33,.*,Saved,5,0,CODE-2,/)
    expect(second).toContain(
      `,Saved,250,0,CODE-1,https://loyalty.example/q/CODE-1,"'=Μαρία, ""M""",c1,Anna,k1,,R-1042,0,folder,`
    )
    expect(end).toBe('')
  })

  it('holds every slip that the search finds, over several chunks', async () => {
    const till = openSlipService()
    valueOf(
      await till.slips.batches.start({
        batchId: '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d',
        points: 1,
        count: 500,
        oneJob: true
      })
    )
    await till.finished()
    await till.slips.counter.issue(press())
    await till.slips.counter.issue(press())
    const file = join(till.folder, 'slips.csv')
    expect(await till.slips.reports.exportSlips(file, {})).toEqual(ok(502))
    expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(504)
    expect(await till.slips.reports.exportSlips(file, { text: 'code-50' })).toEqual(ok(4))
  })

  it('tells slips that were not sent from refused ones, as the report and a search by state do', async () => {
    const failures: Failure[] = [
      { kind: 'offline' },
      { kind: 'rejected', status: 402, message: 'Plan used up' }
    ]
    const till = openSlipService({
      createQr: () => Promise.resolve(err(failures.shift() ?? { kind: 'offline' }))
    })
    for (const points of [250, 5]) await till.slips.counter.issue(press(points))
    const { queries, reports } = till.slips
    const file = join(till.folder, 'slips.csv')
    await reports.exportSlips(file, {})
    const [, refused, notSent] = readFileSync(file, 'utf8').split('\r\n')
    expect(notSent).toMatch(/,Not sent,250,.*,offline,/)
    expect(refused).toMatch(/,Refused,5,.*,rejected 402 Plan used up,/)
    const { statuses } = valueOf(await reports.report({ from: '2026-11-21', to: '2026-11-21' }))
    expect(statuses).toMatchObject({ refused: 1, 'not-sent': 1 })
    const pointsOf = (state: 'refused' | 'not-sent'): number[] =>
      valueOf(queries.list({ offset: 0, search: { states: [state] } })).slips.map(({ points }) => points)
    expect([pointsOf('refused'), pointsOf('not-sent')]).toEqual([[5], [250]])
  })

  it('finds the slips of a bill by the beginning of its reference, and of a customer whose phone was typed', async () => {
    const till = openSlipService()
    await issueAndPrint(till, { ...press(1), reference: 'R-1042' })
    await issueAndPrint(till, { ...press(2), reference: 'R-2000' })
    await issueAndPrint(till, { ...press(3), customer: { id: 'c1', name: 'Anna' } })
    const { queries, reports } = till.slips
    const pointsOf = (search: JournalSearch): number[] =>
      valueOf(queries.list({ offset: 0, search })).slips.map(({ points }) => points)
    expect(pointsOf({ text: 'r-1042' })).toEqual([1])
    expect(pointsOf({ text: 'R-' })).toEqual([2, 1])
    expect(pointsOf({ text: '+306900000199', phoneOwnerId: 'c1' })).toEqual([3])
    const file = join(till.folder, 'slips.csv')
    expect(await reports.exportSlips(file, { text: 'R-1042' })).toEqual(ok(1))
  })

  it('has when a slip was collected, and the groups of a report, where the service tells it', async () => {
    const item = { id: 'i', code: 'CODE-1', state: 'collected', at: '2026-11-21T12:35:33.000Z' } as const
    const page = { hasMore: false, next: 'end', events: [item], leftOut: 0 }
    const till = openSlipService({
      currentCashier: () => ({ id: 'k1', name: 'Anna', number: 1 }),
      readCollections: () => Promise.resolve(ok(page))
    })
    const file = join(till.folder, 'slips.csv')
    const range = { from: '2026-11-21', to: '2026-11-21' }
    await issueAndPrint(till, press(250))
    await issueAndPrint(till, press(50))
    expect(await till.slips.reports.exportCollections(file, range, 'cashier')).toEqual(
      err({ kind: 'not-found' })
    )
    till.slips.collections.start()
    await vi.waitUntil(() => till.slips.collections.asOf !== null)
    expect(await till.slips.reports.exportSlips(file, {})).toEqual(ok(2))
    const [header, , collected] = readFileSync(file, 'utf8').split('\r\n')
    expect(header).toContain('Collected (Europe/Athens),Points taken back (Europe/Athens)')
    expect(collected).toContain(',2026-11-21 14:35:33,,Saved,250,0,CODE-1,')
    expect(await till.slips.reports.exportCollections(file, range, 'cashier')).toEqual(ok(null))
    expect(readFileSync(file, 'utf8').slice(1).split('\r\n')).toEqual([
      'Cashier,Slips,Points issued,Slips collected,Points collected,Rewards redeemed,Points redeemed,Points given at once,Points taken back,"Collected, percent",Median minutes until collected',
      'Anna,2,300,1,250,0,0,0,0,50,30',
      'Total,2,300,1,250,0,0,0,0,50,30',
      ''
    ])
    // A batch redeems and takes back nothing.
    expect(await till.slips.reports.exportCollections(file, range, 'batch')).toEqual(ok(null))
    expect(readFileSync(file, 'utf8')).toContain('Total,2,300,1,250,,,,,50,30')
  })

  it('leaves no partial file when it cannot be written', async () => {
    const till = openSlipService()
    const file = join(till.folder, 'taken')
    mkdirSync(file)
    expect(await till.slips.reports.exportSlips(file, {})).toEqual(err({ kind: 'not-saved', what: 'export' }))
    expect(readdirSync(till.folder).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(existsSync(file)).toBe(true)
  })
})

/** Parses one record (RFC 4180). */
function parse(record: string): string[] {
  expect(record.endsWith('\r\n')).toBe(true)
  const fields: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy
  for (let match = pattern.exec(record); match !== null; match = pattern.exec(record)) {
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] !== ',') break
  }
  return fields
}

describe('csvField', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+49 1', "'+49 1"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', `"'\tx"`],
    [';=cmd', `";'=cmd"`],
    ['Ada;"=cmd', `"Ada;""'=cmd"`],
    ['a, -1', `"a, '-1"`],
    ['\rx', `"'\rx"`],
    ['\nx', `"'\nx"`],
    ['\0x', "'\0x"],
    ['\0=1+1', "'\0'=1+1"],
    ['x|=1', "x|'=1"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['Jean-Luc + Ada', 'Jean-Luc + Ada'],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    [250, '250'],
    [null, '']
  ])('formats %j as %j', (value, written) => {
    expect(csvField(value)).toBe(written)
  })
})

it('guardFormulas goes over a text once: 80,000 line ends take as many steps', () => {
  let steps = 0
  function* characters(): Generator<string> {
    for (let count = 0; count < 80_000; count++) {
      steps++
      yield '\n'
    }
    yield '='
  }
  expect(guardFormulas(characters())).toBe(`${'\n'.repeat(80_000)}'=`)
  expect(steps).toBe(80_000)
})

it('unguardFormulas returns what guardFormulas was given', () => {
  const text = fc.array(fc.constantFrom("'", '=', '+', '＠', ',', ';', ' ', '"', '\n', 'a', 'é'))
  fc.assert(
    fc.property(text, (characters) => {
      expect(unguardFormulas(guardFormulas(characters))).toBe(characters.join(''))
    })
  )
  expect(unguardFormulas('+30 690')).toBe('+30 690')
})

it.each([
  ['en-GB', ','],
  ['de-DE', ';'],
  ['el-GR', ';'],
  ['fr-FR', ';'],
  ['es-ES', ';'],
  ['ar-EG', ';']
])('csvSeparator(%j) is %j', (locale, separator) => {
  expect(csvSeparator(locale)).toBe(separator)
})

describe('csvRecord', () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...Array.from(`=+-@＝＋－＠,;|\t\r\n\0"' a`)) })
    ),
    { minLength: 1 }
  )
  const withoutApostrophes = (text: string): string => text.replaceAll("'", '')

  it('keeps any text, apart from apostrophes before formulas', () => {
    fc.assert(
      fc.property(texts, (fields) => {
        expect(parse(csvRecord(fields, ',')).map(withoutApostrophes)).toEqual(fields.map(withoutApostrophes))
      })
    )
  })

  it.each([/,/, /;/, /\|/, /\t/, /[\r\n]/])(
    'has no cell with a formula when it is split at %s',
    (separator) => {
      fc.assert(
        fc.property(texts, (fields) => {
          for (const cell of csvRecord(fields, ',').split(separator))
            expect(cell).not.toMatch(/^["\s\0]*[=+\-@＝＋－＠]/)
        })
      )
    }
  )
})
