import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

const MAIN = `
app.on('web-contents-created', (_event, contents) => {
  contents.on('render-process-gone', (_e, { reason, exitCode }) => {
    note('gone', reason, typeof exitCode)
    contents.reload()
  })
  contents.on('did-finish-load', () => note('finished', contents.getURL()))
})
ipcMain.handle('ping', () => 'pong')
app.whenReady().then(() => open())
`
const PRELOAD = `
const { contextBridge, ipcRenderer } = require('electron')
contextBridge.exposeInMainWorld('api', { ping: () => ipcRenderer.invoke('ping') })
`

describe('a page whose renderer process ends', () => {
  let app: FixtureApp
  let running: ElectronApplication
  let page: Page
  beforeAll(async () => {
    app = new FixtureApp({ main: MAIN, preload: PRELOAD })
    running = await app.launch()
    page = await firstPage(running)
    await app.noted('finished')
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  const answersAgain = (): Promise<unknown> =>
    running.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('api.ping()').catch(String)
    )

  it('emits render-process-gone, and works again after a reload', async () => {
    app.forget()
    const crashed = new Promise((resolve) => page.once('crash', resolve))
    await running.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer()
    )
    await crashed
    await app.noted('finished')
    expect(app.notes()).toEqual(['gone crashed number', 'finished app://shop/index.html'])
    expect(await answersAgain()).toBe('pong')
  })
})
