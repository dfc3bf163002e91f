import { chromium, runtime } from '../runtime.ts'
import { makeEvent } from '../strict.ts'
import { app } from './app.ts'
import { identity } from './identity.ts'
import { closeCancelled } from './lifecycle.ts'
import { Menu } from './menu.ts'
import type { NativeImage } from './native-image.ts'
import { recorder } from './recorder.ts'
import type { Rectangle } from './screen.ts'
import { WebContents } from './web-contents.ts'
import { WindowFrame } from './window-frame.ts'
import { VisibleWindow } from './visible-window.ts'
import { checkWindowOptions } from './window-options.ts'
import { windows } from './windows.ts'

const EVENTS = [
  'always-on-top-changed',
  'blur',
  'close',
  'closed',
  'enter-full-screen',
  'enter-html-full-screen',
  'focus',
  'hide',
  'leave-full-screen',
  'leave-html-full-screen',
  'maximize',
  'minimize',
  'move',
  'moved',
  'page-title-updated',
  'query-session-end',
  'ready-to-show',
  'resize',
  'resized',
  'responsive',
  'restore',
  'session-end',
  'show',
  'unmaximize',
  'unresponsive',
  'will-move',
  'will-resize'
]

let lastId = 0

/** Electron's `BrowserWindow`: a frame with one page of Chromium in it. */
export class BrowserWindow extends WindowFrame {
  readonly id = ++lastId
  readonly #contents: WebContents
  #visible: boolean
  #shown = false
  #parent: BrowserWindow | null
  #closing = false
  #real: VisibleWindow | undefined

  constructor(given: object = {}) {
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready')
    const options = checkWindowOptions(given)
    super(options, identity.name, EVENTS)
    // A kiosk window is shown at once, whatever `show` says.
    this.#visible = options.show !== false || options.kiosk === true
    this.#parent = options.parent instanceof BrowserWindow ? options.parent : null
    const {
      preload,
      additionalArguments = [],
      zoomFactor = 1,
      backgroundThrottling = true
    } = options.webPreferences ?? {}
    const { width, height } = this.getBounds()
    const page = { width, height, preload, additionalArguments, zoomFactor, backgroundThrottling }
    this.#contents = new WebContents(page)
    this.#followPage()
    if (runtime.commandLine.visible)
      this.#real = new VisibleWindow(this.#contents._page, (news) => this._adopt(news))
    this._followFrame()
    windows.add(this)
    app.emit('web-contents-created', makeEvent({ sender: this.#contents }), this.#contents)
    app.emit('browser-window-created', makeEvent({}), this)
    if (this.#visible) this.#takeFocus()
  }

  static getAllWindows(): BrowserWindow[] {
    return windows.all()
  }

  static getFocusedWindow(): BrowserWindow | null {
    return windows.focused()
  }

  static fromId(id: number): BrowserWindow | null {
    return windows.all().find((window) => window.id === id) ?? null
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
    for (const window of windows.all()) window._followFrame()
  }

  get webContents(): WebContents {
    return this.#contents
  }

  protected override _followFrame(): void {
    const { width, height } = this.getBounds()
    const { size, scaleFactor } = this._geometry.display
    const screen = { screenWidth: size.width, screenHeight: size.height }
    this.#contents._resize({ width, height, scaleFactor, ...screen })
    // A real window appears at once: hiding it until the page is painted would only make it flicker.
    this.#real?.place(this.getBounds(), this._geometry.placement, this.#visible || !this.#shown)
  }

  #followPage(): void {
    this.#contents.on('page-title-updated', (_event: unknown, title: string, explicit: boolean) => {
      const event = makeEvent({})
      this.emit('page-title-updated', event, title, explicit)
      if (!event.defaultPrevented) this.setTitle(title)
    })
    this.#contents.on('ready-to-show', () =>
      process.nextTick(() => this.isDestroyed() || this.emit('ready-to-show'))
    )
    const stop = chromium().on('Target.targetDestroyed', ({ targetId }) => {
      if (targetId !== this.#contents._page.targetId) return
      stop()
      this.#goneByItself()
    })
  }

  // --- the page

  loadURL(url: string, options?: object): Promise<void> {
    return this.#contents.loadURL(url, options)
  }

  loadFile(file: string, options?: object): Promise<void> {
    return this.#contents.loadFile(file, options)
  }

  reload(): void {
    this.#contents.reload()
  }

  capturePage(rectangle?: Rectangle): Promise<NativeImage> {
    return this.#contents.capturePage(rectangle)
  }

  // --- closing

  /** Closes the window unless a listener or the page objects. */
  close(): void {
    if (this.#closing) return
    const event = makeEvent({})
    this.emit('close', event)
    if (event.defaultPrevented) {
      closeCancelled()
      return
    }
    this.#closing = true
    void WebContents.mayUnload(this.#contents).then((may) => {
      this.#closing = false
      if (may) this.destroy()
      else closeCancelled()
    })
  }

  /** Closes without asking the listeners or the page. */
  destroy(): void {
    if (this.isDestroyed()) return
    for (const child of this.getChildWindows()) child.destroy()
    const wasFocused = this.isFocused()
    const others = windows.all().filter((window) => window !== this && window.isVisible())
    // Before anything of it is gone: a test driver asks for the windows at any moment, between two statements too.
    windows.remove(this)
    this.retire()
    WebContents.destroy(this.#contents)
    this.emit('closed')
    windows.removed()
    if (wasFocused) others.findLast((window) => !window.isDestroyed() && window.isFocusable())?.focus()
  }

  /** A person closed Chromium's window, or the page closed itself. It is too late to object. */
  #goneByItself(): void {
    if (this.isDestroyed() || this.#closing) return
    this.emit('close', makeEvent({}))
    this.destroy()
  }

  // --- visibility and focus

  show(): void {
    this.showInactive()
    this.focus()
  }

  showInactive(): void {
    if (this.#visible) return
    this.#visible = true
    this.#shown = true
    this._followFrame()
    this.emit('show')
  }

  hide(): void {
    if (!this.#visible) return
    this.#visible = false
    this._followFrame()
    this.emit('hide')
    this.blur()
  }

  isVisible(): boolean {
    return this.#visible && !this.isMinimized()
  }

  focus(): void {
    if (this.#visible) this.#takeFocus()
  }

  /** A window that cannot have the focus leaves it where it is. */
  #takeFocus(): void {
    const before = windows.focused()
    if (before === this || !this.isFocusable()) return
    windows.setFocused(this)
    if (before) before.#tellFocus('blur')
    this.#contents.focus()
    this.#tellFocus('focus')
  }

  blur(): void {
    if (windows.focused() !== this) return
    windows.setFocused(null)
    this.#tellFocus('blur')
  }

  #tellFocus(name: 'focus' | 'blur'): void {
    const event = makeEvent({})
    this.emit(name, event)
    app.emit(`browser-window-${name}`, event, this)
  }

  isFocused(): boolean {
    return windows.focused() === this
  }

  moveTop(): void {
    this.focus()
  }

  flashFrame(flag: boolean): void {
    recorder.record('BrowserWindow.flashFrame', { windowId: this.id, flag })
  }

  setProgressBar(progress: number): void {
    recorder.record('BrowserWindow.setProgressBar', { windowId: this.id, progress })
  }

  setSkipTaskbar(skip: boolean): void {
    recorder.record('BrowserWindow.setSkipTaskbar', { windowId: this.id, skip })
  }

  setIcon(icon: unknown): void {
    recorder.record('BrowserWindow.setIcon', { windowId: this.id, icon: typeof icon })
  }

  setContentProtection(enable: boolean): void {
    recorder.record('BrowserWindow.setContentProtection', { windowId: this.id, enable })
  }

  // --- parents, children and menu

  getParentWindow(): BrowserWindow | null {
    return this.#parent
  }

  setParentWindow(parent: BrowserWindow | null): void {
    if (parent !== null && !(parent instanceof BrowserWindow))
      throw new TypeError('Must pass BaseWindow instance or null')
    this.#parent = parent
  }

  getChildWindows(): BrowserWindow[] {
    return windows.all().filter((window) => window.#parent === this)
  }

  setMenu(menu: Menu | null): void {
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Invalid menu')
    this.setMenuBarVisibility(menu !== null)
  }

  removeMenu(): void {
    this.setMenu(null)
  }
}
