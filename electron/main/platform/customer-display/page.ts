/** A window with the page of the customer display, and the IPC of that page. */
import { BrowserWindow, ipcMain, type Rectangle } from 'electron'
import * as v from 'valibot'
import {
  CUSTOMER_DISPLAY_CHANNELS,
  customerDisplayViewSchema,
  type CustomerDisplayView
} from '../../../contract/customer-display.ts'
import type { Logger } from '../../log/log.ts'
import { ORIGINS } from '../app-protocol.ts'
import { webPreferences } from '../security.ts'
import { BACKGROUND, isFrom, registerWindow, reloadAfterCrash, sendTo } from '../windows.ts'

/** The view of each window, by the id of its contents. */
const views = new Map<number, () => CustomerDisplayView>()

/** Removes everything that the schema does not name. */
const sanitize = (view: CustomerDisplayView): CustomerDisplayView => v.parse(customerDisplayViewSchema, view)

/** Registers the handler that returns the view. Call once, before a window opens. */
export function handleCustomerDisplayIpc(): void {
  ipcMain.handle(CUSTOMER_DISPLAY_CHANNELS.view, (event): CustomerDisplayView => {
    const view = views.get(event.sender.id)
    if (!isFrom('customer-display', event) || !view)
      throw new Error('Refused: not the page of the customer display')
    return sanitize(view())
  })
}

/** Sends a new view to a window. */
export const sendView = (window: BrowserWindow, view: CustomerDisplayView): void =>
  sendTo(window, CUSTOMER_DISPLAY_CHANNELS.viewChanged, sanitize(view))

export interface CustomerDisplayPageOptions {
  /** full path of the preload script */
  readonly preload: string
  readonly isDark: boolean
  readonly view: () => CustomerDisplayView
  readonly now: () => Date
  readonly log: Logger
}

/** Where a window is, and whether it fills its screen. */
export interface Placement extends Rectangle {
  readonly fillsScreen: boolean
}

/** A kiosk window of macOS covers every screen, also that of the till: there the window stays on top instead. */
const HAS_KIOSK = process.platform !== 'darwin'

/** On macOS, lets a window cover the menu bar with square corners. */
const MAC_FULL_SIZE = { roundedCorners: false, enableLargerThanScreen: true, hasShadow: false }

/**
 * Opens a frameless window that never takes the keyboard focus, and shows it once its page has painted.
 * @param onShown called then
 */
export function openCustomerDisplayPage(
  { fillsScreen, ...bounds }: Placement,
  { preload, isDark, view, now, log }: CustomerDisplayPageOptions,
  onShown: () => void = () => undefined
): BrowserWindow {
  const window = new BrowserWindow({
    ...bounds,
    ...(fillsScreen && !HAS_KIOSK ? MAC_FULL_SIZE : {}),
    alwaysOnTop: !fillsScreen || !HAS_KIOSK,
    title: 'Tillpoints',
    backgroundColor: isDark ? BACKGROUND.dark : BACKGROUND.light,
    frame: false,
    focusable: false,
    skipTaskbar: true,
    show: false,
    webPreferences: webPreferences(preload)
  })
  const { id } = window.webContents
  registerWindow('customer-display', window)
  views.set(id, view)
  window.once('closed', () => views.delete(id))
  if (fillsScreen && !HAS_KIOSK) window.setAlwaysOnTop(true, 'screen-saver')
  window.once('ready-to-show', () => {
    // Linux shows a kiosk window at once, so it becomes one only when there is something to see.
    if (fillsScreen && HAS_KIOSK) window.setKiosk(true)
    window.showInactive()
    onShown()
  })
  const onGivenUp = (): void => {
    log.error('customer-display-closed-after-crashes', {})
    window.destroy()
  }
  reloadAfterCrash(window, { name: 'customer-display', onGivenUp, now, log })
  void window
    .loadURL(`${ORIGINS['customer-display']}/`)
    .catch((error: unknown) => log.error('customer-display-not-loaded', { error }))
  return window
}
