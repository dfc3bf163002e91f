import type { BrowserWindow } from './browser-window.ts'
import type { WebContents } from './web-contents.ts'

/** The windows that are open, oldest first, and which of them has the focus. */
const open: BrowserWindow[] = []
let focused: BrowserWindow | null = null
let whenAllClosed: () => void = () => undefined
let whenAllGone: () => void = () => undefined

export const windows = {
  all: (): BrowserWindow[] => [...open],
  add: (window: BrowserWindow): void => void open.push(window),
  /** The window is gone; when it was the last one, the app is told. */
  remove(window: BrowserWindow): void {
    const index = open.indexOf(window)
    if (index < 0) return
    open.splice(index, 1)
    if (focused === window) focused = null
    if (open.length === 0) whenAllClosed()
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
