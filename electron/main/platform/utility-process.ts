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

/**
 * Starts a program in a process that ends with the till at the latest. Call after the app is ready.
 * @param program path of the script
 * @param args appended to `process.argv`
 * @param name shown in the system's process list
 */
export function startUtilityProcess(
  program: string,
  args: readonly string[],
  name: string,
  events: UtilityProcessEvents
): UtilityProcessHandle {
  const child = utilityProcess.fork(program, [...args], { serviceName: name })
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
