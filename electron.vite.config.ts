import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { fileURLToPath } from 'node:url'
import { collectLicences } from './resources/packaging/licences/third-party.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** What every installation says about the work of others in it. */
const licences = collectLicences(here('.'), here('./out'))

/**
 * Three builds: main (ES modules); a preload for each kind of window (one CommonJS file each, since a sandboxed preload
 * may require almost nothing); and the pages. `dependencies` of package.json stay in node_modules; everything else is
 * bundled.
 */
export default defineConfig({
  main: {
    plugins: [licences()],
    build: {
      outDir: here('./out/main'),
      rolldownOptions: {
        input: { index: here('./electron/main/index.ts') },
        checks: { bundlerTimings: false }
      }
    }
  },
  preload: {
    plugins: [licences()],
    build: {
      outDir: here('./out/preload'),
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          index: here('./electron/preload/index.ts'),
          'customer-display': here('./electron/preload/customer-display.ts')
        },
        external: ['electron'],
        checks: { bundlerTimings: false },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  },
  renderer: {
    root: here('./renderer'),
    plugins: [svelte({ configFile: here('./svelte.config.js') }), licences()],
    build: {
      outDir: here('./out/renderer'),
      minify: true,
      // Fonts and icons stay files: the page's content policy allows no data: fonts.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: {
          index: here('./renderer/index.html'),
          'customer-display': here('./renderer/customer-display.html')
        },
        checks: { bundlerTimings: false }
      }
    }
  }
})
