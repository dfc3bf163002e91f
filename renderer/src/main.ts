/** Entry of the main window's page. */
import '@fontsource-variable/inter/index.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/fields.css'
import { mount } from 'svelte'
import type { Bridge } from '../../electron/contract/bridge.ts'
import App from './App.svelte'

declare global {
  interface Window {
    /** The main process's interface, set by the preload. */
    readonly tillpoints?: Bridge
  }
}

const bridge = window.tillpoints
if (!bridge) throw new Error('The preload did not expose the bridge.')
mount(App, { target: document.body, props: { bridge } })
