import type { Protocol } from '../chromium/connection.ts'
import { chromium } from '../runtime.ts'
import type { PageTarget } from './page-target.ts'
import type { Rectangle } from './screen.ts'
import type { Placement } from './window-geometry.ts'

/** The state of a window after user actions: its bounds, and whether it is maximized, minimized or full screen. */
export interface WindowNews {
  readonly bounds: Rectangle
  readonly state: Protocol.Browser.WindowState
}

/** Chromium's real window around a page: follows the app's calls and reports user actions. */
export class VisibleWindow {
  readonly #page: PageTarget
  #turn: Promise<unknown> = Promise.resolve()
  #busy = 0

  constructor(page: PageTarget, hear: (news: WindowNews) => void) {
    this.#page = page
    page.on('Page.frameResized', () => void this.#tell(hear))
  }

  /** Moves the window as the app requested. Requests are executed one after the other. */
  place(bounds: Rectangle, placement: Placement): void {
    const state =
      (['minimized', 'fullscreen', 'maximized'] as const).find((name) => placement[name]) ?? 'normal'
    this.#busy++
    this.#turn = this.#turn
      .then(() => this.#place(bounds, state))
      .catch(() => undefined)
      .finally(() => this.#busy--)
  }

  async #place({ x, y, width, height }: Rectangle, state: Protocol.Browser.WindowState): Promise<void> {
    const { windowId, bounds } = await this.#window()
    // Chromium takes a new state only from the normal one, and bounds only in it.
    if (bounds.windowState !== 'normal' && bounds.windowState !== state) {
      await chromium().send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } })
    }
    const wanted = state === 'normal' ? { left: x, top: y, width, height } : { windowState: state }
    await chromium().send('Browser.setWindowBounds', { windowId, bounds: wanted })
  }

  async #tell(hear: (news: WindowNews) => void): Promise<void> {
    // Changes by the app itself are not reported.
    if (this.#busy > 0) return
    const found = await this.#window().catch(() => undefined)
    if (!found || this.#busy > 0) return
    const { left = 0, top = 0, width = 0, height = 0, windowState = 'normal' } = found.bounds
    hear({ bounds: { x: left, y: top, width, height }, state: windowState })
  }

  async #window(): Promise<Protocol.Browser.getWindowForTargetReturnValue> {
    await this.#page.attached
    return chromium().send('Browser.getWindowForTarget', { targetId: this.#page.targetId })
  }
}
