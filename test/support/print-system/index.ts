/**
 * A real print system for tests: a CUPS scheduler and two IPP Everywhere printers that store what they receive and fail
 * on request. It uses free ports of loopback and one temporary folder; started as root, its programs run as `nobody`.
 */
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../loopback.ts'
import { createPrinter, OFFICE_SHEETS, RECEIPT_ROLL, type TestMedia, type TestPrinter } from './printer.ts'
import {
  listening,
  requirePrograms,
  pathOf,
  runProgram,
  start,
  type Program,
  type StartedProgram
} from './programs.ts'

const FOLDERS = ['etc', 'etc/ssl', 'spool', 'spool/tmp', 'cache', 'state', 'log'] as const

/** A PPD file whose only filter is the program `filter`, with slips of 80 by 120 mm. */
const printerDescription = (name: string, filter: string): string => `*PPD-Adobe: "4.3"
*FormatVersion: "4.3"
*FileVersion: "1.0"
*LanguageVersion: English
*LanguageEncoding: ISOLatin1
*PCFileName: "TEST.PPD"
*Manufacturer: "Test"
*Product: "(Test)"
*ModelName: "${name}"
*ShortNickName: "${name}"
*NickName: "${name}"
*PSVersion: "(3010.000) 0"
*cupsFilter: "application/pdf 0 ${filter}"
*OpenUI *PageSize: PickOne
*DefaultPageSize: Slip
*PageSize Slip: "<</PageSize[227 340]>>setpagedevice"
*CloseUI: *PageSize
*DefaultImageableArea: Slip
*ImageableArea Slip: "0 0 227 340"
*DefaultPaperDimension: Slip
*PaperDimension Slip: "227 340"
`

const DRIVERS = /^(?:drv:\/\/\/sample\.drv|dymo:)/

/** The program of a PPD file that turns a raster into what its printer understands. */
const RASTER_FILTER = /^(\*cupsFilter:\s+"application\/vnd\.cups-raster \d+ )[^"]+"/gm

/** The account that the scheduler and its filters run as. */
interface SchedulerUser {
  readonly name: string
  readonly group: string
  /** of its administrators; default `group`, which a scheduler of root refuses */
  readonly systemGroup?: string
}

const filesConfiguration = (
  folder: string,
  { name, group, systemGroup = group }: SchedulerUser
): string => `ServerRoot ${folder}/etc
RequestRoot ${folder}/spool
TempDir ${folder}/spool/tmp
CacheDir ${folder}/cache
StateDir ${folder}/state
AccessLog ${folder}/log/access_log
ErrorLog ${folder}/log/error_log
PageLog ${folder}/log/page_log
SystemGroup ${systemGroup}
User ${name}
Group ${group}
FileDevice Yes
`

/** Directives of cupsd.conf(5), each ended by a line break. */
interface SchedulerDirectives {
  /** of the server, such as `Listen`, and further policies */
  readonly server?: string
  /** of every path */
  readonly location?: string
}

/** Loopback only, no browsing. A printer that is off is retried each second; CUPS waits half a minute by default. */
const schedulerConfiguration = (
  folder: string,
  port: number,
  { server = '', location = '' }: SchedulerDirectives
): string => `LogLevel debug
Listen localhost:${port}
Listen ${folder}/state/cups.sock
Browsing No
BrowseLocalProtocols none
WebInterface No
DefaultAuthType None
DefaultShared No
DirtyCleanInterval 0
PreserveJobHistory Yes
PreserveJobFiles No
JobRetryInterval 1
ErrorPolicy retry-job
${server}<Location />
  Order allow,deny
  Allow all
${location}</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  SubscriptionPrivateAccess all
  SubscriptionPrivateValues none
  <Limit All>
    Order allow,deny
    Allow all
  </Limit>
</Policy>
`

/** Writes the scheduler's folders and configuration. Returns the arguments of cupsd. */
async function writeScheduler(folder: string, port: number, user: SchedulerUser): Promise<readonly string[]> {
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true })
  const [files, main] = [join(folder, 'etc/cups-files.conf'), join(folder, 'etc/cupsd.conf')]
  await writeFile(files, filesConfiguration(folder, user))
  await writeFile(main, schedulerConfiguration(folder, port, {}))
  return ['-f', '-c', main, '-s', files]
}

export { OFFICE_SHEETS, RECEIPT_ROLL, type TestPrinter } from './printer.ts'

/** Debian's unprivileged user and group. */
const NOBODY = { uid: 65_534, gid: 65_534, name: 'nobody', group: 'nogroup' } as const

export interface PrintSystem {
  /** environment of a program that uses this print system instead of the machine's */
  readonly environment: NodeJS.ProcessEnv
  /** everything of it, removed at its end */
  readonly folder: string
  /** path of the scheduler's local socket, also a valid CUPS_SERVER */
  readonly socket: string
  /** prints 58 and 80 mm rolls */
  readonly receipt: TestPrinter
  /** prints A6 and A4 */
  readonly office: TestPrinter
  /** Runs a CUPS command against it. Resolves with its stdout. */
  command(program: Program, ...args: string[]): Promise<string>
  /** Adds a queue without a driver, which passes its jobs on to `device`; default /dev/null. */
  addRawQueue(name: string, device?: string): Promise<void>
  /** Adds an IPP Everywhere printer and its queue, whose driver CUPS makes itself, or `driverless` of cups-filters does. */
  addPrinter(queue: string, media: TestMedia, driverOf?: 'cups' | 'cups-filters'): Promise<TestPrinter>
  /** Lists the drivers of CUPS's own samples and of DYMO, as `addDriver` takes them. */
  drivers(): Promise<readonly string[]>
  /**
   * Adds a queue with a driver that `lpinfo` lists. Its jobs end in a file as the driver gets them. Resolves with a function
   * that reads the last one, null without one, and forgets it.
   */
  addDriver(name: string, driver: string): Promise<() => Promise<Buffer | null>>
  /** Adds a class of queues, one of which prints each job. */
  addClass(name: string, ...members: readonly string[]): Promise<void>
  /** Adds a queue whose driver is a shell script: CUPS passes it the PDF as `$6`, and its output on to /dev/null. */
  addFilterQueue(name: string, script: string): Promise<void>
  stopScheduler(): Promise<void>
  startScheduler(): Promise<void>
  /** Restarts the scheduler with these directives, and without those of the last call. */
  configureScheduler(directives: SchedulerDirectives): Promise<void>
  /** The last 20,000 characters of the scheduler's error log, for debugging. */
  log(): Promise<string>
  /** Stops every program and removes the folder. */
  stop(): Promise<void>
}

/** Makes `nobody` the owner of a folder and its contents. */
async function chownToNobody(folder: string): Promise<void> {
  await chown(folder, NOBODY.uid, NOBODY.gid)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await chown(join(entry.parentPath, entry.name), NOBODY.uid, NOBODY.gid)
  }
}

/** Starts the print system. Throws one sentence when a program is missing. */
export async function startPrintSystem({ isRootsScheduler = false } = {}): Promise<PrintSystem> {
  requirePrograms()
  const isRoot = process.getuid?.() === 0
  const folder = await mkdtemp(join(tmpdir(), 'print-system-'))
  const account = isRoot ? { uid: NOBODY.uid, gid: NOBODY.gid } : {}
  const chownToUser = isRoot ? chownToNobody : async (): Promise<void> => Promise.resolve()
  const user = isRoot
    ? { ...NOBODY, ...(isRootsScheduler && { systemGroup: 'root' }) }
    : { name: userInfo().username, group: (await runProgram('id', ['-gn'])).stdout.trim() }

  const port = await freePort()
  const bus = `unix:path=${join(folder, 'bus')}`
  const environment = {
    ...process.env,
    CUPS_SERVER: `localhost:${port}`,
    // Keeps the machine's default queue and options out of the tests, and the tests' out of the machine.
    HOME: folder,
    CUPS_SERVERROOT: folder,
    LC_ALL: 'C'
  }
  const programEnvironment = { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C', TMPDIR: folder }
  const schedulerArguments = await writeScheduler(folder, port, user)
  await chownToUser(folder)

  // ippeveprinter requires a message bus even with announcements (`-r off`) disabled.
  const daemon = start('dbusDaemon', ['--session', '--nofork', '--nopidfile', `--address=${bus}`], {
    ...account,
    env: programEnvironment
  })
  await listening(join(folder, 'bus'), daemon)

  let scheduler: StartedProgram | null = null
  const command = async (program: Program, ...args: string[]): Promise<string> =>
    (await runProgram(pathOf(program), args, { env: environment })).stdout

  const system = {
    folder,
    environment,
    socket: join(folder, 'state/cups.sock'),
    command,
    async stopScheduler() {
      await scheduler?.stop()
      scheduler = null
    },
    async startScheduler() {
      scheduler = start('cupsd', schedulerArguments, {
        ...(isRootsScheduler ? {} : account),
        env: programEnvironment
      })
      await listening(port, scheduler)
    },
    async configureScheduler(directives: SchedulerDirectives) {
      await system.stopScheduler()
      await writeFile(join(folder, 'etc/cupsd.conf'), schedulerConfiguration(folder, port, directives))
      await system.startScheduler()
    },
    async addRawQueue(name: string, device = 'file:///dev/null') {
      await command('lpadmin', '-p', name, '-E', '-v', device, '-m', 'raw')
    },
    async drivers() {
      const lines = (await command('lpinfo', '-m')).split('\n')
      return lines.map((line) => line.split(' ')[0] ?? '').filter((name) => DRIVERS.test(name))
    },
    async addDriver(name: string, driver: string) {
      const [printed, ppd] = [join(folder, `${name}.job`), join(folder, `${name}.ppd`)]
      await command('lpadmin', '-p', name, '-m', driver)
      const description = await readFile(join(folder, 'etc/ppd', `${name}.ppd`), 'latin1')
      await writeFile(ppd, description.replaceAll(RASTER_FILTER, '$1-"'), 'latin1')
      await command('lpadmin', '-p', name, '-E', '-v', `file://${printed}`, '-P', ppd)
      // Below /dev, where the tests may have their folder, CUPS writes to files that exist already only.
      const empty = async (): Promise<void> => {
        await writeFile(printed, '')
        await chmod(printed, 0o666)
      }
      await empty()
      return async () => {
        const bytes = await readFile(printed)
        await empty()
        return bytes.length === 0 ? null : bytes
      }
    },
    async addClass(name: string, ...members: readonly string[]) {
      for (const member of members) await command('lpadmin', '-p', member, '-c', name)
      await command('cupsenable', name)
      await command('cupsaccept', name)
    },
    async addFilterQueue(name: string, script: string) {
      const [filter, ppd] = [join(folder, `${name}.sh`), join(folder, `${name}.ppd`)]
      await writeFile(filter, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      await writeFile(ppd, printerDescription(name, filter))
      await chownToUser(folder)
      await command('lpadmin', '-p', name, '-E', '-v', 'file:///dev/null', '-P', ppd)
    },
    log: async () => (await readFile(join(folder, 'log/error_log'), 'utf8')).slice(-20_000)
  }
  const printers: TestPrinter[] = []
  const addPrinter: PrintSystem['addPrinter'] = async (queue, media, driverOf = 'cups') => {
    const printerPort = await freePort()
    const printer = await createPrinter({
      queue,
      media,
      folder: join(folder, queue),
      port: printerPort,
      chownToUser,
      spawnOptions: { ...account, env: { ...programEnvironment, DBUS_SYSTEM_BUS_ADDRESS: bus } }
    })
    printers.push(printer)
    const uri = `ipp://localhost:${printerPort}/ipp/print`
    const options = [
      '-E',
      '-v',
      uri,
      '-m',
      driverOf === 'cups' ? 'everywhere' : `driverless:${uri}`,
      '-D',
      `${queue} at the counter`,
      '-o',
      'printer-is-shared=true'
    ]
    await command('lpadmin', '-p', queue, ...options)
    // The scheduler asks the printer for its sizes afterwards; until then the queue has no driver.
    const model = driverOf === 'cups' ? 'IPP Everywhere' : 'driverless'
    while (!(await command('lpoptions', '-p', queue)).includes(model)) await wait(20)
    return printer
  }
  const stop = async (): Promise<void> => {
    for (const printer of printers) await printer.off()
    await system.stopScheduler()
    await daemon.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await system.startScheduler()
    const receipt = await addPrinter('Receipt', RECEIPT_ROLL)
    const office = await addPrinter('Office', OFFICE_SHEETS)
    return { ...system, addPrinter, receipt, office, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
