/**
 * `npm start`: builds the till and opens it. Where Electron's runtime cannot be had, the same built app opens in
 * the stand-in; where there is no display, the demo runs instead. Each is said in one line.
 */
import { chooseElectron } from '../../test/support/electron-runtime.ts'
import { build, hasDisplay, runProgram } from './tools.ts'
import { ensureChromium } from './system-packages.ts'

if (!hasDisplay()) {
  console.log('No display here to open a window on: running the demo instead (npm run demo).')
  await import('./demo.ts')
} else {
  await build()
  const electron = chooseElectron()
  if (electron.kind === 'stand-in') {
    console.log(`${electron.reason} Opening the same built app in the stand-in, in a Chromium window.`)
    await ensureChromium()
  }
  // Whatever is typed behind `npm start --` goes to the till, such as --user-data-dir.
  process.exitCode = await runProgram(
    electron.executable,
    [...electron.args, '.', ...process.argv.slice(2)],
    {
      ...electron.env,
      TILLPOINTS_STAND_IN: 'visible'
    }
  )
}
