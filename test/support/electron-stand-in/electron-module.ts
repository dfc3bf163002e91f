import { strict } from './strict.ts'
import { app } from './main/app.ts'
import { autoUpdater } from './main/auto-updater.ts'
import { BrowserWindow } from './main/browser-window.ts'
import { clipboard } from './main/clipboard.ts'
import { dialog } from './main/dialog.ts'
import { ipcMain } from './main/ipc-main.ts'
import { endSession } from './main/lifecycle.ts'
import { Menu } from './main/menu.ts'
import { nativeTheme, onThemeChanged } from './main/native-theme.ts'
import { net } from './main/net.ts'
import { powerMonitor } from './main/power.ts'
import { protocol } from './main/protocol.ts'
import { recorder } from './main/recorder.ts'
import { refused } from './main/refused.ts'
import { safeStorage, unlockKeyring } from './main/safe-storage.ts'
import { onDisplaysChanged, screen, setDisplays } from './main/screen.ts'
import { session } from './main/session.ts'
import { utilityProcess } from './main/utility-process.ts'
import { WebContents, webContents } from './main/web-contents.ts'
import { windows } from './main/windows.ts'

onThemeChanged(() => {
  for (const contents of WebContents.getAllWebContents()) void contents._applyTheme()
})
onDisplaysChanged(() => BrowserWindow.displaysChanged())
windows.onAllGone(() => BrowserWindow.allGone())

/** What `import 'electron'` and `require('electron')` give in the main process. */
export const electron = strict('electron', {
  app,
  autoUpdater,
  BrowserWindow: strict('BrowserWindow', BrowserWindow),
  clipboard,
  dialog,
  ipcMain,
  Menu: strict('Menu', Menu),
  nativeTheme,
  net,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  utilityProcess,
  webContents,
  // What only preloads have is undefined in the main process, as in Electron.
  contextBridge: undefined,
  ipcRenderer: undefined,
  webFrame: undefined,
  webUtils: undefined,
  ...refused,
  /** For tests, through electronApp.evaluate(({ __standIn }) => …). */
  __standIn: {
    calls: recorder.calls,
    answer: (api: string, value: unknown) => recorder.answer(api, value),
    setDisplays,
    endSession,
    unlockKeyring
  }
})
