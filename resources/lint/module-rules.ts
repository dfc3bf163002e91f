/** Lint rules on the modules of the product: no import cycles, and no exported name in two files. */
import type { Rule } from 'eslint'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface Import {
  readonly path: string
  /** imported for its types alone: nothing of it is there at run time */
  readonly isType: boolean
}

interface Module {
  readonly imports: readonly Import[]
  /** names of its exported declarations */
  readonly exports: ReadonlySet<string>
}

/** `import … from './x.ts'`, `export … from './x.ts'` and `import './x.ts'`. An import() runs later, so that it closes no cycle. */
const STATIC_IMPORT = /^\s*(?:(?:import|export)( type)?\s[^'"=;(]*?\bfrom|import)\s+'(\.[^']+)'/gmu
const EXPORTED_NAME =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gmu

/** By full path. Each module is read once, and again when it is linted: editors keep the linter running. */
const modules = new Map<string, Module>()
/** The files that have, or had, an exported declaration of this name. */
const exporters = new Map<string, Set<string>>()

function parseModule(file: string, text: string): Module {
  const imports = [...text.matchAll(STATIC_IMPORT)]
    .map(([, type, path = '']) => ({ path: join(dirname(file), path), isType: type !== undefined }))
    .filter(({ path }) => /\.(?:ts|svelte)$/u.test(path) && existsSync(path))
  const exports = new Set([...text.matchAll(EXPORTED_NAME)].map(([, name = '']) => name))
  const module = { imports, exports }
  modules.set(file, module)
  for (const name of exports) {
    const files = exporters.get(name) ?? new Set()
    exporters.set(name, files.add(file))
  }
  return module
}

const readModule = (file: string): Module =>
  modules.get(file) ?? parseModule(file, readFileSync(file, 'utf8'))

/** Returns the modules on the shortest way from `start` back to itself, or null. */
function findCycle(start: string, withTypes: boolean): readonly string[] | null {
  const importedBy = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const { path, isType } of readModule(file).imports) {
      if (isType && !withTypes) continue
      if (path === start) {
        const cycle = [file]
        for (let by = importedBy.get(file); by !== undefined; by = importedBy.get(by)) cycle.unshift(by)
        return [...cycle, start]
      }
      if (importedBy.has(path)) continue
      importedBy.set(path, file)
      queue.push(path)
    }
  }
  return null
}

/** Reports a module that imports itself through others. Option `values`: cycles of type imports are allowed. */
export const noImportCycle: Rule.RuleModule = {
  meta: { schema: [{ enum: ['values'] }] },
  create(context) {
    return {
      Program(node) {
        parseModule(context.filename, context.sourceCode.text)
        const cycle = findCycle(context.filename, context.options[0] !== 'values')
        if (cycle === null) return
        const names = cycle.map((file) => relative(context.cwd, file)).join(' → ')
        context.report({ node, message: `Import cycle: ${names}` })
      }
    }
  }
}

/** The modules of the folders, by the patterns and the current folder. */
const listed = new Map<string, ReadonlySet<string>>()

function listModules(folders: readonly string[], cwd: string): ReadonlySet<string> {
  const key = JSON.stringify([cwd, folders])
  const known = listed.get(key)
  if (known !== undefined) return known
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd }
  ).map((file) => join(cwd, file))
  for (const file of files) readModule(file)
  const all = new Set(files)
  listed.set(key, all)
  return all
}

/** Reports an exported name that another module of the given folders exports, too. Option: the folders. */
export const uniqueExportedNames: Rule.RuleModule = {
  meta: { schema: [{ type: 'array', items: { type: 'string' } }] },
  create(context) {
    const [folders = []] = context.options as readonly (readonly string[])[]
    return {
      Program(node) {
        const files = listModules(folders, context.cwd)
        for (const name of parseModule(context.filename, context.sourceCode.text).exports) {
          for (const file of exporters.get(name) ?? []) {
            if (file === context.filename || !files.has(file) || !readModule(file).exports.has(name)) continue
            context.report({ node, message: `${relative(context.cwd, file)} exports ${name}, too` })
          }
        }
      }
    }
  }
}

export default {
  meta: { name: 'modules' },
  rules: { 'no-import-cycle': noImportCycle, 'unique-exported-names': uniqueExportedNames }
}
