/** Queues of the Windows spooler. */
import { basename } from 'node:path'
import { ok, type Result } from '../../../contract/failure.ts'
import type {
  Printer,
  PrinterState,
  PrintFault,
  RawQueueConnection,
  SystemQueue
} from '../../../contract/printing.ts'
import type { ExecResult } from '../exec.ts'
import { waitForJob, type MonitoredJob } from '../job-monitor.ts'
import {
  isPdf,
  notPrinted,
  timeoutsFor,
  type PrintJob,
  type PrintResult,
  type SystemPrinting,
  type SystemPrintingOptions
} from '../print-job.ts'
import {
  isHeld,
  isTextOnlyQueue,
  jobsSchema,
  parseOutput,
  portUri,
  queuesSchema,
  runScript,
  takesCommands,
  windowsJobStatus,
  windowsQueueFault,
  type Script,
  type ScriptValues,
  type WindowsQueue
} from './powershell.ts'
import { rawFailure, rawResultSchema } from './raw-printer.ts'
import { paperForm, sumatraArguments, sumatraPath, withTemporaryFile } from './submit-job.ts'

const stateOf = (queue: WindowsQueue): PrinterState => {
  const fault = windowsQueueFault(queue)
  if (fault !== null) return { kind: 'hindered', fault }
  if (/Printing|Busy|Processing/i.test(queue.Status)) return { kind: 'printing' }
  return /Normal|Idle|^0?$/i.test(queue.Status) ? { kind: 'ready' } : { kind: 'unknown' }
}

/**
 * The result of a program that submits a job and did not end as it should. Once it was started, it may have submitted the
 * job: a program that is killed has the exit code 1, as one that refuses.
 */
const unknownEnd = ({ code, cause }: ExecResult) =>
  cause === undefined ? notPrinted(code === null ? 'timeout' : 'aborted', true) : notPrinted('aborted')

export class WindowsPrinting implements SystemPrinting {
  readonly #options: SystemPrintingOptions

  constructor(options: SystemPrintingOptions) {
    this.#options = options
  }

  async list(): Promise<Result<readonly Printer[]>> {
    const queues = await this.#queues('list')
    if (queues === null) return notPrinted('print-system-down')
    return ok(
      queues.map((queue) => ({
        kind: 'queue',
        name: queue.Name,
        description: queue.Comment || queue.Location || queue.DriverName,
        state: stateOf(queue),
        isDefault: queue.Default,
        isRaw: isTextOnlyQueue(queue),
        reportsDeletedJobs: false,
        deviceUri: portUri(queue)
      }))
    )
  }

  async print(job: PrintJob, { name }: SystemQueue, signal: AbortSignal): Promise<PrintResult> {
    if (!isPdf(job.pdf)) return notPrinted('bad-document')
    const queue = await this.#readyQueue(name)
    if (typeof queue === 'string') return notPrinted(queue)
    if (isTextOnlyQueue(queue)) return notPrinted('refused-pdf')
    if (signal.aborted) return notPrinted('cancelled-here')
    const form = paperForm(queue.Papers, job)
    const pdf = form?.isHeadWide === true ? job.headPdf : undefined
    return withTemporaryFile(pdf ?? job.pdf, '.pdf', (file) =>
      this.#printFile(file, form?.name ?? null, job, name, signal)
    )
  }

  /** A queue with a driver takes commands as well, since the data type bypasses it. */
  async printRaw(
    bytes: Uint8Array,
    job: PrintJob,
    { name }: RawQueueConnection,
    signal: AbortSignal
  ): Promise<PrintResult> {
    const queue = await this.#readyQueue(name)
    if (typeof queue === 'string') return notPrinted(queue)
    if (!takesCommands(queue)) return notPrinted('refused-commands')
    if (signal.aborted) return notPrinted('cancelled-here')
    return withTemporaryFile(bytes, '.bin', (file) => this.#printRawFile(file, job, name, signal))
  }

  /** The queue of this name, or the fault that makes submitting a job pointless. */
  async #readyQueue(name: string): Promise<WindowsQueue | PrintFault> {
    const queues = await this.#queues('queue', { queue: name })
    if (queues === null) return 'print-system-down'
    const queue = queues.find(({ Name }) => Name === name)
    if (queue === undefined) return 'unknown-queue'
    // Faults of paper and cover may be left from the last job; these two are the queue's own.
    const fault = windowsQueueFault(queue)
    return fault === 'queue-paused' || fault === 'printer-offline' ? fault : queue
  }

  async #printRawFile(file: string, job: PrintJob, queue: string, signal: AbortSignal): Promise<PrintResult> {
    const document = basename(file, '.bin')
    const output = await this.#run('raw', { queue, file, document: `${job.title} ${document}` })
    const result = parseOutput(rawResultSchema, output)
    if (result === null) return unknownEnd(output)
    if (result.Call !== null) {
      this.#options.log.error('print-job-refused', { ...result, ...job.trace })
      return rawFailure(result)
    }
    const timeouts = timeoutsFor(job, this.#options.timeouts)
    return waitForJob(this.#spooledJob(queue, document), { printer: queue, job: null }, timeouts, signal)
  }

  async #printFile(
    file: string,
    form: string | null,
    job: PrintJob,
    queue: string,
    signal: AbortSignal
  ): Promise<PrintResult> {
    const { exec, environment, log } = this.#options
    const timeouts = timeoutsFor(job, this.#options.timeouts)
    const submission = { file, queue, form }
    const ended = await exec(sumatraPath(), sumatraArguments(submission), {
      environment,
      timeout: timeouts.job
    })
    if (ended.code !== 0) {
      log.error('print-job-refused', { exitCode: ended.code, cause: ended.cause, ...job.trace })
      return unknownEnd(ended)
    }
    // The spooler's document name contains the file's name, which is unique.
    const spooled = this.#spooledJob(queue, basename(file, '.pdf'))
    return waitForJob(spooled, { printer: queue, job: null }, timeouts, signal)
  }

  /** @param document a part of the document's name that no other document has */
  #spooledJob(queue: string, document: string): MonitoredJob {
    const jobs = async () => parseOutput(jobsSchema, await this.#run('job', { queue, document }))
    let wasHeld = false
    return {
      status: async () => {
        const output = await jobs()
        if (output === null) return { kind: 'pending', hindrance: 'print-system-down', isAtPrinter: true }
        const status = windowsJobStatus(output, wasHeld)
        wasHeld = isHeld(output)
        return status
      },
      cancel: async () => {
        const job = (await jobs())?.Jobs[0]?.Id
        if (job === undefined) return 'unknown'
        const { code } = await this.#run('remove', { queue, job })
        const left = await jobs()
        // A job that the printer is reading remains until it is done; one that was printed meanwhile cannot be removed.
        return code === 0 && left?.Jobs.length === 0 ? 'gone' : 'unknown'
      }
    }
  }

  async #queues(
    script: 'list' | 'queue',
    values: ScriptValues = {}
  ): Promise<readonly WindowsQueue[] | null> {
    return parseOutput(queuesSchema, await this.#run(script, values))
  }

  async #run(script: Script, values: ScriptValues): Promise<ExecResult> {
    const { exec, environment, log } = this.#options
    const result = await runScript(exec, script, values, environment)
    if (result.code !== 0)
      log.error('spooler-not-responding', { exitCode: result.code, stderr: result.stderr })
    return result
  }
}
