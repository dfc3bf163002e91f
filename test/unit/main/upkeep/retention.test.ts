import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { DEFAULT_RETENTION_SETTINGS, type RetentionSettings } from '../../../../electron/contract/privacy.ts'
import type { SlipsReport } from '../../../../electron/contract/slip-report.ts'
import { BATCH_NOTES } from '../../../../electron/contract/slips.ts'
import { programSlipsFile } from '../../../../electron/main/journal/program-slips.ts'
import { business } from '../../../support/sample-business.ts'
import { LOG_LEVELS, type LogDetails, type Logger } from '../../../../electron/main/log/log.ts'
import { pdfsShowing } from '../../../support/read-slip.ts'
import {
  issueAndPrint,
  openSlipService,
  press,
  qrCode,
  temporaryFolder,
  valueOf,
  type SlipServiceFixture
} from '../slips/slip-service-fixture.ts'
import type { SlipDoubles } from '../../../support/slip-service.ts'

const KEEP_ALL: RetentionSettings = { pdfs: null, names: null, quarantinedJournals: null, slips: null }
const zoe = { id: 'customer-zoe', name: 'Zoë Xantopoulou' }
const ben = { id: 'customer-ben', name: 'Ben Fischer' }

/** A log whose events the test reads. */
function recordingLogger() {
  const entries: { event: string; details: LogDetails | undefined }[] = []
  const write = (event: string, details?: LogDetails) => void entries.push({ event, details })
  return { entries, log: Object.fromEntries(LOG_LEVELS.map((level) => [level, write])) as Logger }
}

/** Opens a till whose clock and retention the test sets. The service has the time of the till unless the test sets it. */
function openWithRetention(changes: Partial<SlipDoubles> = {}, folder = temporaryFolder()) {
  const clock = { now: new Date('2026-11-21T12:05:33.000Z') }
  /** what the service answers, and its moment of a code: null if it sends none, undefined if it is that of the till */
  const service: { answers: boolean; time: string | null | undefined } = { answers: true, time: undefined }
  const settings = { values: KEEP_ALL }
  const { log, entries } = recordingLogger()
  const till = openSlipService(
    {
      now: () => clock.now,
      retention: () => settings.values,
      createQr: (points) => {
        if (!service.answers) return Promise.resolve(err({ kind: 'unknown-outcome', cause: 'timeout' }))
        const createdAt = service.time === undefined ? clock.now.toISOString() : service.time
        return Promise.resolve(ok({ ...qrCode(`CODE-${till.requestedPoints.length}`, points), createdAt }))
      },
      log,
      ...changes
    },
    folder
  )
  return {
    till,
    entries,
    at: (time: string) => {
      clock.now = new Date(time)
    },
    service,
    settings,
    /** Applies the retention with these times, and nothing else. */
    apply: async (days: Partial<RetentionSettings>) => {
      settings.values = { ...KEEP_ALL, ...days }
      const removed = await till.slips.retention.apply()
      if (!removed) throw new Error('The retention was not applied')
      return removed
    }
  }
}

const slipsOf = (till: SlipServiceFixture, text?: string) =>
  valueOf(till.slips.queries.list({ offset: 0, ...(text === undefined ? {} : { search: { text } }) })).slips

const reportOf = async (till: SlipServiceFixture): Promise<SlipsReport> =>
  valueOf(await till.slips.reports.report({ from: '2024-01-01', to: '2026-12-31' }))

const pdfsIn = (till: SlipServiceFixture): string[] => readdirSync(join(till.folder, 'slips')).toSorted()

describe('retention of names', () => {
  it('removes the name, the id and the search words of old slips, and keeps points and code', async () => {
    const { till, at, apply } = openWithRetention()
    at('2026-07-01T10:00:00.000Z')
    await issueAndPrint(till, { ...press(40), customer: zoe })
    at('2026-11-20T10:00:00.000Z')
    await issueAndPrint(till, { ...press(50), customer: ben })
    expect(await apply({ names: 90 })).toMatchObject({ names: 1, slips: 0 })
    expect(slipsOf(till).map(({ customer, points, code }) => [customer, points, code])).toEqual([
      [ben, 50, 'CODE-2'],
      [null, 40, 'CODE-1']
    ])
    expect(slipsOf(till, 'xanto')).toEqual([])
    expect(slipsOf(till, 'fisch')).toHaveLength(1)
  })

  it('leaves no byte of the name in the journal', async () => {
    const { till, at, apply } = openWithRetention()
    at('2026-07-01T10:00:00.000Z')
    for (let count = 0; count < 5; count++) await issueAndPrint(till, { ...press(40), customer: zoe })
    at('2026-11-20T10:00:00.000Z')
    await issueAndPrint(till, { ...press(50), customer: ben })
    await apply({ names: 90 })
    await till.slips.close()
    const bytes = readFileSync(join(till.folder, 'journal.db'))
    expect(['Xantopoulou', 'xantopoulou', zoe.id, 'Fischer'].map((text) => bytes.includes(text))).toEqual([
      false,
      false,
      false,
      true
    ])
  })

  it('empties the notes of old slips, which may name anyone, and keeps the others', async () => {
    const { till, at, service, apply } = openWithRetention()
    service.answers = false
    for (const [time, reason] of [
      ['2026-07-01T10:00:00.000Z', 'Wrong one, call Zoë Xantopoulou'],
      ['2026-07-01T10:00:00.000Z', BATCH_NOTES.cancelled],
      ['2026-11-20T10:00:00.000Z', 'Typed twice']
    ] as const) {
      at(time)
      const request = press(40)
      await till.slips.counter.issue(request)
      valueOf(await till.slips.printouts.discard({ ...request, reason }))
    }
    service.answers = true
    await issueAndPrint(till, press(1))
    expect(await apply({ names: 90 })).toMatchObject({ names: 1 })
    expect(slipsOf(till).map(({ ending }) => ending?.note)).toEqual([
      undefined,
      'Typed twice',
      BATCH_NOTES.cancelled,
      ''
    ])
    // Nothing is left to remove.
    expect(await apply({ names: 90 })).toMatchObject({ names: 0 })
  })

  it('removes references of bills, which may name anyone, and a reference stays issued', async () => {
    const { till, at, apply } = openWithRetention()
    at('2026-07-01T10:00:00.000Z')
    const request = {
      caller: { id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', name: 'Shop POS' },
      reference: 'Table Xantopoulou',
      contentHash: 'hash-of-the-request',
      points: 40,
      customer: null,
      delivery: 'return'
    } as const
    const issued = valueOf(await till.slips.programs.issue(request))
    at('2026-11-20T10:00:00.000Z')
    await issueAndPrint(till, press(1))
    expect(await apply({ names: 90 })).toMatchObject({ names: 1 })
    const [, slip] = slipsOf(till)
    expect([slip?.reference, slip?.caller?.name, slip?.code]).toEqual([null, 'Shop POS', 'CODE-1'])
    await till.slips.close()
    for (const file of readdirSync(till.folder).filter((name) => /^(journal\.db|program-slips)/.test(name)))
      for (const text of ['Xantopoulou', 'hash-of-the-request'])
        expect(readFileSync(join(till.folder, file)).includes(text)).toBe(false)

    const restarted = openSlipService({}, till.folder)
    const again = valueOf(await restarted.slips.programs.issue({ ...request, contentHash: 'other' }))
    expect(again.row.slip.code).toBe(issued.row.slip.code)
    expect(restarted.requestedPoints).toEqual([])
  })

  it('removes slips of programs from both files', async () => {
    const { till, at, apply } = openWithRetention()
    at('2023-07-01T10:00:00.000Z')
    const caller = { id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', name: 'Shop POS' }
    const request = { caller, contentHash: 'hash', points: 40, customer: null, delivery: 'return' } as const
    valueOf(await till.slips.programs.issue({ ...request, reference: 'R-1' }))
    at('2026-07-01T10:00:00.000Z')
    valueOf(await till.slips.programs.issue({ ...request, reference: 'R-2' }))
    at('2026-07-02T10:00:00.000Z')
    expect(await apply({ slips: 730 })).toMatchObject({ slips: 1 })
    await till.slips.close()
    const kept = new DatabaseSync(programSlipsFile(join(till.folder, 'journal.db')), { readOnly: true })
    expect(kept.prepare('SELECT reference FROM program_slips').all()).toEqual([{ reference: 'R-2' }])
    kept.close()
  })

  it('leaves slips that need attention as they are', async () => {
    const { till, at, service, apply } = openWithRetention()
    at('2026-07-01T10:00:00.000Z')
    service.answers = false
    await till.slips.counter.issue({ ...press(40), customer: zoe })
    at('2026-11-20T10:00:00.000Z')
    service.answers = true
    await issueAndPrint(till, press(1))
    expect(await apply({ names: 90 })).toMatchObject({ names: 0 })
    expect(slipsOf(till)[1]?.customer).toEqual(zoe)
  })
})

describe('retention of slips', () => {
  it('removes old slips with their copies, and keeps their sums in reports, which count them as removed', async () => {
    const { till, at, apply } = openWithRetention()
    const times = ['2024-02-03T10:14:59', '2024-02-03T10:15:00', '2026-11-19T10:00:00', '2026-11-20T10:00:00']
    for (const time of times.map((local) => `${local}.000Z`)) {
      at(time)
      const request = { ...press(40), customer: zoe }
      await issueAndPrint(till, request)
      await till.slips.printouts.reprint(request)
    }
    const before = await reportOf(till)
    expect(before).toMatchObject({ slips: 4, points: 160, copies: 4, removed: 0 })
    expect(await apply({ slips: 730 })).toMatchObject({ slips: 2 })
    expect(slipsOf(till)).toHaveLength(2)
    expect(slipsOf(till, 'xanto')).toHaveLength(2)
    expect(await reportOf(till)).toEqual({ ...before, removed: 2 })
    // The second run adds to the sums of the first.
    expect(await apply({ slips: 730 })).toMatchObject({ slips: 0 })
    expect(await reportOf(till)).toEqual({ ...before, removed: 2 })
  })

  it('keeps no copy in the sums that was not printed', async () => {
    const printer = { destination: { kind: 'queue', name: 'None' }, paperSize: '80mm' } as const
    let isOutOfPaper = false
    const { till, at, apply } = openWithRetention({
      settings: () => ({ printer, copies: 1, oneJob: false }),
      printOnPrinter: () =>
        Promise.resolve(
          isOutOfPaper
            ? err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false })
            : ok({ kind: 'printed' })
        )
    })
    at('2024-02-03T10:00:00.000Z')
    const request = press(40)
    await issueAndPrint(till, request)
    await till.slips.printouts.reprint(request)
    isOutOfPaper = true
    await till.slips.printouts.reprint(request)
    at('2026-11-19T10:00:00.000Z')
    await issueAndPrint(till, press(50))
    at('2026-11-20T10:00:00.000Z')
    expect(await reportOf(till)).toMatchObject({ copies: 1 })
    expect(await apply({ slips: 730 })).toMatchObject({ slips: 1 })
    expect(await reportOf(till)).toMatchObject({ copies: 1, removed: 1 })
  })

  it('keeps slips that need attention, and slips of unfinished batches', async () => {
    let batchAnswers = 0
    const { till, at, apply } = openWithRetention({
      createQr: (points) => {
        const createdAt = points === 7 ? '2026-11-19T10:00:00.000Z' : '2024-02-03T10:00:00.000Z'
        const isLost = points === 5 && ++batchAnswers > 2
        return Promise.resolve(
          isLost
            ? err({ kind: 'unknown-outcome', cause: 'timeout' })
            : ok({ ...qrCode(`B-${batchAnswers}-${points}`, points), createdAt })
        )
      }
    })
    at('2024-02-03T10:00:00.000Z')
    const batchId = '0a8f6a1c-7c0e-4a9e-9b60-0d6a4f0c2f11'
    await till.slips.batches.start({ batchId, points: 5, count: 4, oneJob: false })
    await till.until(({ state }) => state === 'stopped')
    const before = slipsOf(till).length
    at('2026-11-19T10:00:00.000Z')
    await till.slips.counter.issue(press(7))
    at('2026-11-20T10:00:00.000Z')
    expect(await apply({ slips: 730 })).toMatchObject({ slips: 0 })
    expect(slipsOf(till)).toHaveLength(before + 1)
  })
})

describe('retention of PDFs', () => {
  const old = new Date('2026-10-01T10:00:00.000Z')
  const makeOld = (till: SlipServiceFixture): void => {
    for (const file of pdfsIn(till)) utimesSync(join(till.folder, 'slips', file), old, old)
  }

  it('removes old PDFs, copies and reports included, and a reprint makes one again', async () => {
    const { till, apply } = openWithRetention()
    const request = press(40)
    await issueAndPrint(till, request)
    await till.slips.printouts.reprint(request)
    await till.slips.printouts.printReport({ from: '2026-11-20', to: '2026-11-20' })
    expect(pdfsIn(till)).toHaveLength(3)
    makeOld(till)
    await issueAndPrint(till, press(50))
    writeFileSync(join(till.folder, 'slips', 'notes.txt'), 'of the manager')
    expect(await apply({ pdfs: DEFAULT_RETENTION_SETTINGS.pdfs })).toMatchObject({ pdfs: 3 })
    expect(pdfsIn(till)).toEqual(['CODE-2.pdf', 'notes.txt'])
    await till.slips.printouts.reprint(request)
    expect(pdfsIn(till)).toEqual(['CODE-1-COPY-2.pdf', 'CODE-2.pdf', 'notes.txt'])
  })

  it.each([{ names: 90 }, { slips: 730 }] as const)(
    'removes the PDFs of the names that %j removes, copies included, whatever their own time is',
    async (days) => {
      const { till, at, apply } = openWithRetention()
      at('2024-07-01T10:00:00.000Z')
      const request = press(40)
      await issueAndPrint(till, { ...request, customer: zoe })
      await issueAndPrint(till, press(45))
      at('2026-11-19T10:00:00.000Z')
      await issueAndPrint(till, { ...press(50), customer: ben })
      at('2026-11-20T10:00:00.000Z')
      await till.slips.printouts.reprint(request)
      expect(pdfsIn(till)).toEqual(['CODE-1-COPY-1.pdf', 'CODE-1.pdf', 'CODE-2.pdf', 'CODE-3.pdf'])
      expect(await apply(days)).toMatchObject({ pdfs: 2 })
      expect(pdfsIn(till)).toEqual(['CODE-2.pdf', 'CODE-3.pdf'])
      expect(await pdfsShowing(join(till.folder, 'slips'), zoe.name)).toEqual([])
    }
  )

  it('keeps the name of an old slip while it is reprinted', async () => {
    const printer = { destination: { kind: 'queue', name: 'None' }, paperSize: '80mm' } as const
    const printing = Promise.withResolvers<Result<undefined>>()
    let printed = Promise.resolve<Result<undefined>>(ok(undefined))
    const { till, at, apply } = openWithRetention({
      settings: () => ({ printer, copies: 1, oneJob: false }),
      printOnPrinter: () => printed
    })
    onTestFinished(() => printing.resolve(ok(undefined)))
    at('2024-07-01T10:00:00.000Z')
    const request = press(40)
    await issueAndPrint(till, { ...request, customer: zoe })
    at('2026-11-19T10:00:00.000Z')
    await issueAndPrint(till, press(50))
    at('2026-11-20T10:00:00.000Z')
    printed = printing.promise
    const reprinted = till.slips.printouts.reprint(request)
    await vi.waitFor(() => expect(slipsOf(till)[1]?.lastCopy?.state).toBe('printing'))
    expect(await apply({ names: 90, slips: 730 })).toMatchObject({ names: 0, slips: 0 })
    printing.resolve(ok(undefined))
    valueOf(await reprinted)
    expect(await apply({ names: 90 })).toMatchObject({ names: 1 })
  })

  it('removes what killed processes left of PDFs', async () => {
    const { till, apply } = openWithRetention()
    await issueAndPrint(till, press(40))
    writeFileSync(join(till.folder, 'slips', 'tillpoints-1.part'), 'half of a slip')
    makeOld(till)
    await apply({ pdfs: 30 })
    expect(pdfsIn(till)).toEqual([])
  })

  it('keeps the PDF of a slip whose print is not recorded', async () => {
    const printer = { destination: { kind: 'queue', name: 'None' }, paperSize: '80mm' } as const
    const { till, apply } = openWithRetention({
      settings: () => ({ printer, copies: 1, oneJob: false }),
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'unknown', mayStillPrint: false }))
    })
    await issueAndPrint(till, press(40))
    expect(slipsOf(till)[0]?.state).toBe('print-failed')
    mkdirSync(join(till.folder, 'slips'))
    writeFileSync(join(till.folder, 'slips', 'CODE-1.pdf'), 'written before the till was killed')
    makeOld(till)
    expect(await apply({ pdfs: 30 })).toMatchObject({ pdfs: 0 })
    expect(pdfsIn(till)).toEqual(['CODE-1.pdf'])
  })
})

it('removes quarantined journals with their logs when they are old enough', async () => {
  const { till, apply } = openWithRetention()
  const name = (time: string) => join(till.folder, `journal.${time}.db`)
  const files = [
    name('damaged-2026-06-01T10-00-00-000Z'),
    `${name('damaged-2026-06-01T10-00-00-000Z')}-wal`,
    name('replaced-2026-11-01T10-00-00-000Z')
  ]
  const written = new Date('2026-06-01T09:00:00.000Z')
  for (const file of files) {
    writeFileSync(file, '')
    utimesSync(file, written, written)
  }
  await issueAndPrint(till, press(1))
  expect(await apply({ quarantinedJournals: 90 })).toMatchObject({ quarantinedJournals: 1 })
  expect(files.map((file) => existsSync(file))).toEqual([false, false, true])
})

describe('retention under a wrong clock', () => {
  const limits: RetentionSettings = { pdfs: 30, names: 90, quarantinedJournals: 90, slips: 730 }
  const wasSkipped = ({ event }: { event: string }) => event === 'retention-skipped'

  it('removes nothing when the service told another time, on any day and after a restart', async () => {
    const { till, at, service, settings, entries } = openWithRetention()
    settings.values = limits
    at('2026-11-20T10:00:00.000Z')
    await issueAndPrint(till, { ...press(40), customer: zoe })
    for (const day of ['21', '22']) {
      at(`2036-11-${day}T10:00:00.000Z`)
      service.time = `2026-11-${day}T10:00:00.000Z`
      await issueAndPrint(till, press(50))
      expect(await till.slips.retention.apply()).toBeNull()
    }
    expect(entries.filter(wasSkipped)).toHaveLength(1)
    await till.slips.close()
    const restarted = openWithRetention({}, till.folder)
    restarted.settings.values = limits
    restarted.at('2036-11-23T09:00:00.000Z')
    expect(await restarted.till.slips.retention.apply()).toBeNull()
    expect(slipsOf(restarted.till).map(({ customer }) => customer)).toEqual([null, null, zoe])
    expect(pdfsIn(restarted.till)).toHaveLength(3)
  })

  it('removes nothing when the clock is ahead before the first slip of a day', async () => {
    const { till, at, settings } = openWithRetention()
    settings.values = limits
    at('2026-11-20T10:00:00.000Z')
    await issueAndPrint(till, { ...press(40), customer: zoe })
    at('2027-06-21T10:00:00.000Z')
    expect(await till.slips.retention.apply()).toBeNull()
    expect(slipsOf(till)[0]?.customer).toEqual(zoe)
  })

  it('removes nothing years after the last slip of an earlier day when the service tells no time', async () => {
    const { till, at, service, settings } = openWithRetention()
    settings.values = limits
    service.time = null
    await issueAndPrint(till, press(40))
    at('2036-11-21T10:00:00.000Z')
    await issueAndPrint(till, press(50))
    expect(await till.slips.retention.apply()).toBeNull()
    expect(slipsOf(till)).toHaveLength(2)
  })

  it('removes nothing before the service issued a code; training mode issues its own', async () => {
    let training = true
    const { till, at, settings } = openWithRetention({ currentBusiness: () => ({ ...business, training }) })
    settings.values = limits
    at('2024-11-20T10:00:00.000Z')
    await issueAndPrint(till, press(40))
    at('2026-11-20T10:00:00.000Z')
    await issueAndPrint(till, press(40))
    at('2026-11-21T10:00:00.000Z')
    await issueAndPrint(till, press(50))
    expect(await till.slips.retention.apply()).toBeNull()
    training = false
    await issueAndPrint(till, press(60))
    expect(await till.slips.retention.apply()).toMatchObject({ slips: 1 })
  })

  it('goes on as soon as a slip shows that the clock is right, and ages slips by the time of the service', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { till, at, service, settings, entries } = openWithRetention()
    settings.values = limits
    at('2024-02-03T10:00:00.000Z')
    await issueAndPrint(till, press(40))
    for (const [wrong, right] of [
      ['2036-11-20', '2026-11-20'],
      ['2016-11-21', '2026-11-21']
    ]) {
      at(`${wrong}T10:00:00.000Z`)
      service.time = `${right}T10:00:00.000Z`
      await issueAndPrint(till, press(50))
    }
    at('2026-11-22T10:00:00.000Z')
    service.time = undefined
    till.slips.retention.start()
    await vi.waitFor(() => expect(entries.filter(wasSkipped)).toHaveLength(1))
    await issueAndPrint(till, press(60))
    at('2026-11-23T10:00:00.000Z')
    await issueAndPrint(till, press(60))
    vi.advanceTimersByTime(15 * 60_000)
    await vi.waitFor(() =>
      expect(entries).toContainEqual({
        event: 'retention-applied',
        details: { pdfs: 0, temporaryFiles: 0, names: 0, quarantinedJournals: 0, slips: 1 }
      })
    )
    expect(slipsOf(till).map(({ points }) => points)).toEqual([60, 60, 50, 50])
  })

  it('removes what is due when the service is an hour off, as with another time zone', async () => {
    const { till, at, service, apply } = openWithRetention()
    at('2024-02-03T10:00:00.000Z')
    await issueAndPrint(till, press(40))
    at('2026-11-20T10:00:00.000Z')
    await issueAndPrint(till, press(50))
    at('2026-11-21T10:00:00.000Z')
    service.time = '2026-11-21T11:00:00.000Z'
    await issueAndPrint(till, press(50))
    expect(await apply({ slips: 730 })).toMatchObject({ slips: 1 })
  })

  it('keeps a journal that was quarantined by a clock years behind', async () => {
    const { till, apply } = openWithRetention()
    const file = join(till.folder, 'journal.damaged-2016-06-01T10-00-00-000Z.db')
    writeFileSync(file, '')
    const written = new Date('2026-11-20T10:00:00.000Z')
    utimesSync(file, written, written)
    await issueAndPrint(till, press(1))
    expect(await apply({ quarantinedJournals: 90 })).toMatchObject({ quarantinedJournals: 0 })
    expect(existsSync(file)).toBe(true)
  })
})

it('is applied at the start and once a day, with its numbers in the log', async () => {
  const { till, entries } = openWithRetention()
  await issueAndPrint(till, press(1))
  till.slips.retention.start()
  till.slips.retention.start()
  await till.slips.retention.stop()
  const applied = entries.filter(({ event }) => event === 'retention-applied')
  expect(applied).toEqual([
    {
      event: 'retention-applied',
      details: { pdfs: 0, temporaryFiles: 0, names: 0, quarantinedJournals: 0, slips: 0 }
    }
  ])
})
