/** What the preload does on its own account: it asks how the till stands before the page does, and gives back at rest. */
import { beforeEach, expect, test, vi } from 'vitest'
import { AT_REST, channelOf, EVENTS } from '../../../electron/contract/bridge.ts'

const electron = vi.hoisted(() => {
  const kept = {
    asked: [] as string[],
    listeners: new Map<string, (event: unknown, value: unknown) => void>(),
    cleared: 0,
    bridge: undefined as { till: { state(): Promise<unknown> } } | undefined
  }
  return {
    kept,
    ipcRenderer: {
      invoke: (channel: string) => Promise.resolve(`answer ${String(kept.asked.push(channel))}`),
      once: (channel: string, listener: () => void) => kept.listeners.set(channel, listener),
      on: (channel: string, listener: () => void) => kept.listeners.set(channel, listener),
      off: () => undefined
    },
    webFrame: {
      clearCache: () => {
        kept.cleared += 1
      }
    },
    contextBridge: {
      exposeInMainWorld: (_name: string, bridge: typeof kept.bridge) => {
        kept.bridge = bridge
      }
    }
  }
})
vi.mock('electron', () => electron)

const STATE = channelOf('till', 'state')

beforeEach(async () => {
  electron.kept.asked.length = 0
  electron.kept.listeners.clear()
  electron.kept.cleared = 0
  vi.resetModules()
  await import('../../../electron/preload/index.ts')
})

const state = (): Promise<unknown> | undefined => electron.kept.bridge?.till.state()

test('asks how the till stands before the page does, and gives the page that answer once', async () => {
  expect(electron.kept.asked).toEqual([STATE])
  expect(await state()).toBe('answer 1')
  expect(electron.kept.asked).toEqual([STATE])
  expect(await state()).toBe('answer 2')
})

test('asks again where main has told of another state meanwhile', async () => {
  electron.kept.listeners.get(EVENTS.state)?.({}, {})
  expect(await state()).toBe('answer 2')
})

test('gives back what the page kept for the next time, once main says that nobody works at the till', () => {
  expect(electron.kept.cleared).toBe(0)
  electron.kept.listeners.get(AT_REST)?.({}, null)
  expect(electron.kept.cleared).toBe(1)
})
