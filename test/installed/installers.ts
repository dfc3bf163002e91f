/** The installers of the tests. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { PROJECT } from '../../resources/scripts/tools.ts'

/** The folder of the installers, relative to the project's folder. */
export const OUTPUT = 'out/installed'

/** The folder of the next version's installer. */
export const NEXT_OUTPUT = `${OUTPUT}/next`

/** The version that is installed first. */
export const VERSION = manifest.version

/** A later version, which is installed over it. */
export const NEXT_VERSION = VERSION.replace(/\d+$/, (patch) => String(Number(patch) + 1))

/** Returns the path of the only installer of a kind, relative to the project's folder. */
export function installerIn(folder: string, kind: 'deb' | 'AppImage'): string {
  const [file] = readdirSync(join(PROJECT, folder)).filter((name) => name.endsWith(`.${kind}`))
  if (file === undefined) throw new Error(`${folder} contains no ${kind}: see the output of electron-builder`)
  return join(folder, file)
}
