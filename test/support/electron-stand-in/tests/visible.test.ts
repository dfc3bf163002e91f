import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../chromium.ts'
import { firstPage, FixtureApp } from './fixture-app.ts'

const MAIN = `
app.whenReady().then(async () => {
  note('screen', JSON.stringify(screen.getPrimaryDisplay().size))
  const window = await open({ width: 640, height: 480, x: 20, y: 30 })
  window.on('resize', () => note('resized', window.getBounds().width, window.getBounds().height))
  window.on('closed', () => note('closed'))
  note('loaded')
})
app.on('quit', () => note('quit'))
`

const canShowWindows =
  spawnSync('Xvfb', ['-help'], { stdio: 'ignore' }).error === undefined &&
  findChromium({ windows: true }) !== undefined

describe('a visible run', () => {
  let app: FixtureApp
  beforeAll(() => {
    app = new FixtureApp({ main: MAIN })
  })
  afterAll(() => app.remove())

  it('says so when there is no display', async () => {
    const running = app.spawn({ env: { DISPLAY: '', WAYLAND_DISPLAY: '', TILLPOINTS_STAND_IN: 'visible' } })
    expect((await running.ended).code).toBe(1)
    expect(running.output).toBe(
      'electron stand-in: there is no display to show windows on; set DISPLAY, or run headless.\n'
    )
  })

  it('says which command gets a Chromium when there is none', async () => {
    const running = app.spawn({ env: { TILLPOINTS_CHROMIUM: '/no/such/chromium' } })
    expect((await running.ended).code).toBe(1)
    expect(running.output).toContain('No Chromium was found: run "npx playwright install chromium"')
  })

  // Without an X server, or with a headless Chromium only, there is nothing to test; the display of the person who runs the
  // tests is theirs.
  if (canShowWindows) {
    describe('on a display', () => {
      let server: ChildProcess
      let display = ''
      beforeAll(async () => {
        server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1024x700x24'], {
          stdio: ['ignore', 'pipe', 'ignore']
        })
        const number = await new Promise<string>((resolve) =>
          server.stdout?.once('data', (data) => resolve(String(data)))
        )
        display = `:${number.trim()}`
      })
      afterAll(() => server.kill())

      it('shows a window without tabs and address bar, of the size and on the screen that there is', async () => {
        app.forget()
        const running = await app.launch({ args: ['--stand-in-visible'], env: { DISPLAY: display } })
        const page = await firstPage(running)
        await app.noted('loaded')
        expect(app.notes()[0]).toBe('screen {"width":1024,"height":700}')
        const size = 'JSON.stringify([innerWidth, innerHeight, screenX, screenY])'
        await expect.poll(() => page.evaluate(size)).toBe('[640,480,20,30]')
        const window = await running.browserWindow(page)
        await window.evaluate((each: Electron.BrowserWindow) => each.setBounds({ width: 700, height: 500 }))
        await expect.poll(() => page.evaluate(size)).toBe('[700,500,20,30]')
        expect(app.notes()).toContain('resized 700 500')
        const ended = new Promise((resolve) => running.process().once('exit', resolve))
        await running.close()
        expect(await ended).toBe(0)
      })

      it('ends when a person closes its last window', async () => {
        app.forget()
        const running = await app.launch({ args: ['--stand-in-visible'], env: { DISPLAY: display } })
        const page = await firstPage(running)
        await app.noted('loaded')
        const ended = new Promise((resolve) => running.process().once('exit', resolve))
        const session = await running.context().newCDPSession(page)
        // Closing over the protocol is what the window's own close button does.
        session.send('Page.close').catch(() => undefined)
        expect(await ended).toBe(0)
        expect(app.notes().slice(-2)).toEqual(['closed', 'quit'])
      })
    })
  }
})
