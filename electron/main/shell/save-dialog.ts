/** The system's own dialog for where a file goes. */
import { app, BrowserWindow, dialog } from 'electron'
import { join } from 'node:path'

/** Asks where to write a CSV file, offering `name` in the user's documents; null when the dialog was closed. */
export async function askWhereToSave(name: string): Promise<string | null> {
  const options = {
    defaultPath: join(app.getPath('documents'), name),
    filters: [{ name: 'CSV', extensions: ['csv'] }]
  }
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  const { canceled, filePath } = await (window
    ? dialog.showSaveDialog(window, options)
    : dialog.showSaveDialog(options))
  return canceled || filePath === '' ? null : filePath
}
