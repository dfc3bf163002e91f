import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { CHROMIUM_MISSING, findChromium } from '../../chromium.ts'
import { Connection } from './connection.ts'
import { openAppWindow, openHiddenPage, type PageSize } from './open-page.ts'
import { chromiumSwitches, type SwitchOptions } from './switches.ts'

/** A running Chromium with a folder of its own. */
export interface Chromium {
  readonly connection: Connection
  /** resolves when the process has ended, for whatever reason */
  readonly ended: Promise<void>
  /** Opens the page that the next call of openPage gives. @returns Chromium's id of the page */
  reservePage(size: PageSize): Promise<string>
  /** Opens an empty page in a window of its own. @returns Chromium's id of the page */
  openPage(size: PageSize): Promise<string>
  /** Ends Chromium and removes its folder. May be called at any time, any number of times. */
  stop(): Promise<void>
}

/** The machine has no Chromium; the message is one sentence with the command that gets one. */
export class ChromiumMissingError extends Error {}

/**
 * Starts Chromium and connects to it.
 * @throws with one sentence that names the command to get a Chromium, when the machine has none
 */
export function launchChromium(options: Omit<SwitchOptions, 'profile'>): Chromium {
  const executable = findChromium({ windows: options.visible })
  if (executable === undefined) throw new ChromiumMissingError(CHROMIUM_MISSING)
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-stand-in-'))
  const environment = makeEnvironment(folder)
  const switches = chromiumSwitches({ ...options, profile: join(folder, 'profile') })
  const child = spawn(executable, switches, {
    // A group of its own: a Ctrl-C in the terminal reaches the app, and the app decides when its windows go.
    detached: true,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe']
  })
  const guardian = spawnGuardian(child, folder)
  announceDebuggingPort(readable(child.stderr))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const connection = new Connection(writable(child.stdio[3]), readable(child.stdio[4]))
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    killGroup(child)
    await ended
    await removeFolder(folder)
    guardian.stdin?.end('done\n')
  }
  const forwarded = switches.filter((each) => !/^--(remote-debugging|no-startup-window)/.test(each))
  const open = (size: PageSize): Promise<string> =>
    options.visible
      ? openAppWindow(connection, { executable, switches: forwarded, environment }, size)
      : openHiddenPage(connection, size)
  const reserved: string[] = []
  return {
    connection,
    ended,
    reservePage: async (size) => {
      const targetId = await open(size)
      reserved.push(targetId)
      return targetId
    },
    openPage: async (size) => reserved.shift() ?? open(size),
    stop: () => (stopped ??= stop())
  }
}

/**
 * The environment of Chromium. Its temporary files are in its own folder and are removed with it; links for the
 * desktop (mailto:) open nothing.
 */
function makeEnvironment(folder: string): NodeJS.ProcessEnv {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
  return { ...process.env, TMPDIR: folder, PATH: `${programs}:${process.env['PATH'] ?? ''}` }
}

/**
 * A shell that outlives this process by a moment: when this process dies without stopping Chromium (SIGKILL), the
 * shell's standard input closes, and it ends Chromium and removes its folder.
 */
function spawnGuardian(child: ChildProcess, folder: string): ChildProcess {
  const script = 'read -r done && exit 0; kill -9 -- "-$1" 2>/dev/null; sleep 0.3; rm -rf -- "$2"'
  const guardian = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  guardian.stdin.on('error', () => undefined)
  guardian.unref()
  return guardian
}

/** Forwards the one line of Chromium's output that a test driver waits for. */
function announceDebuggingPort(output: Readable): void {
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      if (
        line.startsWith('DevTools listening on ') ||
        process.env['TILLPOINTS_STAND_IN_LOG'] === 'chromium'
      ) {
        process.stderr.write(`${line}\n`)
      }
    }
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

/** Chromium's helpers may still write for a moment after the main process has gone. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function writable(stream: unknown): Writable {
  if (stream instanceof Writable) return stream
  throw new Error('electron stand-in: Chromium was started without its pipe')
}

function readable(stream: unknown): Readable {
  if (stream instanceof Readable) return stream
  throw new Error('electron stand-in: Chromium was started without its pipe')
}
