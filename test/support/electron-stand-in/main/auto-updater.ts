import { StrictEmitter } from '../strict.ts'

/** Electron's `autoUpdater`, on which other updaters emit `before-quit-for-update`. */
class AutoUpdater extends StrictEmitter {
  constructor() {
    super('autoUpdater', ['before-quit-for-update'])
  }
}

export const autoUpdater = new AutoUpdater()
