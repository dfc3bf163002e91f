import { chromium, runtime } from '../runtime.ts'
import { makeEvent, StrictEmitter } from '../strict.ts'
import { app } from './app.ts'
import { closeCancelled } from './lifecycle.ts'
import type { Rectangle } from './screen.ts'
import { VisibleWindow, type WindowNews } from './visible-window.ts'
import { WebContents } from './web-contents.ts'
import { WindowGeometry } from './window-geometry.ts'
import { checkWindowOptions } from './window-options.ts'
import { windows } from './windows.ts'

const EVENTS = ['close', 'closed', 'focus', 'move', 'ready-to-show', 'resize', 'session-end']

let lastId = 0

/** Electron's `BrowserWindow`: a frame with one page of Chromium in it. */
export class BrowserWindow extends StrictEmitter {
  readonly id = ++lastId
  readonly #contents: WebContents
  readonly #geometry: WindowGeometry
  readonly #isFocusable: boolean
  readonly #real: VisibleWindow | undefined
  #isShown: boolean
  #isClosing = false

  constructor(given: object = {}) {
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready')
    const options = checkWindowOptions(given)
    super('BrowserWindow', EVENTS, ['id'])
    this.#isShown = options.show !== false
    this.#isFocusable = options.focusable !== false
    this.#geometry = new WindowGeometry(options)
    const { width, height } = this.getBounds()
    this.#contents = new WebContents({ width, height, preload: options.webPreferences?.preload })
    this.#followPage()
    if (runtime.commandLine.visible)
      this.#real = new VisibleWindow(this.#contents._page, (news) => this.#adopt(news))
    this.#followFrame()
    windows.add(this)
    app.emit('web-contents-created', makeEvent({ sender: this.#contents }), this.#contents)
    app.emit('browser-window-created', makeEvent({}), this)
    if (this.#isShown) this.focus()
  }

  static getAllWindows(): BrowserWindow[] {
    return windows.all()
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return windows.of(contents) ?? null
  }

  /** For the stand-in: Chromium ended, and every window with it. */
  static allGone(): void {
    for (const window of windows.all()) window.#goneByItself()
  }

  /** For the stand-in: the displays changed, so windows may have another size. */
  static displaysChanged(): void {
    for (const window of windows.all()) window.#followFrame()
  }

  get webContents(): WebContents {
    return this.#contents
  }

  #followPage(): void {
    this.#contents.on('ready-to-show', () =>
      process.nextTick(() => this.isDestroyed() || this.emit('ready-to-show'))
    )
    const stop = chromium().on('Target.targetDestroyed', ({ targetId }) => {
      if (targetId !== this.#contents._page.targetId) return
      stop()
      this.#goneByItself()
    })
  }

  loadURL(url: string): Promise<void> {
    return this.#contents.loadURL(url)
  }

  loadFile(file: string): Promise<void> {
    return this.#contents.loadFile(file)
  }

  // --- closing

  /** Closes the window unless a listener or the page objects. */
  close(): void {
    if (this.#isClosing) return
    const event = makeEvent({})
    this.emit('close', event)
    if (event.defaultPrevented) {
      closeCancelled()
      return
    }
    this.#isClosing = true
    void WebContents.mayUnload(this.#contents).then((may) => {
      this.#isClosing = false
      if (may || this.#mayIgnoreObjection()) this.destroy()
      else closeCancelled()
    })
  }

  /** Tells the listeners that the page objects. @returns true when one of them has the objection ignored */
  #mayIgnoreObjection(): boolean {
    const event = makeEvent({})
    this.#contents.emit('will-prevent-unload', event)
    return event.defaultPrevented
  }

  /** Closes without asking the listeners or the page. */
  destroy(): void {
    if (this.isDestroyed()) return
    const wasFocused = this.isFocused()
    // Before anything of it is gone: a test driver asks for the windows at any moment, between two statements too.
    windows.remove(this)
    this.retire()
    WebContents.destroy(this.#contents)
    this.emit('closed')
    windows.removed()
    const heirs = windows.all().filter((window) => window.isVisible() && window.isFocusable())
    if (wasFocused) heirs.at(-1)?.focus()
  }

  /** A person closed Chromium's window, or the page closed itself. It is too late to object. */
  #goneByItself(): void {
    if (this.isDestroyed() || this.#isClosing) return
    this.emit('close', makeEvent({}))
    this.destroy()
  }

  // --- visibility and focus

  show(): void {
    this.showInactive()
    this.focus()
  }

  showInactive(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.#followFrame()
  }

  isVisible(): boolean {
    return this.#isShown && !this.isMinimized()
  }

  /** Does nothing to a hidden window, and to one that cannot have the focus. */
  focus(): void {
    if (!this.#isShown || !this.#isFocusable || this.isFocused()) return
    windows.setFocused(this)
    process.nextTick(() => this.isDestroyed() || this.emit('focus'))
    this.#contents._page.send('Page.bringToFront').catch(() => undefined)
  }

  isFocused(): boolean {
    return windows.focused() === this
  }

  isFocusable(): boolean {
    return this.#isFocusable
  }

  // --- bounds and placement, in device-independent pixels

  getBounds(): Rectangle {
    return this.#geometry.bounds
  }

  setBounds(bounds: Partial<Rectangle>): void {
    this.#change(() => this.#geometry.setBounds(bounds))
  }

  minimize(): void {
    this.#change(() => (this.#geometry.placement.minimized = true))
    if (this.isFocused()) windows.setFocused(null)
  }

  restore(): void {
    this.#change(() => (this.#geometry.placement.minimized = false))
    this.focus()
  }

  isMinimized(): boolean {
    return this.#geometry.placement.minimized
  }

  /** Fills the display. A hidden window is shown, without `ready-to-show` or `show` (NativeWindowViews::SetFullScreen). */
  setKiosk(on: boolean): void {
    if (on) this.#isShown = true
    this.#change(() => (this.#geometry.placement.fullscreen = on))
    if (on) this.focus()
  }

  isKiosk(): boolean {
    return this.#geometry.placement.fullscreen
  }

  /** Changes bounds or placement: the page and the screen follow, and the app gets the events. */
  #change(work: () => void): void {
    const before = this.getBounds()
    work()
    this.#followFrame()
    this.#emitMoves(before)
  }

  #emitMoves(before: Rectangle): void {
    const { x, y, width, height } = this.getBounds()
    if (before.x !== x || before.y !== y) this.emit('move')
    if (before.width !== width || before.height !== height) this.emit('resize')
  }

  /** Applies what a person did to a visible window. */
  #adopt({ bounds, state }: WindowNews): void {
    const before = this.getBounds()
    if (state === 'normal') this.#geometry.setBounds(bounds)
    for (const key of ['maximized', 'minimized', 'fullscreen'] as const)
      this.#geometry.placement[key] = state === key
    this.#emitMoves(before)
  }

  #followFrame(): void {
    const { width, height } = this.getBounds()
    const { size, scaleFactor } = this.#geometry.display
    const screen = { screenWidth: size.width, screenHeight: size.height }
    this.#contents._resize({ width, height, scaleFactor, ...screen })
    // A real window appears at once: hiding it until the page is painted would only make it flicker.
    this.#real?.place(this.getBounds(), this.#geometry.placement)
  }
}
