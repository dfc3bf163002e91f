/** Exposes the bridge of `electron/contract/bridge.ts` to the page, and nothing else of Electron. */
import { contextBridge, ipcRenderer, webFrame } from 'electron'
import {
  BRIDGE_NAME,
  channelOf,
  EVENTS,
  IPC_METHODS,
  OWNED_GROUPS,
  RELEASE_MEMORY_CHANNEL
} from '../contract/bridge.ts'

/** The calls of some groups, for the owner with this number, or for the present one. */
const callsOf = (groups: readonly string[], owner?: number) =>
  Object.fromEntries(
    groups.map((group) => [
      group,
      Object.fromEntries(
        (IPC_METHODS[group] ?? []).map((method) => [
          method,
          (input?: unknown) => ipcRenderer.invoke(channelOf(group, method), input, owner)
        ])
      )
    ])
  )

/** Adds a listener to a channel; returns a function that removes it. */
const subscribe =
  (channel: string) =>
  (listener: (value: unknown) => void): (() => void) => {
    // The event object carries the sender and must not reach the page.
    const withoutEvent = (_event: unknown, value: unknown): void => listener(value)
    ipcRenderer.on(channel, withoutEvent)
    return () => {
      ipcRenderer.off(channel, withoutEvent)
    }
  }

const events = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, subscribe(name)]))

ipcRenderer.on(RELEASE_MEMORY_CHANNEL, () => webFrame.clearCache())

contextBridge.exposeInMainWorld(BRIDGE_NAME, {
  ...callsOf(Object.keys(IPC_METHODS)),
  ...events,
  of: (owner: number) => callsOf(OWNED_GROUPS, owner)
})
