/**
 * Builds the pages and the fake bridge for screenshots. Run once before a runner is created: a build empties its output
 * folder first.
 */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { FULL } from '../size.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Folder of the built pages. */
export const PAGES = here('../../../out/screens-page')

/** The fake bridge as one classic script, run before the scripts of the page. */
export const FAKE_BRIDGE = here('../../../out/screens-bridge/fake-bridge.iife.js')

/**
 * Builds both. Vitest calls it as the global setup of the accessibility project. There the full size has the checks of
 * Svelte's development build, which take a fifth of the time of a page, and the other size the build that ships.
 */
export async function setup(): Promise<void> {
  const { NODE_ENV } = process.env
  if (!FULL) process.env['NODE_ENV'] = 'production'
  await build({ configFile: here('./vite.config.ts'), logLevel: 'warn', build: { outDir: PAGES } })
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: here('../../../out/screens-bridge'),
      lib: { entry: here('./fake-bridge.ts'), formats: ['iife'], name: 'fakeBridge', fileName: 'fake-bridge' }
    }
  })
  if (NODE_ENV !== undefined) process.env['NODE_ENV'] = NODE_ENV
}
