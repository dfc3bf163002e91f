import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

const MAIN = `
app.on('window-all-closed', () => {})
app.whenReady().then(() => open({ minWidth: 640, minHeight: 400, title: 'Till' }))
`

/** The fixture's own function in the main process: opens a window on a page of the app. */
declare function open(options?: object, page?: string): Promise<Electron.BrowserWindow>

describe('BrowserWindow and screen', () => {
  let app: FixtureApp
  let running: ElectronApplication
  let page: Page
  beforeAll(async () => {
    app = new FixtureApp({ main: MAIN })
    running = await app.launch({ env: { TILLPOINTS_STAND_IN_DISPLAYS: '1920x1080,800x480@2' } })
    page = await firstPage(running)
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  const main = (work: (electron: typeof Electron.CrossProcessExports) => unknown): Promise<unknown> =>
    running.evaluate(work)

  it('is known to Playwright: first window, its page, its BrowserWindow', async () => {
    expect(running.windows()).toHaveLength(1)
    const window = await running.browserWindow(page)
    expect(
      await window.evaluate((each: Electron.BrowserWindow) => [each.id, each.isVisible(), each.isFocused()])
    ).toEqual([1, true, true])
  })

  it('gives the page the size of the window, centred on the primary display', async () => {
    expect(await page.evaluate('[innerWidth, innerHeight, devicePixelRatio, screen.width]')).toEqual([
      800, 600, 1, 1920
    ])
    expect(await main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual({
      x: 560,
      y: 240,
      width: 800,
      height: 600
    })
    expect((await page.screenshot()).readUInt32BE(16)).toBe(800)
  })

  it('resizes within its limits, emits resize and move, and the page follows', async () => {
    const events = await main(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      const emitted: string[] = []
      for (const name of ['resize', 'move'] as const) window?.on(name as 'resize', () => emitted.push(name))
      window?.setBounds({ x: 10, width: 100, height: 500 })
      return [emitted, window?.getBounds()]
    })
    expect(events).toEqual([['move', 'resize'], { x: 10, y: 240, width: 640, height: 500 }])
    await expect.poll(() => page.evaluate('[innerWidth, innerHeight]')).toEqual([640, 500])
  })

  it('is minimised without the focus, and restored with it', async () => {
    const states = await main(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      const state = (): unknown => [window?.isMinimized(), window?.isVisible(), window?.isFocused()]
      window?.minimize()
      const minimized = state()
      window?.restore()
      return [minimized, state()]
    })
    expect(states).toEqual([
      [true, false, false],
      [false, true, true]
    ])
  })

  it('emits ready-to-show when a hidden window has painted', async () => {
    const visible = await main(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({ show: false })
      const ready = new Promise<void>((resolve) => window.once('ready-to-show', resolve))
      void window.loadURL('app://shop/index.html')
      await ready
      const before = window.isVisible()
      window.show()
      const after = window.isVisible()
      window.destroy()
      return [before, after]
    })
    expect(visible).toEqual([false, true])
  })

  it('opens hidden windows, shows them, and moves the focus', async () => {
    const result = await main(async ({ BrowserWindow }) => {
      const [first] = BrowserWindow.getAllWindows()
      const second = await open({ show: false, width: 300, height: 200, x: 5, y: 6 }, 'empty.html')
      const state = (): unknown => [second.isVisible(), second.isFocused(), first?.isFocused()]
      let focuses = 0
      second.on('focus', () => (focuses += 1))
      second.focus()
      const hidden = state()
      second.showInactive()
      const inactive = state()
      second.focus()
      const focused = state()
      const bounds = second.getBounds()
      await new Promise(setImmediate)
      second.destroy()
      return { hidden, inactive, focused, focuses, bounds, back: first?.isFocused() }
    })
    expect(result).toEqual({
      hidden: [false, false, true],
      inactive: [true, false, true],
      focused: [true, true, false],
      focuses: 1,
      bounds: { x: 5, y: 6, width: 300, height: 200 },
      back: true
    })
  })

  it('fills its display as a kiosk, which shows it, with that display’s scale and without taking the focus', async () => {
    const result = await main(async ({ BrowserWindow }) => {
      const [first] = BrowserWindow.getAllWindows()
      const where = { x: 1920, y: 0, width: 300, height: 200 }
      const kiosk = await open({ ...where, frame: false, focusable: false, show: false }, 'empty.html')
      const before = [kiosk.isKiosk(), kiosk.isVisible()]
      kiosk.setKiosk(true)
      const state = [kiosk.isKiosk(), kiosk.isVisible(), kiosk.isFocusable(), kiosk.isFocused()]
      kiosk.focus()
      const focused = [kiosk.isFocused(), first?.isFocused()]
      const bounds = kiosk.getBounds()
      const size: unknown = await kiosk.webContents.executeJavaScript(
        '[innerWidth, innerHeight, devicePixelRatio]'
      )
      const second = await open({}, 'empty.html')
      // The focus goes back to a window that can have it.
      second.destroy()
      const back = first?.isFocused()
      kiosk.destroy()
      return { before, state, focused, back, bounds, size }
    })
    expect(result).toEqual({
      before: [false, false],
      state: [true, true, false, false],
      focused: [false, true],
      back: true,
      bounds: { x: 1920, y: 0, width: 800, height: 480 },
      size: [800, 480, 2]
    })
  })

  it('throws "Object has been destroyed" for a window that is gone, but still knows its id', async () => {
    const result = await main(async () => {
      const window = await open({ show: false }, 'empty.html')
      const { webContents } = window
      window.destroy()
      const attempt = (work: () => unknown): string => {
        try {
          return String(work())
        } catch (error) {
          return String(error)
        }
      }
      return [
        attempt(() => window.getBounds()),
        attempt(() => window.webContents),
        attempt(() => webContents.getURL()),
        window.isDestroyed() && webContents.isDestroyed() && typeof window.id
      ]
    })
    const gone = 'TypeError: Object has been destroyed'
    expect(result).toEqual([gone, gone, gone, 'number'])
  })

  it('can be destroyed at any moment of its load, and emits nothing afterwards', async () => {
    const result = await main(async ({ BrowserWindow }) => {
      const faults: string[] = []
      const hear = (error: unknown): unknown => faults.push(String(error))
      process.on('uncaughtException', hear)
      for (const moment of ['ready-to-show', 'did-finish-load']) {
        const window = new BrowserWindow({ show: false })
        const gone = new Promise<void>((resolve) => window.once('closed', () => resolve()))
        window.webContents.once(moment as 'did-finish-load', () => window.destroy())
        // What becomes of the load is not what is asked here.
        window.loadURL('app://shop/index.html').catch(() => undefined)
        await gone
        // All pending events of the first page arrive before the next page is shown.
        const other = await open({ show: false }, 'empty.html')
        other.destroy()
      }
      process.off('uncaughtException', hear)
      return faults
    })
    expect(result).toEqual([])
  })

  it('is not listed while it emits closed, and can close others then', async () => {
    const result = await main(async ({ BrowserWindow }) => {
      const [first, second] = [
        await open({ show: false }, 'empty.html'),
        await open({ show: false }, 'empty.html')
      ]
      const left: number[] = []
      first.on('closed', () => {
        left.push(BrowserWindow.getAllWindows().length)
        second.destroy()
      })
      second.on('closed', () => left.push(BrowserWindow.getAllWindows().length))
      first.destroy()
      return left
    })
    expect(result).toEqual([2, 1])
  })

  it('lets a close be prevented, and the page object with beforeunload', async () => {
    const result = await main(async () => {
      const window = await open({ show: false }, 'empty.html')
      const events: string[] = []
      window.once('close', (event) => {
        events.push('close')
        event.preventDefault()
      })
      window.on('closed', () => events.push('closed'))
      window.close()
      await window.webContents.executeJavaScript(
        'onbeforeunload = (event) => event.preventDefault(); 1',
        true
      )
      const objected = new Promise((resolve) => window.webContents.once('will-prevent-unload', resolve))
      window.close()
      await objected
      await window.webContents.executeJavaScript('onbeforeunload = null; 1')
      const closed = new Promise<void>((resolve) => window.once('closed', () => resolve()))
      events.push('objected')
      window.close()
      await closed
      return events
    })
    expect(result).toEqual(['close', 'objected', 'closed'])
  })

  it('knows the displays, and which of them a window is on', async () => {
    const found = await main(({ screen }) => [
      screen
        .getAllDisplays()
        .map(({ bounds, scaleFactor }) => [bounds.x, bounds.width, bounds.height, scaleFactor]),
      screen.getPrimaryDisplay().id,
      screen.getDisplayMatching({ x: 1900, y: 0, width: 100, height: 100 }).id
    ])
    expect(found).toEqual([
      [
        [0, 1920, 1080, 1],
        [1920, 800, 480, 2]
      ],
      1,
      2
    ])
  })

  it('emits when a display is added, removed or changed', async () => {
    const events = await main((electron) => {
      const lines: string[] = []
      const { screen } = electron
      screen.on('display-added', (_event, { id }) => lines.push(`added ${id}`))
      screen.on('display-removed', (_event, { id }) => lines.push(`removed ${id}`))
      screen.on('display-metrics-changed', (_event, { id }, changed) =>
        lines.push(`changed ${id} ${changed.join()}`)
      )
      const standIn = Reflect.get(electron, '__standIn') as { setDisplays(text: string): void }
      standIn.setDisplays('1920x1080')
      standIn.setDisplays('1280x720,640x480')
      return lines
    })
    expect(events).toEqual(['removed 2', 'changed 1 bounds,workArea', 'added 2'])
  })

  it('is placed by the compositor in a native Wayland session, unless the start names x11', async () => {
    const places = new FixtureApp({
      main: `
        app.commandLine.appendSwitch('ozone-platform', 'x11')
        app.whenReady().then(() => {
          const window = new BrowserWindow({ x: 1950, y: 10, width: 400, height: 300 })
          window.setBounds({ x: 2000 })
          note(JSON.stringify(window.getBounds()))
          app.quit()
        })`
    })
    const started = async (args: string[]): Promise<unknown> => {
      places.forget()
      const env = { XDG_SESSION_TYPE: 'wayland', TILLPOINTS_STAND_IN_DISPLAYS: '1920x1080,800x480' }
      await places.spawn({ env, args }).ended
      return JSON.parse(places.notes()[0] ?? 'null')
    }
    expect(await started([])).toEqual({ x: 760, y: 390, width: 400, height: 300 })
    expect(await started(['--ozone-platform=x11'])).toEqual({ x: 2000, y: 10, width: 400, height: 300 })
    places.remove()
  })

  it('makes no window before ready', async () => {
    const early = new FixtureApp({
      main: `
        const attempt = (work) => { try { work(); note('fine') } catch (error) { note(String(error)) } }
        attempt(() => new BrowserWindow())
        attempt(() => screen.getAllDisplays())
        attempt(() => dialog.showMessageBox({ message: 'x' }))
        attempt(() => session.defaultSession)
        note(safeStorage.getSelectedStorageBackend())
        safeStorage.encryptStringAsync('x').catch((error) => note(error)).then(() => app.quit())`
    })
    expect((await early.spawn().ended).code).toBe(0)
    expect(early.notes()).toEqual([
      'Error: Cannot create BrowserWindow before app is ready',
      "Error: The 'screen' module can't be used before the app 'ready' event",
      'Error: dialog module can only be used after app is ready',
      'TypeError: Session can only be received when app is ready',
      'unknown',
      'Error: safeStorage cannot be used before app is ready'
    ])
    early.remove()
  })
})
