/**
 * `npm start`: builds the app and opens it, in the stand-in where Electron's runtime is not available, or runs the demo
 * where there is no display. Prints one line about each. Arguments after `npm start --` go to the app.
 */
import { chooseElectron } from '../../test/support/electron-runtime.ts'
import { build } from './build.ts'
import { ensureChromium } from './system-packages.ts'
import { hasDisplay, runProgram } from './tools.ts'

await build()
if (hasDisplay()) {
  const electron = chooseElectron()
  if (electron.kind === 'stand-in') {
    console.log(`${electron.reason} Opening the built app in the stand-in, in a Chromium window.`)
    await ensureChromium({ windows: true })
  }
  const args = [...electron.args, '.', ...process.argv.slice(2)]
  process.exitCode = await runProgram(electron.executable, args, {
    ...electron.env,
    TILLPOINTS_STAND_IN: 'visible'
  })
} else {
  console.log('There is no display to open a window on: running the demo instead (npm run demo).')
  await import('./demo.ts')
}
