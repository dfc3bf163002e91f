import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runtime } from '../runtime.ts'
import { makeEvent, refuse, strict, StrictEmitter } from '../strict.ts'
import { forkProgram } from '../utility/fork.ts'
import { app } from './app.ts'

let reports: string | undefined
let lastReport = 0

/** A path for a child's report of a fatal error, in a folder that is removed with this process. */
function reportPath(): string {
  if (reports === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'tillpoints-reports-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    reports = folder
  }
  return join(reports, `${++lastReport}.json`)
}

/** Electron's `UtilityProcess`: a program in a Node of its own. */
export class UtilityProcess extends StrictEmitter {
  /** undefined before it was spawned, and after it ended */
  pid: number | undefined
  readonly #child: ChildProcess
  readonly #name: string
  readonly #report = reportPath()
  #isKilled = false

  constructor(program: string, args: readonly string[], name: string) {
    super('UtilityProcess', ['error', 'exit', 'message', 'spawn'])
    this.#name = name
    this.#child = forkProgram(program, args, this.#report)
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid
      this.emit('spawn')
    })
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.once('exit', (code, signal) => this.#ended(code, signal))
  }

  /** Does nothing once the child has ended. */
  postMessage(message: unknown, ...transfer: unknown[]): void {
    if (transfer.length > 0) refuse('UtilityProcess.postMessage with ports')
    const copy = cloned(message)
    if (this.#child.connected) this.#child.send(copy)
  }

  kill(): boolean {
    if (this.pid === undefined) return false
    this.#isKilled = this.#child.kill()
    return this.#isKilled
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    this.pid = undefined
    if (existsSync(this.#report)) this.#emitFault(readFileSync(this.#report, 'utf8'))
    const exitCode = code ?? (signal === null ? 1 : constants.signals[signal])
    if (signal !== null) {
      const reason = signal === 'SIGKILL' || signal === 'SIGTERM' ? 'killed' : 'crashed'
      const details = {
        type: 'Utility',
        reason,
        exitCode,
        serviceName: 'node.mojom.NodeService',
        name: this.#name
      }
      app.emit('child-process-gone', makeEvent({}), details)
    }
    // A child that its app killed has ended as asked (UtilityProcessWrapper::HandleTermination).
    this.emit('exit', this.#isKilled && signal !== null ? 0 : exitCode)
  }

  /** Node's report names the kind of the fault where Electron's names V8's function. */
  #emitFault(report: string): void {
    const { header } = JSON.parse(report) as { readonly header: { readonly trigger: string } }
    this.emit('error', 'FatalError', header.trigger, report)
  }
}

/** A copy as Electron makes it: bytes without their class, and nothing that cannot be cloned. */
function cloned(message: unknown): object {
  try {
    return structuredClone(message) as object
  } catch {
    throw new Error('An object could not be cloned.')
  }
}

/** Electron's `utilityProcess`. */
export const utilityProcess = strict('utilityProcess', {
  fork(
    program: string,
    args: readonly string[] = [],
    options: { readonly serviceName?: string } = {}
  ): UtilityProcess {
    if (!program) throw new Error('Missing UtilityProcess entry script.')
    const unknown = Object.keys(options).find((key) => key !== 'serviceName')
    if (unknown !== undefined) refuse(`utilityProcess.fork with ${unknown}`)
    if (!runtime.ready) throw new TypeError('utilityProcess cannot be created before app is ready.')
    return new UtilityProcess(program, args, options.serviceName ?? 'Node Utility Process')
  }
})
