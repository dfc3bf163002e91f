import type { Bridge } from '../../electron/contract/bridge.ts'

declare global {
  interface Window {
    /** Put there by the preload before the page starts. */
    readonly tillpoints?: Bridge
  }
}

/** The till's main process, as the page may reach it. Throws where the page runs without its preload. */
export function findBridge(): Bridge {
  if (!window.tillpoints) throw new Error('The preload did not expose the bridge.')
  return window.tillpoints
}
