import { runtime } from '../runtime.ts'
import { makeEvent, strict, StrictEmitter } from '../strict.ts'
import { getPath, setPath } from './app-paths.ts'
import { identity } from './identity.ts'
import { exit, quit, tellLifeOn } from './lifecycle.ts'
import { appSwitches } from './app-switches.ts'
import { countryCode, getPreferredLocale, preferredLanguages, systemLocale } from './app-locale.ts'
import { Menu } from './menu.ts'
import { recorder } from './recorder.ts'
import { startAfterThisProcess, type RelaunchOptions } from './relaunch.ts'
import { singleInstance } from './single-instance.ts'
import { windows } from './windows.ts'

const EVENTS = [
  'activate',
  'before-quit',
  'browser-window-blur',
  'browser-window-created',
  'browser-window-focus',
  'certificate-error',
  'child-process-gone',
  'did-become-active',
  'gpu-info-update',
  'login',
  'open-file',
  'open-url',
  'quit',
  'ready',
  'render-process-gone',
  'second-instance',
  'select-client-certificate',
  'session-created',
  'web-contents-created',
  'will-finish-launching',
  'will-quit',
  'window-all-closed'
]

function makeReady(): { readonly promise: Promise<void>; resolve(): void } {
  return Promise.withResolvers()
}

class App extends StrictEmitter {
  readonly #ready = makeReady()
  /** second instances that were reported before ready; undefined once the app is ready */
  #waitingSeconds: (() => void)[] | undefined = []

  readonly commandLine = strict('app.commandLine', {
    appendSwitch: (name: string, value = '') => void appSwitches.set(name, value),
    hasSwitch: (name: string) => appSwitches.has(name),
    getSwitchValue: (name: string) => appSwitches.get(name) ?? '',
    removeSwitch: (name: string) => void appSwitches.delete(name)
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
    app.#ready.resolve()
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

  focus(): void {
    windows
      .all()
      .find((window) => window.isVisible())
      ?.focus()
  }

  hide(): void {
    for (const window of windows.all()) window.hide()
  }

  requestSingleInstanceLock(additionalData?: unknown): boolean {
    const message = { argv: [...process.argv], cwd: process.cwd(), additionalData: additionalData ?? null }
    return singleInstance.request(this.getPath('userData'), message)
  }

  hasSingleInstanceLock(): boolean {
    return singleInstance.held()
  }

  releaseSingleInstanceLock(): void {
    singleInstance.release()
  }

  // --- names and paths

  get isPackaged(): boolean {
    return runtime.app.packaged
  }

  get name(): string {
    return this.getName()
  }

  set name(name: string) {
    this.setName(name)
  }

  getName(): string {
    return identity.name
  }

  setName(name: string): void {
    identity.name = name
  }

  getVersion(): string {
    return identity.version
  }

  getAppPath(): string {
    return runtime.app.directory
  }

  getPath(name: string): string {
    return getPath(name)
  }

  setPath(name: string, path: string): void {
    setPath(name, path)
  }

  setAppLogsPath(path?: string): void {
    setPath('logs', path ?? getPath('logs'))
  }

  getLocale(): string {
    return getPreferredLocale()
  }

  getSystemLocale(): string {
    if (!runtime.ready) throw new Error('app.getSystemLocale() can only be called after app is ready')
    return systemLocale()
  }

  getLocaleCountryCode(): string {
    return countryCode()
  }

  getPreferredSystemLanguages(): string[] {
    return preferredLanguages()
  }

  get userAgentFallback(): string {
    return identity.userAgent
  }

  set userAgentFallback(agent: string) {
    identity.userAgent = agent
  }

  get applicationMenu(): Menu | null {
    return Menu.getApplicationMenu()
  }

  set applicationMenu(menu: Menu | null) {
    Menu.setApplicationMenu(menu)
  }

  // --- recorded calls to the operating system

  setAppUserModelId(id: string): void {
    recorder.record('app.setAppUserModelId', { id })
  }

  setDesktopName(name: string): void {
    recorder.record('app.setDesktopName', { name })
  }

  setAboutPanelOptions(options: object): void {
    recorder.record('app.setAboutPanelOptions', { options })
  }

  showAboutPanel(): void {
    recorder.record('app.showAboutPanel')
  }

  setAsDefaultProtocolClient(protocol: string): boolean {
    recorder.record('app.setAsDefaultProtocolClient', { protocol })
    return true
  }

  setLoginItemSettings(settings: object): void {
    recorder.record('app.setLoginItemSettings', { settings })
  }

  setBadgeCount(count = 0): boolean {
    recorder.record('app.setBadgeCount', { count })
    return false
  }

  enableSandbox(): void {
    if (runtime.ready) throw new Error('app.enableSandbox() can only be called before app is ready')
  }

  disableHardwareAcceleration(): void {
    if (runtime.ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
  }

  isHardwareAccelerationEnabled(): boolean {
    return false
  }
}

/** Electron's `app`. */
export const app = new App()

/** Emits `ready`; see {@link App.start}. */
export const startApp = (): void => App.start(app)
