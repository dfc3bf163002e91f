import { strict } from '../strict.ts'

/** Answers `ipcRenderer.invoke`. */
type InvokeHandler = (event: object, ...args: unknown[]) => unknown

const handlers = new Map<string, InvokeHandler>()

/** Electron's `ipcMain`, for what `ipcRenderer.invoke` calls. */
export const ipcMain = strict('ipcMain', {
  handle(channel: string, handler: InvokeHandler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    if (typeof handler !== 'function') {
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`)
    }
    handlers.set(channel, handler)
  },
  /** No listener is ever called: only `ipcRenderer.send` and `sendSync`, which are not there, send to one. */
  on(): void {
    // electron-store listens.
  }
})

/** What answers `invoke` on a channel. */
export const invokeHandler = (channel: string): InvokeHandler | undefined => handlers.get(channel)
