/** Lint rules on the modules of the product: no import cycles, and no exported name in two files. */
import type { Rule } from 'eslint'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface Module {
  readonly modified: number
  /** full paths of the modules that it imports, type imports included */
  readonly imports: readonly string[]
  /** names of its exported declarations */
  readonly exports: readonly string[]
}

/** `from './x.ts'` and `import './x.ts'`. An import() runs later, so that it closes no cycle. */
const STATIC_IMPORT = /(?:\bfrom|^\s*import)\s+'(\.[^']+)'/gmu
const EXPORTED_NAME =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gmu

const modules = new Map<string, Module>()

/** Reads a module; a cached one is read again after it changed, for editors that keep the linter running. */
function readModule(file: string): Module {
  const cached = modules.get(file)
  const modified = statSync(file).mtimeMs
  if (cached?.modified === modified) return cached
  const text = readFileSync(file, 'utf8')
  const imports = [...text.matchAll(STATIC_IMPORT)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => /\.(?:ts|svelte)$/u.test(path) && existsSync(path))
  const names = [...text.matchAll(EXPORTED_NAME)].map(([, name = '']) => name)
  const module = { modified, imports, exports: [...new Set(names)] }
  modules.set(file, module)
  return module
}

/** Returns the modules on the shortest way from `start` back to itself, or null. */
function findCycle(start: string): readonly string[] | null {
  const importedBy = new Map<string, string>()
  const queue = [start]
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const imported of readModule(file).imports) {
      if (imported === start) {
        const cycle = [file]
        for (let by = importedBy.get(file); by !== undefined; by = importedBy.get(by)) cycle.unshift(by)
        return [...cycle, start]
      }
      if (importedBy.has(imported)) continue
      importedBy.set(imported, file)
      queue.push(imported)
    }
  }
  return null
}

/** Reports a module that imports itself through others. `import-x/no-cycle` would ignore type imports. */
export const noImportCycle: Rule.RuleModule = {
  create(context) {
    return {
      Program(node) {
        const cycle = findCycle(context.filename)
        if (cycle === null) return
        const names = cycle.map((file) => relative(context.cwd, file)).join(' → ')
        context.report({ node, message: `Import cycle: ${names}` })
      }
    }
  }
}

/** Reports an exported name that another module of the given folders exports, too. Option: the folders. */
export const uniqueExportedNames: Rule.RuleModule = {
  meta: { schema: [{ type: 'array', items: { type: 'string' } }] },
  create(context) {
    const [folders = []] = context.options as readonly (readonly string[])[]
    return {
      Program(node) {
        const own = readModule(context.filename).exports
        for (const file of globSync(
          folders.map((folder) => `${folder}/**/*.ts`),
          { cwd: context.cwd }
        )) {
          const path = join(context.cwd, file)
          if (path === context.filename) continue
          for (const name of readModule(path).exports) {
            if (own.includes(name)) context.report({ node, message: `${file} exports ${name}, too` })
          }
        }
      }
    }
  }
}
