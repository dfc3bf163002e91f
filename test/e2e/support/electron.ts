/** Which Electron the end-to-end tests run on. */
import { chooseElectron } from '../../support/electron-runtime.ts'

/** Chosen once for a whole run. */
export const electron = chooseElectron()

/** One line that says which Electron runs, and why. */
export const describeElectron = (): string =>
  electron.kind === 'electron'
    ? `On Electron ${electron.version}, the real runtime.`
    : `On the Electron stand-in: ${electron.reason}`
