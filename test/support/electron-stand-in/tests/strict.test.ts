import type { ElectronApplication } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FixtureApp, firstPage } from './fixture-app.ts'

/** Pieces of code for the main process, each with what the error must name. */
const REFUSED: readonly (readonly [code: string, named: string])[] = [
  ['app.getGPUInfo("basic")', 'app.getGPUInfo'],
  ['app.on("no-such-event", () => {})', "app.on('no-such-event')"],
  ['window.webContents.insertCSS("a {}")', 'webContents.insertCSS'],
  ['window.webContents.postMessage("x", 1)', 'webContents.postMessage'],
  ['window.webContents.ipc', 'webContents.ipc'],
  ['window.webContents.once("paint", () => {})', "webContents.on('paint')"],
  ['window.setTouchBar(null)', 'BrowserWindow.setTouchBar'],
  ['new BrowserWindow({ transparent: true })', "the option 'transparent' of BrowserWindow"],
  ['new BrowserWindow({ webPreferences: { sandbox: false } })', 'webPreferences.sandbox: false'],
  [
    'new BrowserWindow({ webPreferences: { contextIsolation: false } })',
    'webPreferences.contextIsolation: false'
  ],
  [
    'new BrowserWindow({ webPreferences: { nodeIntegration: true } })',
    'webPreferences.nodeIntegration: true'
  ],
  ['new BrowserWindow({ webPreferences: { webviewTag: true } })', 'webPreferences.webviewTag: true'],
  ['new BrowserWindow({ webPreferences: { partition: "x" } })', 'webPreferences.partition'],
  ['BrowserWindow.addExtension("x")', 'BrowserWindow.addExtension'],
  ['session.fromPartition("persist:x")', "session.fromPartition('persist:x')"],
  ['session.defaultSession.setProxy({})', 'session.setProxy'],
  ['protocol.registerFileProtocol("x", () => {})', 'protocol.registerFileProtocol'],
  ['protocol.handle("https", () => {})', "protocol.handle('https')"],
  ['safeStorage.somethingNew()', 'safeStorage.somethingNew'],
  ['screen.dipToScreenPoint({})', 'screen.dipToScreenPoint'],
  [
    'net.request({ url: "http://x", useSessionCookies: true })',
    "the option 'useSessionCookies' of net.request"
  ],
  ['autoUpdater.checkForUpdates()', 'autoUpdater.checkForUpdates'],
  ['shell.readShortcutLink("x")', 'shell.readShortcutLink'],
  ['dialog.showCertificateTrustDialog({})', 'dialog.showCertificateTrustDialog'],
  ['electron.autoUpdater.checkForUpdates()', 'autoUpdater.checkForUpdates'],
  ['electron.desktopCapturer.getSources({})', 'desktopCapturer.getSources'],
  ['electron.utilityProcess.fork("x", [], { stdio: "pipe" })', 'utilityProcess.fork with stdio'],
  ['new electron.Tray("x")', 'new Tray'],
  ['electron.somethingNew', 'electron.somethingNew'],
  ['ipcMain.somethingNew', 'ipcMain.somethingNew']
]

describe('members that the stand-in lacks throw with their name', () => {
  let app: FixtureApp
  let running: ElectronApplication
  beforeAll(async () => {
    const main = `
      const attempt = (code) => {
        try {
          new Function(...Object.keys(electron), 'electron', 'window', code)(...Object.values(electron), electron, BrowserWindow.getAllWindows()[0])
          return 'nothing was thrown'
        } catch (error) { return error.message }
      }
      globalThis.attempt = attempt
      app.whenReady().then(() => open())`
    app = new FixtureApp({ main })
    running = await app.launch()
    await firstPage(running)
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  it.each(REFUSED)('%s', async (code, named) => {
    const message = await running.evaluate(
      (_electron, text) => (globalThis as unknown as { attempt(code: string): string }).attempt(text),
      code
    )
    expect(message).toBe(`electron stand-in: ${named} is not implemented`)
  })

  it('refuses a window that a handler allows, and one that no handler was asked about', async () => {
    const running2 = await app.launch({ args: ['--second'] })
    const page = await firstPage(running2)
    // Listening must have begun before the page opens anything.
    await running2.evaluate(() => {
      const logged = new Promise<string>((resolve) =>
        process.once('uncaughtException', (error) => resolve(error.message))
      )
      Object.assign(globalThis, { logged })
    })
    await page.evaluate(() => window.open('https://example.com/'))
    expect(await running2.evaluate(() => Reflect.get(globalThis, 'logged') as Promise<string>)).toBe(
      'electron stand-in: opening a window from a page without setWindowOpenHandler is not implemented'
    )
    await running2.close()
  })
})
