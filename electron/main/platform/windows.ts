/**
 * The windows, their restrictions (Electron security checklist), and their roles. The till's page holds names and phone
 * numbers, and the customer display is read by strangers: messages for one never reach the other, and neither can make
 * calls in the other's name.
 */
import {
  app,
  BrowserWindow,
  dialog,
  type IpcMainInvokeEvent,
  Menu,
  screen,
  session,
  type WebPreferences
} from 'electron'
import { extname, join } from 'node:path'
import type { Logger } from '../log/log.ts'
import { ORIGINS, type WindowRole } from './app-protocol.ts'

const roles = new Map<number, WindowRole>()
let till: BrowserWindow | undefined

/** Records the role of a window until it is closed. */
export function registerWindow(role: WindowRole, window: BrowserWindow): void {
  const { id } = window
  roles.set(id, role)
  if (role === 'till') till = window
  window.once('closed', () => {
    roles.delete(id)
    if (till === window) till = undefined
  })
}

/** Returns the till's window; undefined before it opens and after it was closed. */
export const tillWindow = (): BrowserWindow | undefined => till

/** Brings the till's window to the front. */
export function bringTillToFront(): void {
  if (till?.isMinimized()) till.restore()
  till?.focus()
}

/** Returns whether a call comes from the main frame of the own page of a window of this role. */
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

/** Sends a message to a window unless it is closed. */
export function sendTo(window: BrowserWindow | undefined, channel: string, value: unknown): void {
  if (window && !window.isDestroyed() && !window.webContents.isDestroyed()) {
    window.webContents.send(channel, value)
  }
}

/** The smallest size that the layout supports, in CSS pixels (a 7-inch till display). */
const MIN_SIZE = { width: 800, height: 480 }
/** The initial size on a display that is large enough. */
const DEFAULT_SIZE = { width: 1280, height: 800 }

/** Background colours of the page, shown until it paints. */
export const BACKGROUND = { light: '#FBFAF7', dark: '#151513' }

/**
 * Creates the till's window on the primary display, loads its page, and shows the window once that has painted. Serve the
 * pages first, and register the IPC handlers before the page can call: without an `await` in between.
 * @param paths of the built preload script and of the icon
 */
export function createTillWindow(
  paths: { readonly preload: string; readonly icon: string },
  isDark: boolean,
  log: Logger
): BrowserWindow {
  const { workAreaSize } = screen.getPrimaryDisplay()
  const window = new BrowserWindow({
    width: Math.min(DEFAULT_SIZE.width, workAreaSize.width),
    height: Math.min(DEFAULT_SIZE.height, workAreaSize.height),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Tillpoints',
    icon: paths.icon,
    backgroundColor: isDark ? BACKGROUND.dark : BACKGROUND.light,
    show: false,
    webPreferences: webPreferences(paths.preload)
  })
  registerWindow('till', window)
  window.once('ready-to-show', () => window.show())
  void window.loadURL(`${ORIGINS.till}/`).catch((error: unknown) => log.error('page-not-loaded', { error }))
  return window
}

/** Calls `onGone` when the window's page is replaced by a new one, crashes, or is closed with its window. */
export function whenPageGone(window: BrowserWindow, onGone: () => void): void {
  window.webContents.on('did-finish-load', onGone)
  window.webContents.on('render-process-gone', onGone)
  window.once('closed', onGone)
}

/** Asks in the system's save dialog where to save a file, and proposes `name` in the documents folder. Null if the dialog was cancelled. */
export async function askWhereToSave(name: string): Promise<string | null> {
  const extension = extname(name).slice(1)
  const options = {
    defaultPath: join(app.getPath('documents'), name),
    filters: [{ name: extension.toUpperCase(), extensions: [extension] }]
  }
  const window = tillWindow()
  const { canceled, filePath } = await (window
    ? dialog.showSaveDialog(window, options)
    : dialog.showSaveDialog(options))
  return canceled || filePath === '' ? null : filePath
}

/** After more crashes than this within the time, reloading is given up. */
const MAX_CRASHES = 3
const CRASH_WINDOW_MS = 60_000

interface ReloadOptions {
  /** the name of the window in the log */
  readonly name: WindowRole
  /** called instead of a reload after too many crashes */
  readonly onGivenUp: () => void
  readonly log: Logger
}

/** Reloads the window's page after each crash of its renderer process, at most three times a minute. */
export function reloadAfterCrash(window: BrowserWindow, { name, onGivenUp, log }: ReloadOptions): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error('renderer-crashed', { window: name, reason })
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const time = Date.now()
    crashes = [...crashes.filter((earlier) => time - earlier < CRASH_WINDOW_MS), time]
    if (crashes.length <= MAX_CRASHES) window.webContents.reload()
    else onGivenUp()
  })
}

/**
 * Replaces Electron's default menu, whose shortcuts reload the page, close the window and zoom. Windows and Linux get
 * none; macOS needs one for its clipboard shortcuts. Call before the app is ready, when Electron sets its own.
 */
export function setApplicationMenu(): void {
  Menu.setApplicationMenu(
    process.platform === 'darwin'
      ? Menu.buildFromTemplate([
          { role: 'appMenu' },
          { role: 'editMenu' },
          { role: 'window', submenu: [{ role: 'minimize' }, { role: 'zoom' }] }
        ])
      : null
  )
}

/**
 * Returns the preferences of a window (checklist, items 2 to 4, 6, 8 to 12). Electron's defaults are repeated, because a
 * default can change.
 * @param preload full path of the window's preload script
 */
export const webPreferences = (preload: string): WebPreferences => ({
  preload,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  // A file dropped on the window must not replace the page.
  navigateOnDragDrop: false,
  // Chromium would download a dictionary to check customers' names.
  spellcheck: false,
  devTools: !app.isPackaged
})

/**
 * Denies permissions, devices, downloads, new windows, navigation to other origins, redirects and webviews (checklist,
 * items 5, 12, 13 and 14). Call after the app is ready and before a window opens.
 */
export function installSecurityRestrictions(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.on('will-download', (event) => event.preventDefault())

  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-navigate', (event) => {
      // A page must not open with the preload of another window.
      const isSameOrigin = Object.values(ORIGINS).some(
        (origin) => event.url.startsWith(`${origin}/`) && contents.getURL().startsWith(`${origin}/`)
      )
      if (!isSameOrigin) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
