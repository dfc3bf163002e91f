import '@fontsource-variable/inter/index.css'
import '../styles/tokens.css'
import '../styles/base.css'
import { mount } from 'svelte'
import App from './CustomerDisplayApp.svelte'
import { findBridge } from './bridge.ts'

mount(App, { target: document.body, props: { bridge: findBridge() } })
