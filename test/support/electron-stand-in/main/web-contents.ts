import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeCodec } from '../page/codec.ts'
import { chromium } from '../runtime.ts'
import { makeEvent, refuse, strict } from '../strict.ts'
import { app } from './app.ts'
import { watchConsole } from './console-messages.ts'
import { evaluate } from './evaluate.ts'
import { FrameTree, type FrameHost, type WebFrameMain } from './frames.ts'
import { IpcChannel } from './ipc-channel.ts'
import { Navigation } from './navigation.ts'
import { answerPageDialogs } from './page-dialogs.ts'
import { PageView, type PageViewOptions } from './page-view.ts'
import { recorder } from './recorder.ts'
import { forgetRendererProcess, learnRendererProcess, rendererProcess } from './renderer-process.ts'
import { Requests } from './requests.ts'
import { fromChromium } from './scheme-map.ts'
import { defaultSession } from './session.ts'
import { GONE_REASONS, WEB_CONTENTS_EVENTS } from './web-contents-events.ts'
import { windows } from './windows.ts'
import { windowOpenAnswer, type WindowOpenHandler } from './window-open.ts'

const all = new Map<number, WebContents>()
let lastId = 0

/** Electron's `WebContents`: one page of Chromium, driven over the DevTools protocol. */
export class WebContents extends PageView implements FrameHost {
  readonly id = ++lastId
  readonly session = defaultSession
  readonly #frames: FrameTree
  readonly #navigation: Navigation
  readonly #requests: Requests
  readonly #ipc: IpcChannel
  readonly #codec = makeCodec()
  #windowOpenHandler: WindowOpenHandler | null = null
  #devToolsOpen = false
  #crashed = false

  constructor(options: PageViewOptions) {
    super(options, WEB_CONTENTS_EVENTS)
    all.set(this.id, this)
    const page = this._page
    this.#frames = new FrameTree(this, this.id + 1000)
    this.#navigation = new Navigation(this, page, this.#frames)
    this.#requests = new Requests(page, {
      webContentsId: this.id,
      mayNavigate: (url, frameId, redirected) => this.#navigation.guard.allows(url, frameId, redirected),
      documentAnswered: (_url, status, statusText) => this.#navigation.answered(status, statusText)
    })
    this.#ipc = new IpcChannel(this, page, this.#frames, {
      openWindow: (request) =>
        windowOpenAnswer(this.#windowOpenHandler, { ...request, url: fromChromium(request.url) }),
      titled: (title) => this.#navigation.titled(title),
      leaving: (url) => this.#navigation.leave(url)
    })
    watchConsole(page, (message) => this.emit('console-message', message))
    answerPageDialogs(page)
    this.#watchProcess()
    this.on('certificate-error', (...args: unknown[]) =>
      app.emit('certificate-error', args[0], this, ...args.slice(1))
    )
    page.attached.then(() => this.#prepare()).catch(() => undefined)
  }

  static getAllWebContents(): WebContents[] {
    return [...all.values()]
  }

  static fromId(id: number): WebContents | undefined {
    return all.get(id)
  }

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return WebContents.getAllWebContents().find((contents) => contents._page.targetId === targetId)
  }

  static fromFrame(frame: WebFrameMain): WebContents | undefined {
    return WebContents.getAllWebContents().find((contents) => contents.#frames.main === frame.top)
  }

  /** For BrowserWindow: the window is gone, and its page with it. */
  static destroy(contents: WebContents): void {
    if (contents.isDestroyed()) return
    all.delete(contents.id)
    forgetRendererProcess(contents.id)
    void contents._page.close()
    contents.#frames.retire()
    contents.retire()
    contents.emit('destroyed')
  }

  /** For BrowserWindow: asks the page whether it may be closed. @returns false when its beforeunload objects */
  static mayUnload(contents: WebContents): Promise<boolean> {
    return contents.#navigation.mayUnload()
  }

  async #prepare(): Promise<void> {
    // Before anything can be navigated, the page must be watched, filtered, sized and named.
    await Promise.all([this.#requests.enable(), this._prepareView()])
    this.#frames.attach(this._page.targetId)
    this.#navigation.open()
  }

  #watchProcess(): void {
    const stop = chromium().on('Target.targetCrashed', ({ targetId, status, errorCode }) => {
      if (this.isDestroyed()) {
        stop()
        return
      }
      if (targetId !== this._page.targetId || this.#crashed) return
      this.#crashed = true
      this.#navigation.crashed()
      const details = { reason: GONE_REASONS[status] ?? 'crashed', exitCode: errorCode }
      const event = makeEvent({})
      app.emit('render-process-gone', event, this, details)
      this.emit('render-process-gone', event, details)
    })
    this._page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return
      this.#crashed = false
      learnRendererProcess(this.id).catch(() => undefined)
    })
  }

  // --- loading

  loadURL(url: string, options: object = {}): Promise<void> {
    const unknown = Object.keys(options)[0]
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
    this._page.send('Page.stopLoading').catch(() => undefined)
  }

  getURL(): string {
    return this.#navigation.url
  }

  getTitle(): string {
    return this.#navigation.title === '' ? this.getURL() : this.#navigation.title
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

  readonly navigationHistory = strict('webContents.navigationHistory', {
    canGoBack: () => this.#navigation.canGo(-1),
    canGoForward: () => this.#navigation.canGo(1),
    goBack: () => this.#navigation.go(-1),
    goForward: () => this.#navigation.go(1)
  })

  // --- messages to the page

  get mainFrame(): WebFrameMain {
    return this.#frames.main
  }

  get focusedFrame(): WebFrameMain {
    return this.#frames.main
  }

  send(channel: string, ...args: unknown[]): void {
    this.mainFrame.send(channel, ...args)
  }

  /** For WebFrameMain: sends to one frame. */
  _sendToFrame(frame: WebFrameMain, channel: string, args: unknown[]): void {
    this.#ipc.send(this.#frames.idOf(frame), channel, args)
  }

  /** For WebFrameMain: runs code in one frame. */
  async _executeInFrame(frame: WebFrameMain, code: string, userGesture: boolean): Promise<unknown> {
    if (frame !== this.mainFrame) refuse('WebFrameMain.executeJavaScript in a sub-frame')
    return this.executeJavaScript(code, userGesture)
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    await this.#navigation.loaded()
    return evaluate(this._page, this.#codec, code, userGesture)
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler
  }

  // --- tools and lifetime

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

  getType(): string {
    return 'window'
  }

  getOSProcessId(): number {
    return rendererProcess(this.id)
  }

  isCrashed(): boolean {
    return this.#crashed
  }

  forcefullyCrashRenderer(): void {
    this._page.send('Page.crash').catch(() => undefined)
  }

  /** Closes the page's window; with `waitForBeforeUnload` the page may object. */
  close(options: { waitForBeforeUnload?: boolean } = {}): void {
    if (this.isDestroyed()) return
    const window = windows.of(this)
    if (options.waitForBeforeUnload === true) window?.close()
    else window?.destroy()
  }
}

/** Electron's `webContents` module. */
export const webContents = strict('webContents', {
  getAllWebContents: () => WebContents.getAllWebContents(),
  fromId: (id: number) => WebContents.fromId(id),
  fromFrame: (frame: WebFrameMain) => WebContents.fromFrame(frame),
  fromDevToolsTargetId: (id: string) => WebContents.fromDevToolsTargetId(id),
  getFocusedWebContents: () => windows.focused()?.webContents ?? null
})
