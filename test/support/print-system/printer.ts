/** One IPP Everywhere printer of the rig: keeps what it receives, and fails when it is told to. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { printerAttributes, type RigPaper } from './printer-attributes.ts'
import { listening, start, type StartedProgram } from './programs.ts'

const RECEIVE = fileURLToPath(new URL('./receive.sh', import.meta.url))

/** How a printer behaves from now on. `silent` takes a job and says nothing more. */
export type Behaviour = 'ok' | 'paper-out' | 'cover-open' | 'silent' | 'cutter-jam'

export interface RigPrinter {
  readonly queue: string
  /** Waits until the printer has let go of what it was doing: a busy one is tried again only after ten seconds. */
  behave(behaviour: Behaviour): Promise<void>
  /** Documents that came out, oldest first. */
  received(): Promise<readonly Buffer[]>
  /** Pulls its plug. */
  off(): Promise<void>
  on(): Promise<void>
}

export interface PrinterParts {
  readonly queue: string
  readonly paper: RigPaper
  /** a folder of its own */
  readonly folder: string
  readonly port: number
  /** gives what is in the folder to the user that the printer runs as */
  readonly handOver: (folder: string) => Promise<void>
  readonly options: { readonly env: NodeJS.ProcessEnv; readonly uid?: number; readonly gid?: number }
}

/** Makes a printer, switched on. */
export async function createPrinter(parts: PrinterParts): Promise<RigPrinter> {
  const { queue, paper, folder, port, handOver, options } = parts
  const kept = join(folder, 'kept')
  const busy = join(kept, 'busy')
  const spool = join(folder, 'spool')
  const attributes = join(folder, 'attributes.conf')
  await mkdir(kept, { recursive: true })
  await mkdir(spool, { recursive: true })
  await writeFile(attributes, printerAttributes(paper))
  let program: StartedProgram | null = null

  const printer: RigPrinter = {
    queue,
    async behave(behaviour) {
      const wasBusy = existsSync(busy)
      await writeFile(join(kept, 'mode'), behaviour)
      while (wasBusy && program?.ended() === false && existsSync(busy)) await wait(20)
    },
    async received() {
      const names = (await readdir(kept)).filter((name) => name.startsWith('job-')).sort()
      return Promise.all(names.map((name) => readFile(join(kept, name))))
    },
    async off() {
      await program?.stop()
      program = null
    },
    async on() {
      if (program !== null) return
      program = start(
        'ippeveprinter',
        [
          '-r',
          'off',
          '-p',
          String(port),
          '-n',
          'localhost',
          '-d',
          spool,
          '-a',
          attributes,
          '-c',
          RECEIVE,
          queue
        ],
        { ...options, env: { ...options.env, KEPT: kept } }
      )
      await listening(port, program)
    }
  }
  await printer.behave('ok')
  await handOver(folder)
  await printer.on()
  return printer
}
