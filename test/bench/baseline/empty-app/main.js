/** One window with one static page, opened as the till opens its own. */
import { app, BrowserWindow } from 'electron'
import { join } from 'node:path'

app.on('window-all-closed', () => app.quit())
void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false }
  })
  window.once('ready-to-show', () => window.show())
  return window.loadFile(join(import.meta.dirname, 'index.html'))
})
