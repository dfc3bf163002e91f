/** The restrictions of every window and page, whatever it loads (Electron security checklist). */
import { app, session, type WebPreferences } from 'electron'
import { ORIGINS } from './app-protocol.ts'

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
