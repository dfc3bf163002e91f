/** What CUPS says of its queues and jobs, as print faults. */
import type { PrintFault } from '../../../contract/printing.ts'
import type { JobStatus } from '../print-job.ts'
import { type CupsJob, type CupsQueue, type CupsQueueState, JOB_STATE, PRINTER_STATE } from './cups-client.ts'
import { type CupsDocument, RAW_FORMAT } from './submit-job.ts'

/** The fault of the first pattern that one of the texts matches, or null. */
const matching = (
  patterns: readonly (readonly [RegExp, PrintFault])[],
  texts: readonly string[]
): PrintFault | null => patterns.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1] ?? null

/**
 * Keywords of printer-state-reasons (RFC 8011, 5.4.12; PWG 5100.9; those of CUPS), most specific first. A printer stops for
 * every error, also for one that is not named here.
 */
const PRINTER_REASONS = [
  [/cover-open|door-open|interlock-open/, 'cover-open'],
  [/^(media-empty|media-needed|input-tray-missing)/, 'out-of-paper'],
  [/^cups-(pki|certificate)/, 'insecure-connection'],
  [/^(offline|shutdown|timed-out|connecting-to-device)/, 'printer-offline'],
  [
    /^(media-jam|cutter|fuser|marker-supply-empty|toner-empty|other|resource|spool-area-full)/,
    'printer-fault'
  ],
  [/-error$/, 'printer-fault'],
  [/^cups-(missing|insecure)-filter/, 'aborted'],
  [/^(paused|moving-to-paused|hold-new-jobs)/, 'queue-paused']
] as const satisfies readonly (readonly [RegExp, PrintFault])[]

/** Keywords of job-state-reasons (RFC 8011, 5.3.8; PWG 5100.16; those of CUPS) of jobs that do not continue by themselves. */
const JOB_REASONS = [
  [
    /^(document-(format|unprintable|access|password|permission|security)|unsupported-document)/,
    'bad-document'
  ],
  [/^account-limit-reached/, 'quota-reached'],
  [/^(account-|cups-held-for-authentication|job-password-wait)/, 'permission-denied'],
  [/^job-held-on-create/, 'queue-paused']
] as const satisfies readonly (readonly [RegExp, PrintFault])[]

/** Messages of CUPS's backends while the printer is off: the reasons remain `none` then. English was requested. */
const UNREACHABLE =
  /may not exist or is unavailable|unable to (connect|contact|locate)|unreachable|not responding|did not respond|is offline|is not connected|no longer exists|to become available/i

/** Messages of CUPS's backends about a job, whose reasons remain `none`. */
const MESSAGES = [
  [/supplied options/i, 'refused-size'],
  [/supplied content|job too large/i, 'bad-document'],
  [/was not accepted/i, 'queue-rejecting'],
  [/unrecoverable USB error|unable to send data/i, 'printer-fault'],
  [UNREACHABLE, 'printer-offline']
] as const satisfies readonly (readonly [RegExp, PrintFault])[]

/** Backends say so of a printer that prints for another computer. CUPS 2.4.2 does not say it of one that refuses its connection. */
const IN_USE = /is in use|is busy/i

/**
 * The fault of a queue, or null. Warnings count only for a job that does not continue: a printer without any paper may
 * report that as a warning, and so does one with an empty tray beside a full one.
 */
export function cupsQueueFault(
  { state, reasons, message }: CupsQueueState,
  warnings: 'ignored' | 'counted' = 'ignored'
): PrintFault | null {
  const ignored = warnings === 'counted' ? /-report$/ : /-(warning|report)$/
  const counted = reasons.filter((reason) => !ignored.test(reason))
  const fault = matching(PRINTER_REASONS, counted)
  if (fault !== null) return fault
  if (UNREACHABLE.test(message)) return 'printer-offline'
  return state === PRINTER_STATE.stopped ? 'queue-paused' : null
}

/** The models of CUPS 1.2 to 2.4 for a queue without a driver, and for such a queue to another CUPS. */
const RAW_MODEL = 'Local Raw Printer'
const REMOTE_MODEL = 'Remote Printer'

/** Backends that name a document's format to the printer, instead of sending it as it is. */
const IPP_DEVICE = /^(ipps?|https?):|\._ipps?\._tcp/i

/** Whether the queue sends its documents to the printer as they are: the printer would print a PDF as text. */
export const isRawCupsQueue = ({ model, deviceUri }: CupsQueue): boolean =>
  model === RAW_MODEL && !IPP_DEVICE.test(deviceUri)

/**
 * Whether commands reach the printer. CUPS reports a job of commands for a printer of IPP as completed, but such a printer
 * takes no commands and prints nothing. Another CUPS passes them on.
 */
const takesCommands = ({ model, deviceUri }: CupsQueue): boolean =>
  model === REMOTE_MODEL || !IPP_DEVICE.test(deviceUri)

/**
 * The fault that makes submitting a job pointless, or null. Reasons of paper and cover may be of the last job. Any of the
 * `printers` of a class may get it.
 */
export function refusal(
  queue: CupsQueueState,
  printers: readonly CupsQueue[],
  format: CupsDocument['format']
): PrintFault | null {
  if (format === 'application/pdf' && printers.some(isRawCupsQueue)) return 'refused-pdf'
  if (format === RAW_FORMAT && !printers.every(takesCommands)) return 'refused-commands'
  if (!queue.accepting) return 'queue-rejecting'
  return queue.state === PRINTER_STATE.stopped || queue.reasons.includes('hold-new-jobs')
    ? 'queue-paused'
    : null
}

/** Faults of a document, of which nothing was printed. */
const OF_DOCUMENT: ReadonlySet<PrintFault> = new Set(['refused-size', 'bad-document'])

/** What delays a job that the printer has, or that waits for another attempt. */
function hindranceOf({ message }: CupsJob, queue: CupsQueueState): PrintFault | null {
  const fault = matching(MESSAGES, [message]) ?? cupsQueueFault(queue, 'counted')
  return fault ?? (IN_USE.test(message) ? 'printer-busy' : null)
}

/** A job that a person cancelled may have the message of what it waited for. */
function endedFault({ state, reasons, message }: CupsJob): PrintFault {
  const fault = matching(MESSAGES, [message])
  const isCancelled = state === JOB_STATE.cancelled
  if (fault !== null && (!isCancelled || OF_DOCUMENT.has(fault))) return fault
  return matching(JOB_REASONS, reasons) ?? (isCancelled ? 'cancelled-at-printer' : 'aborted')
}

/** Maps the state of a job in its queue. */
export function cupsJobStatus(job: CupsJob, queue: CupsQueueState): JobStatus {
  const ofJob = matching(JOB_REASONS, job.reasons)
  const isAtPrinter = job.hasBegun
  switch (job.state) {
    case JOB_STATE.completed:
      return { kind: 'printed' }
    case JOB_STATE.cancelled:
    case JOB_STATE.aborted: {
      const fault = endedFault(job)
      return { kind: 'ended', fault, isAtPrinter: isAtPrinter && !OF_DOCUMENT.has(fault) }
    }
    case JOB_STATE.stopped:
      // A filter failed, perhaps after it had passed pages on: the printer itself remains idle and without fault.
      return { kind: 'stuck', fault: cupsQueueFault(queue) ?? 'bad-document', isAtPrinter }
    case JOB_STATE.processing:
      return { kind: 'pending', isAtPrinter: true, hindrance: hindranceOf(job, queue) }
    default:
      if (ofJob !== null) return { kind: 'stuck', fault: ofJob, isAtPrinter }
      // It could not be sent, and waits for the next attempt.
      if (job.reasons.includes('resources-are-not-ready'))
        return { kind: 'pending', isAtPrinter, hindrance: hindranceOf(job, queue) ?? 'printer-offline' }
      // Other jobs may be before it, and only a stopped queue is a hindrance.
      return {
        kind: 'pending',
        isAtPrinter,
        hindrance: queue.state === PRINTER_STATE.stopped ? cupsQueueFault(queue) : null
      }
  }
}
