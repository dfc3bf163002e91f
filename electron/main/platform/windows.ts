/**
 * Which window is which. The till's page holds names and phones; the customer display is read by strangers. What is
 * told to one never reaches the other, and neither may ask in the other's name.
 */
import { BrowserWindow, screen, type IpcMainInvokeEvent } from 'electron'
import type { Logger } from '../log/log.ts'
import { ORIGINS, type WindowRole } from './app-protocol.ts'
import { webPreferences } from './web-preferences.ts'

const roles = new Map<number, WindowRole>()
let till: BrowserWindow | undefined

/** Notes what a window is for, from when it is made to when it is gone. */
export function enterWindow(role: WindowRole, window: BrowserWindow): void {
  const { id } = window
  roles.set(id, role)
  if (role === 'till') till = window
  window.once('closed', () => {
    roles.delete(id)
    if (till === window) till = undefined
  })
}

/** The till's window; undefined before it opens and after it was closed. */
export const tillWindow = (): BrowserWindow | undefined => till

/** Whether a call comes from the own page of a window of this role, in its main frame. */
export function isFrom(role: WindowRole, event: IpcMainInvokeEvent): boolean {
  const window = BrowserWindow.fromWebContents(event.sender)
  const frame = event.senderFrame
  return (
    window !== null &&
    roles.get(window.id) === role &&
    frame !== null &&
    frame.parent === null &&
    frame.url.startsWith(`${ORIGINS[role]}/`)
  )
}

/** Sends to one window, if its page is there to hear. */
export function sendTo(window: BrowserWindow | undefined, channel: string, value: unknown): void {
  if (window && !window.isDestroyed() && !window.webContents.isDestroyed()) {
    window.webContents.send(channel, value)
  }
}

/* from window.ts: The cashier's window. */

/** Smallest size the layout is drawn for, in CSS pixels (a 7-inch till display). */
const MINIMUM = { width: 800, height: 480 }
/** What a desk till opens with where the display has the room. */
const COMFORTABLE = { width: 1280, height: 800 }

/** Ground colours of the page, so that no flash of white shows before it paints. */
export const GROUND = { light: '#FBFAF7', dark: '#151513' }

/**
 * Makes the cashier's window on the primary display, without a page and not to be seen. Chromium prepares it meanwhile,
 * so it is made before what answers its page.
 * @param where paths of the built preload script and of the icon
 * @param dark whether the system asks for dark colours
 */
export function makeTillWindow(
  where: { readonly preload: string; readonly icon: string },
  dark: boolean
): BrowserWindow {
  const { workAreaSize } = screen.getPrimaryDisplay()
  const window = new BrowserWindow({
    width: Math.min(COMFORTABLE.width, workAreaSize.width),
    height: Math.min(COMFORTABLE.height, workAreaSize.height),
    minWidth: MINIMUM.width,
    minHeight: MINIMUM.height,
    title: 'Tillpoints',
    icon: where.icon,
    backgroundColor: dark ? GROUND.dark : GROUND.light,
    autoHideMenuBar: true,
    show: false,
    webPreferences: webPreferences(where.preload)
  })
  enterWindow('till', window)
  return window
}

/** Loads the till's page into its window and shows it once the page is there. What answers the page must be ready. */
export function showTill(window: BrowserWindow, log: Logger): void {
  window.once('ready-to-show', () => window.show())
  void window.loadURL(`${ORIGINS.till}/`).catch((error: unknown) => log.error('page-not-loaded', { error }))
}
