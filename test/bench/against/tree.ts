/** A tree of the project, whose service runs in processes that tell their processor time. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PROJECT } from '../../../resources/scripts/tools.ts'

/** Runs in a process of any revision: says its processor time, in microseconds, when it is asked and when it ends. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  const report = () => {
    const { user, system } = process.cpuUsage()
    writeSync(2, '\\nprocessor ' + (user + system) + '\\n')
  }
  if (isMainThread) process.on('SIGUSR2', report).on('exit', report)
`)}`

/** A process of the service. */
export class ServiceProcess {
  readonly #child: ChildProcess
  #reported = Promise.withResolvers<number>()

  constructor(child: ChildProcess) {
    this.#child = child
    createInterface(child.stderr ?? process.stdin).on('line', (line) => {
      const microseconds = /^processor (\d+)$/.exec(line)?.[1]
      if (microseconds !== undefined) this.#reported.resolve(Number(microseconds) / 1000)
      else if (line !== '') process.stderr.write(`${line}\n`)
    })
  }

  /** Resolves with milliseconds of processor time since the process began. */
  async processorMs(): Promise<number> {
    this.#reported = Promise.withResolvers()
    this.#child.kill('SIGUSR2')
    return this.#reported.promise
  }

  /** Resolves with all milliseconds of processor time when the process has ended by itself. */
  get ended(): Promise<number> {
    return this.#reported.promise
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}

export class Tree {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** This tree. */
  static ofProject(): Tree {
    return new Tree(PROJECT)
  }

  /** Checks a revision out into a folder, with the packages of this tree. Throws for an unknown revision. */
  static checkOut(revision: string, folder: string): Tree {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const archive = execFileSync('git', ['archive', revision], { cwd: PROJECT, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['--extract', '--directory', folder], { input: archive })
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
    const messages = ['resources/scripts/run.cjs', 'resources/scripts/messages.ts']
    execFileSync(process.execPath, messages, { cwd: folder })
    return new Tree(folder)
  }

  /** Runs a command of the service. Resolves with its JSON and its processor time. */
  async run(args: readonly string[]): Promise<{ readonly json: unknown; readonly processorMs: number }> {
    const child = this.#spawn([...args, '--json'])
    const { ended } = new ServiceProcess(child)
    let text = ''
    for await (const part of child.stdout ?? []) text += String(part)
    return { json: JSON.parse(text), processorMs: await ended }
  }

  /** Starts `serve`. Resolves with the process and its port. */
  async serve(args: readonly string[]): Promise<{ readonly process: ServiceProcess; readonly port: number }> {
    const proxy = ['--behind-proxy', '127.0.0.1']
    const url = ['--public-url', 'https://points.example.com']
    const child = this.#spawn(['serve', '--port', '0', ...url, ...proxy, ...args])
    for await (const line of createInterface(child.stdout ?? process.stdin)) {
      const port = /^listening on \S+:(\d+)/.exec(line)?.[1]
      if (port !== undefined) return { process: new ServiceProcess(child), port: Number(port) }
    }
    throw new Error('The service ended before it listened')
  }

  #spawn(args: readonly string[]): ChildProcess {
    const program = join(this.#folder, 'electron/service/cli/main.ts')
    return spawn(process.execPath, ['--import', REPORT, program, ...args], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe']
    })
  }
}
