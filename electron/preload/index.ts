/** Exposes the bridge to the page, and nothing else of Electron. */
import { contextBridge, ipcRenderer } from 'electron'
import { BRIDGE_NAME, CALLS, channelOf, EVENTS } from '../contract/bridge.ts'

const groups = Object.fromEntries(
  Object.entries(CALLS).map(([group, calls]) => [
    group,
    Object.fromEntries(
      calls.map((call) => [call, (input?: unknown) => ipcRenderer.invoke(channelOf(group, call), input)])
    )
  ])
)

/** Lets the page hear one channel of main; gives back what ends the hearing. */
const hear =
  (channel: string) =>
  (listener: (value: unknown) => void): (() => void) => {
    // The event object carries the sender and must not reach the page.
    const withoutEvent = (_event: unknown, value: unknown): void => listener(value)
    ipcRenderer.on(channel, withoutEvent)
    return () => {
      ipcRenderer.off(channel, withoutEvent)
    }
  }

contextBridge.exposeInMainWorld(BRIDGE_NAME, {
  ...groups,
  onState: hear(EVENTS.state),
  onFound: hear(EVENTS.found),
  onRewards: hear(EVENTS.rewards),
  onSlip: hear(EVENTS.slip),
  onBatch: hear(EVENTS.batch)
})
