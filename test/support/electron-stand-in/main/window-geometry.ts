import { displayServer } from './app-switches.ts'
import { screen, type Display, type Rectangle } from './screen.ts'
import type { WindowOptions } from './window-options.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** `minimized` and `fullscreen` lie over what is below: leaving them returns to normal or maximized. */
export interface Placement {
  maximized: boolean
  minimized: boolean
  fullscreen: boolean
}

/** Where a window is and how large: its normal bounds, its least size and its placement (device-independent pixels). */
export class WindowGeometry {
  readonly placement: Placement = { maximized: false, minimized: false, fullscreen: false }
  readonly #minimum: Size
  #normal: Rectangle

  constructor({ x, y, width = 800, height = 600, minWidth = 0, minHeight = 0 }: WindowOptions) {
    this.#minimum = { width: minWidth, height: minHeight }
    const size = this.#limited({ width, height })
    const { workArea } = screen.getPrimaryDisplay()
    const isPlaced = x !== undefined && y !== undefined && !displayServer.isWayland
    this.#normal = {
      x: Math.round(isPlaced ? x : workArea.x + Math.max(0, (workArea.width - size.width) / 2)),
      y: Math.round(isPlaced ? y : workArea.y + Math.max(0, (workArea.height - size.height) / 2)),
      ...size
    }
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

  setBounds(change: Partial<Rectangle>): void {
    const { x, y, ...size } = { ...this.bounds, ...change }
    const place = displayServer.isWayland ? this.#normal : { x: Math.round(x), y: Math.round(y) }
    this.#normal = { x: place.x, y: place.y, ...this.#limited(size) }
    this.placement.maximized = false
  }

  #limited({ width, height }: Size): Size {
    return {
      width: Math.round(Math.max(this.#minimum.width, width)),
      height: Math.round(Math.max(this.#minimum.height, height))
    }
  }
}
