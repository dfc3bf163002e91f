import type { AppPackage } from './app-package.ts'
import type { CommandLine } from './command-line.ts'
import type { Connection } from './chromium/connection.ts'
import type { Chromium } from './chromium/launch.ts'

/** The release of Electron whose API the stand-in follows. */
export const ELECTRON_VERSION = '45.4.1'

/** Facts about this one process that many modules need; boot.ts fills them in before the app's code runs. */
export interface Runtime {
  commandLine: CommandLine
  app: AppPackage
  /** the path used as Electron's executable */
  executable: string
  /** process.argv as Electron shows it, before any module changed it */
  argv: readonly string[]
  /** true once Chromium runs and `ready` is being emitted */
  ready: boolean
  chromium: Chromium | undefined
}

const unset: Partial<Runtime> = { ready: false, chromium: undefined }

/** @throws when read before boot.ts filled it in */
export const runtime: Runtime = new Proxy(unset as Runtime, {
  get(target, key: keyof Runtime) {
    if (key in target) return target[key]
    throw new Error(`electron stand-in: runtime.${key} was read before the start`)
  }
})

/** The running Chromium. @throws when it does not run yet */
export function runningChromium(): Chromium {
  if (!runtime.chromium) throw new Error('electron stand-in: Chromium does not run yet')
  return runtime.chromium
}

/** The connection to the running Chromium. @throws when it does not run yet */
export function chromium(): Connection {
  return runningChromium().connection
}
