/** Waits for the end of a job that a print system accepted: print systems accept much that never prints. */
import { setTimeout as wait } from 'node:timers/promises'
import type { PrintFault } from '../../contract/printing.ts'
import { notPrinted, type Printed, type PrintResult, type PrintTimeouts } from './print-job.ts'

export type JobStatus =
  | { readonly kind: 'printed' }
  /** gone, and the print system does not say whether it was printed or deleted */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'ended'
      readonly fault: PrintFault
      /** whether the printer received a part of it, which it may have printed or may still print */
      readonly isAtPrinter: boolean
    }
  /** will not continue by itself, and never reached the printer */
  | { readonly kind: 'stuck'; readonly fault: PrintFault }
  | {
      readonly kind: 'pending'
      /** what delays the job; null: nothing */
      readonly hindrance: PrintFault | null
      /** whether the printer received it */
      readonly isAtPrinter: boolean
    }

/** Outcome of cancelling a job: removed, printed meanwhile, or not confirmed. */
export type CancelOutcome = 'gone' | 'printed' | 'unknown'

/** A job in a print system. No method rejects for a fault of the print system. */
export interface MonitoredJob {
  status(): Promise<JobStatus>
  cancel(): Promise<CancelOutcome>
}

/** Pauses between two polls grow from 0.1 s, since most slips take a second, to 1 s. */
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 1000
const PAUSE_GROWTH = 1.3

/** Calls `check` until it returns a value, for at most `timeoutMs`; null then, or as soon as `signal` aborts. */
export async function poll<Found>(
  check: (elapsedMs: number) => Promise<Found | null>,
  timeoutMs: number,
  signal?: AbortSignal
): Promise<Found | null> {
  const start = performance.now()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, MAX_PAUSE_MS)) {
    const elapsed = performance.now() - start
    const found = await check(elapsed)
    if (found !== null || elapsed >= timeoutMs || signal?.aborted) return found
    // An abort ends the pause early; the loop checks for it.
    await wait(pause, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

/** Cancels the job. It may still print when the printer had it before, or when its removal is not confirmed. */
async function giveUp(
  job: MonitoredJob,
  printed: Printed,
  fault: PrintFault,
  isAtPrinter: boolean
): Promise<PrintResult> {
  const outcome = await job.cancel()
  if (outcome === 'printed') return { ok: true, value: printed }
  return notPrinted(fault, outcome === 'unknown' || isAtPrinter)
}

/**
 * Resolves when the job has ended. Gives it up when a hindrance lasts longer than `timeouts.hindrance`, after
 * `timeouts.job`, and when `signal` aborts.
 */
export async function waitForJob(
  job: MonitoredJob,
  printed: Printed,
  timeouts: PrintTimeouts,
  signal: AbortSignal
): Promise<PrintResult> {
  let isAtPrinter = false
  let hindrance: { readonly fault: PrintFault; readonly since: number } | null = null
  const lastHindrance = (): PrintFault | null => hindrance?.fault ?? null
  const end = await poll<Exclude<JobStatus, { kind: 'pending' }> | { readonly kind: 'hindered' }>(
    async (elapsed) => {
      const status = await job.status()
      if (status.kind !== 'pending') return status
      isAtPrinter ||= status.isAtPrinter
      if (status.hindrance === null) hindrance = null
      else if (hindrance?.fault !== status.hindrance) hindrance = { fault: status.hindrance, since: elapsed }
      return hindrance !== null && elapsed - hindrance.since >= timeouts.hindrance
        ? { kind: 'hindered' }
        : null
    },
    timeouts.job,
    signal
  )
  switch (end?.kind) {
    case 'printed':
      return { ok: true, value: printed }
    case 'lost':
      return notPrinted('left-queue', true)
    case 'ended':
      return notPrinted(end.fault, end.isAtPrinter)
    case 'stuck':
      return giveUp(job, printed, end.fault, false)
    case 'hindered':
    case undefined:
      return giveUp(
        job,
        printed,
        signal.aborted ? 'cancelled-here' : (lastHindrance() ?? 'timeout'),
        isAtPrinter
      )
  }
}
