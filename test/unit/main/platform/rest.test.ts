/** When main and the page give back what they kept, and that they do. */
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AT_REST, IPC_METHODS, channelOf } from '../../../../electron/contract/bridge.ts'
import type { Answers } from '../../../../electron/main/platform/ipc.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

type Handler = (event: IpcMainInvokeEvent) => Promise<unknown>

const electron = vi.hoisted(() => ({
  handlers: new Map<string, Handler>(),
  till: undefined as object | undefined
}))
vi.mock('electron', () => ({
  BrowserWindow: { fromWebContents: () => electron.till },
  ipcMain: { handle: (channel: string, handler: Handler) => electron.handlers.set(channel, handler) },
  protocol: {}
}))

/** What the till's page was told. */
const told: string[] = []

class Till extends EventEmitter {
  readonly id = 1
  readonly webContents = {
    isDestroyed: () => false,
    send: (channel: string) => told.push(channel)
  }
  isDestroyed(): boolean {
    return false
  }
}

/** An answer to every call of the bridge. */
const answers = Object.fromEntries(
  Object.entries(IPC_METHODS).map(([group, calls]) => [
    group,
    Object.fromEntries(calls.map((name) => [name, () => Promise.resolve({ ok: true, value: null })]))
  ])
) as unknown as Answers

/** What went between main and the page is forgotten with the modules. */
async function open() {
  vi.resetModules()
  const { enterWindow } = await import('../../../../electron/main/platform/windows.ts')
  const { sendState, registerIpcHandlers } = await import('../../../../electron/main/platform/ipc.ts')
  const { REST } = await import('../../../../electron/main/platform/rest.ts')
  electron.till = new Till()
  enterWindow('till', electron.till as BrowserWindow)
  registerIpcHandlers(answers, () => null, noOpLogger)
  const ask = (url: string): Promise<unknown> | undefined =>
    electron.handlers.get(channelOf('till', 'state'))?.({
      sender: null,
      senderFrame: { url, parent: null }
    } as unknown as IpcMainInvokeEvent)
  return { ask, tell: () => sendState({} as never), REST }
}

const rests = (): number => told.filter((channel) => channel === AT_REST).length

beforeEach(() => {
  told.length = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('rests a while after the last word between main and the page, and once', async () => {
  const { ask, tell, REST } = await open()
  tell()
  vi.advanceTimersByTime(REST - 1)
  await ask('app://till/')
  vi.advanceTimersByTime(REST - 1)
  expect(rests()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(rests()).toBe(1)
  vi.advanceTimersByTime(2 * REST)
  expect(rests()).toBe(1)
})

test('rests again after the next word', async () => {
  const { tell, REST } = await open()
  tell()
  vi.advanceTimersByTime(REST)
  tell()
  vi.advanceTimersByTime(REST)
  expect(rests()).toBe(2)
})

test('is not kept awake by a page that gets no answer', async () => {
  const { ask, tell, REST } = await open()
  tell()
  vi.advanceTimersByTime(REST - 1)
  await ask('https://evil.example/')
  vi.advanceTimersByTime(1)
  expect(rests()).toBe(1)
})

test('has main collect its garbage, and leaves its scripts no way to do so', async () => {
  const { tell, REST } = await open()
  const garbage = new WeakRef({ much: 'kept' })
  // What a reference was just made to lives until the end of the turn.
  await setImmediate()
  tell()
  vi.advanceTimersByTime(REST)
  expect(garbage.deref()).toBeUndefined()
  expect('gc' in globalThis).toBe(false)
})

test('tells the page to give back where V8 lets nobody collect', async () => {
  vi.doMock('node:v8', () => ({ setFlagsFromString: () => undefined }))
  try {
    const { tell, REST } = await open()
    tell()
    vi.advanceTimersByTime(REST)
    expect(rests()).toBe(1)
  } finally {
    vi.doUnmock('node:v8')
  }
})
