import type { CustomerDisplayBridge } from '../../../electron/contract/customer-display.ts'

declare global {
  interface Window {
    /** Put there by the customer display's preload before its page starts. */
    readonly customerDisplay?: CustomerDisplayBridge
  }
}

/** Main, as the customer display may hear it. Throws where the page runs without its preload. */
export function findBridge(): CustomerDisplayBridge {
  if (!window.customerDisplay) throw new Error('The preload did not expose the bridge.')
  return window.customerDisplay
}
