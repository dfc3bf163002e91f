/** The spooler as recorded answers: what is asked, in which order, and what is made of it. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  DEFAULT_TIMEOUTS,
  type PrintJob,
  refusedSize
} from '../../../../../electron/main/printing/print-job.ts'
import type { ExecResult, Exec } from '../../../../../electron/main/exec.ts'
import {
  sumatraPath,
  WindowsPrinting
} from '../../../../../electron/main/printing/windows/windows-printing.ts'
import { SCRIPTS, type Script } from '../../../../../electron/main/printing/windows/powershell.ts'
import { RAW_PRINTER_SOURCE } from '../../../../../electron/main/printing/windows/raw-printer.ts'
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
  PortName: 'USB001',
  HostAddress: '',
  PortNumber: 0,
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

/** How a program ends that cannot be started. */
const notStarted: ExecResult = { code: null, stdout: '', stderr: '', cause: 'EACCES' }

/** Ends of a program that was started which do not show what it had done: Task Manager's exit code is 1. */
const UNKNOWN_ENDS = [
  ['is killed', { code: 1, stdout: '', stderr: '' }, 'aborted'],
  ['ends with its session', { code: 0x4001_0004, stdout: '', stderr: '' }, 'aborted'],
  ['crashes', { code: -1_073_741_819, stdout: '', stderr: '' }, 'aborted'],
  ['is stopped at its time limit', { code: null, stdout: '', stderr: '' }, 'timeout']
] as const satisfies readonly (readonly [string, ExecResult, string])[]

const submitted: ExecResult = { code: 0, stdout: '', stderr: '' }

/** Time limit of a job for which two seconds are too long. */
const SHORT_MS = 400

/** A program that takes two seconds, and is stopped when its time limit is shorter. */
const twoSeconds = (timeout: number): ExecResult =>
  timeout < 2_000 ? { code: null, stdout: '', stderr: '' } : submitted

/**
 * A spooler that gives its answers one after another, the last for ever; `afterRemoval` replaces those of `job`.
 * @param sumatra the result of SumatraPDF, given its time limit
 */
function spooler(
  answers: Partial<Record<Script | 'afterRemoval', readonly ExecResult[]>>,
  sumatra: (timeout: number) => ExecResult = () => submitted,
  job = DEFAULT_TIMEOUTS.job
) {
  const asked: { script: Script; environment: NodeJS.ProcessEnv }[] = []
  /** arguments of each start of SumatraPDF */
  const submissions: (readonly string[])[] = []
  /** each file that was handed over as it is */
  const rawFiles: { path: string; bytes: Buffer }[] = []
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
    const { TILLPOINTS_FILE: path } = environment
    if (path !== undefined) rawFiles.push({ path, bytes: readFileSync(path) })
    const isRemoved = script === 'job' && asked.some((before) => before.script === 'remove')
    const list = (isRemoved ? left.get('afterRemoval') : undefined) ?? left.get(script) ?? []
    return Promise.resolve((list.length > 1 ? list.shift() : list[0]) ?? refused)
  }
  const queues = new WindowsPrinting({
    exec,
    environment: { SYSTEMROOT: 'D:\\Windows', PSModulePath: 'C:\\Program Files\\PowerShell\\7\\Modules' },
    timeouts: { ...DEFAULT_TIMEOUTS, job, hindrance: 150 },
    log: noOpLogger
  })
  const print = (job = slip) =>
    queues.print(
      job,
      { kind: 'queue', name: 'Bon Theke' },
      {
        signal: new AbortController().signal,
        hindered: () => undefined
      }
    )
  const printRaw = () =>
    queues.printRaw(
      COMMANDS,
      slip,
      { kind: 'raw-queue', name: 'Bon Theke' },
      {
        signal: new AbortController().signal,
        hindered: () => undefined
      }
    )
  return { queues, print, printRaw, asked, submissions, rawFiles }
}

/** Commands of a receipt printer with every byte that a program on their way may change. */
const COMMANDS = Uint8Array.from({ length: 512 }, (_, index) => index)

const handedOver = { Call: null, Error: 0, Written: COMMANDS.length }

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
          isRaw: false,
          offered: { papers: ['80mm', 'A4'], sizes: ['A4', 'Roll Paper 80 x 297 mm'] },
          reportsDeletedJobs: false,
          deviceUri: ''
        },
        {
          kind: 'queue',
          name: 'Bar',
          description: 'At the bar',
          state: { kind: 'hindered', fault: 'printer-offline' },
          isDefault: false,
          isRaw: false,
          offered: { papers: [], sizes: [] },
          reportsDeletedJobs: false,
          deviceUri: ''
        }
      ]
    })
  })

  test('marks the queue of a printer without a driver', async () => {
    const { queues } = spooler({ list: [answered([queue(), queue({ DriverName: 'Generic / Text Only' })])] })
    const list = await queues.list()
    expect(list.ok && list.value.map(({ isRaw }) => isRaw)).toEqual([false, true])
  })

  test.each([
    [
      'a TCP/IP port',
      { PortName: 'Bon', HostAddress: '192.168.1.20', PortNumber: 9100 },
      'socket://192.168.1.20:9100'
    ],
    [
      'a host name',
      { PortName: 'IP_bon', HostAddress: 'EPSON1.local', PortNumber: 515 },
      'socket://EPSON1.local:515'
    ],
    [
      'an IPv6 address',
      { PortName: 'Bon', HostAddress: 'fd00::20', PortNumber: 9100 },
      'socket://[fd00::20]:9100'
    ],
    ['a serial port', { PortName: 'com3:' }, 'serial:COM3'],
    ['a USB port', { PortName: 'USB001' }, ''],
    ['a file', { PortName: 'PORTPROMPT:' }, ''],
    ['several ports of a pool', { PortName: 'COM3:,COM4:' }, ''],
    ['a port of its server', { Name: '\\\\office\\Bon', PortName: 'COM3:' }, ''],
    ['a port number that is none', { HostAddress: '192.168.1.20', PortNumber: 99_999 }, ''],
    ['an address that is none', { HostAddress: '192.168.1.20@bad/', PortNumber: 9100 }, ''],
    ['a long address', { HostAddress: 'a'.repeat(300), PortNumber: 9100 }, '']
  ])('reports where the queue at %s sends its jobs', async (_port, changes, deviceUri) => {
    const { queues } = spooler({ list: [answered([queue(changes)])] })
    expect(await queues.list()).toMatchObject({ ok: true, value: [{ deviceUri }] })
  })

  test('is read without ports where Windows lists none', async () => {
    const without = { PortName: undefined, HostAddress: undefined, PortNumber: undefined }
    const empty = { PortName: null, HostAddress: null, PortNumber: null }
    const { queues } = spooler({ list: [answered([queue(without), queue(empty)])] })
    expect(await queues.list()).toMatchObject({ ok: true, value: [{ deviceUri: '' }, { deviceUri: '' }] })
  })

  test('is one call of PowerShell, which lists the ports as well', async () => {
    const { queues, asked } = spooler({ list: [answered([queue()])] })
    await queues.list()
    expect(asked.map(({ script }) => script)).toEqual(['list'])
    expect(SCRIPTS.list.match(/Get-PrinterPort/g)).toHaveLength(1)
    for (const name of ['PortName', 'PrinterHostAddress', 'PortNumber'])
      expect(SCRIPTS.list).toContain(`.${name}`)
    // One queue is looked up before each slip: its port does not matter there, and all ports take time.
    expect(SCRIPTS.queue).not.toContain('Get-PrinterPort')
  })

  test('says which papers of the till have a form of their size, whatever its name is', async () => {
    const Papers = ['Letter', 'Receipt']
    const Sizes = { value: [{ Name: 'Receipt', Width: 315, Height: 3937 }], Count: 1 }
    const { queues } = spooler({ list: [answered([queue({ Papers, Sizes })])] })
    expect(await queues.list()).toMatchObject({ value: [{ offered: { papers: ['80mm'], sizes: Papers } }] })
    for (const script of [SCRIPTS.list, SCRIPTS.queue]) expect(script).toContain('$settings.PaperSizes')
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
  test('is not submitted where the driver has no form for it', async () => {
    const { print, submissions } = spooler({ queue: [answered([queue()])] })
    expect(await print({ ...slip, widthMillimetres: 105, heightMillimetres: 148 })).toEqual(
      refusedSize({ papers: ['80mm', 'A4'], sizes: ['A4', 'Roll Paper 80 x 297 mm'] })
    )
    expect(submissions).toEqual([])
  })

  test('is submitted unscaled on the driver’s form, and is printed when it has left the spooler', async () => {
    const { print, submissions, asked } = spooler({
      queue: [answered([queue()])],
      job: [answered(jobs('Spooling')), answered(jobs('Printing')), answered(jobs())]
    })
    expect(await print()).toEqual({ ok: true, value: { printer: 'Bon Theke', job: null } })
    expect(submissions).toHaveLength(1)
    expect(submissions[0]).toEqual(
      expect.arrayContaining(['Bon Theke', 'noscale,1x,simplex,paper=Roll Paper 80 x 297 mm'])
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

  test('is not sent to a queue without a driver, which would print it as text', async () => {
    const { print, submissions } = spooler({
      queue: [answered([queue({ DriverName: 'Generic / Text Only' })])]
    })
    expect(await print()).toEqual(notPrinted('refused-pdf', false))
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

  test('that leaves the queue while it cannot be removed may have been printed', async () => {
    const { print } = spooler({
      queue: [answered([queue()])],
      job: [answered(jobs('Paused'))],
      remove: [refused],
      afterRemoval: [answered(jobs())]
    })
    expect(await print()).toEqual(notPrinted('queue-paused', true))
  })

  test('that cannot be removed from the queue may still print', async () => {
    const { print } = spooler({ queue: [answered([queue()])], job: [answered(jobs('Paused'))] })
    expect(await print()).toEqual(notPrinted('queue-paused', true))
  })

  test.each([
    ['Deleting', false],
    ['Deleting, Printing', true]
  ])(
    'that is deleted in its queue (%s) was cancelled; a part may be printed: %s',
    async (status, isBegun) => {
      const { print } = spooler({ queue: [answered([queue()])], job: [answered(jobs(status))] })
      expect(await print()).toEqual(notPrinted('cancelled-at-printer', isBegun))
    }
  )

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

  test.each(UNKNOWN_ENDS)('may still print when SumatraPDF %s', async (_how, ended, fault) => {
    const { print } = spooler({ queue: [answered([queue()])] }, () => ended)
    expect(await print()).toEqual(notPrinted(fault, true))
  })

  test('was not submitted when SumatraPDF cannot be started', async () => {
    const { print } = spooler({ queue: [answered([queue()])] }, () => notStarted)
    expect(await print()).toEqual(notPrinted('aborted', false))
  })

  test('that SumatraPDF does not submit in time is given up, and may still print', async () => {
    const { print } = spooler({ queue: [answered([queue()])] }, twoSeconds, SHORT_MS)
    expect(await print()).toEqual(notPrinted('timeout', true))
  })

  test('has time for each further page while SumatraPDF submits it', async () => {
    const { print } = spooler({ queue: [answered([queue()])], job: [answered(jobs())] }, twoSeconds, SHORT_MS)
    expect((await print({ ...slip, pages: 2 })).ok).toBe(true)
  })
})

describe('commands for a receipt printer', () => {
  test('are handed over as they are, and the end of their job is waited for', async () => {
    const { printRaw, asked, rawFiles, submissions } = spooler({
      queue: [answered([queue()])],
      raw: [answered(handedOver)],
      job: [answered(jobs('Printing')), answered(jobs())]
    })
    expect(await printRaw()).toEqual({ ok: true, value: { printer: 'Bon Theke', job: null } })
    expect(rawFiles.map(({ bytes }) => new Uint8Array(bytes))).toEqual([COMMANDS])
    expect(asked.map(({ script }) => script)).toEqual(['queue', 'raw', 'job', 'job'])
    expect(submissions).toEqual([])
    const [, handOver, question] = asked
    expect(handOver?.environment).toMatchObject({ SYSTEMROOT: 'D:\\Windows', TILLPOINTS_QUEUE: 'Bon Theke' })
    // the job is found by a part of its document's name, which no other has
    const { TILLPOINTS_DOCUMENT: part } = question?.environment ?? {}
    expect(part).toMatch(/^[0-9a-f-]{36}$/)
    expect(handOver?.environment['TILLPOINTS_DOCUMENT']).toBe(`Points slip ${String(part)}`)
  })

  test.each([
    ['handed over', handedOver],
    ['refused', { Call: 'OpenPrinter', Error: 5, Written: 0 }]
  ])('leave no file behind when they were %s', async (_outcome, result) => {
    const { printRaw, rawFiles } = spooler({
      queue: [answered([queue()])],
      raw: [answered(result)],
      job: [answered(jobs())]
    })
    await printRaw()
    expect(rawFiles).toHaveLength(1)
    expect(rawFiles.filter(({ path }) => existsSync(path))).toEqual([])
  })

  test('go to a queue with the driver for text, too', async () => {
    const { printRaw } = spooler({
      queue: [answered([queue({ DriverName: 'Generic / Text Only' })])],
      raw: [answered(handedOver)],
      job: [answered(jobs())]
    })
    expect((await printRaw()).ok).toBe(true)
  })

  test.each([
    ['no such queue', [], 'unknown-queue'],
    ['a paused queue', [queue({ Status: 'Paused' })], 'queue-paused'],
    ['a printer that is off', [queue({ Offline: true })], 'printer-offline'],
    ['a printer of IPP', [queue({ DriverName: 'Microsoft IPP Class Driver' })], 'refused-commands']
  ])('are not sent to %s', async (_what, list, fault) => {
    const { printRaw, rawFiles } = spooler({ queue: [answered(list)] })
    expect(await printRaw()).toEqual(notPrinted(fault, false))
    expect(rawFiles).toEqual([])
  })

  test.each([
    [{ Call: 'Add-Type: This language mode has no new types', Error: 0, Written: 0 }, 'aborted', false],
    [{ Call: 'OpenPrinter', Error: 1801, Written: 0 }, 'unknown-queue', false],
    [{ Call: 'OpenPrinter', Error: 1722, Written: 0 }, 'print-system-down', false],
    [{ Call: 'StartDocPrinter', Error: 5, Written: 0 }, 'permission-denied', false],
    [{ Call: 'StartDocPrinter', Error: 1804, Written: 0 }, 'aborted', false],
    [{ Call: 'WritePrinter', Error: 112, Written: 100 }, 'aborted', true],
    [{ Call: 'WritePrinter', Error: 63, Written: 100 }, 'cancelled-at-printer', true],
    [{ Call: 'EndDocPrinter', Error: 1722, Written: 512 }, 'print-system-down', true]
  ])('that the spooler refuses with %o are %s', async (result, fault, mayStillPrint) => {
    const { printRaw, asked } = spooler({ queue: [answered([queue()])], raw: [answered(result)] })
    expect(await printRaw()).toEqual(notPrinted(fault, mayStillPrint))
    expect(asked.map(({ script }) => script)).not.toContain('job')
  })

  test.each([
    ...UNKNOWN_ENDS,
    ['ends without a result', submitted, 'aborted'],
    ['says something else', { ...submitted, stdout: 'WARNING: x' }, 'aborted']
  ] as const)('may still print when the script %s', async (_how, ended, fault) => {
    const { printRaw } = spooler({ queue: [answered([queue()])], raw: [ended] })
    expect(await printRaw()).toEqual(notPrinted(fault, true))
  })

  test('were not submitted when the script cannot be started', async () => {
    const { printRaw } = spooler({ queue: [answered([queue()])], raw: [notStarted] })
    expect(await printRaw()).toEqual(notPrinted('aborted', false))
  })

  test('that stay in the queue are taken out of it', async () => {
    const { printRaw, asked } = spooler({
      queue: [answered([queue()])],
      raw: [answered(handedOver)],
      job: [answered(jobs('Printing, PaperOut'))],
      remove: [answered('')],
      afterRemoval: [answered(jobs())]
    })
    expect(await printRaw()).toEqual(notPrinted('out-of-paper', true))
    expect(asked.map(({ script }) => script)).toContain('remove')
  })
})

test('the bytes of a write that failed in its middle are counted', () => {
  const [beforeReturn] = RAW_PRINTER_SOURCE.split('return Failed("WritePrinter", written)')
  expect(beforeReturn).toContain('written += Math.Max(count, 0);')
})

test('no script contains a value, or a quotation mark that ends its source', () => {
  const [before, source, after, ...more] = SCRIPTS.raw.split("'")
  expect(before).toMatch(/Add-Type -TypeDefinition $/)
  expect(source).toBe(RAW_PRINTER_SOURCE)
  expect(after).toContain('$env:TILLPOINTS_FILE')
  // What fails before the spooler is called is said as such: no other end shows that nothing was submitted.
  expect(before).toContain('try { Add-Type')
  expect(after).toMatch(/ReadAllBytes\(.*\) } catch { .*; exit }; \$result = \[RawPrinter\]::Print/)
  expect(more).toEqual([])
  // The longest command line of Windows.
  for (const script of Object.values(SCRIPTS)) expect(script.length).toBeLessThan(30_000)
})
