/** Exposes the bridge to the page, and nothing else of Electron. */
import { contextBridge, ipcRenderer, webFrame } from 'electron'
import { AT_REST, BRIDGE_NAME, IPC_METHODS, channelOf, EVENTS } from '../contract/bridge.ts'

const groups = Object.fromEntries(
  Object.entries(IPC_METHODS).map(([group, calls]) => [
    group,
    Object.fromEntries(
      calls.map((call) => [call, (input?: unknown) => ipcRenderer.invoke(channelOf(group, call), input)])
    )
  ])
)

/**
 * How the till stands is the first that the page's scripts ask for: it is asked for while they are still read. What main
 * tells of it before they take it is newer.
 */
const askForState = (): Promise<unknown> => ipcRenderer.invoke(channelOf('till', 'state'))
let stateAhead: Promise<unknown> | null = askForState()
ipcRenderer.once(EVENTS.state, () => {
  stateAhead = null
})
const takeState = (): Promise<unknown> => {
  const state = stateAhead ?? askForState()
  stateAhead = null
  return state
}

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
  till: { ...groups['till'], state: takeState },
  onState: hear(EVENTS.state),
  onPartialSearchResult: hear(EVENTS.found),
  onRewards: hear(EVENTS.rewards),
  onSlip: hear(EVENTS.slip),
  onBatch: hear(EVENTS.batch)
})

// Nobody waits for the page then: it gives back what it kept for the next time.
ipcRenderer.on(AT_REST, () => webFrame.clearCache())

// The first number that a process writes takes some 13 ms, since V8 finds out first which locales know any; a first date
// takes 2. It knows then, and here the page still waits for its scripts.
setTimeout(() => {
  new Intl.NumberFormat('en')
  new Intl.DateTimeFormat('en')
})
