/**
 * What `import 'electron'` gives in unit tests: nothing at all, as in a process that is not Electron's. electron-store
 * then asks for an absolute folder and works; code that reaches for Electron itself fails at once, and belongs among
 * the end-to-end specs.
 */
export const app = undefined
export const ipcMain = undefined
export const shell = undefined
export default { app, ipcMain, shell }
