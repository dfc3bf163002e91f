/** A job that a print system took, followed to its end: print systems say yes to much that never prints. */
import { setTimeout as wait } from 'node:timers/promises'
import type { PrintFault } from '../../contract/printing.ts'
import { notPrinted, type PrintAnswer, type Printed, type PrintTimes } from './print-job.ts'

/** How a job stands: at its end, or on its way with or without something that holds it up. */
export type JobStatus =
  | { readonly kind: 'printed' }
  | { readonly kind: 'ended'; readonly fault: PrintFault }
  /** will not go on by itself, and never reached the printer */
  | { readonly kind: 'stuck'; readonly fault: PrintFault }
  | { readonly kind: 'under-way'; readonly hindrance: PrintFault | null; readonly handedOver: boolean }

/** What came of cancelling a job: it is gone, it was printed meanwhile, or nobody says. */
export type CancelOutcome = 'gone' | 'printed' | 'unknown'

/** A job in a print system's hands. Neither call rejects for what a print system may do. */
export interface MonitoredJob {
  look(): Promise<JobStatus>
  cancel(): Promise<CancelOutcome>
}

/** Milliseconds between two looks: soon at first, since most slips take a second, then less and less often. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 1000
const SLOWER = 1.3

/** Runs `look` until it gives something, for at most `limit` ms; null then, or as soon as `signal` aborts. */
export async function poll<Found>(
  look: (elapsed: number) => Promise<Found | null>,
  limit: number,
  signal?: AbortSignal
): Promise<Found | null> {
  const start = performance.now()
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * SLOWER, LONGEST_PAUSE)) {
    const elapsed = performance.now() - start
    const found = await look(elapsed)
    if (found !== null || elapsed >= limit || signal?.aborted) return found
    // An abort ends the pause early; the loop sees it.
    await wait(pause, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

/** Cancels the job. It may still print when the printer had it before, or when nobody confirms that it is gone. */
async function giveUp(
  job: MonitoredJob,
  printed: Printed,
  fault: PrintFault,
  handedOver: boolean
): Promise<PrintAnswer> {
  const end = await job.cancel()
  if (end === 'printed') return { ok: true, value: printed }
  return notPrinted(fault, end === 'unknown' || handedOver)
}

/**
 * Waits for the job's end: `printed`, or why not. Gives it up when something a cashier can see holds it up for longer
 * than `times.patience`, when `times.whole` is over, and when `signal` aborts.
 */
export async function follow(
  job: MonitoredJob,
  printed: Printed,
  times: PrintTimes,
  signal: AbortSignal
): Promise<PrintAnswer> {
  const seen: { handedOver: boolean; hindrance: PrintFault | null; since: number } = {
    handedOver: false,
    hindrance: null,
    since: 0
  }
  const end = await poll<Exclude<JobStatus, { kind: 'under-way' }> | { readonly kind: 'hindered' }>(
    async (elapsed) => {
      const now = await job.look()
      if (now.kind !== 'under-way') return now
      seen.handedOver ||= now.handedOver
      if (now.hindrance !== seen.hindrance) seen.since = elapsed
      seen.hindrance = now.hindrance
      return seen.hindrance !== null && elapsed - seen.since >= times.patience ? { kind: 'hindered' } : null
    },
    times.whole,
    signal
  )
  switch (end?.kind) {
    case 'printed':
      return { ok: true, value: printed }
    case 'ended':
      return notPrinted(end.fault)
    case 'stuck':
      return giveUp(job, printed, end.fault, false)
    case 'hindered':
    case undefined: {
      const fault = signal.aborted ? 'cancelled-here' : (seen.hindrance ?? 'timeout')
      return giveUp(job, printed, fault, seen.handedOver)
    }
  }
}
