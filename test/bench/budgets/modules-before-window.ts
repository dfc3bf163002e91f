/** Lists what main has loaded when it opens its first window: its scripts, and the modules bundled into them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { launchOf } from '../../e2e/support/till.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const PRELOADED = join(PROJECT, 'test/bench/budgets/note-modules.cjs')

/** Loaded files, by kind. */
export interface BeforeWindow {
  /** scripts of `out/main`, by their paths in it */
  readonly scripts: readonly string[]
  /** modules bundled into those scripts, by their paths in the project */
  readonly modules: readonly string[]
  /** kilobytes of those modules, before anything is minified */
  readonly kilobytes: number
  /** packages that were loaded from `node_modules` */
  readonly packages: readonly string[]
  /** built-in modules of Node, such as `sqlite` */
  readonly builtIns: readonly string[]
}

const notedSchema = v.object({ loaded: v.array(v.string()), builtIn: v.array(v.string()) })
const chunksSchema = v.record(v.string(), v.record(v.string(), v.number()))

/** Modules of Node that are looked for. */
const BUILT_INS = ['sqlite']

/** Starts an app, which ends when it opens its first window. Rejects when it opens none. */
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
 * Starts the built app, or another one, and returns what main loaded before the window.
 * @param folder a writable folder
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
    builtIns: BUILT_INS.filter(
      (name) => builtIn.includes(`NativeModule ${name}`) || loaded.includes(`node:${name}`)
    )
  }
}

/** Packages and modules of Node that services load on first use. */
const LOADED_ON_FIRST_USE =
  /^(?:node_modules\/)?(?:pdfkit|fontkit|harfbuzzjs|@hyzyla\/pdfium|hono|@hono\/node-server|@valibot\/to-json-schema|electron\/main\/local-interface|electron-updater|sqlite)(?:\/|$)/u

/** Returns what was loaded before the window although it belongs to services that are opened on first use. */
export const loadedTooEarly = ({ modules, packages, builtIns }: BeforeWindow): string[] =>
  [...modules, ...packages, ...builtIns].filter((name) => LOADED_ON_FIRST_USE.test(name))
