/** The web preferences of every window (Electron security checklist, items 2 to 4, 6, 8 to 12). */
import { app, type WebPreferences } from 'electron'

/**
 * Returns the preferences of a window. Electron's defaults are repeated, because a default can change.
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
