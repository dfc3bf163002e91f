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
  for (const name of ['will-navigate', 'will-redirect']) {
    contents.on(name, (event) => {
      note(name, event.url)
      if (event.url.includes('forbidden')) event.preventDefault()
    })
  }
  contents.on('did-finish-load', () => note('finished', contents.getURL()))
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

  it('emits will-navigate for navigations of the page, not for loadURL', async () => {
    expect(await load('app://shop/next.html')).toBe('loaded')
    expect(app.notes()).toEqual(['finished app://shop/next.html'])
    await load('app://shop/index.html')
    app.forget()
    await page.click('#next')
    await app.noted('finished')
    expect(app.notes()).toEqual(['will-navigate app://shop/next.html', 'finished app://shop/next.html'])
  })

  it('stays on the page when a listener prevents the navigation', async () => {
    await page.click('#foreign')
    await app.noted('will-navigate app://shop/other.html?forbidden')
    expect(await page.evaluate('document.title')).toBe('Shop')
    await page.evaluate((address) => void (location.href = address), `${base}/forbidden`)
    await app.noted(`will-navigate ${base}/forbidden`)
    expect(await page.evaluate('document.title')).toBe('Shop')
    expect(app.notes().filter((line) => line.startsWith('finished'))).toEqual([])
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
    await app.noted('will-navigate about:blank#forbidden')
    await follow('mailto:forbidden@example.com')
    await app.noted('will-navigate mailto:forbidden@example.com')
    expect(await page.evaluate('document.title')).toBe('Shop')
    await follow('about:blank')
    await expect.poll(() => app.notes()).toContain('finished about:blank')
  })

  it('asks will-redirect about each redirect of a server', async () => {
    expect(await load(`${base}/redirect`)).toBe('loaded')
    expect(app.notes()).toEqual([`will-redirect ${base}/target`, `finished ${base}/target`])
    app.forget()
    expect(await load(`${base}/redirect-forbidden`)).toBe(
      `Error: ERR_ABORTED (-3) loading '${base}/redirect-forbidden'`
    )
    expect(app.notes()).toEqual([`will-redirect ${base}/forbidden`])
  })

  it('follows changes within the document, without will-navigate', async () => {
    await page.evaluate(() => {
      location.hash = 'part'
      history.pushState(null, '', '/pushed')
    })
    const urls = (): Promise<unknown> =>
      running.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        return [contents?.getURL(), contents?.mainFrame.url]
      })
    await expect.poll(urls).toEqual(['app://shop/pushed', 'app://shop/pushed'])
    expect(app.notes()).toEqual([])
  })

  it('does not ask about a sub-frame’s navigation', async () => {
    await load('app://shop/framed.html')
    expect(app.notes()).toEqual(['finished app://shop/framed.html'])
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

  it('rejects loadURL with the network error’s name and number', async () => {
    server.close()
    server.closeAllConnections()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await load(`${base}/gone`)).toBe(`Error: ERR_CONNECTION_REFUSED (-102) loading '${base}/gone'`)
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
})
