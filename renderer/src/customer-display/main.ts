/** Entry of the customer display's page. */
import '@fontsource-variable/inter/index.css'
import '../styles/tokens.css'
import '../styles/base.css'
import { mount } from 'svelte'
import type { CustomerDisplayBridge } from '../../../electron/contract/customer-display.ts'
import CustomerDisplayApp from './CustomerDisplayApp.svelte'

declare global {
  interface Window {
    /** Set by the customer display's preload. */
    readonly customerDisplay?: CustomerDisplayBridge
  }
}

const bridge = window.customerDisplay
if (!bridge) throw new Error('The preload did not expose the bridge.')
mount(CustomerDisplayApp, { target: document.body, props: { bridge } })
