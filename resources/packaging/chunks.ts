/** Records the modules in each script of main, so that tests can derive from the files read at start what was loaded. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'

/** The modules of each script by its path in `out/main`; a module by its path in the project, with its bytes. */
type ChunkModules = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A path in the project with forward slashes, without the mark and the question that bundlers put around it. */
const nameOf = (id: string, project: string): string =>
  relative(project, id.replace(/^\0/, '').replace(/\?.*$/, '')).split(sep).join('/')

/**
 * A plugin for main's build.
 * @param project the project's folder
 * @param output where `chunks.json` goes, a `ChunkModules`; it is not packed
 */
export const noteChunks = (project: string, output: string): Plugin => ({
  name: 'chunk-modules',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []))
    const modules: ChunkModules = Object.fromEntries(
      chunks.map(({ fileName, modules }) => [
        fileName,
        Object.fromEntries(
          Object.entries(modules).flatMap(([id, { renderedLength }]) =>
            renderedLength > 0 ? [[nameOf(id, project), renderedLength]] : []
          )
        )
      ])
    )
    mkdirSync(output, { recursive: true })
    writeFileSync(join(output, 'chunks.json'), JSON.stringify(modules, null, 2))
  }
})
