import { runtime } from '../runtime.ts'
import { makeEvent, strict, StrictEmitter } from '../strict.ts'
import { getPath } from './app-paths.ts'
import { appName, appVersion } from './identity.ts'
import { exit, quit, tellLifeOn } from './lifecycle.ts'
import { appSwitches, chromiumArgv } from './app-switches.ts'
import { countryCode, getPreferredLocale, preferredLanguages } from './app-locale.ts'
import { startAfterThisProcess, type RelaunchOptions } from './relaunch.ts'
import { singleInstance } from './single-instance.ts'

const EVENTS = [
  'activate',
  'before-quit',
  'browser-window-created',
  'child-process-gone',
  // macOS alone emits it.
  'open-url',
  'quit',
  'ready',
  'second-instance',
  'web-contents-created',
  'will-quit',
  'window-all-closed'
]

class App extends StrictEmitter {
  readonly #ready = Promise.withResolvers<undefined>()
  /** second instances that were reported before ready; undefined once the app is ready */
  #waitingSeconds: (() => void)[] | undefined = []

  readonly commandLine = strict('app.commandLine', {
    appendSwitch: (name: string, value = '') => void appSwitches.set(name, value),
    hasSwitch: (name: string) => appSwitches.has(name),
    getSwitchValue: (name: string) => appSwitches.get(name) ?? ''
  })

  constructor() {
    super('app', EVENTS)
    tellLifeOn(this)
    singleInstance.onSecondInstance(({ argv, cwd, additionalData }) => {
      const tell = (): void => void this.emit('second-instance', makeEvent({}), argv, cwd, additionalData)
      // Electron promises that second-instance comes after ready.
      if (this.#waitingSeconds) this.#waitingSeconds.push(tell)
      else tell()
    })
  }

  // --- lifecycle

  /** For boot.ts: emits `ready`. Chromium runs, and windows can be created. */
  static start(app: App): void {
    runtime.ready = true
    app.#ready.resolve(undefined)
    // Through the property: a test driver replaces app.emit to hold the app back until it is connected.
    app.emit('ready', makeEvent({}), {})
    const waiting = app.#waitingSeconds ?? []
    app.#waitingSeconds = undefined
    for (const tell of waiting) tell()
  }

  isReady(): boolean {
    return runtime.ready
  }

  whenReady(): Promise<void> {
    return this.#ready.promise
  }

  quit(): void {
    quit()
  }

  exit(code = 0): void {
    exit(code)
  }

  relaunch({ args = runtime.argv.slice(1), execPath = runtime.executable }: RelaunchOptions = {}): void {
    startAfterThisProcess(execPath, args)
  }

  requestSingleInstanceLock(additionalData?: unknown): boolean {
    const message = {
      argv: chromiumArgv(process.argv),
      cwd: process.cwd(),
      additionalData: additionalData ?? null
    }
    return singleInstance.request(this.getPath('userData'), message)
  }

  releaseSingleInstanceLock(): void {
    singleInstance.release()
  }

  // --- names and paths

  get isPackaged(): boolean {
    return runtime.app.packaged
  }

  getName(): string {
    return appName()
  }

  getVersion(): string {
    return appVersion()
  }

  getAppPath(): string {
    return runtime.app.directory
  }

  getPath(name: string): string {
    return getPath(name)
  }

  getLocale(): string {
    return getPreferredLocale()
  }

  getLocaleCountryCode(): string {
    return countryCode()
  }

  getPreferredSystemLanguages(): string[] {
    return preferredLanguages()
  }
}

/** Electron's `app`. */
export const app = new App()

/** Emits `ready`; see {@link App.start}. */
export const startApp = (): void => App.start(app)
