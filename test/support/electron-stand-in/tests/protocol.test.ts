import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

const MAIN = `
const attempt = (work) => { try { work(); note('fine') } catch (error) { note(String(error)) } }
attempt(() => protocol.registerSchemesAsPrivileged('app'))
const seen = []
globalThis.seen = seen
app.whenReady().then(async () => {
  attempt(() => protocol.registerSchemesAsPrivileged([{ scheme: 'late' }]))
  protocol.handle('app', async (request) => {
    const { pathname, host } = new URL(request.url)
    seen.push({ url: request.url, method: request.method, body: await request.text(), origin: request.headers.get('origin') })
    if (pathname === '/' ) return new Response('<!doctype html><title>Policy</title><script src="own.js"></script><script>window.inline = 1</script>', {
      headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'" } })
    if (pathname === '/own.js') return new Response('window.own = location.href', { headers: { 'content-type': 'text/javascript' } })
    if (pathname === '/stream') {
      const parts = ['one ', 'two ', 'three']
      return new Response(new ReadableStream({ async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        const part = parts.shift()
        if (part === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(part))
      } }), { headers: { 'x-own': 'yes' } })
    }
    if (pathname === '/throws') throw new Error('handler failed')
    if (pathname === '/wrong') return 'a text'
    if (pathname === '/error') return Response.error()
    if (pathname === '/move') return new Response(null, { status: 302, headers: { location: 'app://shop/own.js' } })
    return new Response('nothing', { status: 404, statusText: 'Not Here' })
  })
  attempt(() => protocol.handle('app', () => new Response()))
  const window = new BrowserWindow(options())
  await window.loadURL('app://shop')
  note('loaded')
})
`

describe('protocol', () => {
  let app: FixtureApp
  let running: ElectronApplication
  let page: Page
  beforeAll(async () => {
    app = new FixtureApp({ main: MAIN })
    running = await app.launch()
    page = await firstPage(running)
    await app.noted('loaded')
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  const fetchInPage = (url: string): Promise<unknown> =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          async (response) => [response.status, response.statusText, await response.text()],
          (error: unknown) => (error as Error).message
        ),
      url
    )

  it('takes privileges before ready only, and one handler a scheme', () => {
    expect(app.notes().slice(0, 3)).toEqual([
      'Error: Argument must be an array of custom schemes.',
      'Error: protocol.registerSchemesAsPrivileged should be called before app is ready',
      'Error: Failed to register protocol: app'
    ])
  })

  it('asks the handler for app://shop/ where the app loads app://shop', async () => {
    const seen = await running.evaluate(() => (globalThis as unknown as { seen: { url: string }[] }).seen[0])
    expect(seen?.url).toBe('app://shop/')
  })

  it('reports the app’s own URLs to main', async () => {
    const urls = await running.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      return [contents?.getURL(), contents?.mainFrame.url]
    })
    expect(urls).toEqual(['app://shop/', 'app://shop/'])
  })

  it('serves pages as a secure context at an address of its own', async () => {
    expect(await page.evaluate('[location.href, isSecureContext, own]')).toEqual([
      'http://shop.app.localhost/',
      true,
      'http://shop.app.localhost/'
    ])
  })

  it('enforces the policy that a handler sends', async () => {
    expect(await page.evaluate('typeof window.inline')).toBe('undefined')
  })

  it('serves a body that comes in parts, statuses and headers', async () => {
    expect(await fetchInPage('/stream')).toEqual([200, 'OK', 'one two three'])
    expect(await fetchInPage('/absent')).toEqual([404, 'Not Here', 'nothing'])
    expect(
      await page.evaluate(() => fetch('/stream').then((response) => response.headers.get('x-own')))
    ).toBe('yes')
    expect(await fetchInPage('/move')).toEqual([200, 'OK', 'window.own = location.href'])
  })

  it('fails the request when the handler throws, gives no Response, or an error', async () => {
    expect(await fetchInPage('/throws')).toBe('Failed to fetch')
    expect(await fetchInPage('/wrong')).toBe('Failed to fetch')
    expect(await fetchInPage('/error')).toBe('Failed to fetch')
  })

  it('hands method, body and the app’s own origin to the handler', async () => {
    await page.evaluate(() => fetch('/posted?x=1', { method: 'POST', body: 'ünïcode' }))
    const seen = await running.evaluate(() => (globalThis as unknown as { seen: object[] }).seen.at(-1))
    expect(seen).toEqual({
      url: 'app://shop/posted?x=1',
      method: 'POST',
      body: 'ünïcode',
      origin: 'app://shop'
    })
  })
})
