/** A shop's own service as a program: run by its commands, and served on a free port. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { freePort, LOOPBACK } from '../../support/loopback.ts'

const PROGRAM = join(PROJECT, 'electron/service/cli/main.ts')

/** What `serve --json` prints. */
const startedSchema = v.object({ url: v.pipe(v.string(), v.url()), links: v.array(v.string()) })

const localOptions = async (): Promise<readonly string[]> => {
  const port = String(await freePort())
  return ['--port', port, '--public-url', `http://${LOOPBACK}:${port}`]
}

export class ShopService {
  readonly #folder: string
  readonly #process: ChildProcess
  /** such as `http://127.0.0.1:4010` */
  readonly origin: string
  /** what the start printed: by which an owner chooses a password */
  readonly links: readonly string[]

  private constructor(
    folder: string,
    process: ChildProcess,
    { url, links }: v.InferOutput<typeof startedSchema>
  ) {
    this.#folder = folder
    this.#process = process
    this.origin = new URL(url).origin
    this.links = links
  }

  /** Creates a shop in Greece in a new folder, and serves it. @param options of `serve` */
  static async start(folder: string, options?: readonly string[]): Promise<ShopService> {
    await ShopService.#run(['init', '--data', folder])
    const profile = ['--name', 'Corner Café', '--time-zone', 'Europe/Athens', '--country', 'GR']
    await ShopService.#run(['business', 'add', ...profile, '--data', folder])
    return ShopService.serve(folder, options)
  }

  /** Serves a new folder, in which nobody has opened a shop. */
  static async startNew(folder: string): Promise<ShopService> {
    await ShopService.#run(['init', '--data', folder])
    return ShopService.serve(folder)
  }

  /** Serves the shop in a folder. @param options of `serve`; for tills on this machine unless given */
  static async serve(folder: string, options?: readonly string[]): Promise<ShopService> {
    const given = options ?? (await localOptions())
    const serving = spawn(process.execPath, [PROGRAM, 'serve', ...given, '--data', folder, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    for await (const line of createInterface({ input: serving.stdout })) {
      return new ShopService(folder, serving, v.parse(startedSchema, JSON.parse(line)))
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

  close(): Promise<void> {
    return this.#end('SIGTERM')
  }

  /** Ends the process at once, as a power failure does. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill(signal)
    await ended
  }

  static async #run(args: readonly string[]): Promise<string> {
    return (await promisify(execFile)(process.execPath, [PROGRAM, ...args])).stdout
  }
}
