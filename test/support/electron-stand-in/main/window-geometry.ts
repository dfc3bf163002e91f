import { displayServer } from './app-switches.ts'
import { screen, type Display, type Rectangle } from './screen.ts'
import type { WindowOptions } from './window-options.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** `minimized` and `fullscreen` lie over what is below: leaving them returns to normal or maximized. */
export interface Placement {
  maximized: boolean
  minimized: boolean
  fullscreen: boolean
  kiosk: boolean
}

/** Where a window is and how large: its normal bounds, its limits and its placement (device-independent pixels). */
export class WindowGeometry {
  #normal: Rectangle
  #minimum: Size
  #maximum: Size
  readonly placement: Placement

  constructor(options: WindowOptions) {
    const { width = 800, height = 600, minWidth = 0, minHeight = 0, maxWidth = 0, maxHeight = 0 } = options
    this.#minimum = { width: minWidth, height: minHeight }
    this.#maximum = { width: maxWidth, height: maxHeight }
    const size = this.#limited({ width, height })
    this.#normal = { ...centred(screen.getPrimaryDisplay(), size), ...size }
    if (options.x !== undefined && options.y !== undefined && !displayServer.isWayland) {
      this.#normal = { ...this.#normal, x: Math.round(options.x), y: Math.round(options.y) }
    }
    const fullscreen = options.fullscreen === true || options.kiosk === true
    this.placement = { maximized: false, minimized: false, fullscreen, kiosk: options.kiosk === true }
  }

  get display(): Display {
    return screen.getDisplayMatching(this.#normal)
  }

  /** The bounds in the present placement. */
  get bounds(): Rectangle {
    if (this.placement.fullscreen) return { ...this.display.bounds }
    if (this.placement.maximized) return { ...this.display.workArea }
    return { ...this.#normal }
  }

  get normalBounds(): Rectangle {
    return { ...this.#normal }
  }

  setBounds(change: Partial<Rectangle>): void {
    const { x, y, width, height } = { ...this.bounds, ...change }
    const size = this.#limited({ width, height })
    const place = displayServer.isWayland ? this.#normal : { x: Math.round(x), y: Math.round(y) }
    this.#normal = { x: place.x, y: place.y, ...size }
    this.placement.maximized = false
  }

  center(): void {
    if (displayServer.isWayland) return
    const { width, height } = this.#normal
    this.#normal = { ...centred(this.display, { width, height }), width, height }
  }

  get minimum(): Size {
    return this.#minimum
  }

  set minimum(size: Size) {
    this.#minimum = size
    this.#normal = { ...this.#normal, ...this.#limited(this.#normal) }
  }

  get maximum(): Size {
    return this.#maximum
  }

  set maximum(size: Size) {
    this.#maximum = size
    this.#normal = { ...this.#normal, ...this.#limited(this.#normal) }
  }

  #limited({ width, height }: Size): Size {
    const clamp = (value: number, least: number, most: number): number =>
      Math.round(Math.max(least, most > 0 ? Math.min(most, value) : value))
    return {
      width: clamp(width, this.#minimum.width, this.#maximum.width),
      height: clamp(height, this.#minimum.height, this.#maximum.height)
    }
  }
}

function centred({ workArea }: Display, { width, height }: Size): { x: number; y: number } {
  return {
    x: workArea.x + Math.max(0, Math.round((workArea.width - width) / 2)),
    y: workArea.y + Math.max(0, Math.round((workArea.height - height) / 2))
  }
}
