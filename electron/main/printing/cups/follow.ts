/** A job that was handed to CUPS, followed to its end: `lp` says yes to much that never prints. */
import { setTimeout as wait } from 'node:timers/promises'
import type { PrintFault } from '../../../contract/printing.ts'
import { notPrinted, type PrintAnswer, type PrintTimes } from '../job.ts'
import { JOB_STATE } from './attributes.ts'
import type { Commands } from './commands.ts'
import { IppRefused } from './ipp-client.ts'
import { judge, type Standing } from './judge.ts'
import type { CupsQuestions } from './queues.ts'

/** Milliseconds between two questions: soon at first, since most slips take a second, then less and less often. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 1000
const SLOWER = 1.3

export interface Followed {
  readonly queue: string
  readonly id: number
  readonly ask: CupsQuestions
  readonly commands: Commands
  readonly times: PrintTimes
  readonly signal: AbortSignal
}

/** Runs `look` until it gives something, for at most `limit` ms; null then, or as soon as `signal` aborts. */
async function poll<Found>(
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

/** How the job stands now. A server that went away counts as a hindrance: it may come back, and the job with it. */
async function standing({ ask, queue, id }: Followed): Promise<Standing> {
  try {
    return judge(await ask.job(id), await ask.queue(queue))
  } catch (error) {
    if (!(error instanceof IppRefused)) throw error
    if (error.reason === 'down') {
      return { kind: 'under-way', hindrance: 'print-system-down', handedOver: true }
    }
    // A server that keeps no history forgets a job at its end, and how it ended with it.
    return { kind: 'under-way', hindrance: 'unknown', handedOver: true }
  }
}

/**
 * Cancels the job and makes sure of it. A job that completed meanwhile is printed. It may still print when it was
 * handed to the printer before, or when nobody confirmed that it is gone.
 */
async function giveUp(job: Followed, fault: PrintFault, handedOver: boolean): Promise<PrintAnswer> {
  await job.commands.cancel(job.queue, job.id)
  const end = await poll(async () => {
    const { state } = await job.ask.job(job.id).catch(() => ({ state: 0 }))
    return state >= JOB_STATE.cancelled ? state : null
  }, job.times.answer)
  if (end === JOB_STATE.completed) return printed(job)
  return notPrinted(fault, end === null || handedOver)
}

const printed = ({ queue, id }: Followed): PrintAnswer => ({
  ok: true,
  value: { printer: queue, job: id }
})

/**
 * Waits for the job's end and answers what came of it. Gives it up when something a cashier can see holds it up
 * for longer than `times.patience`, when `times.whole` is over, and when `signal` aborts.
 */
export async function follow(job: Followed): Promise<PrintAnswer> {
  const { times, signal } = job
  const seen: { handedOver: boolean; hindrance: PrintFault | null; since: number } = {
    handedOver: false,
    hindrance: null,
    since: 0
  }
  const outcome = await poll<Exclude<Standing, { kind: 'under-way' }> | { readonly kind: 'hindered' }>(
    async (elapsed) => {
      const now = await standing(job)
      if (now.kind !== 'under-way') return now
      seen.handedOver ||= now.handedOver
      if (now.hindrance !== seen.hindrance) seen.since = elapsed
      seen.hindrance = now.hindrance
      return seen.hindrance !== null && elapsed - seen.since >= times.patience ? { kind: 'hindered' } : null
    },
    times.whole,
    signal
  )
  switch (outcome?.kind) {
    case 'printed':
      return printed(job)
    case 'ended':
      return notPrinted(outcome.fault)
    case 'stuck':
      return giveUp(job, outcome.fault, false)
    case 'hindered':
    case undefined:
      return giveUp(job, signal.aborted ? 'cancelled-here' : (seen.hindrance ?? 'timeout'), seen.handedOver)
  }
}
