import { StrictEmitter } from '../strict.ts'
import type { Rectangle } from './screen.ts'
import { WindowGeometry } from './window-geometry.ts'
import type { Size } from './window-geometry.ts'
import type { WindowOptions } from './window-options.ts'

/** What a window may or may not do, with Electron's defaults. */
const FLAGS = {
  resizable: true,
  movable: true,
  minimizable: true,
  maximizable: true,
  closable: true,
  fullscreenable: true,
  alwaysOnTop: false,
  modal: false,
  autoHideMenuBar: false,
  menuBarVisible: true
}

/** The frame of a window: bounds, placement, limits, title and abilities; everything but its page. */
export abstract class WindowFrame extends StrictEmitter {
  readonly #geometry: WindowGeometry
  readonly #flags: typeof FLAGS
  #title: string
  #backgroundColor: string

  constructor(options: WindowOptions, title: string, events: readonly string[]) {
    super('BrowserWindow', events, ['id'])
    this.#geometry = new WindowGeometry(options)
    this.#flags = { ...FLAGS }
    for (const key of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
      const value: unknown = Reflect.get(options, key)
      if (typeof value === 'boolean') this.#flags[key] = value
    }
    this.#title = options.title ?? title
    this.#backgroundColor = options.backgroundColor ?? '#FFFFFF'
  }

  /** The frame changed its size, place or placement: the page and the screen must follow. */
  protected abstract _followFrame(): void

  protected get _geometry(): WindowGeometry {
    return this.#geometry
  }

  #changed(before: Rectangle): void {
    this._followFrame()
    const { x, y, width, height } = this.getBounds()
    if (before.x !== x || before.y !== y) this.#emitAll('move', 'moved')
    if (before.width !== width || before.height !== height) this.#emitAll('resize', 'resized')
  }

  #emitAll(...events: string[]): void {
    for (const event of events) this.emit(event)
  }

  /** Changes the placement and tells about it; nothing happens when it is so already. */
  #place(key: 'maximized' | 'minimized' | 'fullscreen', on: boolean, event: string): boolean {
    const { placement } = this.#geometry
    if (placement[key] === on) return false
    const before = this.getBounds()
    placement[key] = on
    this.#changed(before)
    this.emit(event)
    return true
  }

  // --- bounds, in device-independent pixels

  getBounds(): Rectangle {
    return this.#geometry.bounds
  }

  setBounds(bounds: Partial<Rectangle>): void {
    const before = this.getBounds()
    this.#geometry.setBounds(bounds)
    this.#changed(before)
  }

  getNormalBounds(): Rectangle {
    return this.#geometry.normalBounds
  }

  getContentBounds(): Rectangle {
    return this.getBounds()
  }

  setContentBounds(bounds: Rectangle): void {
    this.setBounds(bounds)
  }

  getSize(): number[] {
    const { width, height } = this.getBounds()
    return [width, height]
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }

  getContentSize(): number[] {
    return this.getSize()
  }

  setContentSize(width: number, height: number): void {
    this.setSize(width, height)
  }

  getPosition(): number[] {
    const { x, y } = this.getBounds()
    return [x, y]
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }

  center(): void {
    const before = this.getBounds()
    this.#geometry.center()
    this.#changed(before)
  }

  getMinimumSize(): number[] {
    return sides(this.#geometry.minimum)
  }

  setMinimumSize(width: number, height: number): void {
    const before = this.getBounds()
    this.#geometry.minimum = { width, height }
    this.#changed(before)
  }

  getMaximumSize(): number[] {
    return sides(this.#geometry.maximum)
  }

  setMaximumSize(width: number, height: number): void {
    const before = this.getBounds()
    this.#geometry.maximum = { width, height }
    this.#changed(before)
  }

  // --- placement

  minimize(): void {
    if (this.#place('minimized', true, 'minimize')) this.blur()
  }

  restore(): void {
    if (this.#place('minimized', false, 'restore')) this.focus()
    else this.unmaximize()
  }

  isMinimized(): boolean {
    return this.#geometry.placement.minimized
  }

  maximize(): void {
    this.show()
    this.#place('maximized', true, 'maximize')
  }

  unmaximize(): void {
    this.#place('maximized', false, 'unmaximize')
  }

  isMaximized(): boolean {
    return this.#geometry.placement.maximized && !this.isMinimized()
  }

  setFullScreen(on: boolean): void {
    this.#place('fullscreen', on, on ? 'enter-full-screen' : 'leave-full-screen')
  }

  isFullScreen(): boolean {
    return this.#geometry.placement.fullscreen
  }

  get fullScreen(): boolean {
    return this.isFullScreen()
  }

  set fullScreen(on: boolean) {
    this.setFullScreen(on)
  }

  setKiosk(on: boolean): void {
    this.#geometry.placement.kiosk = on
    this.setFullScreen(on)
  }

  isKiosk(): boolean {
    return this.#geometry.placement.kiosk
  }

  get kiosk(): boolean {
    return this.isKiosk()
  }

  set kiosk(on: boolean) {
    this.setKiosk(on)
  }

  isNormal(): boolean {
    return !this.isMinimized() && !this.isMaximized() && !this.isFullScreen()
  }

  // --- title and abilities

  getTitle(): string {
    return this.#title
  }

  setTitle(title: string): void {
    this.#title = title
  }

  get title(): string {
    return this.#title
  }

  set title(title: string) {
    this.setTitle(title)
  }

  setBackgroundColor(color: string): void {
    this.#backgroundColor = color
  }

  getBackgroundColor(): string {
    return this.#backgroundColor
  }

  setResizable(on: boolean): void {
    this.#flags.resizable = on
  }

  isResizable(): boolean {
    return this.#flags.resizable
  }

  isMovable(): boolean {
    return this.#flags.movable
  }

  isMinimizable(): boolean {
    return this.#flags.minimizable
  }

  isMaximizable(): boolean {
    return this.#flags.maximizable
  }

  isClosable(): boolean {
    return this.#flags.closable
  }

  isFullScreenable(): boolean {
    return this.#flags.fullscreenable
  }

  isModal(): boolean {
    return this.#flags.modal
  }

  setAlwaysOnTop(on: boolean): void {
    if (this.#flags.alwaysOnTop === on) return
    this.#flags.alwaysOnTop = on
    this.emit('always-on-top-changed', {}, on)
  }

  isAlwaysOnTop(): boolean {
    return this.#flags.alwaysOnTop
  }

  setMenuBarVisibility(visible: boolean): void {
    this.#flags.menuBarVisible = visible
  }

  isMenuBarVisible(): boolean {
    return this.#flags.menuBarVisible
  }

  setAutoHideMenuBar(hide: boolean): void {
    this.#flags.autoHideMenuBar = hide
  }

  isMenuBarAutoHide(): boolean {
    return this.#flags.autoHideMenuBar
  }

  abstract show(): void
  abstract focus(): void
  abstract blur(): void
}

function sides({ width, height }: Size): number[] {
  return [width, height]
}
