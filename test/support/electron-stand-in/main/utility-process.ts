import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { runtime } from '../runtime.ts'
import { refuse, strict, StrictEmitter } from '../strict.ts'
import { forkProgram, type ForkOptions } from '../utility/fork.ts'

const OPTIONS = new Set(['env', 'execArgv', 'cwd', 'serviceName'])

/** Electron's `UtilityProcess`: a program in a Node of its own. */
export class UtilityProcess extends StrictEmitter {
  /** undefined before it was spawned, and after it ended */
  pid: number | undefined
  /** The child writes where its app does. */
  readonly stdout = null
  readonly stderr = null
  readonly #child: ChildProcess

  constructor(program: string, args: readonly string[], options: ForkOptions) {
    super('UtilityProcess', ['error', 'exit', 'login', 'message', 'spawn'])
    this.#child = forkProgram(program, args, options)
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid
      this.emit('spawn')
    })
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.once('exit', (code, signal) => {
      this.pid = undefined
      this.emit('exit', code ?? (signal === null ? 1 : constants.signals[signal]))
    })
  }

  postMessage(message: unknown, transfer: readonly object[] = []): void {
    if (transfer.length > 0) refuse('UtilityProcess.postMessage with ports')
    this.#child.send(cloned(message))
  }

  kill(): boolean {
    return this.pid !== undefined && this.#child.kill()
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
  fork(program: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!runtime.ready) throw new Error('utilityProcess cannot be created before app is ready.')
    for (const option of Object.keys(options))
      if (!OPTIONS.has(option)) refuse(`utilityProcess.fork with ${option}`)
    return new UtilityProcess(program, args, options)
  }
})
