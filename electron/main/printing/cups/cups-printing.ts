/** Queues of CUPS, on Linux and macOS. */
import { ok, type Result } from '../../../contract/failure.ts'
import type { Printer, PrinterState, PrintFault } from '../../../contract/printing.ts'
import { follow } from '../job-monitor.ts'
import {
  looksLikePdf,
  notPrinted,
  timesFor,
  type PrintAnswer,
  type PrintTimes,
  type SystemPrinting
} from '../print-job.ts'
import type { Logger } from '../../log/log.ts'
import type { Exec } from '../exec.ts'
import {
  createCupsClient,
  findServer,
  PRINTER_STATE,
  type CupsClient,
  type CupsQueue,
  type CupsServer
} from './cups-client.ts'
import { readQueueOptions, submitJob } from './submit-job.ts'
import { IppError, type IppAttribute } from './ipp.ts'
import { createJobInQueue, cupsQueueFault, refusal, type CancelJob } from './status-mapping.ts'

export interface CupsOptions {
  readonly run: Exec
  /** the till's own; `CUPS_SERVER` in it counts */
  readonly environment: NodeJS.ProcessEnv
  readonly times: PrintTimes
  readonly log: Logger
}

const FAULT_OF_REFUSAL = {
  down: 'print-system-down',
  silent: 'print-system-down',
  forbidden: 'permission-denied',
  'not-found': 'unknown-queue',
  'not-accepting': 'queue-rejecting',
  'unsupported-document': 'bad-document',
  other: 'unknown'
} as const satisfies Record<IppError['reason'], PrintFault>

function stateOf(queue: CupsQueue): PrinterState {
  const fault = queue.accepting ? cupsQueueFault(queue) : 'queue-rejecting'
  if (fault !== null) return { kind: 'hindered', fault }
  if (queue.state === PRINTER_STATE.idle) return { kind: 'ready' }
  return queue.state === PRINTER_STATE.processing ? { kind: 'printing' } : { kind: 'unknown' }
}

/** The server, and the questions to it. */
interface Found {
  readonly server: CupsServer
  readonly ask: CupsClient
}

/** What was asked of a queue before a job for it is sent. */
type AskedBefore =
  | { /** why a job would not print */ readonly against: PrintFault }
  | (Found & { readonly against: null; readonly options: readonly IppAttribute[] })

/** Milliseconds that what was asked for an expected job holds: a slip is laid out in less, and a cashier sees no less. */
const FRESH = 1000

/**
 * Makes the queues of this machine's CUPS. Where its server is, CUPS is asked once, and again after it was not there:
 * it may start after the till.
 */
export function createCupsPrinting({ run, environment, times, log }: CupsOptions): SystemPrinting {
  let server: CupsServer | null = null
  const find = async (): Promise<Found | null> => {
    server ??= await findServer(run, environment, times.answer)
    return server && { server, ask: createCupsClient(server, times.answer) }
  }

  const cancel: CancelJob = async (queue, id) => {
    await run('cancel', [`${queue}-${id}`], { environment, timeout: times.answer })
  }

  /** The fault that an error of a question stands for; anything unforeseen is a fault of the till, and thrown on. */
  const faultOf = (error: unknown): PrintFault => {
    if (!(error instanceof IppError)) throw error
    if (error.isGone) server = null
    if (error.reason === 'other') log.error('print-system-refused', { error })
    return FAULT_OF_REFUSAL[error.reason]
  }

  const askBefore = async (queue: string): Promise<AskedBefore> => {
    const found = await find()
    if (found === null) return { against: 'print-system-down' }
    const [against, options] = await Promise.all([
      found.ask.queue(queue).then(refusal, faultOf),
      readQueueOptions(environment, queue)
    ])
    return against === null ? { ...found, against, options } : { against }
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

    async list(): Promise<Result<readonly Printer[]>> {
      const found = await find()
      if (found === null) return notPrinted('print-system-down')
      const { ask } = found
      try {
        const [queues, defaultName] = await Promise.all([ask.queues(), ask.defaultName()])
        return ok(
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
      const asked = await takeAsked(queue)
      if (asked.against !== null) return notPrinted(asked.against)
      if (signal.aborted) return notPrinted('cancelled-here')

      let id: number
      try {
        id = await submitJob(asked.server, queue, job, asked.options, times.answer)
      } catch (error) {
        const fault = faultOf(error)
        log.error('spooler-took-no-job', { error, ...job.trace })
        return notPrinted(fault, error instanceof IppError && error.reason === 'silent')
      }
      log.info('print-queued', { ...job.trace, printer: queue, job: id })
      const inQueue = createJobInQueue({ queue, id }, asked.ask, cancel, times.answer)
      return follow(inQueue, { printer: queue, job: id }, timesFor(job, times), signal)
    }
  }
}
