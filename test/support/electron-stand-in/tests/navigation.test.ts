import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

const MAIN = `
app.on('web-contents-created', (_event, contents) => {
  contents.setWindowOpenHandler(({ url, frameName, disposition, features }) => {
    note('open', url, frameName || '-', disposition, features || '-')
    return { action: 'deny' }
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
    contents.on(name, (event) => {
      note(name, event.url, event.isMainFrame)
      if (event.url.includes('forbidden')) event.preventDefault()
    })
  }
  contents.on('did-navigate', (_event, url, code) => note('did-navigate', url, code))
  contents.on('did-navigate-in-page', (_event, url, isMainFrame) => note('in-page', url, isMainFrame))
  contents.on('did-fail-load', (_event, code, text, url, isMainFrame) => note('did-fail-load', code, text, url, isMainFrame))
})
app.whenReady().then(() => open())
`
const PAGE = `<!doctype html><title>Shop</title>
<a id="foreign" href="/other.html?forbidden">x</a><a id="blank" target="_blank" href="https://example.com/a">x</a>
<a id="next" href="next.html">x</a><a id="named" target="elsewhere" href="next.html"><b>x</b></a>`

describe('navigation', () => {
  let app: FixtureApp
  let running: ElectronApplication
  let page: Page
  let server: Server
  let base = ''
  let begun = 0
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: '/target' }).end()
      else if (request.url === '/redirect-forbidden')
        response.writeHead(302, { location: '/forbidden' }).end()
      else response.setHeader('content-type', 'text/html').end('<title>Served</title>')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    app = new FixtureApp({
      main: MAIN,
      files: {
        'index.html': PAGE,
        'next.html': '<title>Next</title>',
        'framed.html': '<iframe src="empty.html"></iframe>'
      }
    })
    running = await app.launch()
    page = await firstPage(running)
  })
  beforeEach(async () => {
    // The test driver gets documents a little later than the app; a test starts when it has this one.
    await load(`app://shop/index.html?${++begun}`)
    // Waiting for its address would fail with the late news of a load that the test before saw fail.
    await expect.poll(() => page.url()).toMatch(new RegExp(`index.html.${begun}$`))
    await page.waitForLoadState()
    app.forget()
  })
  afterAll(async () => {
    await running.close()
    app.remove()
    server.close()
  })

  const load = (url: string): Promise<string> =>
    running.evaluate(
      ({ BrowserWindow }, address) =>
        BrowserWindow.getAllWindows()[0]
          ?.loadURL(address)
          .then(
            () => 'loaded',
            (error: unknown) => String(error)
          ) ?? 'no window',
      url
    )

  it('emits will-frame-navigate and will-navigate for navigations of the page, not for loadURL', async () => {
    expect(await load('app://shop/next.html')).toBe('loaded')
    expect(app.notes()).toEqual(['did-navigate app://shop/next.html 200'])
    await load('app://shop/index.html')
    app.forget()
    await page.click('#next')
    await app.noted('did-navigate')
    expect(app.notes()).toEqual([
      'will-frame-navigate app://shop/next.html true',
      'will-navigate app://shop/next.html true',
      'did-navigate app://shop/next.html 200'
    ])
  })

  it('stays on the page when a listener prevents the navigation', async () => {
    await page.click('#foreign')
    await app.noted('will-frame-navigate app://shop/other.html?forbidden')
    expect(await page.evaluate('document.title')).toBe('Shop')
    await page.evaluate((address) => void (location.href = address), `${base}/forbidden`)
    await app.noted(`will-frame-navigate ${base}/forbidden`)
    expect(await page.evaluate('document.title')).toBe('Shop')
    expect(app.notes().filter((line) => line.startsWith('did-navigate'))).toEqual([])
  })

  it('asks about documents that no request is made for, and about links that leave the app', async () => {
    const follow = (address: string): Promise<void> =>
      page.evaluate((href) => {
        const link = Object.assign(document.createElement('a'), { href })
        document.body.append(link)
        // After the answer to this very call is on its way: the page may be gone then.
        setTimeout(() => link.click())
      }, address)
    await follow('about:blank#forbidden')
    await app.noted('will-frame-navigate about:blank#forbidden')
    await follow('mailto:forbidden@example.com')
    await app.noted('will-frame-navigate mailto:forbidden@example.com')
    await follow('mailto:shop@example.com')
    await app.noted('will-navigate mailto:shop@example.com')
    const calls = await running.evaluate(
      (electron) => (Reflect.get(electron, '__standIn') as { calls: { url?: string }[] }).calls
    )
    expect(calls.map(({ url }) => url)).toEqual(['mailto:shop@example.com'])
    expect(await page.evaluate('document.title')).toBe('Shop')
    await follow('about:blank')
    await expect.poll(() => app.notes()).toContain('did-navigate about:blank 200')
  })

  it('asks will-redirect about each redirect of a server', async () => {
    expect(await load(`${base}/redirect`)).toBe('loaded')
    expect(app.notes()).toEqual([`will-redirect ${base}/target true`, `did-navigate ${base}/target 200`])
    app.forget()
    expect(await load(`${base}/redirect-forbidden`)).toBe(
      `Error: ERR_ABORTED (-3) loading '${base}/redirect-forbidden'`
    )
    expect(app.notes()).toEqual([`will-redirect ${base}/forbidden true`])
  })

  it('emits did-navigate-in-page without will-navigate for changes within the document', async () => {
    await page.evaluate(() => {
      location.hash = 'part'
      history.pushState(null, '', '/pushed')
    })
    await app.noted('in-page app://shop/pushed true')
    expect(app.notes()).toEqual([
      `in-page app://shop/index.html?${begun}#part true`,
      'in-page app://shop/pushed true'
    ])
    const url = await running.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL()
    )
    expect(url).toBe('app://shop/pushed')
  })

  it('asks about a sub-frame’s navigation with will-frame-navigate only', async () => {
    await load('app://shop/framed.html')
    expect(app.notes()).toContain('will-frame-navigate app://shop/empty.html false')
    expect(app.notes().some((line) => line.startsWith('will-navigate'))).toBe(false)
    const frames = await running.evaluate(({ BrowserWindow }) => {
      const main = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame
      const [child] = main?.frames ?? []
      return [main?.framesInSubtree.length, child?.url, child?.parent === main, child?.top === main]
    })
    expect(frames).toEqual([2, 'app://shop/empty.html', true, true])
  })

  it('denies windows that a page opens: window.open gives null, and no page appears', async () => {
    const results = await page.evaluate(() => [
      window.open('https://example.com/popup', 'name', 'width=100'),
      window.open('next.html')
    ])
    await page.click('#blank')
    await page.click('#named b')
    await page.click('#next', { modifiers: ['ControlOrMeta'] })
    await page.click('#next', { modifiers: ['Shift'] })
    await page.click('#next', { button: 'middle' })
    await expect.poll(() => app.notes().length).toBe(7)
    expect(results).toEqual([null, null])
    expect(app.notes()).toEqual([
      'open https://example.com/popup name new-window width=100',
      'open app://shop/next.html - foreground-tab -',
      'open https://example.com/a _blank foreground-tab -',
      'open app://shop/next.html elsewhere foreground-tab -',
      'open app://shop/next.html - background-tab -',
      'open app://shop/next.html - new-window -',
      'open app://shop/next.html - background-tab -'
    ])
    expect(running.windows()).toHaveLength(1)
  })

  it('rejects loadURL with the network error’s name and number, and emits did-fail-load', async () => {
    server.close()
    server.closeAllConnections()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await load(`${base}/gone`)).toBe(`Error: ERR_CONNECTION_REFUSED (-102) loading '${base}/gone'`)
    expect(app.notes()).toContain(`did-fail-load -102 ERR_CONNECTION_REFUSED ${base}/gone true`)
    expect(await load('nonsense')).toBe("Error: ERR_INVALID_URL (-300) loading 'nonsense'")
  })

  it('aborts a load that another one replaces', async () => {
    const outcome = await running.evaluate(async ({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0]
      const first = window?.loadURL('app://shop/next.html').then(
        () => 'loaded',
        (error: unknown) => (error as { code?: string }).code
      )
      await window?.loadURL('app://shop/empty.html')
      return [await first, window?.webContents.getURL()]
    })
    expect(outcome).toEqual(['ERR_ABORTED', 'app://shop/empty.html'])
  })

  it('goes back and forward through the documents it showed', async () => {
    await load('app://shop/next.html')
    const urls = await running.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (!contents) return []
      const settled = (): Promise<void> =>
        new Promise((resolve) => contents.once('did-finish-load', () => resolve()))
      const seen = [
        contents.navigationHistory.canGoBack(),
        contents.navigationHistory.canGoForward()
      ] as unknown[]
      contents.navigationHistory.goBack()
      await settled()
      seen.push(contents.getURL())
      contents.navigationHistory.goForward()
      await settled()
      return [...seen, contents.getURL()]
    })
    expect(urls).toEqual([true, false, `app://shop/index.html?${begun}`, 'app://shop/next.html'])
  })
})
