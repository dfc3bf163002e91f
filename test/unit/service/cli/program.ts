/** The program, in processes of its own, on a folder that is removed after each test. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach } from 'vitest'

/** The script of the program. */
export const MAIN = join(import.meta.dirname, '../../../../electron/service/cli/main.ts')

/** Starts processes of the program for the tests of one file. */
export class ServiceProgram {
  /** parent of the service's folder */
  folder = ''
  readonly #started: ChildProcess[] = []

  constructor() {
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), 'service-'))
    })
    afterEach(() => {
      for (const child of this.#started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
      rmSync(this.folder, { recursive: true })
    })
  }

  /** the service's folder, which `init` makes */
  get data(): string {
    return join(this.folder, 'shop')
  }

  start(
    args: readonly string[],
    {
      nodeOptions = [],
      env = {}
    }: { readonly nodeOptions?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {}
  ) {
    const child = spawn(process.execPath, [...nodeOptions, MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env }
    })
    this.#started.push(child)
    return child
  }

  /** Runs a command with exactly these arguments. */
  async exactly(...args: string[]) {
    const child = this.start(args)
    const texts = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()))
    const [code] = v.parse(v.looseTuple([v.nullable(v.number())]), await once(child, 'close'))
    return { code, ...texts }
  }

  /** Runs a command. `--data` is added. */
  run(...args: string[]) {
    return this.exactly(...args, '--data', this.data)
  }

  /** Runs a command that has to succeed, and parses its JSON. */
  async json<Schema extends v.GenericSchema>(schema: Schema, ...args: string[]) {
    const { code, stdout, stderr } = await this.run(...args, '--json')
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return v.parse(schema, JSON.parse(stdout))
  }
}
