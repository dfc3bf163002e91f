/** The programs the rig needs, and starting and stopping them. */
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
  cupsaccept: '/usr/sbin/cupsaccept',
  cupsreject: '/usr/sbin/cupsreject',
  cupsenable: '/usr/sbin/cupsenable',
  cupsdisable: '/usr/sbin/cupsdisable',
  lp: '/usr/bin/lp',
  lpoptions: '/usr/bin/lpoptions',
  lpstat: '/usr/bin/lpstat',
  cancel: '/usr/bin/cancel',
  pdftopdf: '/usr/lib/cups/filter/pdftopdf',
  dbusDaemon: '/usr/bin/dbus-daemon'
} as const
export type Program = keyof typeof PROGRAMS

export const pathOf = (program: Program): string => PROGRAMS[program]

/** Throws one sentence that names Debian's packages when something the rig needs is not installed. */
export function needPrograms(): void {
  const missing = Object.values(PROGRAMS).filter((path) => {
    try {
      accessSync(path, constants.X_OK)
      return false
    } catch {
      return true
    }
  })
  if (missing.length > 0) {
    throw new Error(
      `The tests of printing need a real print system, and ${missing.join(', ')} is missing: ` +
        'apt-get install --no-install-recommends cups cups-client cups-ipp-utils cups-filters dbus'
    )
  }
}

/** Waits until something listens there, or `program` ended. */
export async function listening(port: number, program: StartedProgram): Promise<void> {
  while (!program.ended()) {
    const socket = connect(port, 'localhost')
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (open) return
    await wait(20)
  }
  throw new Error(`A program of the print system ended at once:\n${program.output()}`)
}

export interface StartedProgram {
  ended(): boolean
  /** the last of what it said */
  output(): string
  /** Ends it by its own process id, and waits until it is gone. */
  stop(): Promise<void>
}

/** Starts a program that runs until it is stopped. */
export function start(
  program: Program,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly uid?: number; readonly gid?: number }
): StartedProgram {
  const child: ChildProcess = spawn(pathOf(program), [...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  const listen = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-4000)
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  child.on('error', (error) => listen(Buffer.from(String(error))))
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return {
    ended,
    output: () => said,
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
