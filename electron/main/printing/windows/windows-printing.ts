/** Queues of the Windows spooler. */
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ok } from '../../../contract/failure.ts'
import type { PrinterState } from '../../../contract/printing.ts'
import { follow, type MonitoredJob } from '../job-monitor.ts'
import {
  looksLikePdf,
  notPrinted,
  timesFor,
  type PrintAnswer,
  type PrintTimes,
  type SystemPrinting
} from '../print-job.ts'
import type { Logger } from '../../log/log.ts'
import type { ExecResult, Exec } from '../exec.ts'
import { createSpoolerSubmit, paperForm, withTemporaryPdf, type SubmitToSpooler } from './submit-job.ts'
import {
  jobsSchema,
  judge,
  parseAnswer,
  powerShell,
  queuesSchema,
  windowsQueueFault,
  type Script,
  type ScriptValues,
  type WindowsQueue
} from './powershell.ts'

export interface WindowsOptions {
  readonly run: Exec
  readonly environment: NodeJS.ProcessEnv
  readonly times: PrintTimes
  readonly log: Logger
  /** instead of SumatraPDF */
  readonly hand?: SubmitToSpooler
}

const stateOf = (queue: WindowsQueue): PrinterState => {
  const fault = windowsQueueFault(queue)
  if (fault !== null) return { kind: 'hindered', fault }
  if (/Printing|Busy|Processing/i.test(queue.Status)) return { kind: 'printing' }
  return /Normal|Idle|^0?$/i.test(queue.Status) ? { kind: 'ready' } : { kind: 'unknown' }
}

/** Makes the queues of this machine's spooler. */
export function createWindowsPrinting({
  run,
  environment,
  times,
  log,
  hand = createSpoolerSubmit()
}: WindowsOptions): SystemPrinting {
  const ask = async (script: Script, values: ScriptValues = {}): Promise<ExecResult> => {
    const ran = await powerShell(run, script, values, environment, times.answer)
    if (ran.code !== 0) log.error('spooler-not-answered', { exitCode: ran.code, said: ran.stderr })
    return ran
  }

  const inSpooler = (queue: string, file: string): MonitoredJob => {
    // what the spooler calls the document holds the file's name, which no other job has
    const document = basename(file, '.pdf')
    const jobs = async () => parseAnswer(jobsSchema, await ask('job', { queue, document }))
    return {
      async look() {
        const answer = await jobs()
        return answer === null
          ? { kind: 'under-way', hindrance: 'print-system-down', handedOver: true }
          : judge(answer)
      },
      async cancel() {
        const job = (await jobs())?.Jobs[0]?.Id
        if (job === undefined) return 'unknown'
        await ask('remove', { queue, job })
        const left = await jobs()
        // A job that the printer is reading stays until it is done.
        return left?.Jobs.length === 0 ? 'gone' : 'unknown'
      }
    }
  }

  return {
    async list() {
      const queues = parseAnswer(queuesSchema, await ask('list'))
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
    },

    async print(job, { name: queue }, signal): Promise<PrintAnswer> {
      if (!looksLikePdf(job.pdf)) return notPrinted('bad-document')
      const found = parseAnswer(queuesSchema, await ask('list'))
      if (found === null) return notPrinted('print-system-down')
      const known = found.find(({ Name }) => Name === queue)
      if (known === undefined) return notPrinted('unknown-queue')
      // Paper and cover may be of the last job; these two are of the queue itself.
      const hindrance = windowsQueueFault(known)
      if (hindrance === 'queue-paused' || hindrance === 'printer-offline') return notPrinted(hindrance)
      if (signal.aborted) return notPrinted('cancelled-here')

      return withTemporaryPdf(job.pdf, async (file) => {
        const form = paperForm(known.Papers, job)
        const handed = hand({ file, queue, form, copies: job.copies ?? 1 }).then(
          () => 'taken' as const,
          (error: unknown) => {
            log.error('spooler-took-no-job', { error, ...job.trace })
            return 'refused' as const
          }
        )
        // pdf-to-printer has no time limit of its own.
        const limit = new AbortController()
        const late = wait(times.whole, 'late' as const, { signal: limit.signal }).catch(() => 'late' as const)
        const came = await Promise.race([handed, late])
        limit.abort()
        if (came === 'late') return notPrinted('timeout', true)
        if (came === 'refused') return notPrinted('aborted')
        return follow(inSpooler(queue, file), { printer: queue, job: null }, timesFor(job, times), signal)
      })
    }
  }
}
