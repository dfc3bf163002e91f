/** Builds the worker threads of main, each into a file of its own. */
import { dirname, join, posix } from 'node:path'
import type { Plugin } from 'vite'

const WORKER_URL = /new URL\('(\.\/[\w-]+-worker\.ts)', import\.meta\.url\)/g
const BUILT_URL = /new URL\(['"`]built-worker:([\w$-]+)['"`], import\.meta\.url\)/g

/** A plugin for main's build: the address of a file beside a module, whose name ends with `-worker`, becomes that of the built one. */
export const workerFiles = (): Plugin => ({
  name: 'worker-files',
  apply: 'build',
  // Before quotation marks change.
  enforce: 'pre',
  transform(code, id) {
    return code.replaceAll(WORKER_URL, (_, path: string) => {
      const reference = this.emitFile({ type: 'chunk', id: join(dirname(id), path) })
      return `new URL('built-worker:${reference}', import.meta.url)`
    })
  },
  renderChunk(code, { fileName }) {
    return code.replaceAll(BUILT_URL, (_, reference: string) => {
      const path = posix.relative(posix.dirname(fileName), this.getFileName(reference))
      return `new URL('./${path}', import.meta.url)`
    })
  }
})
