/** The system's own dialog for where a file goes. */
import { app, dialog } from 'electron'
import { extname, join } from 'node:path'
import { tillWindow } from './windows.ts'

/** Asks where to write a file of the kind that its name ends in, offering `name` in the user's documents; null when the dialog was closed. */
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
