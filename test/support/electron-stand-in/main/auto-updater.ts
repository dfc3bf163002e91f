import { StrictEmitter } from '../strict.ts'

/** Electron's `autoUpdater`, of which updaters of other makes tell that they are about to quit the app. */
class AutoUpdater extends StrictEmitter {
  constructor() {
    super('autoUpdater', ['before-quit-for-update'])
  }
}

export const autoUpdater = new AutoUpdater()
