/** The identity of the till on Windows. */
import { app } from 'electron'

/** The `appId` of `resources/packaging/electron-builder.config.ts`, which the installer gives to the shortcuts. */
const APP_USER_MODEL_ID = 'app.tillpoints.till'

/** Has Windows group the windows with their shortcut in the taskbar. Does nothing on other systems. */
export function setAppUserModelId(): void {
  if (process.platform === 'win32') app.setAppUserModelId(APP_USER_MODEL_ID)
}
