/** What main has loaded when it opens its first window: its own scripts, and the modules that they were made of. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { launchOf } from '../e2e/support/till.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'

const PRELOADED = join(PROJECT, 'test/bench/note-modules.cjs')

/** What loaded is told by the file that it came from. */
export interface BeforeWindow {
  /** scripts of `out/main`, by their paths in it */
  readonly scripts: readonly string[]
  /** modules that those scripts were made of, by their paths in the project */
  readonly modules: readonly string[]
  /** kilobytes of those modules, before anything is minified */
  readonly kilobytes: number
  /** packages that were loaded from `node_modules` */
  readonly packages: readonly string[]
  /** modules of Node that are worth a name: `node:sqlite` */
  readonly ofNode: readonly string[]
}

const notedSchema = v.object({ loaded: v.array(v.string()), builtIn: v.array(v.string()) })
const chunksSchema = v.record(v.string(), v.record(v.string(), v.number()))

/** Parts of Node that the till opens when they are first used. */
const LATE_OF_NODE = ['sqlite']

/** Starts an app in `folder`, and ends it when it opens its first window. Rejects when it opens none. */
async function notedIn(folder: string, appFolder: string | undefined) {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'modules.json')
  const { executablePath, args, env } = launchOf({
    userData: join(folder, 'data'),
    ...(appFolder !== undefined && { appFolder }),
    env: { TILLPOINTS_BENCH_MODULES: file }
  })
  const app = spawn(executablePath, ['--require', PRELOADED, ...args], { cwd: PROJECT, env, stdio: 'ignore' })
  await once(app, 'exit')
  return v.parse(v.pipe(v.string(), v.parseJson(), notedSchema), await readFile(file, 'utf8'))
}

/**
 * Starts the built till, or another app, and tells what main loaded before the window.
 * @param folder one that may be written
 */
export async function modulesBeforeWindow(folder: string, appFolder?: string): Promise<BeforeWindow> {
  const { loaded, builtIn } = await notedIn(folder, appFolder)
  const files = loaded.flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
  const below = (root: string): string[] =>
    files.flatMap((path) => (path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : []))
  const scripts = below(join(PROJECT, 'out/main'))
  const chunks = v.parse(
    v.pipe(v.string(), v.parseJson(), chunksSchema),
    await readFile(join(PROJECT, 'out/chunks.json'), 'utf8')
  )
  const modules = scripts.flatMap((script) => Object.entries(chunks[script] ?? {}))
  const packages = below(join(PROJECT, 'node_modules')).map(
    (path) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path
  )
  return {
    scripts,
    modules: modules.map(([name]) => name),
    kilobytes: modules.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000,
    packages: [...new Set(packages)],
    ofNode: LATE_OF_NODE.filter(
      (name) => builtIn.includes(`NativeModule ${name}`) || loaded.includes(`node:${name}`)
    )
  }
}

/** Packages and rooms that the till loads when they are first used. */
const LATE =
  /^(node_modules\/)?(ajv|ajv-formats|pdfkit|fontkit|harfbuzzjs|@hyzyla\/pdfium|qrcode|zxing-wasm|bidi-js|linebreak|jpeg-js|pngjs|fflate|hono|electron-updater|@point-of-sale\/[^/]+)(\/|$)|^electron\/main\/(slips|printing|training|diagnostics)\//

/** Small parts of those rooms that others need: an error's class, a type's schema. */
const SHARED = /\/(cannot-scan|unreadable-pdf)\.ts$/

/** What of it should not have been loaded yet. */
export const tooEarly = ({ modules, packages, ofNode }: BeforeWindow): string[] => [
  ...[...modules, ...packages].filter((name) => LATE.test(name) && !SHARED.test(name)),
  ...ofNode
]
