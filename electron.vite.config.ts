import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { fileURLToPath } from 'node:url'
import { noteChunks } from './resources/packaging/chunks.ts'
import { bundledPackages } from './resources/packaging/packages.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The words of one language for one purpose, as `npm run messages` compiles them. */
const WORDS = /\/generated\/messages\/(?<group>[\w/-]+)\/(?<language>\w+)\.js$/u

/** What a file of the pages is called: by its purpose and language where it holds words, so that it can be told apart. */
const nameOf = ({ facadeModuleId }: { facadeModuleId?: string | null }): string => {
  const { group, language } = WORDS.exec(facadeModuleId ?? '')?.groups ?? {}
  return group && language
    ? `assets/words-${group.replaceAll('/', '-')}-${language}-[hash].js`
    : 'assets/[name]-[hash].js'
}

/** What is loaded before the first paint, in one file for each page and one for both: few files pack best. */
const FOR_BOTH_PAGES =
  /node_modules\/(?!@lucide)|vite\/preload-helper|renderer\/src\/styles\/|QrCode|contract\/(?:language|failure)/u
/** What the words of every language need: which form of a word a number takes. One file, that comes along with them. */
const WORD_RULES = /\/generated\/messages\/.*\/registry\.js$/u
const FOR_THE_TILL = /renderer\/src\/(?!customer-display)|electron\/contract|@lucide/u

/**
 * Three builds: main (ES modules), and beside it the program of the process that papers are made in; a
 * preload for each kind of window (one CommonJS file each, since a sandboxed preload may require almost nothing); and the pages. `dependencies` of package.json stay in node_modules; everything else is
 * bundled.
 */
export default defineConfig(({ command }) => ({
  main: {
    plugins: [noteChunks(here('.'), here('./out'))],
    resolve: {
      alias: [
        {
          find: /^ajv(?:-formats|\/dist\/2020\.js)$/u,
          replacement: here('./electron/main/settings/no-schema.ts')
        }
      ]
    },
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
    // `npm run dev`: main serves the page under its own origin (electron/main/platform/dev-server.ts), so hot reload is
    // given the server's address, and its styles a nonce of the content security policy.
    server: { port: 5173, strictPort: true, hmr: { protocol: 'ws', host: 'localhost', clientPort: 5173 } },
    plugins: [svelte({ configFile: here('./svelte.config.js') })],
    ...(command === 'serve' && { html: { cspNonce: 'dev' } }),
    build: {
      outDir: here('./out/renderer'),
      minify: true,
      // The pages are on this machine: nothing is gained by telling the browser what to load next.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, { hostType }) =>
          hostType === 'html' ? files : files.filter((file) => file.endsWith('.css'))
      },
      // Fonts and icons stay files: the page's content policy allows no data: fonts.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: {
          index: here('./renderer/index.html'),
          'customer-display': here('./renderer/customer-display.html')
        },
        output: {
          chunkFileNames: nameOf,
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'both', test: FOR_BOTH_PAGES, tags: ['$initial'], priority: 1 },
              { name: 'till', test: FOR_THE_TILL, tags: ['$initial'] },
              { name: 'word-rules', test: WORD_RULES }
            ]
          }
        },
        checks: { bundlerTimings: false }
      }
    }
  }
}))
