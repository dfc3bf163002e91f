/** The cashier's window. */
import { BrowserWindow, screen } from 'electron'
import { pagePreferences } from './page-preferences.ts'
import type { Log } from '../log/index.ts'
import { ORIGINS } from './scheme.ts'
import { enterWindow } from './windows.ts'

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
    webPreferences: pagePreferences(where.preload)
  })
  enterWindow('till', window)
  return window
}

/** Loads the till's page into its window and shows it once the page is there. What answers the page must be ready. */
export function showTill(window: BrowserWindow, log: Log): void {
  window.once('ready-to-show', () => window.show())
  void window.loadURL(`${ORIGINS.till}/`).catch((error: unknown) => log.error('page-not-loaded', { error }))
}
