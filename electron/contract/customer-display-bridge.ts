/** The bridge of the customer display's page: it asks for its view, hears the next one, and can do nothing else. */
import type { CustomerDisplayView } from './customer-display.ts'

/** All that the page of the customer display may ask and hear. */
export interface CustomerDisplayBridge {
  view(): Promise<CustomerDisplayView>
  /** Hears each new view; call what comes back to stop hearing. */
  onView(listener: (view: CustomerDisplayView) => void): () => void
}

/** The name of that bridge on the page's `window`. */
export const CUSTOMER_DISPLAY_BRIDGE_NAME = 'customerDisplay'

/** Its channels: one to ask on, one to hear on. */
export const CUSTOMER_DISPLAY_CHANNELS = {
  ask: 'customer-display.view',
  hear: 'customer-display.changed'
} as const
