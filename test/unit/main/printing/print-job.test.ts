/** What a document is laid out for, and how the end of its job is awaited. */
import { describe, expect, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  type PrinterSettings,
  type ReceiptPrinter,
  type PrintFault
} from '../../../../electron/contract/printing.ts'
import {
  type CancelOutcome,
  DEFAULT_TIMEOUTS,
  type PrintTarget,
  renderForQueues,
  type JobStatus,
  type MonitoredJob,
  type PrintControl,
  printTarget,
  waitForJob
} from '../../../../electron/main/printing/print-job.ts'

const queue: PrinterSettings['destination'] = { kind: 'queue', name: 'Bon' }
const receiptPrinter: ReceiptPrinter = {
  kind: 'receipt-printer',
  connection: { kind: 'device', path: '/dev/usb/lp0' },
  ...DEFAULT_RECEIPT_OPTIONS
}
const format = { language: 'esc-pos', cut: 'partial', code: 'raster' }

test('a receipt printer gets commands for its own head, or the usual one of the paper', () => {
  expect(printTarget({ destination: receiptPrinter, paperSize: '58mm' })).toMatchObject({
    headWidth: null,
    receipt: { ...format, widthDots: 384 }
  })
  const wide: ReceiptPrinter = { ...receiptPrinter, widthDots: 512 }
  expect(printTarget({ destination: wide, paperSize: '80mm' })).toMatchObject({
    headWidth: 512,
    receipt: { ...format, widthDots: 512 }
  })
})

test('no receipt printer takes a sheet', () => {
  expect(printTarget({ destination: receiptPrinter, paperSize: 'A4' }).receipt).toBeNull()
})

test('a PDF without the margins of the roll is rendered when a queue needs it', async () => {
  const rendered: PrintTarget[] = []
  const target = printTarget({ destination: queue, paperSize: '80mm' })
  const job = await renderForQueues((asked) => {
    rendered.push(asked)
    return Promise.resolve({
      pdf: Buffer.from([rendered.length]),
      widthMillimetres: 80,
      heightMillimetres: 90
    })
  }, target)
  expect(rendered).toEqual([target])
  expect(await job.headPdf?.()).toEqual(Buffer.from([2]))
  expect(rendered).toEqual([target, { ...target, isHeadWide: true }])
})

const printed = { printer: 'Q', job: 1 }
const pending = (isAtPrinter: boolean, hindrance: PrintFault | null = null): JobStatus => ({
  kind: 'pending',
  hindrance,
  isAtPrinter
})

/** A job that reports `statuses` one after another, the last one forever, and counts how often it is cancelled. */
function job(statuses: readonly JobStatus[], outcome: CancelOutcome = 'gone') {
  const rest = [...statuses]
  const calls = { cancelled: 0 }
  const monitored: MonitoredJob = {
    status: () => Promise.resolve((rest.length > 1 ? rest.shift() : rest[0]) ?? { kind: 'printed' }),
    cancel: () => {
      calls.cancelled++
      return Promise.resolve(outcome)
    }
  }
  return { monitored, calls }
}

const never: PrintControl = { signal: new AbortController().signal, hindered: () => undefined }
const soon = { ...DEFAULT_TIMEOUTS, job: 300, hindrance: 100 }
const fault = (name: string, mayStillPrint: boolean) => ({
  ok: false,
  failure: { kind: 'not-printed', fault: name, mayStillPrint }
})

describe('waitForJob', () => {
  test('resolves as printed without cancelling', async () => {
    const { monitored, calls } = job([pending(false), pending(true), { kind: 'printed' }])
    expect(await waitForJob(monitored, printed, DEFAULT_TIMEOUTS, never)).toEqual({
      ok: true,
      value: printed
    })
    expect(calls.cancelled).toBe(0)
  })

  test.each([false, true])(
    'a job that ended by itself may still print if it began: %s',
    async (isAtPrinter) => {
      const { monitored, calls } = job([pending(true), { kind: 'ended', fault: 'aborted', isAtPrinter }])
      expect(await waitForJob(monitored, printed, DEFAULT_TIMEOUTS, never)).toEqual(
        fault('aborted', isAtPrinter)
      )
      expect(calls.cancelled).toBe(0)
    }
  )

  test('a job that is lost may have been printed', async () => {
    const { monitored, calls } = job([pending(true, 'out-of-paper'), { kind: 'lost' }])
    expect(await waitForJob(monitored, printed, DEFAULT_TIMEOUTS, never)).toEqual(fault('left-queue', true))
    expect(calls.cancelled).toBe(0)
  })

  test('waits as long as the job may take for a printer that prints for another computer', async () => {
    const { monitored, calls } = job([pending(true, 'printer-busy')])
    const start = performance.now()
    expect(await waitForJob(monitored, printed, soon, never)).toEqual(fault('printer-busy', true))
    expect(performance.now() - start).toBeGreaterThanOrEqual(soon.job)
    expect(calls.cancelled).toBe(1)
  })

  test('continues after a hindrance that ends in time', async () => {
    const { monitored } = job([pending(true, 'out-of-paper'), pending(true), { kind: 'printed' }])
    expect((await waitForJob(monitored, printed, DEFAULT_TIMEOUTS, never)).ok).toBe(true)
  })

  test('tells what delays the job, and when it goes on', async () => {
    const told: (PrintFault | null)[] = []
    const { monitored } = job([
      pending(true, 'out-of-paper'),
      pending(true),
      pending(true, 'unknown'),
      { kind: 'printed' }
    ])
    const control: PrintControl = { ...never, hindered: (reason) => told.push(reason) }
    await waitForJob(monitored, printed, DEFAULT_TIMEOUTS, control)
    expect(told).toEqual(['out-of-paper', null, null])
  })
})

describe('a job that is given up', () => {
  test('because of a hindrance is cancelled, and may still print when the printer had it', async () => {
    const { monitored, calls } = job([pending(true, 'out-of-paper')])
    expect(await waitForJob(monitored, printed, soon, never)).toEqual(fault('out-of-paper', true))
    expect(calls.cancelled).toBe(1)
  })

  test('before the printer had it will not print', async () => {
    const { monitored } = job([pending(false, 'out-of-paper')])
    expect(await waitForJob(monitored, printed, soon, never)).toEqual(fault('out-of-paper', false))
  })

  test('may still print when its removal is not confirmed', async () => {
    const { monitored } = job([pending(false)], 'unknown')
    expect(await waitForJob(monitored, printed, soon, never)).toEqual(fault('timeout', true))
  })

  test('but was printed meanwhile counts as printed', async () => {
    const { monitored } = job([pending(true)], 'printed')
    expect(await waitForJob(monitored, printed, soon, never)).toEqual({ ok: true, value: printed })
  })

  test.each([false, true])('because it is stuck may still print if it began: %s', async (isAtPrinter) => {
    const { monitored, calls } = job([{ kind: 'stuck', fault: 'bad-document', isAtPrinter }])
    expect(await waitForJob(monitored, printed, DEFAULT_TIMEOUTS, never)).toEqual(
      fault('bad-document', isAtPrinter)
    )
    expect(calls.cancelled).toBe(1)
  })

  test('because the signal aborted reports cancelled-here', async () => {
    const { monitored, calls } = job([pending(true)])
    expect(
      await waitForJob(monitored, printed, DEFAULT_TIMEOUTS, { ...never, signal: AbortSignal.abort() })
    ).toEqual(fault('cancelled-here', true))
    expect(calls.cancelled).toBe(1)
  })
})
