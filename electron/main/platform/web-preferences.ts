/** What every page of the till may, and may not (Electron security checklist, items 2 to 4, 6, 8 to 12). */
import { app, type WebPreferences } from 'electron'

/**
 * Preferences of a window's page, the same for every window. Said in full where Electron's defaults are the same: a
 * default may change.
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
  // A file that is dropped on the till must not take the place of its page.
  navigateOnDragDrop: false,
  // Customers' names would be looked up in a dictionary that Chromium fetches.
  spellcheck: false,
  // A till that was installed shows its inside to nobody at the counter.
  devTools: !app.isPackaged
})
