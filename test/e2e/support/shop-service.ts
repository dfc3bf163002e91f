/** A shop's own service as a program: run by its commands, and served on a free port. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const PROGRAM = join(PROJECT, 'electron/service/cli/main.ts')

export class ShopService {
  readonly #folder: string
  readonly #process: ChildProcess
  /** such as `http://127.0.0.1:4010` */
  readonly origin: string

  private constructor(folder: string, process: ChildProcess, origin: string) {
    this.#folder = folder
    this.#process = process
    this.origin = origin
  }

  /** Creates a shop in Greece in a new folder, and serves it. @param options of `serve` */
  static async start(folder: string, options: readonly string[] = ['--port', '0']): Promise<ShopService> {
    await ShopService.#run(['init', '--data', folder])
    const profile = ['--name', 'Corner Café', '--time-zone', 'Europe/Athens', '--country', 'GR']
    await ShopService.#run(['business', 'add', ...profile, '--data', folder])
    const serving = spawn(process.execPath, [PROGRAM, 'serve', ...options, '--data', folder], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    for await (const line of createInterface({ input: serving.stdout })) {
      const url = /^listening on (\S+)$/.exec(line)?.[1]
      if (url !== undefined) return new ShopService(folder, serving, new URL(url).origin)
    }
    throw new Error('the service ended without listening')
  }

  /** Runs a command while the service runs, and parses its JSON. Rejects if it fails. */
  async run<Schema extends v.GenericSchema>(
    schema: Schema,
    ...args: readonly string[]
  ): Promise<v.InferOutput<Schema>> {
    return v.parse(schema, JSON.parse(await ShopService.#run([...args, '--data', this.#folder, '--json'])))
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }

  static async #run(args: readonly string[]): Promise<string> {
    return (await promisify(execFile)(process.execPath, [PROGRAM, ...args])).stdout
  }
}
