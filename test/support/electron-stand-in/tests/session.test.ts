import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  let server: Server
  let base = ''
  const requests: { url: string | undefined; own: string | string[] | undefined }[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push({ url: request.url, own: request.headers['x-own'] })
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
      response.setHeader('x-served', 'original').setHeader('access-control-expose-headers', '*').end('served')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
    server.close()
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

  it('asks the check handler too, at once for a page that is open', async () => {
    await running.evaluate(({ session }) => {
      session.defaultSession.setPermissionRequestHandler(null)
      session.defaultSession.setPermissionCheckHandler(
        (_contents, _permission, origin) => origin !== 'app://shop/'
      )
    })
    await expect.poll(states).toEqual(all('denied'))
    await running.evaluate(({ session }) => session.defaultSession.setPermissionCheckHandler(null))
    await expect.poll(states).toEqual(all('granted'))
    const error = await running.evaluate(({ session }) => {
      try {
        session.defaultSession.setPermissionRequestHandler('no' as unknown as null)
        return 'fine'
      } catch (thrown) {
        return String(thrown)
      }
    })
    expect(error).toBe('TypeError: Must pass null or function')
  })

  it('asks webRequest listeners, by address: cancel, redirect, change headers', async () => {
    await running.evaluate(({ session }, address) => {
      const { webRequest } = session.defaultSession
      webRequest.onBeforeRequest({ urls: [`${address}/*`] }, (details, decide) => {
        if (details.url.endsWith('/cancelled')) decide({ cancel: true })
        else if (details.url.endsWith('/moved')) decide({ redirectURL: `${address}/target` })
        else decide({})
      })
      webRequest.onBeforeSendHeaders({ urls: [`${address}/headers`] }, ({ requestHeaders }, decide) =>
        decide({ requestHeaders: { ...requestHeaders, 'x-own': 'added' } })
      )
      webRequest.onHeadersReceived(({ responseHeaders, url }, decide) =>
        decide(
          url.endsWith('/headers') ? { responseHeaders: { ...responseHeaders, 'x-served': ['changed'] } } : {}
        )
      )
    }, base)
    const read = (path: string): Promise<unknown> =>
      page.evaluate(
        (url) =>
          fetch(url).then(
            async (response) => [
              await response.text(),
              response.headers.get('x-served'),
              new URL(response.url).pathname
            ],
            (error: unknown) => (error as Error).message
          ),
        base + path
      )
    expect(await read('/cancelled')).toBe('Failed to fetch')
    expect(await read('/moved')).toEqual(['served', 'original', '/target'])
    expect(await read('/headers')).toEqual(['served', 'changed', '/headers'])
    expect(requests.map(({ url }) => url)).not.toContain('/cancelled')
    expect(requests.find(({ url }) => url === '/headers')?.own).toBe('added')
  })

  it('applies onHeadersReceived to the app’s own scheme', async () => {
    const own = await running.evaluate(async ({ session, BrowserWindow }) => {
      session.defaultSession.webRequest.onHeadersReceived({ urls: ['app://shop/*'] }, (details, decide) =>
        decide({ responseHeaders: { ...details.responseHeaders, 'x-policy': 'own' } })
      )
      return BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        "fetch('/index.html').then((response) => response.headers.get('x-policy'))"
      ) as Promise<string>
    })
    expect(own).toBe('own')
  })

  it('emits will-download and cancels the download', async () => {
    await page.click('#file')
    expect(await app.noted('download')).toBe('download app://shop/data.bin list.bin')
  })

  it('clears the storage of pages', async () => {
    await page.evaluate(() => localStorage.setItem('kept', '1'))
    await running.evaluate(({ session }) => session.defaultSession.clearStorageData())
    expect(await page.evaluate(() => localStorage.getItem('kept'))).toBeNull()
  })
})
