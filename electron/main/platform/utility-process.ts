/** Electron's `utilityProcess`: runs a program in a process of its own, for work that must not block main. */
import { utilityProcess } from 'electron'

export interface UtilityProcessHandle {
  /** Sends a structured-cloneable message; while the process starts, the message is queued. */
  send(message: unknown): void
  /** Kills the process, now or as soon as it has started. */
  end(): void
}

export interface UtilityProcessEvents {
  replied(message: unknown): void
  /** The process exited with this code; called once. `fault` is the location of a V8 fatal error. */
  ended(code: number, fault?: string): void
}

/** A program to run in processes that end with the till at the latest. */
export class UtilityProgram {
  readonly #script: string
  readonly #args: readonly string[]
  readonly #name: string

  /**
   * @param script full path
   * @param args appended to `process.argv`
   * @param name shown in the system's process list
   */
  constructor(script: string, args: readonly string[], name: string) {
    this.#script = script
    this.#args = args
    this.#name = name
  }

  /** Starts a process. Call after the app is ready. */
  start(events: UtilityProcessEvents): UtilityProcessHandle {
    const child = utilityProcess.fork(this.#script, [...this.#args], { serviceName: this.#name })
    let isEnding = false
    let fault: string | undefined
    // A process that has not started yet cannot be killed.
    child.once('spawn', () => {
      if (isEnding) child.kill()
    })
    child.on('message', (message: unknown) => events.replied(message))
    child.on('error', (type, location) => {
      fault = `${type} at ${location}`
    })
    child.once('exit', (code) => events.ended(code, fault))
    return {
      send: (message) => child.postMessage(message),
      end() {
        isEnding = true
        child.kill()
      }
    }
  }
}
