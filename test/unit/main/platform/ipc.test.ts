import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import {
  CUSTOMER_DISPLAY_CHANNELS,
  type CustomerDisplayView
} from '../../../../electron/contract/customer-display.ts'
import { IPC_METHODS, channelOf, type BridgeCalls } from '../../../../electron/contract/bridge.ts'
import { err } from '../../../../electron/contract/failure.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

type Handler = (event: IpcMainInvokeEvent, input?: unknown, owner?: unknown) => unknown

/** As much of Electron as windows and messages need: which window a page is in, and what each of them was sent. */
const { handlers, FakeWindow } = vi.hoisted(() => {
  class FakeWindow {
    static readonly all: FakeWindow[] = []
    readonly id = FakeWindow.all.push(this)
    readonly received: unknown[] = []
    readonly url: string[] = []
    readonly options: unknown
    readonly #closed: (() => void)[] = []
    readonly webContents = {
      id: 100 + this.id,
      isDestroyed: () => false,
      on: () => undefined,
      send: (...message: unknown[]) => this.received.push(message)
    }
    constructor(options?: unknown) {
      this.options = options
    }
    static fromWebContents(contents: unknown): FakeWindow | null {
      return FakeWindow.all.find(({ webContents }) => webContents === contents) ?? null
    }
    isDestroyed = () => false
    once(event: string, listener: () => void): void {
      if (event === 'closed') this.#closed.push(listener)
    }
    loadURL(url: string): Promise<void> {
      this.url.push(url)
      return Promise.resolve()
    }
    close(): void {
      for (const listener of this.#closed) listener()
    }
  }
  return { handlers: new Map<string, Handler>(), FakeWindow }
})

vi.mock('electron', () => ({
  app: { isPackaged: true },
  BrowserWindow: FakeWindow,
  ipcMain: { handle: (channel: string, handler: Handler) => handlers.set(channel, handler) },
  screen: { getPrimaryDisplay: () => ({ workAreaSize: { width: 1024, height: 768 } }) },
  nativeTheme: { shouldUseDarkColors: false },
  protocol: {}
}))

const { send, registerIpcHandlers } = await import('../../../../electron/main/platform/ipc.ts')
const { handleCustomerDisplayIpc, openCustomerDisplayPage, sendView } =
  await import('../../../../electron/main/platform/customer-display-window.ts')
const { createTillWindow } = await import('../../../../electron/main/platform/windows.ts')

const view: CustomerDisplayView = {
  shows: { kind: 'idle', businessName: 'Corner Café', logo: null, joinUs: null },
  training: false,
  language: 'en',
  direction: 'ltr',
  locale: 'en-GB',
  contrast: 'system',
  accent: null
}

const answered = vi.fn(() => Promise.resolve({ ok: true, value: null }))
/** An answer to every call of the till's bridge. */
const answers = Object.fromEntries(
  Object.entries(IPC_METHODS).map(([group, calls]) => [
    group,
    Object.fromEntries(calls.map((name) => [name, answered]))
  ])
) as unknown as BridgeCalls

let till: InstanceType<typeof FakeWindow>
let display: InstanceType<typeof FakeWindow>

const fake = (window: BrowserWindow): InstanceType<typeof FakeWindow> => {
  const found = FakeWindow.all.find(({ id }) => id === window.id)
  if (!found) throw new Error('no such window')
  return found
}

/** The event of a call: from the page of a window, in a frame with an address. */
const from = (window: InstanceType<typeof FakeWindow>, url: string, parent: unknown = null) =>
  ({ sender: window.webContents, senderFrame: { url, parent } }) as unknown as IpcMainInvokeEvent

const call = (channel: string, event: IpcMainInvokeEvent, ...sent: unknown[]): Promise<unknown> =>
  Promise.resolve().then(() => handlers.get(channel)?.(event, ...sent))

/** The owner of the till's data. */
const session = { owner: { number: 4 } }

/** What the page of the customer display told main. */
let told: unknown[] = []

beforeEach(() => {
  told = []
  FakeWindow.all.length = 0
  handlers.clear()
  answered.mockClear()
  const log = noOpLogger
  till = fake(createTillWindow({ preload: '/till.cjs', icon: '/icon.png' }, false, log))
  display = fake(
    openCustomerDisplayPage(
      { x: 0, y: 0, width: 800, height: 480, fillsScreen: true },
      {
        preload: '/display.cjs',
        display: { view: () => view, pressKey: (key) => told.push(key) },
        log
      },
      { onTouch: (hasTouch) => told.push(hasTouch) }
    )
  )
  registerIpcHandlers(answers, session, () => null, log)
  handleCustomerDisplayIpc()
})

describe('an event of main', () => {
  it('reaches the till’s window alone: states, slips, batches and finds hold names and phones', () => {
    send('onState', {} as never)
    send('onSlip', {} as never)
    send('onBatch', {} as never)
    send('onPartialSearchResult', {} as never)
    expect(till.received).toHaveLength(4)
    expect(display.received).toEqual([])
  })

  it('is not sent after the till’s window was closed', () => {
    till.close()
    send('onState', {} as never)
    expect([...till.received, ...display.received]).toEqual([])
  })

  it('of the customer display reaches that window alone', () => {
    sendView(display as unknown as BrowserWindow, view)
    expect(display.received).toEqual([[CUSTOMER_DISPLAY_CHANNELS.viewChanged, view]])
    expect(till.received).toEqual([])
  })
})

const TILL = 'app://till/'
const DISPLAY = 'app://customer-display/'
const STATE = channelOf('till', 'state')
const channels = Object.entries(IPC_METHODS).flatMap(([group, calls]) =>
  calls.map((name) => channelOf(group, name))
)

describe('a call to main', () => {
  it('is accepted from the till’s own page', async () => {
    expect(await call(STATE, from(till, TILL))).toEqual({ ok: true, value: null })
  })

  it('is refused when it was made for another owner of the data', async () => {
    const event = from(till, TILL)
    const answer = { ok: true, value: null }
    expect(await call(STATE, event, undefined, 4)).toEqual(answer)
    expect(await call(STATE, event, undefined, 3)).toEqual(err({ kind: 'not-connected' }))
    expect(await call(STATE, event, undefined, '4')).toEqual(err({ kind: 'internal' }))
    expect(answered).toHaveBeenCalledOnce()
  })

  it.each(channels)('of the till is refused to the customer display: %s', async (channel) => {
    expect(await call(channel, from(display, DISPLAY))).toEqual(err({ kind: 'internal' }))
    expect(answered).not.toHaveBeenCalled()
  })

  it('for the view is accepted from the customer display, and refused to the till’s page', async () => {
    const { view: ask } = CUSTOMER_DISPLAY_CHANNELS
    expect(await call(ask, from(display, DISPLAY))).toEqual(view)
    await expect(call(ask, from(till, TILL))).rejects.toThrow('Refused')
  })

  it('of the customer display can say one key, and whether there is touch, and nothing else', async () => {
    const { key, touch } = CUSTOMER_DISPLAY_CHANNELS
    for (const input of ['7', '+', 'delete', 'done', 'cancel']) await call(key, from(display, DISPLAY), input)
    for (const input of [true, false]) await call(touch, from(display, DISPLAY), input)
    expect(told).toEqual(['7', '+', 'delete', 'done', 'cancel', true, false])
    told = []
    const malformed = ['', '12', '٧', 'Enter', 7, null, undefined, ['7'], { key: '7' }, '7'.repeat(100_000)]
    for (const input of malformed) expect(await call(key, from(display, DISPLAY), input)).toBeUndefined()
    for (const input of ['true', 1, null, undefined, {}]) await call(touch, from(display, DISPLAY), input)
    expect(told).toEqual([])
  })

  it('of the customer display is refused to other pages in both windows, and to frames', async () => {
    for (const event of [from(till, TILL), from(display, TILL), from(display, DISPLAY, {})]) {
      for (const channel of Object.values(CUSTOMER_DISPLAY_CHANNELS)) {
        const refused = channel === CUSTOMER_DISPLAY_CHANNELS.viewChanged
        if (!refused) await expect(call(channel, event, '7')).rejects.toThrow('Refused')
      }
    }
    expect(told).toEqual([])
  })

  it('is refused to other pages in both windows, and to frames', async () => {
    const { view: ask } = CUSTOMER_DISPLAY_CHANNELS
    for (const [channel, event] of [
      [STATE, from(till, DISPLAY)],
      [STATE, from(till, 'https://evil.example/')],
      [STATE, from(till, 'app://till.evil/')],
      [STATE, from(till, TILL, {})],
      [STATE, from(display, TILL)],
      [ask, from(display, TILL)],
      [ask, from(display, DISPLAY, {})]
    ] as const) {
      const answer = await call(channel, event).catch((error: unknown) => error)
      // The till's calls answer with a failure; the display's one question is thrown back.
      expect(answer).toEqual(channel === STATE ? err({ kind: 'internal' }) : expect.any(Error))
    }
  })
})

describe('the customer display’s window', () => {
  it('cannot have the keyboard, has no frame, and only its own sandboxed preload', () => {
    expect(display.url).toEqual([DISPLAY])
    expect(display.options).toMatchObject({
      frame: false,
      focusable: false,
      show: false,
      webPreferences: {
        preload: '/display.cjs',
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false
      }
    })
  })

  it('gets only the fields of its schema', () => {
    sendView(display as unknown as BrowserWindow, { ...view, phone: '+306901234567' } as CustomerDisplayView)
    expect(JSON.stringify(display.received)).not.toContain('690')
  })
})
