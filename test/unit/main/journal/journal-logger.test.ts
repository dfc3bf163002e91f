import { describe, expect, it } from 'vitest'
import { err, ok, type Failure } from '../../../../electron/contract/failure.ts'
import type { LogDetails, Logger } from '../../../../electron/main/log/log.ts'
import { issueAndPrint, openSlipService, press, qrCode } from '../slips/slip-service-fixture.ts'

/** Creates a log that records its entries. */
function createRecordingLog(): { log: Logger; lines: { event: string; details: LogDetails }[] } {
  const lines: { event: string; details: LogDetails }[] = []
  const write = (event: string, details: LogDetails = {}): void => {
    lines.push({ event, details })
  }
  return { log: { error: write, warn: write, info: write, debug: write }, lines }
}

const code = 'ABCDEF-SECRET-1'
const customer = { id: 'customer-1', name: 'Μαρία Δοκιμή' }
const words: Failure = { kind: 'rejected', status: 422, message: 'Μαρία has no points' }

describe('JournalLogger', () => {
  it('logs each change from the request to a copy, with the intent id', async () => {
    const { log, lines } = createRecordingLog()
    const till = openSlipService({ log, createQr: (points) => Promise.resolve(ok(qrCode(code, points))) })
    const pressed = press()
    await issueAndPrint(till, pressed)
    await till.slips.printouts.reprint(pressed)
    expect(lines.map(({ event }) => event)).toEqual([
      'slip-requested',
      'slip-response',
      'slip-issued',
      'slip-printing',
      'slip-printed',
      'copy-printing',
      'copy-printed'
    ])
    for (const { details } of lines) expect(details).toMatchObject({ intentId: pressed.intentId })
    expect(lines.at(-1)?.details).toMatchObject({ codeBegins: 'ABCD…', copy: 1 })
  })

  it('logs a refusal, a lost response, a failed print and a discard', async () => {
    const { log, lines } = createRecordingLog()
    const answers = [
      err(words),
      err({ kind: 'unknown-outcome', cause: 'timeout' } as const),
      ok(qrCode(code, 250))
    ]
    const till = openSlipService({
      log,
      createQr: () => Promise.resolve(answers.shift() ?? err(words)),
      settings: () => ({
        printer: { destination: { kind: 'queue', name: 'Receipts' }, paperSize: '80mm' },
        copies: 1,
        oneJob: false
      }),
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    })
    for (const one of [press(), press()]) await issueAndPrint(till, one)
    const last = press()
    await issueAndPrint(till, last)
    await till.slips.printouts.discard({ intentId: last.intentId, reason: 'Μαρία left' })
    const detailsOf = (event: string) => lines.find((line) => line.event === event)?.details
    expect(detailsOf('slip-refused')).toMatchObject({ failure: 'rejected', status: 422 })
    expect(detailsOf('slip-unknown')).toMatchObject({ failure: 'unknown-outcome', cause: 'timeout' })
    expect(detailsOf('slip-print-failed')).toMatchObject({ failure: 'not-printed', fault: 'out-of-paper' })
    expect(detailsOf('slip-discarded')).toMatchObject({ intentId: last.intentId })
  })

  it('names no bill: a reference may name a customer', async () => {
    const { log, lines } = createRecordingLog()
    const till = openSlipService({ log })
    await issueAndPrint(till, { ...press(), reference: 'Δοκιμή Maria 7' })
    await till.slips.programs.issue({
      caller: { id: '0a8a3f1c-54f5-4d29-8b0e-3d2a7c1f9b11', name: 'Shop POS' },
      reference: 'Bill Maria 8',
      contentHash: 'h',
      points: 5,
      customer: null,
      delivery: 'return'
    })
    expect(lines.map(({ event }) => event)).toContain('slip-given')
    expect(JSON.stringify(lines)).not.toMatch(/Maria|Δοκιμή/)
  })

  it('logs the batch id with each slip of a batch', async () => {
    const { log, lines } = createRecordingLog()
    const till = openSlipService({ log })
    const batchId = press().intentId
    await till.slips.batches.start({ batchId, points: 5, count: 2, oneJob: true })
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

  it('logs no name, no complete code, and no text of the service', async () => {
    const { log, lines } = createRecordingLog()
    const answers = [ok(qrCode(code, 250)), err(words)]
    const till = openSlipService({ log, createQr: () => Promise.resolve(answers.shift() ?? err(words)) })
    const first = { ...press(), customer }
    await issueAndPrint(till, first)
    await issueAndPrint(till, { ...press(), customer })
    await till.slips.printouts.markGiven({ intentId: first.intentId, note: 'to Μαρία' })
    expect(JSON.stringify(lines)).not.toMatch(/Μαρία|customer-1|SECRET/)
  })
})
