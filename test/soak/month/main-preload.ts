/**
 * Loaded before the till's main script (`-r`): installs the jumping clock, and reports what main has open. `SOAK_AHEAD_MS`
 * is how far the clock is ahead of the real one.
 */
import electron from 'electron'
import { installJumpingClock } from './jumping-clock.ts'

const clock = installJumpingClock(Number(process.env['SOAK_AHEAD_MS'] ?? 0))

/** Requests without a response. */
let requests = 0
const realFetch = globalThis.fetch
globalThis.fetch = async (...args) => {
  requests += 1
  try {
    return await realFetch(...args)
  } finally {
    requests -= 1
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves when no request is pending, and what its response starts has begun. */
async function settle(): Promise<void> {
  do {
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    if (requests > 0) await new Promise((resolve) => setTimeout(resolve, 1))
  } while (requests > 0)
}

/** What is counted of an emitter of Electron or Node. */
interface Emitter {
  eventNames(): readonly (string | symbol)[]
  listenerCount(name: string | symbol): number
}

const listenersOf = (emitter: Emitter): number =>
  emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)

/** The emitters of Electron and Node that the till listens to. */
const emitters = (): Emitter[] => {
  const { app, BrowserWindow, nativeTheme, powerMonitor, screen, session } = electron
  const windows = BrowserWindow.getAllWindows()
  return [
    process,
    app,
    nativeTheme,
    powerMonitor,
    screen,
    session.defaultSession,
    ...windows,
    ...windows.map(({ webContents }) => webContents)
  ]
}

const leaked: unknown[] = []

Object.assign(globalThis, {
  soak: {
    async advance(ms: number): Promise<void> {
      clock.advance(ms)
      await settle()
    },
    /** Suspends and resumes the machine. */
    async sleep(ms: number): Promise<void> {
      electron.powerMonitor.emit('suspend')
      clock.sleep(ms)
      electron.powerMonitor.emit('resume')
      await settle()
    },
    /** Leaks a timer, a listener and memory on purpose. */
    leak(): void {
      setInterval(() => undefined, 60_000).unref()
      electron.app.on('activate', () => undefined)
      leaked.push(Buffer.alloc(500_000).toString('latin1').split(''))
    },
    counts: () => ({
      timers: clock.timers(),
      listeners: emitters().reduce((sum, emitter) => sum + listenersOf(emitter), 0),
      handles: process.getActiveResourcesInfo().length,
      pid: process.pid
    })
  }
})
