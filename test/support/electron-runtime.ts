import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { ELECTRON_VERSION } from './electron-stand-in/runtime.ts'

/** Which Electron runs the built app here, and how to start it. */
export interface ElectronChoice {
  readonly kind: 'electron' | 'stand-in'
  /** the release of Electron, or of the API that the stand-in follows */
  readonly version: string
  /** add these variables to the environment of Playwright, electron-vite or the executable itself */
  readonly env: Record<string, string>
  /** arguments that this runtime needs on this machine, before the app's own */
  readonly args: readonly string[]
  /** the executable to start */
  readonly executable: string
  /** one sentence: the choice and its reason */
  readonly reason: string
}

/** The download is about 120 MB; where the source can't be reached it fails within a second. */
const INSTALL_TIMEOUT = 5 * 60_000

/**
 * Chooses the real Electron when its runtime is here or can be downloaded, else the stand-in. A folder named by
 * ELECTRON_OVERRIDE_DIST_PATH is taken as it is.
 * @param options.install false: never download (the default is to try)
 */
export function chooseElectron(options: { readonly install?: boolean } = {}): ElectronChoice {
  const standInFolder = join(import.meta.dirname, 'electron-stand-in')
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  if (override !== undefined && override !== '' && override !== standInFolder) {
    const executable = join(override, installedName() ?? 'electron')
    return real(executable, `ELECTRON_OVERRIDE_DIST_PATH names ${override}.`)
  }
  if (!override) {
    const found = installed()
    if (found !== undefined) return real(found, 'Electron is installed.')
    if (options.install !== false && download()) {
      const fetched = installed()
      if (fetched !== undefined) return real(fetched, 'Electron was downloaded.')
    }
  }
  const executable = join(standInFolder, 'electron')
  return {
    kind: 'stand-in',
    version: ELECTRON_VERSION,
    env: { ELECTRON_OVERRIDE_DIST_PATH: standInFolder, ELECTRON_EXEC_PATH: executable },
    args: [],
    executable,
    reason: override
      ? 'ELECTRON_OVERRIDE_DIST_PATH selects the stand-in.'
      : "Electron's runtime is not installed and could not be downloaded."
  }
}

function real(executable: string, reason: string): ElectronChoice {
  // Chromium refuses its own sandbox to root.
  const args = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return {
    kind: 'electron',
    version: packageVersion(),
    env: { ELECTRON_EXEC_PATH: executable },
    args,
    executable,
    reason
  }
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('electron/package.json'))
}

function packageVersion(): string {
  const found: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'))
  const version: unknown =
    typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : undefined
  return typeof version === 'string' ? version : ELECTRON_VERSION
}

/** The executable's path below `dist`, which the electron package writes down once the runtime is unpacked. */
function installedName(): string | undefined {
  const file = join(packageFolder(), 'path.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function installed(): string | undefined {
  const name = installedName()
  const path = name === undefined ? undefined : join(packageFolder(), 'dist', name)
  return path !== undefined && existsSync(path) ? path : undefined
}

function download(): boolean {
  const script = join(packageFolder(), 'install.js')
  const { status } = spawnSync(process.execPath, [script], { stdio: 'ignore', timeout: INSTALL_TIMEOUT })
  return status === 0
}
