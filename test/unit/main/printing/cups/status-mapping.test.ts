import { describe, expect, test } from 'vitest'
import {
  JOB_STATE,
  PRINTER_STATE,
  type CupsQueue
} from '../../../../../electron/main/printing/cups/cups-client.ts'
import {
  cupsJobStatus,
  cupsQueueFault,
  refusal as refusalOf
} from '../../../../../electron/main/printing/cups/cups-faults.ts'

const idle: CupsQueue = {
  name: 'Q',
  description: '',
  state: PRINTER_STATE.idle,
  reasons: [],
  message: '',
  accepting: true,
  model: 'Test Receipt Driver',
  deviceUri: 'usb://Test/Receipt',
  members: [],
  media: []
}
const [PDF, RAW] = ['application/pdf', 'application/vnd.cups-raw'] as const
/** Of a queue; of a class, if it has other printers. */
const refusal = (queue: CupsQueue, format: typeof PDF | typeof RAW, printers = [queue]) =>
  refusalOf(queue, printers, format)
const busy: CupsQueue = { ...idle, state: PRINTER_STATE.processing }
const job = (state: number, message = '', reasons: readonly string[] = [], hasBegun = false) => ({
  state,
  message,
  reasons,
  hasBegun
})

describe('a queue', () => {
  test.each([
    ['media-empty-error', 'out-of-paper'],
    ['media-empty', 'out-of-paper'],
    ['media-needed-error', 'out-of-paper'],
    ['cover-open-error', 'cover-open'],
    ['door-open', 'cover-open'],
    ['media-jam-error', 'printer-fault'],
    ['cutter-error', 'printer-fault'],
    ['offline-error', 'printer-offline'],
    ['paused', 'queue-paused'],
    ['cutter-cover-open-error', 'cover-open'],
    ['shutdown', 'printer-offline'],
    ['connecting-to-device', 'printer-offline'],
    ['cups-pki-changed', 'insecure-connection'],
    ['cups-certificate-error', 'insecure-connection'],
    ['spool-area-full-error', 'printer-fault'],
    ['motor-failure-error', 'printer-fault'],
    ['moving-to-paused', 'queue-paused'],
    ['hold-new-jobs', 'queue-paused'],
    ['cups-missing-filter-warning', null],
    ['cups-ipp-conformance-failure-report', null],
    ['media-empty-warning', null],
    ['media-low-warning', null],
    ['cups-waiting-for-job-completed', null]
  ] as const)('with the reason %s has the fault %s', (reason, fault) => {
    expect(cupsQueueFault({ ...idle, reasons: [reason] })).toBe(fault)
  })

  test('that is stopped without a reason is paused', () => {
    expect(cupsQueueFault({ ...idle, state: PRINTER_STATE.stopped })).toBe('queue-paused')
  })

  test('is refused for its own state, not for the paper of its last job', () => {
    expect(refusal({ ...idle, accepting: false }, PDF)).toBe('queue-rejecting')
    expect(refusal({ ...idle, state: PRINTER_STATE.stopped }, PDF)).toBe('queue-paused')
    expect(refusal({ ...idle, reasons: ['media-empty-error'] }, PDF)).toBeNull()
    expect(refusal({ ...idle, reasons: ['hold-new-jobs'] }, PDF)).toBe('queue-paused')
  })

  test('without a driver is refused for PDFs; any takes commands', () => {
    const raw = { ...idle, model: 'Local Raw Printer' }
    expect(refusal(raw, PDF)).toBe('refused-pdf')
    expect(refusal(raw, RAW)).toBeNull()
    expect(refusal(idle, RAW)).toBeNull()
    expect(refusal({ ...idle, accepting: false }, RAW)).toBe('queue-rejecting')
  })

  test('that is a class is refused for what one of its printers does not take', () => {
    const raw = { ...idle, model: 'Local Raw Printer' }
    const driverless = { ...idle, deviceUri: 'ipp://printer/ipp/print' }
    expect(refusal(idle, PDF, [idle, raw])).toBe('refused-pdf')
    expect(refusal(idle, RAW, [idle, raw])).toBeNull()
    expect(refusal(idle, RAW, [driverless, raw])).toBe('refused-commands')
  })

  test.each(['ipp://printer/ipp/print', 'ipps://printer', 'dnssd://Bon._ipps._tcp.local/?uuid=1'])(
    'of IPP is refused for commands, with a driver or without: %s',
    (deviceUri) => {
      for (const model of ['Printer - IPP Everywhere', 'Local Raw Printer']) {
        expect(refusal({ ...idle, model, deviceUri }, RAW)).toBe('refused-commands')
        expect(refusal({ ...idle, model, deviceUri }, PDF)).toBeNull()
      }
    }
  )

  test('of another CUPS takes PDFs and commands', () => {
    const other = { ...idle, model: 'Remote Printer', deviceUri: 'ipp://server/printers/Bon' }
    expect(refusal(other, RAW)).toBeNull()
    expect(refusal(other, PDF)).toBeNull()
  })
})

describe('a job', () => {
  test('that is completed was printed', () => {
    expect(cupsJobStatus(job(JOB_STATE.completed), idle)).toEqual({ kind: 'printed' })
  })

  test.each([
    [job(JOB_STATE.cancelled, 'Print job canceled at printer.'), 'cancelled-at-printer'],
    [job(JOB_STATE.cancelled), 'cancelled-at-printer'],
    [job(JOB_STATE.cancelled, 'Printer cannot print with supplied options.'), 'refused-size'],
    [job(JOB_STATE.cancelled, 'Printer cannot print supplied content.'), 'bad-document'],
    [job(JOB_STATE.cancelled, 'Print job too large.'), 'bad-document'],
    [job(JOB_STATE.cancelled, 'The printer is not responding.'), 'cancelled-at-printer'],
    [job(JOB_STATE.aborted), 'aborted'],
    [job(JOB_STATE.aborted, '', ['account-limit-reached']), 'quota-reached'],
    [job(JOB_STATE.aborted, '', ['document-password-error']), 'bad-document'],
    [job(JOB_STATE.aborted, 'There was an unrecoverable USB error.'), 'printer-fault'],
    [job(JOB_STATE.aborted, 'Print job was not accepted.'), 'queue-rejecting'],
    [job(JOB_STATE.aborted, '', ['document-format-error']), 'bad-document'],
    [job(JOB_STATE.aborted, 'The printer is not responding.'), 'printer-offline']
  ] as const)('that ended as %o is %s', (ended, fault) => {
    expect(cupsJobStatus(ended, idle)).toEqual({ kind: 'ended', fault, isAtPrinter: false })
  })

  test.each([
    [job(JOB_STATE.cancelled, '', [], true), 'cancelled-at-printer', true],
    [job(JOB_STATE.aborted, '', [], true), 'aborted', true],
    [job(JOB_STATE.aborted, 'The printer is not responding.', [], true), 'printer-offline', true],
    [
      job(JOB_STATE.cancelled, 'Printer cannot print with supplied options.', [], true),
      'refused-size',
      false
    ],
    [job(JOB_STATE.aborted, '', ['document-format-error'], true), 'bad-document', false]
  ] as const)(
    'that had begun and ended as %o is %s; a part may be printed: %s',
    (ended, fault, isAtPrinter) => {
      expect(cupsJobStatus(ended, idle)).toEqual({ kind: 'ended', fault, isAtPrinter })
    }
  )

  test('that waits after an attempt may have been printed in part', () => {
    expect(cupsJobStatus(job(JOB_STATE.pending, '', [], true), idle)).toMatchObject({ isAtPrinter: true })
  })

  test.each([false, true])(
    'that is stopped in an idle queue is a bad document; a part may be printed if it had begun: %s',
    (hasBegun) => {
      expect(cupsJobStatus(job(JOB_STATE.stopped, '', [], hasBegun), idle)).toEqual({
        kind: 'stuck',
        fault: 'bad-document',
        isAtPrinter: hasBegun
      })
    }
  )

  test('at the printer is hindered by the reasons of the printer, warnings included', () => {
    expect(cupsJobStatus(job(JOB_STATE.processing), { ...busy, reasons: ['media-empty-warning'] })).toEqual({
      kind: 'pending',
      hindrance: 'out-of-paper',
      isAtPrinter: true
    })
    const off = 'The printer may not exist or is unavailable at this time.'
    expect(cupsJobStatus(job(JOB_STATE.processing, off), busy)).toMatchObject({
      hindrance: 'printer-offline'
    })
    expect(cupsJobStatus(job(JOB_STATE.processing), busy)).toMatchObject({ hindrance: null })
  })

  test.each([
    ['account-limit-reached', 'quota-reached'],
    ['account-info-needed', 'permission-denied'],
    ['account-closed', 'permission-denied'],
    ['account-authorization-failed', 'permission-denied'],
    ['cups-held-for-authentication', 'permission-denied'],
    ['job-held-on-create', 'queue-paused']
  ] as const)('that is held for %s does not continue: %s', (reason, fault) => {
    expect(cupsJobStatus(job(JOB_STATE.held, '', [reason], true), idle)).toEqual({
      kind: 'stuck',
      fault,
      isAtPrinter: true
    })
  })

  test('that is held until a time waits for it', () => {
    expect(cupsJobStatus(job(JOB_STATE.held, '', ['job-hold-until-specified']), idle)).toMatchObject({
      kind: 'pending',
      hindrance: null
    })
  })

  test.each([
    'The printer is not responding.',
    'The printer did not respond.',
    'Unable to locate printer "bar".',
    'Waiting for printer to become available.',
    ''
  ])('that could not be sent waits for the next attempt while the printer is off: %o', (message) => {
    const waiting = job(JOB_STATE.held, message, ['resources-are-not-ready'], true)
    const hindrance = 'printer-offline'
    expect(cupsJobStatus(waiting, idle)).toEqual({ kind: 'pending', isAtPrinter: true, hindrance })
  })

  test('waits for a printer that prints for another computer', () => {
    expect(cupsJobStatus(job(JOB_STATE.processing, 'The printer is in use.'), busy)).toMatchObject({
      kind: 'pending',
      hindrance: 'printer-busy'
    })
  })

  test('whose driver lacks a program is given up by the print service', () => {
    expect(
      cupsJobStatus(job(JOB_STATE.processing), { ...busy, reasons: ['cups-missing-filter-warning'] })
    ).toMatchObject({ hindrance: 'aborted' })
  })

  test('that waits its turn is hindered only by a stopped queue', () => {
    expect(cupsJobStatus(job(JOB_STATE.pending), { ...busy, reasons: ['media-empty-error'] })).toEqual({
      kind: 'pending',
      hindrance: null,
      isAtPrinter: false
    })
    expect(cupsJobStatus(job(JOB_STATE.pending), { ...idle, state: PRINTER_STATE.stopped })).toEqual({
      kind: 'pending',
      hindrance: 'queue-paused',
      isAtPrinter: false
    })
  })
})
