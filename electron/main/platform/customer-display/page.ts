/** A window with the page of the customer display, and the IPC of that page. */
import { BrowserWindow, ipcMain, type BrowserWindowConstructorOptions } from 'electron'
import * as v from 'valibot'
import {
  CUSTOMER_DISPLAY_CHANNELS,
  customerDisplayViewSchema,
  type CustomerDisplayView
} from '../../../contract/customer-display.ts'
import type { Logger } from '../../log/log.ts'
import { ORIGINS } from '../app-protocol.ts'
import { webPreferences } from '../security.ts'
import { BACKGROUND, isFrom, registerWindow, sendTo } from '../windows.ts'

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
  readonly log: Logger
}

/**
 * Opens a frameless window that never takes the keyboard focus, and shows it once its page has painted.
 * @param onShown called then
 */
export function openCustomerDisplayPage(
  placement: BrowserWindowConstructorOptions,
  { preload, isDark, view, log }: CustomerDisplayPageOptions,
  onShown: () => void = () => undefined
): BrowserWindow {
  const window = new BrowserWindow({
    ...placement,
    title: 'Tillpoints',
    backgroundColor: isDark ? BACKGROUND.dark : BACKGROUND.light,
    frame: false,
    focusable: false,
    skipTaskbar: true,
    autoHideMenuBar: true,
    show: false,
    webPreferences: webPreferences(preload)
  })
  const { id } = window.webContents
  registerWindow('customer-display', window)
  views.set(id, view)
  window.once('closed', () => views.delete(id))
  window.once('ready-to-show', () => {
    window.showInactive()
    onShown()
  })
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error('customer-display-crashed', { reason })
    if (reason !== 'clean-exit' && !window.isDestroyed()) window.webContents.reload()
  })
  void window
    .loadURL(`${ORIGINS['customer-display']}/`)
    .catch((error: unknown) => log.error('customer-display-not-loaded', { error }))
  return window
}
