/** One window with one page, as a starter has it. */
import { app, BrowserWindow } from 'electron'
import { join } from 'node:path'

await app.whenReady()
const window = new BrowserWindow({
  width: 900,
  height: 670,
  show: false,
  autoHideMenuBar: true,
  webPreferences: { preload: join(import.meta.dirname, '../preload/index.cjs'), sandbox: true }
})
window.on('ready-to-show', () => window.show())
app.on('window-all-closed', () => app.quit())
await window.loadFile(join(import.meta.dirname, '../renderer/index.html'))
