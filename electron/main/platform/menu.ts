/** The application menu. */
import { Menu } from 'electron'

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
