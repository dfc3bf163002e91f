/**
 * A receipt printer behind a named pipe: it takes bytes and has no way to answer. The pipe is below `/dev`, as a till wants
 * its devices.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { PluggedPrinter } from './serial.ts'
import { SimulatedPrinter, type LanguageName } from './simulated-printer.ts'

/** Returns why tests with named pipes are skipped, or null when they run. */
export const pipeSkipReason = (): string | null =>
  process.platform === 'linux' ? null : `Pipes below /dev are of Linux; this is ${process.platform}.`

/** Starts a printer with paper in it. Pulled out it leaves the pipe, which has no reader then. */
export async function startPipePrinter(language: LanguageName = 'esc-pos'): Promise<PluggedPrinter> {
  const printer = new SimulatedPrinter(language)
  const folder = mkdtempSync('/dev/shm/tillpoints-pipe-')
  const path = join(folder, 'lp0')
  execFileSync('mkfifo', [path])
  let unplug: () => Promise<void> = () => Promise.resolve()

  const plugIn = (): Promise<void> => {
    // Opened for both directions, so that a till that closes its end is no end of the pipe.
    const reader = new Socket({
      fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
      readable: true,
      writable: false
    })
    const ended = once(reader, 'close')
    const receive = printer.connect({
      write: () => undefined,
      close: () => reader.destroy(),
      stall: () => reader.pause(),
      resume: () => reader.resume()
    })
    reader.on('data', receive)
    unplug = async () => {
      reader.destroy()
      await ended
    }
    return Promise.resolve()
  }
  await plugIn()
  return {
    path,
    behave: (behaviour) => printer.behave(behaviour),
    printed: () => printer.printed(),
    received: () => printer.received(),
    unplug: () => unplug(),
    plugIn,
    async stop() {
      await unplug()
      rmSync(folder, { recursive: true })
    }
  }
}
