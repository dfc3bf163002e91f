import { afterAll, expect, it, vi } from 'vitest'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const { platform, opened } = vi.hoisted(() => {
  const { platform: actual } = process
  // The module reads it when it is imported.
  Object.defineProperty(process, 'platform', { value: 'darwin' })
  return { platform: actual, opened: { options: {}, calls: [] as unknown[] } }
})

vi.mock('electron', async () => {
  const { EventEmitter } = await import('node:events')
  class BrowserWindow extends EventEmitter {
    readonly id = 1
    readonly webContents = Object.assign(new EventEmitter(), { id: 1 })

    constructor(options: object) {
      super()
      opened.options = options
      setImmediate(() => this.emit('ready-to-show'))
    }

    setAlwaysOnTop(...level: unknown[]): void {
      opened.calls.push(['setAlwaysOnTop', ...level])
    }

    setKiosk(isKiosk: boolean): void {
      opened.calls.push(['setKiosk', isKiosk])
    }

    showInactive(): void {
      opened.calls.push(['showInactive'])
    }

    loadURL(): Promise<void> {
      return Promise.resolve()
    }
  }
  return {
    app: { isPackaged: true },
    BrowserWindow,
    dialog: {},
    ipcMain: {},
    protocol: {},
    net: {},
    session: {},
    screen: {},
    nativeTheme: { shouldUseDarkColors: false }
  }
})

const { openCustomerDisplayPage } =
  await import('../../../../electron/main/platform/customer-display-window.ts')

afterAll(() => {
  Object.defineProperty(process, 'platform', { value: platform })
})

it('covers the whole screen on macOS, without a kiosk, which would cover the till’s screen too', async () => {
  const bounds = { x: 1280, y: 0, width: 800, height: 480 }
  await new Promise<void>((resolve) => {
    openCustomerDisplayPage(
      { ...bounds, fillsScreen: true },
      {
        preload: '/preload.cjs',
        display: {
          view: () => {
            throw new Error('The page does not ask for a view')
          },
          pressKey: () => undefined
        },
        log: noOpLogger
      },
      { onShown: resolve }
    )
  })
  // Square corners, and above the menu bar.
  expect(opened.options).toMatchObject({
    ...bounds,
    frame: false,
    roundedCorners: false,
    enableLargerThanScreen: true,
    show: false
  })
  expect(opened.calls).toEqual([['setAlwaysOnTop', true, 'screen-saver'], ['showInactive']])
})
