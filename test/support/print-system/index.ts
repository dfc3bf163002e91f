/** The rig's own CUPS scheduler: a private folder, a free port, nobody's rights. */
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../loopback.ts'
import { createPrinter, OFFICE_SHEETS, RECEIPT_ROLL, type TestMedia, type TestPrinter } from './printer.ts'
import {
  listening,
  needPrograms,
  pathOf,
  runProgram,
  start,
  type Program,
  type StartedProgram
} from './programs.ts'

const FOLDERS = ['etc', 'spool', 'spool/tmp', 'cache', 'state', 'log'] as const

/** Whose rights the scheduler and its filters have. */
interface SchedulerUser {
  readonly name: string
  readonly group: string
}

const filesConfiguration = (
  folder: string,
  { name, group }: SchedulerUser
): string => `ServerRoot ${folder}/etc
RequestRoot ${folder}/spool
TempDir ${folder}/spool/tmp
CacheDir ${folder}/cache
StateDir ${folder}/state
AccessLog ${folder}/log/access_log
ErrorLog ${folder}/log/error_log
PageLog ${folder}/log/page_log
SystemGroup ${group}
User ${name}
Group ${group}
FileDevice Yes
`

/** Loopback only, no browsing. A printer that is off is tried again each second rather than each half minute. */
const schedulerConfiguration = (folder: string, port: number): string => `LogLevel debug
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
<Location />
  Order allow,deny
  Allow localhost
</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  SubscriptionPrivateAccess all
  SubscriptionPrivateValues none
  <Limit All>
    Order allow,deny
    Allow localhost
  </Limit>
</Policy>
`

/** Writes the scheduler's folder and configuration; gives back its arguments. */
async function writeScheduler(folder: string, port: number, user: SchedulerUser): Promise<readonly string[]> {
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true })
  const [files, main] = [join(folder, 'etc/cups-files.conf'), join(folder, 'etc/cupsd.conf')]
  await writeFile(files, filesConfiguration(folder, user))
  await writeFile(main, schedulerConfiguration(folder, port))
  return ['-f', '-c', main, '-s', files]
}

/* from index.ts:
 * A real print system for tests: CUPS and IPP Everywhere printers that keep what they receive and fail on demand.
 * All of it on loopback, in one temporary folder, with nobody's rights where it is started as root.
 */

export type { TestPrinterBehaviour, TestPrinter } from './printer.ts'

/** Debian's user and group without rights. */
const NOBODY = { uid: 65_534, gid: 65_534, name: 'nobody', group: 'nogroup' } as const

export interface PrintSystem {
  /** what a program needs to find this print system and no other */
  readonly environment: NodeJS.ProcessEnv
  /** path of the scheduler's local socket, which goes into CUPS_SERVER as well */
  readonly socket: string
  /** prints 58 and 80 mm rolls */
  readonly receipt: TestPrinter
  /** prints A6 and A4 */
  readonly office: TestPrinter
  /** Runs one of CUPS's commands against it; gives back what it printed. */
  command(program: Program, ...args: string[]): Promise<string>
  /** A queue that sends nothing anywhere, with further options of `lpadmin`. */
  addQueue(name: string, ...options: string[]): Promise<void>
  stopScheduler(): Promise<void>
  startScheduler(): Promise<void>
  /** The last of the scheduler's log, for a test that wonders. */
  log(): Promise<string>
  /** Ends every program and removes the folder. */
  stop(): Promise<void>
}

/** Gives a folder and what is in it to nobody; does nothing for a user who is not root. */
async function giveToNobody(folder: string): Promise<void> {
  await chown(folder, NOBODY.uid, NOBODY.gid)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await chown(join(entry.parentPath, entry.name), NOBODY.uid, NOBODY.gid)
  }
}

/** Starts everything; throws one sentence when a program is missing. */
export async function startPrintSystem(): Promise<PrintSystem> {
  needPrograms()
  const isRoot = process.getuid?.() === 0
  const folder = await mkdtemp(join(tmpdir(), 'print-system-'))
  const rights = isRoot ? { uid: NOBODY.uid, gid: NOBODY.gid } : {}
  const handOver = isRoot ? giveToNobody : async (): Promise<void> => Promise.resolve()
  const user = isRoot
    ? NOBODY
    : { name: userInfo().username, group: (await runProgram('id', ['-gn'])).stdout.trim() }

  const port = await freePort()
  const bus = `unix:path=${join(folder, 'bus')}`
  const environment = {
    ...process.env,
    CUPS_SERVER: `localhost:${port}`,
    // this machine's default queue and its options must not leak in, nor those of a test leak out
    HOME: folder,
    CUPS_SERVERROOT: folder,
    LC_ALL: 'C'
  }
  const programEnvironment = { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C', TMPDIR: folder }
  const schedulerArguments = await writeScheduler(folder, port, user)
  await handOver(folder)

  // ippeveprinter looks for a bus even where it announces itself to nobody
  const daemon = start('dbusDaemon', ['--session', '--nofork', '--nopidfile', `--address=${bus}`], {
    ...rights,
    env: programEnvironment
  })
  while (!existsSync(join(folder, 'bus')) && !daemon.ended()) await wait(10)

  let scheduler: StartedProgram | null = null
  const command = async (program: Program, ...args: string[]): Promise<string> =>
    (await runProgram(pathOf(program), args, { env: environment })).stdout

  const system = {
    environment,
    socket: join(folder, 'state/cups.sock'),
    command,
    async stopScheduler() {
      await scheduler?.stop()
      scheduler = null
    },
    async startScheduler() {
      scheduler = start('cupsd', schedulerArguments, { ...rights, env: programEnvironment })
      await listening(port, scheduler)
    },
    async addQueue(name: string, ...options: string[]) {
      await command('lpadmin', '-p', name, '-E', '-v', 'file:///dev/null', '-m', 'raw', ...options)
    },
    log: async () => (await readFile(join(folder, 'log/error_log'), 'utf8')).slice(-20_000)
  }
  const printers: TestPrinter[] = []
  const addPrinter = async (queue: string, paper: TestMedia): Promise<TestPrinter> => {
    const printerPort = await freePort()
    const printer = await createPrinter({
      queue,
      paper,
      folder: join(folder, queue),
      port: printerPort,
      handOver,
      options: { ...rights, env: { ...programEnvironment, DBUS_SYSTEM_BUS_ADDRESS: bus } }
    })
    printers.push(printer)
    const uri = `ipp://localhost:${printerPort}/ipp/print`
    await command(
      'lpadmin',
      '-p',
      queue,
      '-E',
      '-v',
      uri,
      '-m',
      'everywhere',
      '-D',
      `${queue} at the counter`
    )
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
    return { ...system, receipt, office, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
