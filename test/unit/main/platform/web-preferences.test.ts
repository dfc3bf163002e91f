import { expect, test, vi } from 'vitest'
import { webPreferences } from '../../../../electron/main/platform/web-preferences.ts'

const app = vi.hoisted(() => ({ isPackaged: false }))
vi.mock('electron', () => ({ app }))

test('a page is sandboxed, apart from the preload, without Node, and without what a website might want', () => {
  expect(webPreferences('/preload.cjs')).toMatchObject({
    preload: '/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false
  })
})

test('DevTools open while the till is developed, and never in a till that was installed', () => {
  expect(webPreferences('/preload.cjs').devTools).toBe(true)
  app.isPackaged = true
  expect(webPreferences('/preload.cjs').devTools).toBe(false)
})
