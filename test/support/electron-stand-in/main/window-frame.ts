import type { Rectangle } from './screen.ts'
import type { WindowNews } from './visible-window.ts'
import { WindowGeometry, type Size } from './window-geometry.ts'
import type { WindowOptions } from './window-options.ts'
import { WindowTraits } from './window-traits.ts'

/** The frame of a window: bounds, placement, limits, title and abilities; everything but its page. */
export abstract class WindowFrame extends WindowTraits {
  readonly #geometry: WindowGeometry

  constructor(options: WindowOptions, title: string, events: readonly string[]) {
    super(options, title, events)
    this.#geometry = new WindowGeometry(options)
  }

  /** The frame changed its size, position or placement: the page and the screen must follow. */
  protected abstract _followFrame(): void

  protected get _geometry(): WindowGeometry {
    return this.#geometry
  }

  #changed(before: Rectangle): void {
    this._followFrame()
    this.#tellMoves(before)
  }

  #tellMoves(before: Rectangle): void {
    const { x, y, width, height } = this.getBounds()
    if (before.x !== x || before.y !== y) this.#emitAll('move', 'moved')
    if (before.width !== width || before.height !== height) this.#emitAll('resize', 'resized')
  }

  #emitAll(...events: string[]): void {
    for (const event of events) this.emit(event)
  }

  /** Changes the placement and emits its event; does nothing if it is unchanged. */
  #place(key: 'maximized' | 'minimized' | 'fullscreen', on: boolean, event: string): boolean {
    const { placement } = this.#geometry
    if (placement[key] === on) return false
    const before = this.getBounds()
    placement[key] = on
    this.#changed(before)
    this.emit(event)
    return true
  }

  /** Applies user actions on a visible window, and emits their events. */
  _adopt({ bounds, state }: WindowNews): void {
    const before = this.getBounds()
    const { placement } = this.#geometry
    const now = {
      maximized: state === 'maximized',
      minimized: state === 'minimized',
      fullscreen: state === 'fullscreen'
    }
    const events = [
      placement.maximized !== now.maximized && (now.maximized ? 'maximize' : 'unmaximize'),
      placement.minimized !== now.minimized && (now.minimized ? 'minimize' : 'restore'),
      placement.fullscreen !== now.fullscreen && (now.fullscreen ? 'enter-full-screen' : 'leave-full-screen')
    ]
    if (state === 'normal') this.#geometry.setBounds(bounds)
    Object.assign(placement, now)
    this.#tellMoves(before)
    this.#emitAll(...events.filter((event) => event !== false))
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

  abstract show(): void
  abstract focus(): void
  abstract blur(): void
}

function sides({ width, height }: Size): number[] {
  return [width, height]
}
