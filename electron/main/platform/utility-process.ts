/** A process beside main, without a window: for work that main must not wait for. */
import { utilityProcess } from 'electron'

/** A program of the till that runs in a process of its own. */
export interface UtilityProcessHandle {
  /** Sends it a value that can be cloned; one that is still starting gets it once it runs. */
  send(message: unknown): void
  /** Ends it, now or as soon as it has started. */
  end(): void
}

/** What a helper tells. */
export interface UtilityProcessEvents {
  replied(message: unknown): void
  /** It is gone, with this code; called once. `fault` is where V8 gave up, if it did. */
  ended(code: number, fault?: string): void
}

/**
 * Starts a program in a process of its own, which ends with the till at the latest. The app must be ready.
 * @param program path of its script
 * @param args what it finds behind its own path in `process.argv`
 * @param name what the system's list of processes is told by Electron
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
  // One that has not started yet cannot be killed.
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
