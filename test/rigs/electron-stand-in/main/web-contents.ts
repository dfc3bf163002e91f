import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import { makeCodec } from '../page/codec.ts'
import { chromium, runtime } from '../runtime.ts'
import { makeEvent, refuse, strict, StrictEmitter } from '../strict.ts'
import { app } from './app.ts'
import { FrameTree } from './frames.ts'
import type { FrameHost, WebFrameMain } from './frames.ts'
import { evaluate } from './evaluate.ts'
import { IpcChannel } from './ipc-channel.ts'
import { Navigation } from './navigation.ts'
import { NativeImage } from './native-image.ts'
import { PageTarget } from './page-target.ts'
import { pdfOptions } from './print-to-pdf.ts'
import { recorder } from './recorder.ts'
import { Requests } from './requests.ts'
import { fromChromium } from './scheme-map.ts'
import { defaultSession } from './session.ts'
import type { Session } from './session.ts'
import { windows } from './windows.ts'
import { windowOpenAnswer } from './window-open.ts'
import type { WindowOpenHandler } from './window-open.ts'
import { watchConsole } from './console-messages.ts'
import { userAgent } from './user-agent.ts'
import { themeFeatures } from './native-theme.ts'

export interface WebContentsOptions {
  readonly width: number
  readonly height: number
  readonly preload: string | undefined
  readonly additionalArguments: readonly string[]
  readonly zoomFactor: number
  readonly backgroundThrottling: boolean
}

/** How large the page is on its screen. */
export interface Metrics {
  readonly width: number
  readonly height: number
  readonly scaleFactor: number
  readonly screenWidth: number
  readonly screenHeight: number
}

const EVENTS = [
  'certificate-error',
  'console-message',
  'context-menu',
  'destroyed',
  'devtools-closed',
  'devtools-opened',
  'did-attach-webview',
  'did-create-window',
  'did-fail-load',
  'did-fail-provisional-load',
  'did-finish-load',
  'did-frame-finish-load',
  'did-frame-navigate',
  'did-navigate',
  'did-navigate-in-page',
  'did-redirect-navigation',
  'did-start-loading',
  'did-start-navigation',
  'did-stop-loading',
  'dom-ready',
  'ipc-message',
  'page-title-updated',
  'preload-error',
  'ready-to-show',
  'render-process-gone',
  'responsive',
  'unresponsive',
  'will-attach-webview',
  'will-frame-navigate',
  'will-navigate',
  'will-prevent-unload',
  'will-redirect'
]

const all = new Map<number, WebContents>()
let lastId = 0

/** Electron's `WebContents`: one page of Chromium, driven over the DevTools protocol. */
export class WebContents extends StrictEmitter implements FrameHost {
  readonly id = ++lastId
  readonly session: Session = defaultSession
  readonly #page: PageTarget
  readonly #frames: FrameTree
  readonly #navigation: Navigation
  readonly #requests: Requests
  readonly #ipc: IpcChannel
  readonly #codec = makeCodec()
  #windowOpenHandler: WindowOpenHandler | null = null
  #metrics: Metrics | undefined
  #zoomFactor: number
  #backgroundThrottling: boolean
  #devToolsOpen = false
  #crashed = false
  #userAgent: string | undefined

  constructor(options: WebContentsOptions) {
    super('webContents', EVENTS, ['id', 'session', 'close'])
    all.set(this.id, this)
    this.#zoomFactor = options.zoomFactor
    this.#backgroundThrottling = options.backgroundThrottling
    this.#page = new PageTarget(options)
    this.#frames = new FrameTree(this, this.id + 1000)
    this.#navigation = new Navigation(this, this.#page, this.#frames)
    this.#requests = new Requests(this.#page, {
      webContentsId: this.id,
      mayNavigate: (url, frameId, redirected) => this.#navigation.mayNavigate(url, frameId, redirected),
      documentAnswered: (_url, status, statusText) => this.#navigation.answered(status, statusText)
    })
    this.#ipc = new IpcChannel(this, this.#page, this.#frames, {
      openWindow: (request) => this.#openWindow(request),
      titled: (title) => this.#navigation.titled(title)
    })
    watchConsole(this.#page, (message) => this.emit('console-message', message))
    this.#watchCrash()
    void this.#page.attached.then(() => this.#prepare()).catch(() => undefined)
  }

  static getAllWebContents(): WebContents[] {
    return [...all.values()]
  }

  static fromId(id: number): WebContents | undefined {
    return all.get(id)
  }

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return WebContents.getAllWebContents().find((contents) => contents.#page.targetId === targetId)
  }

  static fromFrame(frame: WebFrameMain): WebContents | undefined {
    return WebContents.getAllWebContents().find((contents) => contents.#frames.main === frame.top)
  }

  /** For the stand-in's own modules: the page behind a WebContents. */
  static page(contents: WebContents): PageTarget {
    return contents.#page
  }

  /** For BrowserWindow: the page got another size or screen. */
  static resize(contents: WebContents, metrics: Metrics): void {
    contents.#metrics = metrics
    void contents.#applyMetrics()
  }

  /** For BrowserWindow: the window is gone, and its page with it. */
  static destroy(contents: WebContents): void {
    if (contents.isDestroyed()) return
    all.delete(contents.id)
    void contents.#page.close()
    contents.#frames.retire()
    contents.retire()
    contents.emit('destroyed')
  }

  /** For BrowserWindow: hears that Chromium's page went away without the app's doing. */
  static onGone(contents: WebContents, handler: () => void): void {
    const stop = chromium().on('Target.targetDestroyed', ({ targetId }) => {
      if (targetId !== contents.#page.targetId) return
      stop()
      if (!contents.isDestroyed()) handler()
    })
  }

  /** For nativeTheme: the preferred colours changed. */
  static applyTheme(): void {
    for (const contents of all.values()) void contents.#applyTheme()
  }

  async #prepare(): Promise<void> {
    // Before anything can be navigated, the page must be watched, filtered, sized and named.
    await Promise.all([
      this.#requests.enable(),
      this.#applyMetrics(),
      this.#applyTheme(),
      this.#page.send('Emulation.setUserAgentOverride', {
        userAgent: this.#userAgent ?? userAgent(),
        acceptLanguage: app.getLocale()
      }),
      this.#page.send('Emulation.setLocaleOverride', { locale: app.getLocale() }).catch(() => undefined)
    ])
    this.#frames.attach(this.#page.targetId)
    this.#navigation.open()
  }

  async #applyMetrics(): Promise<void> {
    if (!this.#metrics || runtime.commandLine.visible) return
    const { width, height, scaleFactor, screenWidth, screenHeight } = this.#metrics
    await this.#page
      .send('Emulation.setDeviceMetricsOverride', {
        width: Math.max(1, Math.round(width / this.#zoomFactor)),
        height: Math.max(1, Math.round(height / this.#zoomFactor)),
        deviceScaleFactor: scaleFactor * this.#zoomFactor,
        mobile: false,
        screenWidth,
        screenHeight
      })
      .catch(() => undefined)
  }

  async #applyTheme(): Promise<void> {
    await this.#page.send('Emulation.setEmulatedMedia', { features: themeFeatures() }).catch(() => undefined)
  }

  #watchCrash(): void {
    this.#page.on('Inspector.targetCrashed', () => {
      this.#crashed = true
      this.#navigation.crashed()
      const details = { reason: 'crashed', exitCode: 139 }
      const event = makeEvent({})
      this.emit('render-process-gone', event, details)
      app.emit('render-process-gone', event, this, details)
    })
    this.#page.on('Inspector.targetReloadedAfterCrash', () => (this.#crashed = false))
    this.#page.on('Page.frameNavigated', () => (this.#crashed = false))
  }

  #openWindow(request: Parameters<WindowOpenHandler>[0]): void {
    windowOpenAnswer(this.#windowOpenHandler, { ...request, url: fromChromium(request.url) })
  }

  // --- loading

  loadURL(url: string, options?: object): Promise<void> {
    const unknown = Object.keys(options ?? {})[0]
    if (unknown !== undefined) refuse(`the option '${unknown}' of webContents.loadURL`)
    return this.#navigation.load(url)
  }

  loadFile(
    file: string,
    options: { query?: Record<string, string>; search?: string; hash?: string } = {}
  ): Promise<void> {
    if (typeof file !== 'string') throw new TypeError('Must pass filePath as a string')
    const url = pathToFileURL(resolve(app.getAppPath(), file))
    for (const [key, value] of Object.entries(options.query ?? {})) url.searchParams.set(key, value)
    if (options.search !== undefined) url.search = options.search
    if (options.hash !== undefined) url.hash = options.hash
    return this.loadURL(url.href)
  }

  reload(): void {
    this.#navigation.reload(false)
  }

  reloadIgnoringCache(): void {
    this.#navigation.reload(true)
  }

  stop(): void {
    void this.#page.send('Page.stopLoading').catch(() => undefined)
  }

  getURL(): string {
    return this.#navigation.url
  }

  getTitle(): string {
    return this.#navigation.title || this.getURL()
  }

  isLoading(): boolean {
    return this.#navigation.loading
  }

  isLoadingMainFrame(): boolean {
    return this.#navigation.loading
  }

  isWaitingForResponse(): boolean {
    return this.#navigation.waiting
  }

  // --- talking to the page

  get mainFrame(): WebFrameMain {
    return this.#frames.main
  }

  get focusedFrame(): WebFrameMain {
    return this.#frames.main
  }

  send(channel: string, ...args: unknown[]): void {
    this.mainFrame.send(channel, ...args)
  }

  sendToFrame(frame: WebFrameMain, channel: string, args: unknown[]): void {
    this.#ipc.send(this.#frames.idOf(frame), channel, args)
  }

  async executeInFrame(frame: WebFrameMain, code: string, userGesture: boolean): Promise<unknown> {
    if (frame !== this.mainFrame) refuse('WebFrameMain.executeJavaScript in a sub-frame')
    return this.executeJavaScript(code, userGesture)
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    await this.#navigation.loaded()
    return evaluate(this.#page, this.#codec, String(code), userGesture)
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler
  }

  // --- the page's appearance

  setZoomFactor(factor: number): void {
    if (typeof factor !== 'number' || !(factor > 0)) {
      throw new Error("'zoomFactor' must be a double greater than 0.0")
    }
    this.#zoomFactor = factor
    void this.#applyMetrics()
  }

  getZoomFactor(): number {
    return this.#zoomFactor
  }

  get zoomFactor(): number {
    return this.#zoomFactor
  }

  set zoomFactor(factor: number) {
    this.setZoomFactor(factor)
  }

  setZoomLevel(level: number): void {
    this.setZoomFactor(1.2 ** level)
  }

  getZoomLevel(): number {
    return Math.log(this.#zoomFactor) / Math.log(1.2)
  }

  get zoomLevel(): number {
    return this.getZoomLevel()
  }

  set zoomLevel(level: number) {
    this.setZoomLevel(level)
  }

  async setVisualZoomLevelLimits(minimum: number, maximum: number): Promise<void> {
    recorder.record('webContents.setVisualZoomLevelLimits', { minimum, maximum })
  }

  setBackgroundThrottling(allowed: boolean): void {
    this.#backgroundThrottling = allowed
  }

  getBackgroundThrottling(): boolean {
    return this.#backgroundThrottling
  }

  get backgroundThrottling(): boolean {
    return this.#backgroundThrottling
  }

  set backgroundThrottling(allowed: boolean) {
    this.#backgroundThrottling = allowed
  }

  setUserAgent(agent: string): void {
    this.#userAgent = agent
    void this.#page.send('Emulation.setUserAgentOverride', { userAgent: agent }).catch(() => undefined)
  }

  getUserAgent(): string {
    return this.#userAgent ?? userAgent()
  }

  async capturePage(rect?: { x: number; y: number; width: number; height: number }): Promise<NativeImage> {
    const clip = rect && { clip: { ...rect, scale: 1 } }
    const { data } = await this.#page.send('Page.captureScreenshot', { format: 'png', ...clip })
    return NativeImage.fromPng(Buffer.from(data, 'base64'))
  }

  async printToPDF(options: object = {}): Promise<Buffer> {
    const { data } = await this.#page.send('Page.printToPDF', pdfOptions(options))
    return Buffer.from(data, 'base64')
  }

  print(options: object = {}, callback?: (success: boolean, failureReason: string) => void): void {
    recorder.record('webContents.print', { options })
    callback?.(true, '')
  }

  async getPrintersAsync(): Promise<unknown> {
    return recorder.take('webContents.getPrintersAsync', [], () => [])
  }

  // --- life

  focus(): void {
    void this.#page.send('Page.bringToFront').catch(() => undefined)
  }

  isFocused(): boolean {
    return windows.focused()?.webContents === this
  }

  openDevTools(options: object = {}): void {
    recorder.record('webContents.openDevTools', { options })
    this.#devToolsOpen = true
    this.emit('devtools-opened')
  }

  closeDevTools(): void {
    if (!this.#devToolsOpen) return
    this.#devToolsOpen = false
    this.emit('devtools-closed')
  }

  isDevToolsOpened(): boolean {
    return this.#devToolsOpen
  }

  toggleDevTools(): void {
    if (this.#devToolsOpen) this.closeDevTools()
    else this.openDevTools()
  }

  isCrashed(): boolean {
    return this.#crashed
  }

  forcefullyCrashRenderer(): void {
    void this.#page.send('Page.crash').catch(() => undefined)
  }

  getType(): string {
    return 'window'
  }

  /** Closes the page's window; `waitForBeforeUnload` lets the page object. */
  close(options: { waitForBeforeUnload?: boolean } = {}): void {
    if (this.isDestroyed()) return
    const window = windows.of(this)
    if (options.waitForBeforeUnload === true) window?.close()
    else window?.destroy()
  }

  /** For BrowserWindow: asks the page whether it may be closed. @returns false when its beforeunload objects */
  static async mayUnload(contents: WebContents): Promise<boolean> {
    return contents.#navigation.mayUnload(contents.#crashed)
  }

  readonly navigationHistory = strict('webContents.navigationHistory', {
    canGoBack: () => this.#navigation.canGo(-1),
    canGoForward: () => this.#navigation.canGo(1),
    goBack: () => this.#navigation.go(-1),
    goForward: () => this.#navigation.go(1),
    clear: () => void this.#page.send('Page.resetNavigationHistory').catch(() => undefined)
  })
}

/** Electron's `webContents` module. */
export const webContents = strict('webContents', {
  getAllWebContents: () => WebContents.getAllWebContents(),
  fromId: (id: number) => WebContents.fromId(id),
  fromFrame: (frame: WebFrameMain) => WebContents.fromFrame(frame),
  fromDevToolsTargetId: (id: string) => WebContents.fromDevToolsTargetId(id),
  getFocusedWebContents: () => windows.focused()?.webContents ?? null
})
