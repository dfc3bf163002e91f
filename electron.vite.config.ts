import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Three builds: main (ES modules), preload (one CommonJS file, since a sandboxed preload may require almost
 * nothing), and the page. `dependencies` of package.json stay in node_modules; everything else is bundled.
 */
export default defineConfig({
  main: {
    build: {
      outDir: here('./out/main'),
      rolldownOptions: { input: { index: here('./electron/main/index.ts') } }
    }
  },
  preload: {
    build: {
      outDir: here('./out/preload'),
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: here('./electron/preload/index.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  },
  renderer: {
    root: here('./renderer'),
    plugins: [svelte({ configFile: here('./svelte.config.js') })],
    build: {
      outDir: here('./out/renderer'),
      minify: true,
      // Fonts and icons stay files: the page's content policy allows no data: fonts.
      assetsInlineLimit: 0,
      rolldownOptions: { input: here('./renderer/index.html'), checks: { bundlerTimings: false } }
    }
  }
})
