import { beforeEach, expect, test, vi } from 'vitest'
import {
  channelOf,
  EVENTS,
  IPC_METHODS,
  OWNED_GROUPS,
  type Bridge
} from '../../../electron/contract/bridge.ts'

type Listener = (event: unknown, value: unknown) => void

const electron = vi.hoisted(() => {
  const listeners = new Map<string, Listener>()
  const state: { bridge: Bridge | undefined } = { bridge: undefined }
  return {
    listeners,
    state,
    ipcRenderer: {
      invoke: (...call: unknown[]) => Promise.resolve(call),
      on: (channel: string, listener: Listener) => listeners.set(channel, listener),
      off: (channel: string, listener: Listener) => {
        if (listeners.get(channel) === listener) listeners.delete(channel)
      }
    },
    contextBridge: {
      exposeInMainWorld: (_name: string, bridge: Bridge) => {
        state.bridge = bridge
      }
    }
  }
})
vi.mock('electron', () => electron)

const bridge = (): Bridge => {
  if (!electron.state.bridge) throw new Error('The preload exposed no bridge')
  return electron.state.bridge
}

beforeEach(async () => {
  electron.listeners.clear()
  vi.resetModules()
  await import('../../../electron/preload/index.ts')
})

test('exposes every call group and every event, and nothing else', () => {
  expect(Object.keys(bridge()).sort()).toEqual(
    [...Object.keys(IPC_METHODS), ...Object.keys(EVENTS), 'of'].sort()
  )
})

test('invokes the channel of a call with its input', async () => {
  const input = { offset: 20 }
  expect(await bridge().slips.list(input)).toEqual([channelOf('slips', 'list'), input, undefined])
})

test('says which owner a call is for', async () => {
  const input = { offset: 20 }
  expect(await bridge().of(7).slips.list(input)).toEqual([channelOf('slips', 'list'), input, 7])
  expect(Object.keys(bridge().of(7))).toEqual([...OWNED_GROUPS])
})

test('passes an event to its listener without Electron’s event object, until the listener is removed', () => {
  const states: unknown[] = []
  const remove = bridge().onState((state) => states.push(state))
  const channel = 'onState'
  electron.listeners.get(channel)?.({ sender: 'main' }, { mode: 'training' })
  remove()
  expect(states).toEqual([{ mode: 'training' }])
  expect(electron.listeners.has(channel)).toBe(false)
})
