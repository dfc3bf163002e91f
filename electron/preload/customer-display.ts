/** Exposes the customer display's own small bridge to its page, and nothing of the till's. */
import { contextBridge, ipcRenderer } from 'electron'
import { CUSTOMER_DISPLAY_BRIDGE_NAME, CUSTOMER_DISPLAY_CHANNELS } from '../contract/customer-display.ts'

const { ask, hear } = CUSTOMER_DISPLAY_CHANNELS

contextBridge.exposeInMainWorld(CUSTOMER_DISPLAY_BRIDGE_NAME, {
  view: () => ipcRenderer.invoke(ask),
  onView: (listener: (view: unknown) => void): (() => void) => {
    // The event object carries the sender and must not reach the page.
    const withoutEvent = (_event: unknown, view: unknown): void => listener(view)
    ipcRenderer.on(hear, withoutEvent)
    return () => {
      ipcRenderer.off(hear, withoutEvent)
    }
  }
})
