/** Bundles the points service with its npm packages into scripts for Node. */
import { relative, resolve, sep } from 'node:path'
import { build, type Plugin } from 'vite'
import { PROJECT } from '../../scripts/tools.ts'

/** Returns the folder of the npm package that a module belongs to; null for the project's own modules. */
const packageFolder = (module: string): string | null =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(module.split(sep).join('/'))?.[0] ?? null

/** The scripts, and what they start with: the command line, and the thread that decodes a logo. */
const ENTRIES = {
  'main.mjs': 'electron/service/cli/main.ts',
  'logo-worker.mjs': 'electron/service/domain/logo-worker.ts'
}

/**
 * Writes each script with a `.map`, by which Node names the lines of the sources. The code is not minified. Resolves with the
 * folders of the npm packages inside.
 */
export async function bundleService(output: string): Promise<ReadonlySet<string>> {
  const folders = new Set<string>()
  const notePackages: Plugin = {
    name: 'note-packages',
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue
        for (const module of file.moduleIds) {
          const folder = packageFolder(module)
          if (folder !== null) folders.add(folder)
        }
      }
    }
  }
  for (const [script, entry] of Object.entries(ENTRIES)) {
    await build({
      root: PROJECT,
      configFile: false,
      logLevel: 'warn',
      plugins: [notePackages],
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: output,
        emptyOutDir: false,
        target: 'node24',
        minify: false,
        sourcemap: true,
        rolldownOptions: {
          // An optional part of pg in C, which is not installed.
          external: ['pg-native'],
          // One file each: an upgrade replaces it while the service runs, which may not read another part afterwards.
          output: {
            codeSplitting: false,
            entryFileNames: script,
            sourcemapExcludeSources: true,
            // As in the project, and not as on the machine that builds.
            sourcemapPathTransform: (source) => relative(PROJECT, resolve(output, source))
          }
        }
      }
    })
  }
  return folders
}
