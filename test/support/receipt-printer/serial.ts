/**
 * A receipt printer on a serial port: a pseudo-terminal, which serial port programs open as they do `/dev/ttyUSB0`. The
 * program `script` (package `bsdutils`, part of every Debian and Ubuntu) opens the pair and passes the printer's end through its
 * standard streams, so that nothing is installed or compiled for it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Printed } from './printed.ts'
import { SimulatedPrinter, type LanguageName, type ReceiptPrinterBehaviour } from './simulated-printer.ts'

const SCRIPT = '/usr/bin/script'

/** Returns why tests with serial ports are skipped, or null when they run. On a build server they fail instead. */
export function serialSkipReason(): string | null {
  if (process.platform !== 'linux')
    return `The serial port tests run on Linux only; this is ${process.platform}.`
  try {
    accessSync(SCRIPT, constants.X_OK)
    return null
  } catch {
    return process.env['CI'] ? null : `The serial port tests need ${SCRIPT}: apt-get install bsdutils`
  }
}

/** A printer that is plugged in at a path. */
export interface PluggedPrinter {
  /** the path as the till opens it; stays the same when the printer is plugged in again */
  readonly path: string
  behave(behaviour: ReceiptPrinterBehaviour): void
  /** All output so far. */
  printed(): readonly Printed[]
  /** All bytes that came so far. */
  received(): Buffer
  /** Pulls the cable out: the path is gone. */
  unplug(): Promise<void>
  plugIn(): Promise<void>
  stop(): Promise<void>
}

export interface SerialPrinter extends PluggedPrinter {
  /** Sends bytes that no request asked for. */
  send(bytes: Uint8Array): void
}

/** Starts a printer with paper in it. */
export async function startSerialPrinter(language: LanguageName = 'esc-pos'): Promise<SerialPrinter> {
  const printer = new SimulatedPrinter(language)
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-serial-'))
  const path = join(folder, 'port')
  let unplug: () => Promise<void> = () => Promise.resolve()
  let send: (bytes: Uint8Array) => void = () => undefined

  const plugIn = async (): Promise<void> => {
    // `stty` makes the terminal pass bytes as they are, as a device does. `sleep` keeps the till's end open, so that the pair survives each close of the till.
    const child = spawn(
      SCRIPT,
      ['--quiet', '--flush', '--command', 'stty raw -echo; tty; exec sleep infinity', '/dev/null'],
      {
        stdio: ['pipe', 'pipe', 'inherit']
      }
    )
    send = (bytes) => void child.stdin.write(bytes)
    const ended = once(child, 'exit')
    const close = (): void => {
      rmSync(path, { force: true })
      child.kill('SIGKILL')
      child.stdout.destroy()
    }
    child.stdin.on('error', () => undefined)
    const receive = printer.connect({
      write: send,
      close,
      stall: () => child.stdout.pause(),
      resume: () => child.stdout.resume()
    })
    const device = await new Promise<string>((resolve) => {
      let line = ''
      child.stdout.on('data', (chunk: Buffer) => {
        if (line.endsWith('\n')) {
          receive(chunk)
          return
        }
        line += chunk.toString()
        if (line.endsWith('\n')) resolve(line.trim())
      })
    })
    symlinkSync(device, path)
    unplug = async () => {
      close()
      await ended
    }
  }
  await plugIn()
  return {
    path,
    behave: (behaviour) => printer.behave(behaviour),
    printed: () => printer.printed(),
    received: () => printer.received(),
    unplug: () => unplug(),
    plugIn,
    send: (bytes) => send(bytes),
    async stop() {
      await unplug()
      rmSync(folder, { recursive: true })
    }
  }
}
