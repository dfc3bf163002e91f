import { open } from 'node:inspector'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findApp } from './app-package.ts'
import { ChromiumMissingError, launchChromium } from './chromium/launch.ts'
import { parseCommandLine } from './command-line.ts'
import { readFuses } from './fuses.ts'
import { ELECTRON_VERSION, runtime } from './runtime.ts'

/** The error message for a terminal, without a stack. */
class StartError extends Error {}

/** Starts the app as Electron's executable would: arguments, process facts, preloaded modules, main script, Chromium. */
async function boot(): Promise<void> {
  const args = process.argv.slice(2)
  runtime.commandLine = parseCommandLine(args, process.env)
  if (runtime.commandLine.version) {
    console.log(`v${ELECTRON_VERSION}`)
    return
  }
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (runtime.commandLine.visible && process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) {
    throw new StartError(
      'electron stand-in: there is no display to show windows on; set DISPLAY, or run headless.'
    )
  }
  runtime.executable =
    process.env['TILLPOINTS_STAND_IN_EXECUTABLE'] ?? resolve(import.meta.dirname, 'electron')
  const fuses = readFuses(runtime.executable)
  runtime.app = findApp(runtime.executable, runtime.commandLine.app, fuses.onlyLoadAppFromAsar)
  process.argv = [runtime.executable, ...args]
  runtime.argv = [...process.argv]
  describeProcess()
  // A test driver waits for the inspector's line before it goes on.
  if (runtime.commandLine.inspectPort !== undefined && fuses.nodeCliInspect) {
    open(runtime.commandLine.inspectPort, '127.0.0.1')
  }
  // Imported only now: these modules read the facts above.
  const { hookElectronModule } = await import('./hook-modules.ts')
  const { startApp } = await import('./main/app.ts')
  const { appSwitches, readAppSwitches } = await import('./main/app-switches.ts')
  const { defaultSession, Session } = await import('./main/session.ts')
  const lifecycle = await import('./main/lifecycle.ts')
  const { setDefaultApplicationMenu } = await import('./main/menu.ts')
  readAppSwitches(args)
  hookElectronModule()
  process.exit = ((code?: number) =>
    lifecycle.exit(code ?? Number(process.exitCode ?? 0))) as typeof process.exit
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => lifecycle.quit())
  const { dialog } = await import('./main/dialog.ts')
  reportUncaught((title, content) => dialog.showErrorBox(title, content))
  const require = createRequire(runtime.app.main)
  for (const module of runtime.commandLine.preloadModules) require(resolve(module))
  await import(pathToFileURL(runtime.app.main).href)
  if (lifecycle.isOver()) return
  setDefaultApplicationMenu()
  const chromium = launchChromium({
    visible: runtime.commandLine.visible,
    remoteDebuggingPort: runtime.commandLine.remoteDebuggingPort,
    appSwitches
  })
  lifecycle.ownChromium(chromium)
  // Node gets it ready when it is first used, some 8 ms that the app's first message would wait for.
  structuredClone(null)
  runtime.chromium = chromium
  await chromium.connection.send('Target.setDiscoverTargets', { discover: true })
  await Session.watchDownloads(defaultSession)
  if (runtime.commandLine.visible) await (await import('./main/real-displays.ts')).useRealDisplays()
  const { product } = await chromium.connection.send('Browser.getVersion')
  Object.defineProperty(process.versions, 'chrome', { value: product.replace(/^.*\//, ''), enumerable: true })
  if (!lifecycle.isOver()) startApp()
}

function describeProcess(): void {
  Object.defineProperty(process.versions, 'electron', { value: ELECTRON_VERSION, enumerable: true })
  Object.assign(process, {
    type: 'browser',
    resourcesPath: resolve(runtime.executable, '..', 'resources'),
    ...(!runtime.app.packaged && { defaultApp: true })
  })
}

/** Shows an uncaught error and continues, as Electron does. */
function reportUncaught(showErrorBox: (title: string, content: string) => void): void {
  process.on('uncaughtException', (error) => {
    if (process.listenerCount('uncaughtException') > 1) return
    const text = `Uncaught Exception:\n${error.stack ?? String(error)}`
    showErrorBox('A JavaScript error occurred in the main process', text)
  })
}

boot().catch((error: unknown) => {
  // If the app cannot start, the process exits, so that no test or terminal hangs.
  console.error(error instanceof StartError || error instanceof ChromiumMissingError ? error.message : error)
  process.exitCode = 1
  process.exit(1)
})
