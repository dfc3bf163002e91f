/** Exposes the bridge of the customer display to its page, and nothing else of Electron or of the till. */
import { contextBridge, ipcRenderer } from 'electron'
import { CUSTOMER_DISPLAY_BRIDGE_NAME, CUSTOMER_DISPLAY_CHANNELS } from '../contract/customer-display.ts'

const { view, viewChanged, touch, key } = CUSTOMER_DISPLAY_CHANNELS

contextBridge.exposeInMainWorld(CUSTOMER_DISPLAY_BRIDGE_NAME, {
  view: () => ipcRenderer.invoke(view),
  onView: (listener: (view: unknown) => void): (() => void) => {
    // The event object carries the sender and must not reach the page.
    const withoutEvent = (_event: unknown, value: unknown): void => listener(value)
    ipcRenderer.on(viewChanged, withoutEvent)
    return () => {
      ipcRenderer.off(viewChanged, withoutEvent)
    }
  },
  reportTouch: (hasTouch: boolean) => ipcRenderer.invoke(touch, hasTouch),
  pressKey: (pressed: string) => ipcRenderer.invoke(key, pressed)
})
