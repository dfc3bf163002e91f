import type { Bridge } from '../../../electron/contract/bridge.ts'

declare global {
  /** The page's global, as functions evaluated in it see it. */
  const window: { readonly tillpoints: Bridge }
}
