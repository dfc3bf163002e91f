/** The spooler as recorded answers: what is asked, in which order, and what is made of it. */
import { describe, expect, test } from 'vitest'
import { DEFAULT_TIMEOUTS, type PrintJob } from '../../../../../electron/main/printing/print-job.ts'
import type { ExecResult, Exec } from '../../../../../electron/main/printing/exec.ts'
import { WindowsPrinting } from '../../../../../electron/main/printing/windows/windows-printing.ts'
import { SCRIPTS, type Script } from '../../../../../electron/main/printing/windows/powershell.ts'
import { sumatraPath } from '../../../../../electron/main/printing/windows/submit-job.ts'
import { noOpLogger } from '../../../../support/no-op-logger.ts'

const slip: PrintJob = {
  pdf: Buffer.from('%PDF-1.7 slip'),
  title: 'Points slip',
  widthMillimetres: 80,
  heightMillimetres: 120
}

const queue = (changes: object = {}) => ({
  Name: 'Bon Theke',
  Comment: null,
  Location: '',
  DriverName: 'EPSON TM-T88V Receipt5',
  Status: 'Normal',
  Offline: false,
  Default: true,
  Papers: ['A4', 'Roll Paper 80 x 297 mm'],
  ...changes
})

const jobs = (...statuses: string[]) => ({
  Queue: 'Normal',
  Jobs: statuses.map((Status, index) => ({ Id: index + 41, Status }))
})

const answered = (answer: unknown): ExecResult => ({
  code: 0,
  stdout: `${JSON.stringify(answer)}\r\n`,
  stderr: ''
})
const refused: ExecResult = {
  code: 1,
  stdout: '',
  stderr: 'Get-PrintJob : Der Spoolerdienst ist nicht erreichbar.'
}

const submitted: ExecResult = { code: 0, stdout: '', stderr: '' }

/** A program that takes two seconds, and is stopped when its time limit is shorter. */
const twoSeconds = (timeout: number): ExecResult =>
  timeout < 2_000 ? { code: null, stdout: '', stderr: '' } : submitted

/**
 * A spooler that gives its answers one after another, the last for ever; `afterRemoval` replaces those of `job`.
 * @param sumatra the result of SumatraPDF, given its time limit
 */
function spooler(
  answers: Partial<Record<Script | 'afterRemoval', readonly ExecResult[]>>,
  sumatra: (timeout: number) => ExecResult = () => submitted
) {
  const asked: { script: Script; environment: NodeJS.ProcessEnv }[] = []
  /** arguments of each start of SumatraPDF */
  const submissions: (readonly string[])[] = []
  const left = new Map(Object.entries(answers).map(([script, list]) => [script, [...list]]))
  const exec: Exec = (command, args, { environment, timeout }) => {
    if (command === sumatraPath()) {
      submissions.push(args)
      return Promise.resolve(sumatra(timeout))
    }
    expect(command).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
    expect(args.slice(0, -1)).toEqual(['-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-Command'])
    expect(Object.keys(environment).map((name) => name.toLowerCase())).not.toContain('psmodulepath')
    expect(timeout).toBeGreaterThanOrEqual(30_000)
    const script = (Object.keys(SCRIPTS) as Script[]).find((name) => SCRIPTS[name] === args.at(-1))
    if (script === undefined) throw new Error('Unknown script')
    asked.push({ script, environment })
    const isRemoved = script === 'job' && asked.some((before) => before.script === 'remove')
    const list = (isRemoved ? left.get('afterRemoval') : undefined) ?? left.get(script) ?? []
    return Promise.resolve((list.length > 1 ? list.shift() : list[0]) ?? refused)
  }
  const queues = new WindowsPrinting({
    exec,
    environment: { SYSTEMROOT: 'D:\\Windows', PSModulePath: 'C:\\Program Files\\PowerShell\\7\\Modules' },
    timeouts: { ...DEFAULT_TIMEOUTS, job: 400, hindrance: 150 },
    log: noOpLogger
  })
  const print = (job = slip) =>
    queues.print(job, { kind: 'queue', name: 'Bon Theke' }, new AbortController().signal)
  return { queues, print, asked, submissions }
}

const notPrinted = (fault: string, mayStillPrint: boolean) => ({
  ok: false,
  failure: { kind: 'not-printed', fault, mayStillPrint }
})

describe('the list of queues', () => {
  test('lists the queues of the spooler', async () => {
    const offline = queue({
      Name: 'Bar',
      Comment: 'At the bar',
      Offline: true,
      Default: false,
      Papers: [null]
    })
    const { queues } = spooler({ list: [answered([queue(), offline])] })
    expect(await queues.list()).toEqual({
      ok: true,
      value: [
        {
          kind: 'queue',
          name: 'Bon Theke',
          description: 'EPSON TM-T88V Receipt5',
          state: { kind: 'ready' },
          isDefault: true,
          reportsDeletedJobs: false
        },
        {
          kind: 'queue',
          name: 'Bar',
          description: 'At the bar',
          state: { kind: 'hindered', fault: 'printer-offline' },
          isDefault: false,
          reportsDeletedJobs: false
        }
      ]
    })
  })

  test('is read as Windows PowerShell 5.1 writes lists, too', async () => {
    const papers = { value: ['A4'], Count: 1 }
    const { queues } = spooler({ list: [answered({ value: [queue({ Papers: papers })], Count: 1 })] })
    expect(await queues.list()).toMatchObject({ ok: true, value: [{ name: 'Bon Theke' }] })
  })

  test.each([
    ['the spooler is down', refused],
    ['the answer is none', { code: 0, stdout: 'WARNING: x', stderr: '' }]
  ])('is a print system that is down when %s', async (_what, ran) => {
    const { queues } = spooler({ list: [ran] })
    expect(await queues.list()).toEqual(notPrinted('print-system-down', false))
  })
})

describe('a slip', () => {
  test('is submitted unscaled on the driver’s form, and is printed when it has left the spooler', async () => {
    const { print, submissions, asked } = spooler({
      queue: [answered([queue()])],
      job: [answered(jobs('Spooling')), answered(jobs('Printing')), answered(jobs())]
    })
    expect(await print()).toEqual({ ok: true, value: { printer: 'Bon Theke', job: null } })
    expect(submissions).toHaveLength(1)
    expect(submissions[0]).toEqual(
      expect.arrayContaining(['Bon Theke', 'noscale,paper=Roll Paper 80 x 297 mm,1x'])
    )
    const question = asked.find(({ script }) => script === 'job')
    expect(question?.environment).toMatchObject({
      SYSTEMROOT: 'D:\\Windows',
      TILLPOINTS_QUEUE: 'Bon Theke'
    })
    // the job is found by its document's name, which no other has
    expect(submissions[0]?.at(-1)).toContain(`${question?.environment['TILLPOINTS_DOCUMENT'] ?? '-'}.pdf`)
  })

  test('is printed where the driver keeps printed jobs', async () => {
    const { print } = spooler({
      queue: [answered([queue()])],
      job: [answered(jobs('Printed, Retained'))]
    })
    expect((await print()).ok).toBe(true)
  })

  test.each([
    ['no such queue', [], 'unknown-queue'],
    ['a paused queue', [queue({ Status: 'Paused' })], 'queue-paused'],
    ['a printer that is off', [queue({ Offline: true })], 'printer-offline']
  ])('is not sent to %s', async (_what, list, fault) => {
    const { print, submissions } = spooler({ queue: [answered(list)] })
    expect(await print()).toEqual(notPrinted(fault, false))
    expect(submissions).toEqual([])
  })

  test('with a bad document is refused before any query', async () => {
    const { print, asked } = spooler({})
    expect(await print({ ...slip, pdf: Buffer.from('hello') })).toEqual(notPrinted('bad-document', false))
    expect(asked).toEqual([])
  })

  test.each([
    ['Printing, PaperOut', 'out-of-paper', true],
    ['Error, Printing, Offline', 'printer-offline', true],
    ['Printing, UserIntervention', 'printer-fault', true],
    ['Paused', 'queue-paused', false]
  ])('that stays %s is taken out of the queue: %s', async (status, fault, mayStillPrint) => {
    const { print, asked } = spooler({
      queue: [answered([queue()])],
      job: [answered(jobs(status))],
      remove: [answered('')],
      afterRemoval: [answered(jobs())]
    })
    expect(await print()).toEqual(notPrinted(fault, mayStillPrint))
    const removed = asked.find(({ script }) => script === 'remove')
    expect(removed?.environment['TILLPOINTS_JOB']).toBe('41')
  })

  test('that cannot be removed from the queue may still print', async () => {
    const { print } = spooler({ queue: [answered([queue()])], job: [answered(jobs('Paused'))] })
    expect(await print()).toEqual(notPrinted('queue-paused', true))
  })

  test('that is deleted in its queue was cancelled', async () => {
    const { print } = spooler({ queue: [answered([queue()])], job: [answered(jobs('Deleting'))] })
    expect(await print()).toEqual(notPrinted('cancelled-at-printer', false))
  })

  test.each([
    ['its own fault', [jobs('Printing, PaperOut')]],
    ['its pause', [jobs('Printing'), jobs('Paused')]],
    ['the pause of its queue', [{ ...jobs('Spooled'), Queue: 'Paused' }]]
  ])('that leaves the queue during %s was printed or deleted', async (_what, before) => {
    const { print } = spooler({
      queue: [answered([queue()])],
      job: [...before.map(answered), answered(jobs())]
    })
    expect(await print()).toEqual(notPrinted('left-queue', true))
  })

  test.each([
    ['a fault that passed', [jobs('Printing, PaperOut'), jobs('Printing')]],
    ['a fault of the queue that is left from an earlier job', [{ ...jobs('Printing'), Queue: 'PaperOut' }]]
  ])('that leaves the queue after %s was printed', async (_what, before) => {
    const { print } = spooler({
      queue: [answered([queue()])],
      job: [...before.map(answered), answered(jobs())]
    })
    expect((await print()).ok).toBe(true)
  })

  test('that SumatraPDF refuses was not submitted', async () => {
    const { print } = spooler({ queue: [answered([queue()])] }, () => ({ ...submitted, code: 1 }))
    expect(await print()).toEqual(notPrinted('aborted', false))
  })

  test('that SumatraPDF does not submit in time is given up, and may still print', async () => {
    const { print } = spooler({ queue: [answered([queue()])] }, twoSeconds)
    expect(await print()).toEqual(notPrinted('timeout', true))
  })

  test('has time for each further page, and for its copies, while SumatraPDF submits it', async () => {
    for (const many of [{ pages: 2 }, { copies: 2 }]) {
      const { print } = spooler({ queue: [answered([queue()])], job: [answered(jobs())] }, twoSeconds)
      expect((await print({ ...slip, ...many })).ok).toBe(true)
    }
  })
})
