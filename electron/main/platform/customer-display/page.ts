/** A window with the customer display's page, and the one thing that page may ask. */
import { BrowserWindow, ipcMain, type BrowserWindowConstructorOptions } from 'electron'
import * as v from 'valibot'
import {
  CUSTOMER_DISPLAY_CHANNELS,
  customerDisplayViewSchema,
  type CustomerDisplayView
} from '../../../contract/customer-display.ts'
import type { Logger } from '../../log/log.ts'
import { webPreferences } from '../web-preferences.ts'
import { ORIGINS } from '../app-protocol.ts'
import { enterWindow, GROUND, isFrom, sendTo } from '../windows.ts'

/** What each window shows now, by the id of its contents. */
const views = new Map<number, () => CustomerDisplayView>()

/** Only what the schema names goes out. */
const clean = (view: CustomerDisplayView): CustomerDisplayView => v.parse(customerDisplayViewSchema, view)

/** Answers the page of the customer display. Call once, before a window opens. */
export function answerCustomerDisplay(): void {
  ipcMain.handle(CUSTOMER_DISPLAY_CHANNELS.ask, (event): CustomerDisplayView => {
    const view = views.get(event.sender.id)
    if (!isFrom('customer-display', event) || !view)
      throw new Error('Refused: not the customer display’s page')
    return clean(view())
  })
}

/** Tells a window its new view. */
export const tellView = (window: BrowserWindow, view: CustomerDisplayView): void =>
  sendTo(window, CUSTOMER_DISPLAY_CHANNELS.hear, clean(view))

export interface PageParts {
  readonly preload: string
  readonly dark: boolean
  readonly view: () => CustomerDisplayView
  readonly log: Logger
}

/**
 * Opens a frameless window that never takes the keyboard from the till, and shows it once its page is painted.
 * @param onShown called then
 */
export function openPage(
  placement: BrowserWindowConstructorOptions,
  { preload, dark, view, log }: PageParts,
  onShown: () => void = () => undefined
): BrowserWindow {
  const window = new BrowserWindow({
    ...placement,
    title: 'Tillpoints',
    backgroundColor: dark ? GROUND.dark : GROUND.light,
    frame: false,
    focusable: false,
    skipTaskbar: true,
    autoHideMenuBar: true,
    show: false,
    webPreferences: webPreferences(preload)
  })
  const { id } = window.webContents
  enterWindow('customer-display', window)
  views.set(id, view)
  window.once('closed', () => views.delete(id))
  window.once('ready-to-show', () => {
    window.showInactive()
    onShown()
  })
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error('customer-display-gone', { reason })
    if (reason !== 'clean-exit' && !window.isDestroyed()) window.webContents.reload()
  })
  void window
    .loadURL(`${ORIGINS['customer-display']}/`)
    .catch((error: unknown) => log.error('customer-display-not-loaded', { error }))
  return window
}
