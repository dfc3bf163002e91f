/** The Electron that the end-to-end tests run on. */
import { chooseElectron } from '../../support/electron-runtime.ts'

/** Chosen once for each run. */
export const electron = chooseElectron()

/** Returns one line that names the runtime and the reason for it. */
export const describeElectron = (): string =>
  electron.kind === 'electron'
    ? `On Electron ${electron.version}, the real runtime.`
    : `On the Electron stand-in: ${electron.reason}`
