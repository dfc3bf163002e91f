/** The programs of the test print system: where Debian installs them, which are missing, and running them. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

export const runProgram = promisify(execFile)

const PROGRAMS = {
  cupsd: '/usr/sbin/cupsd',
  ippeveprinter: '/usr/sbin/ippeveprinter',
  lpadmin: '/usr/sbin/lpadmin',
  lpinfo: '/usr/sbin/lpinfo',
  cupsaccept: '/usr/sbin/cupsaccept',
  cupsreject: '/usr/sbin/cupsreject',
  cupsenable: '/usr/sbin/cupsenable',
  cupsdisable: '/usr/sbin/cupsdisable',
  lp: '/usr/bin/lp',
  lpoptions: '/usr/bin/lpoptions',
  lpstat: '/usr/bin/lpstat',
  cancel: '/usr/bin/cancel',
  pdftopdf: '/usr/lib/cups/filter/pdftopdf',
  dymoDriver: '/usr/lib/cups/driver/dymo',
  dbusDaemon: '/usr/bin/dbus-daemon',
  avahiDaemon: '/usr/sbin/avahi-daemon',
  ip: '/bin/ip'
} as const
export type Program = keyof typeof PROGRAMS

/** The Debian packages that contain the programs. */
export const CUPS_PACKAGES = [
  'cups',
  'cups-client',
  'cups-ipp-utils',
  'cups-filters',
  'printer-driver-dymo',
  'dbus',
  'avahi-daemon',
  'iproute2'
] as const

/** The command that installs them. */
export const INSTALL_CUPS = `apt-get install --no-install-recommends ${CUPS_PACKAGES.join(' ')}`

export const pathOf = (program: Program): string => PROGRAMS[program]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Paths of the programs that are not installed. */
export const missingPrograms = (): readonly string[] =>
  Object.values(PROGRAMS).filter((path) => !isExecutable(path))

/** Throws one sentence with the installing command when a program is missing. */
export function requirePrograms(): void {
  const missing = missingPrograms()
  if (missing.length > 0) {
    throw new Error(`The printing tests need CUPS, and ${missing.join(', ')} is missing: ${INSTALL_CUPS}`)
  }
}

/** What the decision depends on. */
export interface PrintSystemHost {
  readonly platform: NodeJS.Platform
  /** paths of the programs that are not installed */
  readonly missing: readonly string[]
  /** true on a build server, which must have everything: the tests run there and fail on what is missing */
  readonly ci: boolean
}

/**
 * Returns why the CUPS tests are skipped, as one sentence with the installing command; null when they run. Only Linux is
 * supported: the paths of the programs are Debian's.
 */
export function skipReason({ platform, missing, ci }: PrintSystemHost): string | null {
  if (platform !== 'linux') return `The CUPS tests run on Linux only; this is ${platform}.`
  if (missing.length === 0 || ci) return null
  return `The CUPS tests need ${missing.join(', ')}: ${INSTALL_CUPS}`
}

/** The reason on this machine. */
export const printSystemSkipReason = (): string | null =>
  skipReason({
    platform: process.platform,
    missing: missingPrograms(),
    ci: Boolean(process.env['CI'])
  })

/**
 * Resolves when a port of loopback, or the path of a socket, accepts connections: the file of a socket is there before it
 * does. Rejects with the program's output when it ended before.
 */
export async function listening(at: number | string, program: StartedProgram): Promise<void> {
  while (!program.ended()) {
    const socket = typeof at === 'number' ? connect(at, 'localhost') : connect(at)
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (open) return
    await wait(20)
  }
  throw new Error(`A program of the print system ended during its start:\n${program.output()}`)
}

export interface StartedProgram {
  ended(): boolean
  /** the last 4,000 characters of stdout and stderr */
  output(): string
  /** Sends SIGTERM, after three seconds SIGKILL. Resolves when the process has ended. */
  stop(): Promise<void>
}

/** Starts a program that runs until `stop()`. */
export function start(
  program: Program,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly uid?: number; readonly gid?: number }
): StartedProgram {
  const child: ChildProcess = spawn(pathOf(program), [...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  const append = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-4000)
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  child.on('error', (error) => append(Buffer.from(String(error))))
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return {
    ended,
    output: () => output,
    async stop() {
      if (ended()) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), 3000)
      await gone
      clearTimeout(killer)
    }
  }
}
