/** *Show me which*: each screen shows its number for a moment. */
import { screen, type BrowserWindow } from 'electron'
import type { CustomerDisplayView } from '../../../contract/customer-display.ts'
import { openPage, type PageParts } from './page.ts'

/** Milliseconds that the numbers stay: time to turn round and look. */
const STAY = 5000
/** Side of the square that the number stands in. */
const SIDE = 320

/** Makes the numbers. `show` begins anew when they are there already; `close` takes them away. */
export function createScreenNumbers(page: () => PageParts): { show(): void; close(): void } {
  let open: BrowserWindow[] = []
  let clock: NodeJS.Timeout | undefined

  const close = (): void => {
    clearTimeout(clock)
    const windows = open
    open = []
    for (const window of windows) if (!window.isDestroyed()) window.destroy()
  }

  return {
    show() {
      close()
      const parts = page()
      open = screen.getAllDisplays().map(({ workArea }, index) => {
        const side = Math.min(SIDE, workArea.width, workArea.height)
        const view = (): CustomerDisplayView => ({
          ...parts.view(),
          shows: { kind: 'screen-number', number: index + 1 }
        })
        const placement = {
          x: Math.round(workArea.x + (workArea.width - side) / 2),
          y: Math.round(workArea.y + (workArea.height - side) / 2),
          width: side,
          height: side,
          alwaysOnTop: true
        }
        return openPage(placement, { ...parts, view })
      })
      clock = setTimeout(close, STAY)
    },
    close
  }
}
