import type { ElectronApplication } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FixtureApp, firstPage } from './fixture-app.ts'

/** Pieces of code for the main process, each with what the error must name. */
const REFUSED: readonly (readonly [code: string, named: string])[] = [
  ['app.getGPUInfo("basic")', 'app.getGPUInfo'],
  ['app.on("no-such-event", () => {})', "app.on('no-such-event')"],
  ['window.moveTop()', 'BrowserWindow.moveTop'],
  ['window.webContents.focus()', 'webContents.focus'],
  ['window.webContents.once("paint", () => {})', "webContents.on('paint')"],
  ['window.webContents.mainFrame.executeJavaScript("1")', 'WebFrameMain.executeJavaScript'],
  ['new BrowserWindow({ transparent: true })', "the option 'transparent' of BrowserWindow"],
  ['new BrowserWindow({ webPreferences: { sandbox: false } })', 'webPreferences.sandbox: false'],
  ['new BrowserWindow({ webPreferences: { partition: "x" } })', 'webPreferences.partition'],
  ['BrowserWindow.fromId(1)', 'BrowserWindow.fromId'],
  ['session.fromPartition("persist:x")', "session.fromPartition('persist:x')"],
  ['session.defaultSession.setProxy({})', 'session.setProxy'],
  ['session.defaultSession.webRequest', 'session.defaultSession.webRequest'],
  ['protocol.unhandle("app")', 'protocol.unhandle'],
  ['protocol.handle("https", () => {})', "protocol.handle('https')"],
  ['safeStorage.encryptString("x")', 'safeStorage.encryptString'],
  ['screen.getCursorScreenPoint()', 'screen.getCursorScreenPoint'],
  ['screen.getPrimaryDisplay().colorDepth', 'Display.colorDepth'],
  ['net.resolveHost("x")', 'net.resolveHost'],
  ['net.request({ useSessionCookies: true })', "the option 'useSessionCookies' of net.request"],
  ['dialog.showOpenDialog({})', 'dialog.showOpenDialog'],
  ['dialog.showMessageBox({ checkboxLabel: "x" })', "the option 'checkboxLabel' of dialog.showMessageBox"],
  ['Menu.buildFromTemplate([{ role: "window", label: "x" }])', "the option 'label' of a MenuItem"],
  ['ipcMain.once("x", () => {})', 'ipcMain.once'],
  ['autoUpdater.checkForUpdates()', 'autoUpdater.checkForUpdates'],
  ['utilityProcess.fork("x", [], { stdio: "pipe" })', 'utilityProcess.fork with stdio'],
  ['electron.shell.openExternal("https://example.com")', 'shell.openExternal'],
  ['new electron.Tray("x")', 'new Tray'],
  ['electron.somethingNew', 'electron.somethingNew']
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
