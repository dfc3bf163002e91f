/** Before the tests: builds the scripts for the Windows Node, and starts a display and Wine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'
import { EXTERNAL_PACKAGES } from '../../resources/packaging/packages.ts'
import { workerFiles } from '../../resources/packaging/worker-files.ts'
import { SCRIPTS_FOLDER, startWindows, stopWindows } from './wine.ts'

const ON_WINDOWS = join(import.meta.dirname, 'on-windows')

/** Bundles the scripts as the app's main process is bundled. */
async function buildScripts(): Promise<void> {
  const names = readdirSync(ON_WINDOWS).map((file) => basename(file, '.ts'))
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [workerFiles()],
    ssr: { noExternal: true, external: [...EXTERNAL_PACKAGES] },
    build: {
      ssr: true,
      outDir: SCRIPTS_FOLDER,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(ON_WINDOWS, `${name}.ts`)]))
      }
    }
  })
}

/** Starts an X server without a screen. Resolves with the function that stops it. */
async function startDisplay(): Promise<() => void> {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const [number] = (await once(display.stdout, 'data')) as [Buffer]
  process.env['DISPLAY'] = `:${number.toString().trim()}`
  return () => {
    display.kill()
  }
}

export default async function setup(): Promise<() => Promise<void>> {
  await buildScripts()
  const stopDisplay = await startDisplay()
  await startWindows()
  return async () => {
    await stopWindows()
    stopDisplay()
  }
}
