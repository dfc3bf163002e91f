import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { NewQrCode } from '../../../../electron/contract/loyalty.ts'
import type { DeliveryMethod } from '../../../../electron/contract/settings.ts'
import type { QrDrawing, Slip } from '../../../../electron/contract/slips.ts'
import type { ServingCashier } from '../../../../electron/contract/staff.ts'
import { drawQr } from '../../../../electron/images/qr-code.ts'
import {
  issueAndPrint,
  openSlipService,
  press,
  qrCode,
  temporaryFolder,
  valueOf
} from './slip-service-fixture.ts'
import { business } from '../../../support/sample-business.ts'
import { openSlips } from '../../../../electron/main/slips/slip-service.ts'
import { slipDependencies, type SlipDoubles } from '../../../support/slip-service.ts'

const lost: Failure = { kind: 'unknown-outcome', cause: 'timeout' }

describe('SlipService.issue', () => {
  it('saves a PDF named after the code when no printer is selected', async () => {
    const till = openSlipService()
    const { slip, qr } = valueOf(
      await issueAndPrint(till, { ...press(250), customer: { id: 'c1', name: 'Maria' } })
    )
    expect(slip).toMatchObject({
      state: 'printed',
      points: 250,
      customer: { id: 'c1', name: 'Maria' },
      code: 'CODE-1',
      file: join(till.folder, 'slips', 'CODE-1.pdf'),
      failure: null,
      training: false
    })
    expect(qr?.size).toBeGreaterThan(20)
    expect(
      readFileSync(join(till.folder, 'slips', 'CODE-1.pdf'))
        .subarray(0, 5)
        .toString()
    ).toBe('%PDF-')
  })

  it('writes the request before the call of the service, and the code before printing', async () => {
    const states: (string | undefined)[] = []
    const till = openSlipService({
      createQr: (points) => {
        states.push(valueOf(till.slips.queries.list({ offset: 0 })).slips[0]?.state)
        return Promise.resolve(ok(qrCode('A', points)))
      }
    })
    await issueAndPrint(till, press())
    expect(states).toEqual(['requested'])
    expect(till.reportedSlips.map(({ state, code }) => [state, code])).toEqual([
      ['requested', null],
      ['issued', 'A'],
      ['printing', 'A'],
      ['printed', 'A']
    ])
  })

  it('calls the service once for two calls at once with one intent id', async () => {
    const till = openSlipService()
    const intent = press()
    const [first, second] = await Promise.all([
      till.slips.counter.issue(intent),
      till.slips.counter.issue(intent)
    ])
    expect(valueOf(first)).toEqual(valueOf(second))
    expect(till.requestedPoints).toEqual([250])
  })

  it('returns the first result for the same intent id, also after a restart', async () => {
    const till = openSlipService()
    const intent = press()
    const first = valueOf(await issueAndPrint(till, intent))
    expect(valueOf(await till.slips.counter.issue(intent))).toEqual(first)
    const again = await till.restart()
    expect(valueOf(await again.slips.counter.issue(intent))).toEqual(first)
    expect([...till.requestedPoints, ...again.requestedPoints]).toEqual([250])
  })

  it.each<[number, Failure]>([
    [0, { kind: 'invalid-input', field: 'points', fault: 'below-one' }],
    [-3, { kind: 'invalid-input', field: 'points', fault: 'below-one' }],
    [1.5, { kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' }],
    [Number.NaN, { kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' }],
    [10_000_000, { kind: 'points-too-many', maximum: 9_999_999 }]
  ])('rejects %s points before anything is written or sent', async (points, failure) => {
    const till = openSlipService()
    expect(await till.slips.counter.issue(press(points))).toEqual(err(failure))
    expect(till.requestedPoints).toEqual([])
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toEqual([])
  })

  it.each([
    ["the service's moment", '2026-11-21T14:05:33+01:00', '2026-11-21T13:05:33.000Z'],
    [
      "the till's moment without an exact one of the service",
      '2026-11-21 14:05:33',
      '2026-11-21T12:05:33.000Z'
    ]
  ])('has %s', async (_, createdAt, issuedAt) => {
    const till = openSlipService({
      createQr: (points) => Promise.resolve(ok({ ...qrCode('A', points), createdAt }))
    })
    expect(valueOf(await till.slips.counter.issue(press())).slip.issuedAt).toBe(issuedAt)
  })

  it.each([
    ['2027-02-19T14:05:33.000+01:00', '2027-02-19T13:05:33.000Z'],
    ['2027-02-19', null],
    ['0001-01-01T00:00:00Z', null],
    [null, null]
  ])('keeps until when its code can be collected, sent as %j', async (expiresAt, kept) => {
    const till = openSlipService({
      createQr: (points) => Promise.resolve(ok({ ...qrCode('A', points), expiresAt }))
    })
    expect(valueOf(await till.slips.counter.issue(press())).slip.expiresAt).toBe(kept)
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toMatchObject([{ expiresAt: kept }])
  })

  it('stores a refusal with its reason, prints nothing, and does not call the service again', async () => {
    const failure: Failure = { kind: 'rejected', status: 402, message: 'Plan used up' }
    const till = openSlipService({ createQr: () => Promise.resolve(err(failure)) })
    const intent = press()
    expect(await till.slips.counter.issue(intent)).toEqual(err(failure))
    expect(await till.slips.counter.issue(intent)).toEqual(err(failure))
    expect(till.requestedPoints).toEqual([250])
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { state: 'refused', failure, code: null }
    ])
    expect(valueOf(till.slips.queries.attention())).toBe(0)
  })

  it('stores a lost response as unknown, and lists it for attention after a restart', async () => {
    const till = openSlipService({ createQr: () => Promise.resolve(err(lost)) })
    const intent = press()
    expect(await till.slips.counter.issue(intent)).toEqual(err(lost))
    const again = await till.restart()
    expect(await again.slips.counter.issue(intent)).toEqual(err(lost))
    expect(again.requestedPoints).toEqual([])
    expect(valueOf(again.slips.queries.attention())).toBe(1)
    expect(existsSync(join(till.folder, 'slips'))).toBe(false)
  })

  it('treats a code with other points than requested as an unknown outcome', async () => {
    const till = openSlipService({ createQr: () => Promise.resolve(ok(qrCode('A', 25))) })
    expect(await till.slips.counter.issue(press(250))).toEqual(
      err({ kind: 'unknown-outcome', cause: 'bad-response' })
    )
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { state: 'unknown', code: null }
    ])
  })

  it('treats a code that was issued before as an unknown outcome, and prints it once', async () => {
    const till = openSlipService({ createQr: (points) => Promise.resolve(ok(qrCode('A', points))) })
    expect(valueOf(await issueAndPrint(till, press(250))).slip.code).toBe('A')
    expect(await issueAndPrint(till, press(250))).toEqual(
      err({ kind: 'unknown-outcome', cause: 'bad-response' })
    )
    expect(readdirSync(join(till.folder, 'slips'))).toEqual(['A.pdf'])
    expect(valueOf(till.slips.queries.attention())).toBe(1)
  })

  it('treats a code that two slips of a batch have as an unknown outcome of one of them', async () => {
    const till = openSlipService({ createQr: (points) => Promise.resolve(ok(qrCode('A', points))) })
    await till.slips.batches.start({ batchId: randomUUID(), points: 5, count: 2, oneJob: true })
    const batch = await till.until(({ state }) => state !== 'running')
    expect(batch).toMatchObject({ state: 'stopped', issued: 1, unknown: 1 })
  })

  it('treats an exception of the service client as an unknown outcome', async () => {
    const till = openSlipService({ createQr: () => Promise.reject(new Error('socket')) })
    expect(await till.slips.counter.issue(press())).toEqual(
      err({ kind: 'unknown-outcome', cause: 'connection-lost' })
    )
  })

  it('shows what the balance buys with these points, for a slip with a customer', async () => {
    const affordable = { best: 'Mug', others: 2, next: null }
    const asked: unknown[] = []
    const till = openSlipService({
      currentBusiness: () => ({ ...business, slip: { ...business.slip, rewards: true } }),
      affordable: (...input) => {
        asked.push(input)
        return affordable
      }
    })
    const pressed = { ...press(250), customer: { id: 'c1', name: 'Maria' } }
    expect(valueOf(await till.slips.counter.issue(pressed)).affordable).toEqual(affordable)
    expect(valueOf(await till.slips.counter.issue(press(40))).affordable).toBeNull()
    expect(asked).toEqual([['c1', 250]])
    // A copy shows what the original showed.
    const next = await till.restart()
    expect(valueOf(await next.slips.printouts.print(pressed)).affordable).toEqual(affordable)
  })

  it('fails with not-connected without a business', async () => {
    const till = openSlipService({ currentBusiness: () => null })
    expect(await till.slips.counter.issue(press())).toEqual(err({ kind: 'not-connected' }))
    expect(till.requestedPoints).toEqual([])
  })
})

describe('SlipService on a failing disk', () => {
  it('issues nothing when the journal cannot be opened', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'not-a-folder'), '')
    const journalFile = join(folder, 'not-a-folder', 'journal.db')
    expect(openSlips(slipDependencies(folder, { journalFile }))).toEqual({
      slips: err({ kind: 'not-saved', what: 'journal' }),
      notices: [{ kind: 'journal-not-saved' }]
    })
  })

  it('keeps the code of a slip whose PDF could not be saved, and saves it on request', async () => {
    const folder = temporaryFolder()
    const slipsFolder = join(folder, 'slips')
    writeFileSync(slipsFolder, 'in the way')
    const till = openSlipService({}, folder)
    const intent = press()
    const failed = valueOf(await issueAndPrint(till, intent))
    expect(failed.slip).toMatchObject({
      state: 'print-failed',
      code: 'CODE-1',
      file: null,
      failure: { kind: 'not-saved', what: 'slip' }
    })
    expect(failed.qr).not.toBeNull()
    expect(valueOf(till.slips.queries.attention())).toBe(1)

    rmSync(slipsFolder)
    mkdirSync(slipsFolder)
    const printed = valueOf(await till.slips.printouts.print(intent))
    expect(printed.slip).toMatchObject({ state: 'printed', code: 'CODE-1', failure: null })
    expect(existsSync(join(slipsFolder, 'CODE-1.pdf'))).toBe(true)
    expect(valueOf(till.slips.queries.attention())).toBe(0)
    expect(till.requestedPoints).toEqual([250])
  })

  it('fails to print a URL that is too long for a scannable QR code', async () => {
    const qrURL = `https://loyalty.example/${'x'.repeat(2000)}`
    const till = openSlipService({
      createQr: (points) => Promise.resolve(ok({ ...qrCode('A', points), qrURL }))
    })
    expect(valueOf(await issueAndPrint(till, press())).slip).toMatchObject({
      state: 'print-failed',
      code: 'A',
      failure: { kind: 'bad-response', path: 'qrURL' }
    })
  })
})

describe('SlipService.print', () => {
  it('returns a printed slip unchanged', async () => {
    const till = openSlipService()
    const intent = press()
    const first = valueOf(await issueAndPrint(till, intent))
    expect(valueOf(await till.slips.printouts.print(intent))).toEqual(first)
  })

  it('fails with not-found without a code', async () => {
    const till = openSlipService({ createQr: () => Promise.resolve(err(lost)) })
    const intent = press()
    await till.slips.counter.issue(intent)
    expect(await till.slips.printouts.print(intent)).toEqual(err({ kind: 'not-found' }))
    expect(await till.slips.printouts.print(press())).toEqual(err({ kind: 'not-found' }))
  })

  it('reports pending work from the request to the end of the print job', async () => {
    const answers: ((answer: Result<NewQrCode>) => void)[] = []
    const till = openSlipService({ createQr: () => new Promise((resolve) => answers.push(resolve)) })
    expect(till.slips.pendingWork()).toBeNull()
    const pressed = press()
    const issuing = till.slips.counter.issue(pressed)
    await expect.poll(() => answers.length).toBe(1)
    expect(till.slips.pendingWork()).toBe('slip')
    answers[0]?.(ok(qrCode('A', pressed.points)))
    await issuing
    expect(till.slips.pendingWork()).toBe('slip')
    await till.slips.printouts.print(pressed)
    await expect.poll(() => till.slips.pendingWork()).toBeNull()
  })

  it('shares one print job between a pending issue and a print call', async () => {
    let reply: (value: Result<NewQrCode>) => void = () => undefined
    const till = openSlipService({ createQr: () => new Promise((resolve) => (reply = resolve)) })
    const intent = press()
    const both = [till.slips.counter.issue(intent), till.slips.printouts.print(intent)]
    reply(ok(qrCode('A', 250)))
    const [issued, printed] = await Promise.all(both)
    expect(valueOf(issued ?? err(lost)).slip.state).toBe('printing')
    expect(valueOf(printed ?? err(lost)).slip).toMatchObject({ state: 'printed', code: 'A' })
    expect(till.reportedSlips.filter(({ state }) => state === 'printed')).toHaveLength(1)
  })
})

describe('SlipQueries.list', () => {
  it('returns pages, newest first', async () => {
    const till = openSlipService()
    for (let points = 1; points <= 60; points++) await till.slips.counter.issue(press(points))
    const first = valueOf(till.slips.queries.list({ offset: 0 }))
    const second = valueOf(till.slips.queries.list({ offset: 50 }))
    expect(first.slips.map(({ points }) => points)).toEqual(
      Array.from({ length: 50 }, (_, index) => 60 - index)
    )
    expect(first.hasMore).toBe(true)
    expect(second.slips.map(({ points }) => points)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(second.hasMore).toBe(false)
  })

  it('returns the slips of the current business and mode only', async () => {
    let current = business
    const till = openSlipService({ currentBusiness: () => current })
    await till.slips.counter.issue(press(1))
    current = { ...business, training: true }
    await till.slips.counter.issue(press(2))
    current = { ...business, id: 'business-2' }
    await till.slips.counter.issue(press(3))
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips.map(({ points }) => points)).toEqual([3])
    expect(till.slips.queries.byCode('CODE-3')).toMatchObject({ points: 3 })
    expect(till.slips.queries.byCode('CODE-1')).toBeNull()
    current = { ...business, training: true }
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { points: 2, training: true }
    ])
  })
})

it('stores the cashier of the request on a slip', async () => {
  let serving: ServingCashier | null = { id: 'k1', name: 'Anna', number: 1 }
  const till = openSlipService({ currentCashier: () => serving })
  const pressed = press()
  expect(valueOf(await till.slips.counter.issue(pressed)).slip.cashier).toEqual({ id: 'k1', name: 'Anna' })
  serving = null
  expect(valueOf(await till.slips.counter.issue(press())).slip.cashier).toBeNull()
  expect(valueOf(await till.slips.printouts.print(pressed)).slip.cashier?.name).toBe('Anna')
})

it('stores the cashier who started a batch on all its slips', async () => {
  let serving: ServingCashier | null = { id: 'k1', name: 'Anna', number: 1 }
  const till = openSlipService({ currentCashier: () => serving })
  const batch = { batchId: randomUUID(), points: 5, count: 30, oneJob: true }
  valueOf(await till.slips.batches.start(batch))
  serving = { id: 'k2', name: 'Ben', number: 2 }
  await till.finished()
  const { slips } = valueOf(till.slips.queries.list({ offset: 0, search: { cashierId: 'k1' } }))
  expect(slips).toHaveLength(30)
})

/** Opens a service with a customer display, and records what it shows. */
function openWithDisplay(
  way: DeliveryMethod,
  changes: Partial<SlipDoubles> = {},
  isOpen: () => boolean = () => true
) {
  const shown: { readonly slip: Slip; readonly qr: QrDrawing | null }[] = []
  const till = openSlipService({
    deliveryMethod: () => way,
    showOnDisplay: (slip, qr) => {
      shown.push({ slip, qr })
      return isOpen()
    },
    ...changes
  })
  const papers = (): string[] => {
    try {
      return readdirSync(join(till.folder, 'slips'))
    } catch {
      return []
    }
  }
  return { till, shown, papers }
}

const drawing = drawQr('https://loyalty.example/q/CODE-1')

describe('delivery method', () => {
  it('print: sends the slip to the display without its QR code', async () => {
    const { till, shown, papers } = openWithDisplay('print')
    const pressed = press()
    await till.slips.counter.issue(pressed)
    expect(valueOf(await till.slips.printouts.print(pressed)).slip).toMatchObject({
      state: 'printed',
      shownAt: null
    })
    expect(shown.map(({ slip, qr }) => [slip.code, qr])).toEqual([['CODE-1', null]])
    expect(papers()).toEqual(['CODE-1.pdf'])
  })

  it('show: displays the QR code once it is on disk, and prints nothing', async () => {
    const { till, shown, papers } = openWithDisplay('show')
    const issued = valueOf(await till.slips.counter.issue({ ...press(), copies: 3 }))
    expect(issued.slip).toMatchObject({
      state: 'shown',
      shownAt: '2026-11-21T12:05:33.000Z',
      printedAt: null
    })
    expect(shown.map(({ slip, qr }) => [slip.state, slip.code, qr])).toEqual([['issued', 'CODE-1', drawing]])
    expect(papers()).toEqual([])
    expect(till.slips.queries.attention()).toEqual(ok(0))
  })

  it('show: displays the QR code once for repeated calls', async () => {
    const { till, shown } = openWithDisplay('show')
    const pressed = press()
    const both = await Promise.all([till.slips.counter.issue(pressed), till.slips.counter.issue(pressed)])
    await till.slips.counter.issue(pressed)
    expect(both.map((answer) => valueOf(answer).slip.state)).toEqual(['shown', 'shown'])
    expect(shown).toHaveLength(1)
    expect(till.requestedPoints).toEqual([250])
  })

  it('both: displays the QR code and prints the requested copies', async () => {
    const { till, shown, papers } = openWithDisplay('both')
    const pressed = { ...press(), copies: 2 }
    const { slip } = valueOf(await till.slips.counter.issue(pressed))
    expect(slip).toMatchObject({ state: 'printing', shownAt: '2026-11-21T12:05:33.000Z' })
    await till.slips.printouts.print(pressed)
    await till.slips.close()
    expect(shown.map(({ qr }) => qr)).toEqual([drawing])
    expect(papers().sort()).toEqual(['CODE-1-COPY-1.pdf', 'CODE-1.pdf'])
  })

  it('show and both: print when the display is closed', async () => {
    for (const way of ['show', 'both'] as const) {
      const { till, papers } = openWithDisplay(way, {}, () => false)
      const pressed = press()
      await till.slips.counter.issue(pressed)
      expect(valueOf(await till.slips.printouts.print(pressed)).slip).toMatchObject({
        state: 'printed',
        shownAt: null
      })
      expect(papers()).toEqual(['CODE-1.pdf'])
    }
  })

  it('show: fails to print, and displays nothing, when the URL is too long for a QR code', async () => {
    const { till, shown } = openWithDisplay('show', {
      createQr: (points) =>
        Promise.resolve(ok({ ...qrCode('LONG', points), qrURL: `https://x.example/${'a'.repeat(3000)}` }))
    })
    const pressed = press()
    await till.slips.counter.issue(pressed)
    expect(valueOf(await till.slips.printouts.print(pressed)).slip).toMatchObject({
      state: 'print-failed',
      shownAt: null,
      failure: { kind: 'bad-response', path: 'qrURL' }
    })
    expect(shown.every(({ qr }) => qr === null)).toBe(true)
  })

  it('show: sends nothing to the display after a refusal or an unknown outcome', async () => {
    for (const failure of [{ kind: 'offline' }, { kind: 'unknown-outcome', cause: 'timeout' }] as const) {
      const { till, shown } = openWithDisplay('show', { createQr: () => Promise.resolve(err(failure)) })
      expect(await till.slips.counter.issue(press())).toEqual(err(failure))
      expect(shown).toEqual([])
    }
  })
})

describe('a slip in state shown', () => {
  it('is printed for the first time, without the mark COPY, by a reprint', async () => {
    const { till, papers } = openWithDisplay('show', {
      settings: () => ({
        printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
        copies: 2,
        oneJob: false
      })
    })
    await till.slips.counter.issue(press())
    const { slip } = valueOf(await till.slips.printouts.reprintLast())
    expect(slip).toMatchObject({ state: 'printed', copies: 0, shownAt: '2026-11-21T12:05:33.000Z' })
    expect(papers()).toEqual(['CODE-1.pdf'])
    expect(valueOf(await till.slips.printouts.reprintLast()).slip).toMatchObject({
      state: 'printed',
      copies: 1
    })
    expect(till.requestedPoints).toEqual([250])
  })

  it('needs attention when its print fails, and keeps the time at which it was shown', async () => {
    const { till } = openWithDisplay('show', {
      settings: () => ({
        printer: { destination: { kind: 'queue', name: 'Q' }, paperSize: '80mm' },
        copies: 1,
        oneJob: false
      }),
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    })
    const pressed = press()
    await till.slips.counter.issue(pressed)
    expect(valueOf(await till.slips.printouts.print(pressed)).slip).toMatchObject({
      state: 'print-failed',
      shownAt: '2026-11-21T12:05:33.000Z'
    })
    expect(till.slips.queries.attention()).toEqual(ok(1))
  })

  it('keeps its state after a restart, and is found by it', async () => {
    const folder = temporaryFolder()
    const till = openSlipService({ deliveryMethod: () => 'show', showOnDisplay: () => true }, folder)
    await till.slips.counter.issue(press())
    const again = await till.restart()
    const found = valueOf(again.slips.queries.list({ offset: 0, search: { states: ['shown'] } }))
    expect(found.slips.map(({ state, code }) => [state, code])).toEqual([['shown', 'CODE-1']])
    expect(again.slips.queries.attention()).toEqual(ok(0))
  })

  it('does not occur in a batch', async () => {
    const { till, shown } = openWithDisplay('show')
    valueOf(
      await till.slips.batches.start({
        batchId: '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d',
        points: 5,
        count: 3,
        oneJob: false
      })
    )
    expect(await till.finished()).toMatchObject({ printed: 3 })
    expect(shown).toEqual([])
  })
})
