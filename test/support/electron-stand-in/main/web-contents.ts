import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, runtime } from '../runtime.ts'
import { makeEvent, refuse, strict, StrictEmitter } from '../strict.ts'
import { getPreferredLocale } from './app-locale.ts'
import { app } from './app.ts'
import { FrameTree, type WebFrameMain } from './frames.ts'
import { userAgent } from './identity.ts'
import { IpcChannel, type WindowOpenDetails } from './ipc-channel.ts'
import { themeFeatures } from './native-theme.ts'
import { Navigation } from './navigation.ts'
import { PageTarget, type PageOptions } from './page-target.ts'
import { Requests } from './requests.ts'
import { fromChromium } from './scheme-map.ts'

const EVENTS = [
  'destroyed',
  'did-finish-load',
  'ready-to-show',
  'render-process-gone',
  'will-attach-webview',
  'will-navigate',
  'will-prevent-unload',
  'will-redirect'
]

/** How Chromium says that a process ended, and how Electron says it. */
const GONE_REASONS: Readonly<Record<string, string>> = {
  normal: 'clean-exit',
  abnormal: 'abnormal-exit',
  killed: 'killed',
  crashed: 'crashed',
  oom: 'oom',
  'failed to launch': 'launch-failed'
}

const SCRIPT_FAILED =
  'Script failed to execute, this normally means an error was thrown. Check the renderer console for the error.'

/** How large a page is on its screen, in device-independent pixels, and that screen. */
interface Metrics {
  readonly width: number
  readonly height: number
  readonly scaleFactor: number
  readonly screenWidth: number
  readonly screenHeight: number
}

type WindowOpenHandler = (details: WindowOpenDetails) => { action: string }

const all = new Map<number, WebContents>()
let lastId = 0

/** Electron's `WebContents`: one page of Chromium, driven over the DevTools protocol. */
export class WebContents extends StrictEmitter {
  readonly id = ++lastId
  readonly #page: PageTarget
  readonly #frames = new FrameTree()
  readonly #navigation: Navigation
  readonly #requests: Requests
  readonly #ipc: IpcChannel
  #metrics: Metrics | undefined
  #windowOpenHandler: WindowOpenHandler | null = null
  #isCrashed = false

  constructor(options: PageOptions) {
    super('webContents', EVENTS, ['id'])
    all.set(this.id, this)
    const page = new PageTarget(options)
    this.#page = page
    this.#navigation = new Navigation(this, page, this.#frames)
    this.#requests = new Requests(page, this, (url, frameId, redirected) =>
      this.#navigation.guard.allows(url, frameId, redirected)
    )
    this.#ipc = new IpcChannel(this, page, this.#frames, {
      openWindow: (request) => this.#denyWindow({ ...request, url: fromChromium(request.url) }),
      leaving: (url) => this.#navigation.leave(url)
    })
    this.#watchProcess()
    page.attached.then(() => this.#prepare()).catch(() => undefined)
  }

  static getAllWebContents(): WebContents[] {
    return [...all.values()]
  }

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return WebContents.getAllWebContents().find((contents) => contents.#page.targetId === targetId)
  }

  /** For BrowserWindow: the window is gone, and its page with it. */
  static destroy(contents: WebContents): void {
    all.delete(contents.id)
    void contents.#page.close()
    contents.#frames.retire()
    contents.retire()
    contents.emit('destroyed')
  }

  /** For BrowserWindow: asks the page whether it may be closed. @returns false when its beforeunload objects */
  static async mayUnload(contents: WebContents): Promise<boolean> {
    return contents.#isCrashed || contents.#navigation.mayUnload()
  }

  /** For the stand-in's own modules: the page of Chromium. */
  get _page(): PageTarget {
    return this.#page
  }

  async #prepare(): Promise<void> {
    // Before anything can be navigated, the page must be watched, filtered, sized and named.
    const locale = getPreferredLocale()
    const agent = { userAgent: userAgent(), acceptLanguage: locale }
    await Promise.all([
      this.#requests.enable(),
      this.#applyMetrics(),
      this._applyTheme(),
      this.#page.send('Emulation.setUserAgentOverride', agent).catch(() => undefined),
      this.#page.send('Emulation.setLocaleOverride', { locale }).catch(() => undefined)
    ])
    this.#frames.attach(this.#page.targetId)
    this.#navigation.open()
  }

  #watchProcess(): void {
    const stop = chromium().on('Target.targetCrashed', ({ targetId, status, errorCode }) => {
      if (this.isDestroyed()) {
        stop()
        return
      }
      if (targetId !== this.#page.targetId || this.#isCrashed) return
      this.#isCrashed = true
      this.#navigation.crashed()
      const details = { reason: GONE_REASONS[status] ?? 'crashed', exitCode: errorCode }
      this.emit('render-process-gone', makeEvent({}), details)
    })
    this.#page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#isCrashed = false
    })
  }

  /** Asks the app whether the page may open a window. Only denying is implemented. */
  #denyWindow(details: WindowOpenDetails): void {
    if (!this.#windowOpenHandler) refuse('opening a window from a page without setWindowOpenHandler')
    const { action } = this.#windowOpenHandler(details)
    if (action !== 'deny') refuse(`a window open handler that returns { action: '${action}' }`)
  }

  // --- how the page looks

  /** For BrowserWindow: the page got another size or screen. */
  _resize(metrics: Metrics): void {
    this.#metrics = metrics
    void this.#applyMetrics()
  }

  /** For nativeTheme: the preferred colours changed. */
  async _applyTheme(): Promise<void> {
    await this.#page.send('Emulation.setEmulatedMedia', { features: themeFeatures() }).catch(() => undefined)
  }

  async #applyMetrics(): Promise<void> {
    // A visible page has the size of its window.
    if (!this.#metrics || runtime.commandLine.visible) return
    const { scaleFactor, ...metrics } = this.#metrics
    const override = { ...metrics, deviceScaleFactor: scaleFactor, mobile: false }
    await this.#page.send('Emulation.setDeviceMetricsOverride', override).catch(() => undefined)
  }

  // --- the document

  loadURL(url: string): Promise<void> {
    return this.#navigation.load(url)
  }

  loadFile(file: string): Promise<void> {
    return this.loadURL(pathToFileURL(resolve(app.getAppPath(), file)).href)
  }

  reload(): void {
    this.#navigation.reload(this.#isCrashed)
  }

  getURL(): string {
    return this.#navigation.url
  }

  get mainFrame(): WebFrameMain {
    return this.#frames.main
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler
  }

  /** Runs code in the page's own world. Its value comes back as JSON keeps it. */
  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    await this.#navigation.loaded()
    const { result, exceptionDetails } = await this.#page.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture
    })
    if (exceptionDetails) throw new Error(SCRIPT_FAILED)
    return result.value
  }

  send(channel: string, ...args: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument')
    this.#ipc.send(this.#page.targetId, channel, args)
  }

  forcefullyCrashRenderer(): void {
    this.#page.send('Page.crash').catch(() => undefined)
  }
}

/** Electron's `webContents` module. */
export const webContents = strict('webContents', {
  getAllWebContents: () => WebContents.getAllWebContents(),
  fromDevToolsTargetId: (id: string) => WebContents.fromDevToolsTargetId(id)
})
