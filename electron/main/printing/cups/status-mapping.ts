/** The failure table: what CUPS tells of a queue or a job, as a fault in the till's words. */
import type { PrintFault } from '../../../contract/printing.ts'
import { poll, type CancelOutcome, type JobStatus, type MonitoredJob } from '../job-monitor.ts'
import { JOB_STATE, PRINTER_STATE, type CupsClient, type CupsJob, type CupsQueue } from './cups-client.ts'
import { IppError } from './ipp.ts'

/** Keywords of printer-state-reasons (RFC 8011, 5.4.12), without severity; the first that matches tells most. */
const REASONS: readonly (readonly [RegExp, PrintFault])[] = [
  [/^(cover-open|door-open|interlock-open)/, 'cover-open'],
  [/^(media-empty|media-needed|input-tray-missing)/, 'out-of-paper'],
  [/^(offline|shutdown|timed-out|connecting-to-device)/, 'printer-offline'],
  [/^(media-jam|cutter|fuser|marker-supply-empty|toner-empty|other-error|resource)/, 'printer-fault'],
  [/^paused/, 'queue-paused']
]

/** What CUPS's backends say while the printer is off: the reasons stay `none` then. The text is English, as was asked for. */
const UNREACHABLE = /may not exist or is unavailable|unable to connect|unreachable|not responding|is offline/i

/**
 * A queue's own hindrance, or null. Warnings count only for a job that does not get on: a printer without any paper
 * may call that a warning, and so does one that has an empty tray beside a full one.
 */
export function cupsQueueFault(
  { state, reasons, message }: CupsQueue,
  warnings: 'ignored' | 'counted' = 'ignored'
): PrintFault | null {
  const ignored = warnings === 'counted' ? /-report$/ : /-(warning|report)$/
  const hindering = reasons.filter((reason) => !ignored.test(reason))
  for (const [pattern, fault] of REASONS) if (hindering.some((reason) => pattern.test(reason))) return fault
  if (UNREACHABLE.test(message)) return 'printer-offline'
  return state === PRINTER_STATE.stopped ? 'queue-paused' : null
}

/** Why a job need not be sent at all, or null. Reasons of paper and cover are of the last job, and may be stale. */
export function refusal(queue: CupsQueue): PrintFault | null {
  if (!queue.accepting) return 'queue-rejecting'
  return queue.state === PRINTER_STATE.stopped ? 'queue-paused' : null
}

const DOCUMENT_REASON = /^(document-format-error|document-unprintable|unsupported-document|document-access)/

function endedFault({ state, reasons, message }: CupsJob): PrintFault {
  if (/supplied options/i.test(message)) return 'refused-size'
  if (reasons.some((reason) => DOCUMENT_REASON.test(reason))) return 'bad-document'
  if (state === JOB_STATE.cancelled) return 'cancelled-at-printer'
  return UNREACHABLE.test(message) ? 'printer-offline' : 'aborted'
}

/** Judges a job by itself and by the queue it waits in. */
export function judge(job: CupsJob, queue: CupsQueue): JobStatus {
  switch (job.state) {
    case JOB_STATE.completed:
      return { kind: 'printed' }
    case JOB_STATE.cancelled:
    case JOB_STATE.aborted:
      return { kind: 'ended', fault: endedFault(job) }
    case JOB_STATE.stopped:
      // A filter could not read it: the printer itself stays idle and fine.
      return { kind: 'stuck', fault: cupsQueueFault(queue) ?? 'bad-document' }
    case JOB_STATE.processing:
      return {
        kind: 'under-way',
        handedOver: true,
        hindrance: UNREACHABLE.test(job.message) ? 'printer-offline' : cupsQueueFault(queue, 'counted')
      }
    default:
      // Waiting: other jobs may be before it, and only a stopped queue is a hindrance of its own.
      return {
        kind: 'under-way',
        handedOver: false,
        hindrance: queue.state === PRINTER_STATE.stopped ? cupsQueueFault(queue) : null
      }
  }
}

/* from job-in-queue.ts: A job in CUPS's hands. */

/**
 * Takes a job back, by CUPS's own `cancel`: its library knows how a user shows the server whose job it is. Whether it
 * worked, the job itself tells.
 */
export type CancelJob = (queue: string, id: number) => Promise<void>

/** A server that went away is a hindrance: it may come back, and the job with it. */
function standingWithoutAnswer(error: unknown): JobStatus {
  if (!(error instanceof IppError)) throw error
  // A server that keeps no history forgets a job at its end, and how it ended with it: that is `unknown`.
  const hindrance = error.isGone ? 'print-system-down' : 'unknown'
  return { kind: 'under-way', hindrance, handedOver: true }
}

/** Job `id` of `queue`; `timeout` is for the answer to its cancelling, in milliseconds. */
export function createJobInQueue(
  { queue, id }: { readonly queue: string; readonly id: number },
  ask: CupsClient,
  cancel: CancelJob,
  timeout: number
): MonitoredJob {
  return {
    async look() {
      try {
        return judge(await ask.job(id), await ask.queue(queue))
      } catch (error) {
        return standingWithoutAnswer(error)
      }
    },
    async cancel(): Promise<CancelOutcome> {
      await cancel(queue, id)
      const end = await poll(async () => {
        const { state } = await ask.job(id).catch(() => ({ state: 0 }))
        return state >= JOB_STATE.cancelled ? state : null
      }, timeout)
      if (end === null) return 'unknown'
      return end === JOB_STATE.completed ? 'printed' : 'gone'
    }
  }
}
