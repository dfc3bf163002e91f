/** Shows a number on each screen for a moment, so that the user can tell the screens apart in the settings. */
import { screen, type BrowserWindow } from 'electron'
import type { CustomerDisplayView } from '../../../contract/customer-display.ts'
import { openCustomerDisplayPage, type CustomerDisplayPageOptions } from './page.ts'

const DISPLAY_MS = 5000
/** Side of the square window with the number, in device-independent pixels. */
const SIDE_PIXELS = 320

export class DisplayNumbers {
  #windows: BrowserWindow[] = []
  #timer: NodeJS.Timeout | undefined

  /** Shows the numbers, anew if they are shown already. */
  show(options: CustomerDisplayPageOptions): void {
    this.close()
    this.#windows = screen.getAllDisplays().map(({ workArea }, index) => {
      const side = Math.min(SIDE_PIXELS, workArea.width, workArea.height)
      const view = (): CustomerDisplayView => ({
        ...options.view(),
        shows: { kind: 'screen-number', number: index + 1 }
      })
      const placement = {
        x: Math.round(workArea.x + (workArea.width - side) / 2),
        y: Math.round(workArea.y + (workArea.height - side) / 2),
        width: side,
        height: side,
        alwaysOnTop: true
      }
      return openCustomerDisplayPage(placement, { ...options, view })
    })
    this.#timer = setTimeout(() => this.close(), DISPLAY_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    const windows = this.#windows
    this.#windows = []
    for (const window of windows) if (!window.isDestroyed()) window.destroy()
  }
}
