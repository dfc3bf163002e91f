/** Queues of CUPS, on Linux and macOS. */
import { good, type Answer } from '../../../contract/failure.ts'
import type { Printer, PrinterState, PrintFault } from '../../../contract/printing.ts'
import { follow } from '../follow.ts'
import { looksLikePdf, notPrinted, timesFor, type PrintAnswer, type PrintTimes } from '../job.ts'
import type { Log } from '../../log/index.ts'
import type { Run } from '../run.ts'
import type { SystemQueues } from '../system-queues.ts'
import { PRINTER_STATE, type CupsQueue } from './attributes.ts'
import { createCommands, faultOfLp, jobNumber } from './commands.ts'
import { IppRefused } from './ipp-client.ts'
import { createJobInQueue } from './job-in-queue.ts'
import { queueHindrance, refusal } from './judge.ts'
import { createCupsQuestions, type CupsQuestions } from './queues.ts'
import { findServer, type CupsServer } from './server.ts'

export interface CupsOptions {
  readonly run: Run
  /** the till's own; `CUPS_SERVER` in it counts */
  readonly environment: NodeJS.ProcessEnv
  readonly times: PrintTimes
  readonly log: Log
}

const FAULT_OF_REFUSAL = {
  down: 'print-system-down',
  forbidden: 'permission-denied',
  'not-found': 'unknown-queue',
  other: 'unknown'
} as const satisfies Record<IppRefused['reason'], PrintFault>

function stateOf(queue: CupsQueue): PrinterState {
  const fault = queue.accepting ? queueHindrance(queue) : 'queue-rejecting'
  if (fault !== null) return { kind: 'hindered', fault }
  if (queue.state === PRINTER_STATE.idle) return { kind: 'ready' }
  return queue.state === PRINTER_STATE.processing ? { kind: 'printing' } : { kind: 'unknown' }
}

/** What was asked of a queue before a job for it is sent. */
interface AskedBefore {
  /** null: CUPS is not installed */
  readonly ask: CupsQuestions | null
  /** why a job would not print; null when nothing is known against it */
  readonly against: PrintFault | null
}

/** Milliseconds that what was asked for an expected job holds: a slip is laid out in less, and a cashier sees no less. */
const FRESH = 1000

/**
 * Makes the queues of this machine's CUPS. Where its server is, CUPS is asked once, and again after it was not there:
 * it may start after the till.
 */
export function createCupsQueues({ run, environment, times, log }: CupsOptions): SystemQueues {
  const inEnglish = { ...environment, LC_ALL: 'C' }
  const commands = createCommands(run, inEnglish, times.answer)

  let server: CupsServer | null = null
  const questions = async (): Promise<CupsQuestions | null> => {
    server ??= await findServer(run, inEnglish, times.answer)
    return server && createCupsQuestions(server, times.answer)
  }

  /** The fault that an error of a question stands for; anything unforeseen is a fault of the till, and thrown on. */
  const faultOf = (error: unknown): PrintFault => {
    if (!(error instanceof IppRefused)) throw error
    if (error.reason === 'down') server = null
    if (error.reason === 'other') log.error('print-system-refused', { error })
    return FAULT_OF_REFUSAL[error.reason]
  }

  /** Why a job would not print, asked before it is sent; null when nothing is known against it. */
  const knownAgainst = (ask: CupsQuestions, queue: string): Promise<PrintFault | null> =>
    ask.queue(queue).then(refusal, faultOf)

  const askBefore = async (queue: string): Promise<AskedBefore> => {
    const ask = await questions()
    return { ask, against: ask === null ? 'print-system-down' : await knownAgainst(ask, queue) }
  }
  let expected: {
    readonly queue: string
    readonly since: number
    readonly asked: Promise<AskedBefore>
  } | null = null

  /** What was asked for the job that was expected, or is asked now. It is taken once. */
  const takeAsked = (queue: string): Promise<AskedBefore> => {
    const taken = expected
    expected = null
    const holds = taken?.queue === queue && performance.now() - taken.since < FRESH
    return holds ? taken.asked : askBefore(queue)
  }

  return {
    expect({ name: queue }) {
      const asked = askBefore(queue)
      // Whoever takes it hears of it.
      asked.catch(() => undefined)
      expected = { queue, since: performance.now(), asked }
    },

    async list(): Promise<Answer<readonly Printer[]>> {
      const ask = await questions()
      if (ask === null) return notPrinted('print-system-down')
      try {
        const [queues, defaultName] = await Promise.all([ask.queues(), ask.defaultName()])
        return good(
          queues.map((queue) => ({
            kind: 'queue',
            name: queue.name,
            description: queue.description,
            state: stateOf(queue),
            isDefault: queue.name === defaultName
          }))
        )
      } catch (error) {
        return notPrinted(faultOf(error))
      }
    },

    async print(job, { name: queue }, signal): Promise<PrintAnswer> {
      // CUPS would keep it in the queue, stopped, until somebody cancels it.
      if (!looksLikePdf(job.pdf)) return notPrinted('bad-document')
      const { ask, against } = await takeAsked(queue)
      if (ask === null || against !== null) return notPrinted(against ?? 'print-system-down')
      if (signal.aborted) return notPrinted('cancelled-here')

      const handed = await commands.lp(queue, job)
      const id = jobNumber(handed.stdout)
      if (id !== null) {
        log.info('print-queued', { ...job.trace, printer: queue, job: id })
        const inQueue = createJobInQueue({ queue, id }, ask, commands, times.answer)
        return follow(inQueue, { printer: queue, job: id }, timesFor(job, times), signal)
      }
      log.error('spooler-took-no-job', {
        exitCode: handed.code,
        cause: handed.cause,
        said: handed.stderr,
        ...job.trace
      })
      if (handed.cause !== undefined) return notPrinted('print-system-down')
      // Stopped by the time limit: nobody knows how far it came.
      if (handed.code === null) return notPrinted('timeout', true)
      return notPrinted(faultOfLp(handed.stderr) ?? (await knownAgainst(ask, queue)) ?? 'unknown')
    }
  }
}
