/** The program, in this process or in processes of its own, on a folder that is removed after each test. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, vi } from 'vitest'
import { runShopCommand } from '../../../../electron/service/cli/commands.ts'
import { Log } from '../../../../electron/service/monitoring/log.ts'

/** The script of the program. */
export const MAIN = join(import.meta.dirname, '../../../../electron/service/cli/main.ts')

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

interface Texts {
  stdout: string
  stderr: string
}

/** What the commands that run in this process have printed, by the run. */
const printedTo = new AsyncLocalStorage<Texts>()

/** Runs the program for the tests of one file. */
export class ServiceProgram {
  /** parent of the service's folder */
  folder = ''
  readonly #started: ChildProcess[] = []

  constructor() {
    beforeEach(() => {
      vi.spyOn(console, 'log').mockImplementation((text: unknown) => {
        const texts = printedTo.getStore()
        if (texts !== undefined) texts.stdout += `${String(text)}\n`
      })
      const write = process.stderr.write.bind(process.stderr)
      vi.spyOn(process.stderr, 'write').mockImplementation((text: string | Uint8Array) => {
        const texts = printedTo.getStore()
        if (texts === undefined) return write(text)
        texts.stderr += String(text)
        return true
      })
      this.folder = mkdtempSync(join(tmpdir(), 'service-'))
    })
    afterEach(() => {
      vi.restoreAllMocks()
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

  /** Runs a command with exactly these arguments in a process of its own. */
  async spawned(...args: string[]) {
    const child = this.start(args)
    const texts = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()))
    const [code] = v.parse(v.looseTuple([v.nullable(v.number())]), await once(child, 'close'))
    return { code, ...texts }
  }

  /** Runs a command with exactly these arguments in this process: the start of one takes longer than most commands. */
  exactly(...args: string[]) {
    const texts = { stdout: '', stderr: '' }
    return printedTo.run(texts, async () => {
      const listeners = SIGNALS.map((signal) => process.listeners(signal))
      const log = new Log((text) => (texts.stderr += text), false)
      const code = await runShopCommand(args, log)
      // A command ends with its process.
      for (const [index, signal] of SIGNALS.entries())
        for (const listener of process.listeners(signal))
          if (listeners[index]?.includes(listener) !== true) process.off(signal, listener)
      return { code, ...texts }
    })
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
