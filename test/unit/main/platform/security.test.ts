import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { installSecurityRestrictions, webPreferences } from '../../../../electron/main/platform/windows.ts'

type Handler = (...args: never[]) => unknown

const electron = vi.hoisted(() => {
  const handlers = new Map<string, Handler>()
  const keep =
    (name: string) =>
    (handler: Handler): void => {
      handlers.set(name, handler)
    }
  return {
    handlers,
    app: { isPackaged: false, on: (name: string, handler: Handler) => handlers.set(name, handler) },
    session: {
      defaultSession: {
        setPermissionRequestHandler: keep('permission-request'),
        setPermissionCheckHandler: keep('permission-check'),
        setDevicePermissionHandler: keep('device'),
        on: (name: string, handler: Handler) => handlers.set(name, handler)
      }
    },
    protocol: {}
  }
})
vi.mock('electron', () => electron)

const call = (name: string, ...args: unknown[]): unknown => {
  const handler = electron.handlers.get(name)
  if (!handler) throw new Error(`Nothing guards ${name}`)
  return handler(...(args as never[]))
}

/** An event that records whether it was prevented. */
const event = (url = '') => {
  const made = { url, prevented: false, preventDefault: () => (made.prevented = true) }
  return made
}

/** A page of the till, as Electron announces it. */
class Contents extends EventEmitter {
  opening: unknown
  setWindowOpenHandler(handler: () => unknown): void {
    this.opening = handler()
  }
  getURL(): string {
    return 'app://till/'
  }
  getType(): string {
    return 'window'
  }
}

const contents = (): Contents => {
  installSecurityRestrictions()
  const made = new Contents()
  call('web-contents-created', {}, made)
  return made
}

test.each([
  'geolocation',
  'media',
  'notifications',
  'clipboard-read',
  'display-capture',
  'fileSystem',
  'something-new'
])('the permission %s is refused, asked for or looked up', (permission) => {
  installSecurityRestrictions()
  const decided: unknown[] = []
  call('permission-request', null, permission, (granted: unknown) => decided.push(granted), {})
  expect(decided).toEqual([false])
  expect(call('permission-check', null, permission, 'app://till')).toBe(false)
})

test('every device and every download is refused', () => {
  installSecurityRestrictions()
  expect(call('device', { deviceType: 'usb' })).toBe(false)
  const download = event()
  call('will-download', download)
  expect(download.prevented).toBe(true)
})

test('no window is opened, no webview attached, no redirect followed', () => {
  const page = contents()
  expect(page.opening).toEqual({ action: 'deny' })
  for (const name of ['will-attach-webview', 'will-redirect']) {
    const happening = event('app://till/')
    page.emit(name, happening)
    expect(happening.prevented).toBe(true)
  }
})

test.each([
  ['app://till/', false],
  ['app://till/#/slips', false],
  ['app://till.example/', true],
  ['app://till@example.com/', true],
  ['app://tillx/', true],
  ['https://example.com/', true],
  ['http://localhost/', true],
  ['file:///etc/passwd', true],
  ['data:text/html,x', true],
  ['about:blank', true]
])('a page that goes to %s is stopped: %s', (url, stopped) => {
  const going = event(url)
  contents().emit('will-navigate', going)
  expect(going.prevented).toBe(stopped)
})

test('a page is sandboxed, apart from the preload, without Node and without features for websites', () => {
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

test('DevTools are available in development, and never in an installed till', () => {
  expect(webPreferences('/preload.cjs').devTools).toBe(true)
  electron.app.isPackaged = true
  expect(webPreferences('/preload.cjs').devTools).toBe(false)
})
