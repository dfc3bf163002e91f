/**
 * Builds what every studio shows: the pages alone, and the fake bridge. To be done once before studios open: a build
 * empties its folder first, so a studio beside it would find no page.
 */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Folder of the built pages. */
export const PAGES = here('../../../out/screens-page')

/** The fake bridge as one plain script, for a page that knows no modules of ours. */
export const FAKE_BRIDGE = here('../../../out/screens-bridge/fake-bridge.iife.js')

/** Builds both. Vitest calls it before the first test of its project. */
export async function setup(): Promise<void> {
  await build({ configFile: here('./vite.config.ts'), logLevel: 'warn', build: { outDir: PAGES } })
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: here('../../../out/screens-bridge'),
      lib: { entry: here('./fake-bridge.ts'), formats: ['iife'], name: 'fakeBridge', fileName: 'fake-bridge' }
    }
  })
}
