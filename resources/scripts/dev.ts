/**
 * `npm run dev`: serves the page from Vite's dev server with hot reload, and opens the app with it in Electron, or in
 * the stand-in where Electron's runtime is not available. Changes of main and preload need a restart. Arguments after
 * `npm run dev --` go to the app.
 */
import { chooseElectron } from '../../test/support/electron-runtime.ts'
import { ensureChromium } from './system-packages.ts'
import { hasDisplay, runTool, TOOLS } from './tools.ts'

if (!hasDisplay()) {
  console.error('There is no display to open a window on. On a server, use: xvfb-run npm run dev')
  process.exit(1)
}
const messages = await runTool(TOOLS.messages, [])
if (messages !== 0) process.exit(messages)
const electron = chooseElectron()
if (electron.kind === 'stand-in') {
  console.log(`${electron.reason} Opening the app in the stand-in, in a Chromium window.`)
  await ensureChromium({ windows: true })
}
process.exitCode = await runTool(
  TOOLS.electronVite,
  ['dev', '--', ...electron.args, ...process.argv.slice(2)],
  { ...electron.env, TILLPOINTS_STAND_IN: 'visible' }
)
