/** Queues of the Windows spooler. */
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ok, type Result } from '../../../contract/failure.ts'
import type { Printer, PrinterState, SystemQueue } from '../../../contract/printing.ts'
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
  jobsSchema,
  parseOutput,
  queuesSchema,
  runScript,
  windowsJobStatus,
  windowsQueueFault,
  type Script,
  type ScriptValues,
  type WindowsQueue
} from './powershell.ts'
import { createSpoolerSubmit, paperForm, withTemporaryPdf, type SubmitToSpooler } from './submit-job.ts'

export interface WindowsPrintingOptions extends SystemPrintingOptions {
  /** default: SumatraPDF */
  readonly submit?: SubmitToSpooler
}

const stateOf = (queue: WindowsQueue): PrinterState => {
  const fault = windowsQueueFault(queue)
  if (fault !== null) return { kind: 'hindered', fault }
  if (/Printing|Busy|Processing/i.test(queue.Status)) return { kind: 'printing' }
  return /Normal|Idle|^0?$/i.test(queue.Status) ? { kind: 'ready' } : { kind: 'unknown' }
}

export class WindowsPrinting implements SystemPrinting {
  readonly #options: SystemPrintingOptions
  readonly #submit: SubmitToSpooler

  constructor({ submit = createSpoolerSubmit(), ...options }: WindowsPrintingOptions) {
    this.#options = options
    this.#submit = submit
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
        isDefault: queue.Default
      }))
    )
  }

  async print(job: PrintJob, { name }: SystemQueue, signal: AbortSignal): Promise<PrintResult> {
    if (!isPdf(job.pdf)) return notPrinted('bad-document')
    const queues = await this.#queues('queue', { queue: name })
    if (queues === null) return notPrinted('print-system-down')
    const queue = queues.find(({ Name }) => Name === name)
    if (queue === undefined) return notPrinted('unknown-queue')
    // Faults of paper and cover may be left from the last job; these two are the queue's own.
    const fault = windowsQueueFault(queue)
    if (fault === 'queue-paused' || fault === 'printer-offline') return notPrinted(fault)
    if (signal.aborted) return notPrinted('cancelled-here')
    return withTemporaryPdf(job.pdf, (file) => this.#printFile(file, job, queue, signal))
  }

  async #printFile(
    file: string,
    job: PrintJob,
    queue: WindowsQueue,
    signal: AbortSignal
  ): Promise<PrintResult> {
    const { timeouts, log } = this.#options
    const form = paperForm(queue.Papers, job)
    const submitted = this.#submit({ file, queue: queue.Name, form, copies: job.copies ?? 1 }).then(
      () => 'accepted' as const,
      (error: unknown) => {
        log.error('print-job-refused', { error, ...job.trace })
        return 'refused' as const
      }
    )
    // pdf-to-printer has no time limit of its own.
    const limit = new AbortController()
    const late = wait(timeouts.job, 'late' as const, { signal: limit.signal }).catch(() => 'late' as const)
    const outcome = await Promise.race([submitted, late])
    limit.abort()
    if (outcome === 'late') return notPrinted('timeout', true)
    if (outcome === 'refused') return notPrinted('aborted')
    const printed = { printer: queue.Name, job: null }
    const spooled = this.#spooledJob(queue.Name, file)
    return waitForJob(spooled, printed, timeoutsFor(job, timeouts), signal)
  }

  #spooledJob(queue: string, file: string): MonitoredJob {
    // The spooler's document name contains the file's name, which is unique.
    const document = basename(file, '.pdf')
    const jobs = async () => parseOutput(jobsSchema, await this.#run('job', { queue, document }))
    return {
      status: async () => {
        const output = await jobs()
        return output === null
          ? { kind: 'pending', hindrance: 'print-system-down', isAtPrinter: true }
          : windowsJobStatus(output)
      },
      cancel: async () => {
        const job = (await jobs())?.Jobs[0]?.Id
        if (job === undefined) return 'unknown'
        await this.#run('remove', { queue, job })
        const left = await jobs()
        // A job that the printer is reading remains until it is done.
        return left?.Jobs.length === 0 ? 'gone' : 'unknown'
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
