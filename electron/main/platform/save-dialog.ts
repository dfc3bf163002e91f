/** The system's save dialog. */
import { app, dialog } from 'electron'
import { extname, join } from 'node:path'
import { tillWindow } from './windows.ts'

/** Asks where to save a file, and proposes `name` in the documents folder. Null if the dialog was cancelled. */
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
