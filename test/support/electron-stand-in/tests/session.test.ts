import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

const MAIN = `
app.whenReady().then(() => {
  session.defaultSession.on('will-download', (event, item) => {
    note('download', item.getURL(), item.getFilename())
    event.preventDefault()
  })
  return open()
})
`

const NAMES = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'] as const

describe('session', () => {
  let app: FixtureApp
  let running: ElectronApplication
  let page: Page
  beforeAll(async () => {
    const files = {
      'index.html': '<!doctype html><a id="file" href="data.bin" download="list.bin">x</a>',
      'data.bin': 'bytes'
    }
    app = new FixtureApp({ main: MAIN, files })
    running = await app.launch()
    page = await firstPage(running)
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  const states = (): Promise<unknown> =>
    page.evaluate(
      (names) =>
        Promise.all(
          names.map((name) =>
            navigator.permissions.query({ name: name as 'camera' }).then(({ state }) => state)
          )
        ),
      NAMES
    )
  const all = (state: string): string[] => NAMES.map(() => state)

  it('grants what a page asks for while no handler is set', async () => {
    expect(await states()).toEqual(all('granted'))
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('granted')
  })

  it('lets the permission handlers decide, by permission and origin', async () => {
    const asked = await running.evaluate(async ({ session, BrowserWindow }) => {
      const lines: string[] = []
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      session.defaultSession.setPermissionRequestHandler((who, permission, decide, details) => {
        lines.push(`${permission} ${String(who === contents)} ${details.requestingUrl}`)
        decide(permission === 'geolocation')
      })
      await contents?.loadURL('app://shop/index.html')
      return lines
    })
    expect(asked).toContain('notifications true app://shop/index.html')
    await expect.poll(states).toEqual(['granted', 'denied', 'denied', 'denied', 'denied'])
    const refused = await page.evaluate(() =>
      navigator.mediaDevices
        .getUserMedia({ video: true })
        .then(String, (error: unknown) => (error as Error).name)
    )
    expect(refused).toBe('NotAllowedError')
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
    expect(
      await page.evaluate(() =>
        navigator.clipboard.readText().then(String, (error: unknown) => (error as Error).name)
      )
    ).toBe('NotAllowedError')
  })

  it('asks the check handler too', async () => {
    // The driver learns of the new document later than main.
    const loaded = page.waitForEvent('load')
    await running.evaluate(async ({ session, BrowserWindow }) => {
      session.defaultSession.setPermissionRequestHandler(null)
      session.defaultSession.setPermissionCheckHandler(() => false)
      await BrowserWindow.getAllWindows()[0]?.loadURL('app://shop/index.html')
    })
    await loaded
    expect(await states()).toEqual(all('denied'))
    const errors = await running.evaluate(async ({ session: { defaultSession } }) => {
      await defaultSession.clearCache()
      return (
        ['setPermissionRequestHandler', 'setPermissionCheckHandler', 'setDevicePermissionHandler'] as const
      ).map((name) => {
        try {
          defaultSession[name]('no' as unknown as null)
          return 'fine'
        } catch (thrown) {
          return String(thrown)
        }
      })
    })
    expect(errors).toEqual(Array(3).fill('TypeError: Must pass null or function'))
  })

  it('emits will-download for a listener to prevent', async () => {
    await page.click('#file')
    expect(await app.noted('download')).toBe('download app://shop/data.bin list.bin')
  })
})
