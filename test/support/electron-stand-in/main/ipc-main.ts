import { EventEmitter } from 'node:events'
import { strict } from '../strict.ts'

/** Answers `ipcRenderer.invoke`. */
export type InvokeHandler = (event: object, ...args: unknown[]) => unknown

class IpcMain extends EventEmitter {
  readonly #handlers: Map<string, InvokeHandler>

  constructor(handlers: Map<string, InvokeHandler>) {
    super()
    this.#handlers = handlers
    // As in Electron: a channel named "error" without listeners does not throw.
    super.on('error', () => undefined)
  }

  readonly handle = (channel: string, handler: InvokeHandler): void => {
    if (this.#handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`)
    if (typeof handler !== 'function') {
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`)
    }
    this.#handlers.set(channel, handler)
  }

  readonly handleOnce = (channel: string, handler: InvokeHandler): void => {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel)
      return handler(event, ...args)
    })
  }

  readonly removeHandler = (channel: string): void => void this.#handlers.delete(channel)
}

const handlers = new Map<string, InvokeHandler>()

/** Electron's `ipcMain`. Any channel name is an event, so only its members are checked. */
export const ipcMain = strict('ipcMain', new IpcMain(handlers))

/** What answers `invoke` on a channel. */
export function invokeHandler(channel: string): InvokeHandler | undefined {
  return handlers.get(channel)
}
