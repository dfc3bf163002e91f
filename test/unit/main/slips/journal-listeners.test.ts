import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { err, ok, type Failure } from '../../../../electron/contract/failure.ts'
import type { LogDetails, Logger } from '../../../../electron/main/log/log.ts'
import { BETWEEN_TELLINGS, createTelling } from '../../../../electron/main/slips/journal-listeners.ts'
import { issueAndPrint, openTill, press, qrCode } from './slip-service-fixture.ts'

/** A log that keeps what is written to it. */
function recording(): { log: Logger; lines: { event: string; details: LogDetails }[] } {
  const lines: { event: string; details: LogDetails }[] = []
  const write = (event: string, details: LogDetails = {}): void => {
    lines.push({ event, details })
  }
  return { log: { error: write, warn: write, info: write, debug: write }, lines }
}

const code = 'ABCDEF-SECRET-1'
const customer = { id: 'customer-1', name: 'Μαρία Δοκιμή' }
const words: Failure = { kind: 'rejected', status: 422, message: 'Μαρία has no points' }

describe('the life of a slip in the log', () => {
  it('is told from the request to a copy, each line with the id of its intent', async () => {
    const { log, lines } = recording()
    const till = openTill({ log, createQr: (points) => Promise.resolve(ok(qrCode(code, points))) })
    const pressed = press()
    await issueAndPrint(till, pressed)
    await till.slips.reprint(pressed)
    expect(lines.map(({ event }) => event)).toEqual([
      'slip-requested',
      'slip-answered',
      'slip-issued',
      'slip-printing',
      'slip-printed',
      'copy-printing',
      'copy-printed'
    ])
    for (const { details } of lines) expect(details).toMatchObject({ intentId: pressed.intentId })
    expect(lines.at(-1)?.details).toMatchObject({ codeBegins: 'ABCD…', copy: 1 })
  })

  it('tells a refusal, a lost answer, a failed print and a discard', async () => {
    const { log, lines } = recording()
    const answers = [
      err(words),
      err({ kind: 'unknown-outcome', cause: 'timeout' } as const),
      ok(qrCode(code, 250))
    ]
    const till = openTill({
      log,
      createQr: () => Promise.resolve(answers.shift() ?? err(words)),
      settings: () => ({
        printer: { destination: { kind: 'queue', name: 'Receipts' }, paper: '80mm' },
        copies: 1,
        oneJob: false
      }),
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    })
    for (const one of [press(), press()]) await issueAndPrint(till, one)
    const last = press()
    await issueAndPrint(till, last)
    till.slips.discard({ intentId: last.intentId, reason: 'Μαρία left' })
    const told = (event: string) => lines.find((line) => line.event === event)?.details
    expect(told('slip-refused')).toMatchObject({ failure: 'rejected', status: 422 })
    expect(told('slip-unknown')).toMatchObject({ failure: 'unknown-outcome', cause: 'timeout' })
    expect(told('slip-print-failed')).toMatchObject({ failure: 'not-printed', fault: 'out-of-paper' })
    expect(told('slip-discarded')).toMatchObject({ intentId: last.intentId })
  })

  it('ties the slips of a batch to it', async () => {
    const { log, lines } = recording()
    const till = openTill({ log })
    const batchId = press().intentId
    await till.slips.batches?.start({ batchId, points: 5, count: 2, oneJob: true })
    await till.finished()
    expect(lines.filter(({ event }) => event.startsWith('batch-')).map(({ event }) => event)).toEqual([
      'batch-running',
      'batch-finished'
    ])
    const slips = lines.filter(({ event }) => event === 'slip-printed')
    expect(slips.map(({ details }) => [details['batchId'], details['position']])).toEqual([
      [batchId, 1],
      [batchId, 2]
    ])
  })

  it('holds no name, no whole code, and none of the service’s own words', async () => {
    const { log, lines } = recording()
    const answers = [ok(qrCode(code, 250)), err(words)]
    const till = openTill({ log, createQr: () => Promise.resolve(answers.shift() ?? err(words)) })
    const first = { ...press(), customer }
    await issueAndPrint(till, first)
    await issueAndPrint(till, { ...press(), customer })
    till.slips.markGiven({ intentId: first.intentId, note: 'to Μαρία' })
    expect(JSON.stringify(lines)).not.toMatch(/Μαρία|customer-1|SECRET/)
  })
})

const scope = { training: false, businessId: 'business-1' }

function openTelling() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  const telling = createTelling((_scope, batchId) => told.push(batchId))
  return { telling, told }
}

it('tells of the first change at once, and of all that follow once in a while, the last one too', () => {
  const { telling, told } = openTelling()
  for (let change = 0; change < 50; change++) telling.changed(scope, 'a')
  expect(told).toEqual(['a'])
  telling.changed(scope, 'b')
  vi.advanceTimersByTime(BETWEEN_TELLINGS)
  expect(told).toEqual(['a', 'a', 'b'])
  vi.advanceTimersByTime(10 * BETWEEN_TELLINGS)
  expect(told).toEqual(['a', 'a', 'b'])
  telling.changed(scope, 'a')
  expect(told).toEqual(['a', 'a', 'b', 'a'])
})

it('tells the rest when it is closed, and nothing later', () => {
  const { telling, told } = openTelling()
  telling.changed(scope, 'a')
  telling.changed(scope, 'a')
  telling.close()
  expect(told).toEqual(['a', 'a'])
  vi.advanceTimersByTime(10 * BETWEEN_TELLINGS)
  expect(told).toEqual(['a', 'a'])
})
