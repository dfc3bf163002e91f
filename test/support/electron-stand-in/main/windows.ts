import type { BrowserWindow } from './browser-window.ts'
import type { WebContents } from './web-contents.ts'

/** The windows that are open, oldest first, and which of them has the focus. */
const open: BrowserWindow[] = []
let focused: BrowserWindow | null = null
/** windows that are emitting `closed` */
let telling = 0
let whenAllClosed: () => void = () => undefined
let whenAllGone: () => void = () => undefined

export const windows = {
  all: (): BrowserWindow[] => [...open],
  add: (window: BrowserWindow): void => void open.push(window),
  /** The window is closing: no lookup finds it any more, not even while it emits `closed`. */
  remove(window: BrowserWindow): void {
    telling++
    const index = open.indexOf(window)
    if (index >= 0) open.splice(index, 1)
    if (focused === window) focused = null
  },
  /** A window has emitted `closed`; after the last one the app emits `window-all-closed`. */
  removed(): void {
    telling--
    if (open.length === 0 && telling === 0) whenAllClosed()
  },
  of: (contents: WebContents): BrowserWindow | undefined =>
    open.find((window) => window.webContents === contents),
  focused: (): BrowserWindow | null => focused,
  setFocused: (window: BrowserWindow | null): void => void (focused = window),
  /** Chromium ended and took every window with it. */
  allGone: (): void => whenAllGone(),
  onAllGone: (handler: () => void): void => void (whenAllGone = handler),
  onAllClosed: (handler: () => void): void => void (whenAllClosed = handler)
}
