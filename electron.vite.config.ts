import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { fileURLToPath } from 'node:url'
import { noteChunks } from './resources/packaging/chunks.ts'
import { bundledPackages } from './resources/packaging/packages.ts'
import { workerFiles } from './resources/packaging/worker-files.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Three builds: main, its worker threads and the worker that makes PDFs (ES modules), one preload for each kind of window (CommonJS in one
 * file), and the pages. Most `dependencies` of package.json are bundled; see `resources/packaging/packages.ts`.
 */
export default defineConfig(({ command }) => ({
  main: {
    plugins: [workerFiles(), noteChunks(here('.'), here('./out'))],
    build: {
      outDir: here('./out/main'),
      externalizeDeps: { exclude: [...bundledPackages(here('.'))] },
      rolldownOptions: {
        input: {
          index: here('./electron/main/index.ts'),
          'pdf-worker': here('./electron/main/slip-pdf/worker/worker-entry.ts')
        },
        checks: { bundlerTimings: false }
      }
    }
  },
  preload: {
    build: {
      outDir: here('./out/preload'),
      externalizeDeps: false,
      // A sandboxed preload cannot require a chunk that two preloads share.
      isolatedEntries: true,
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
    // `npm run dev`: main serves the page under its own origin (electron/main/platform/app-protocol.ts), so hot reload is
    // given the server's address, and its styles a nonce of the content security policy.
    server: { port: 5173, strictPort: true, hmr: { protocol: 'ws', host: 'localhost', clientPort: 5173 } },
    plugins: [svelte({ configFile: here('./svelte.config.js') })],
    ...(command === 'serve' && { html: { cspNonce: 'dev' } }),
    build: {
      outDir: here('./out/renderer'),
      minify: true,
      modulePreload: { polyfill: false },
      // Fonts and icons stay files: the content security policy forbids data: fonts.
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
}))
