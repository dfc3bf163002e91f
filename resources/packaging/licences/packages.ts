/** Which npm packages are in the till: those bundled into `out/`, and those packed beside it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import * as v from 'valibot'

const manifestSchema = v.object({
  name: v.string(),
  version: v.string(),
  license: v.optional(v.string()),
  author: v.optional(v.union([v.string(), v.object({ name: v.string() })])),
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
  optionalDependencies: v.optional(v.record(v.string(), v.string()), {})
})

/** What a package.json says of its package. */
export type Manifest = v.InferOutput<typeof manifestSchema>

/** Reads the package.json of a package's folder. @throws when it is not one */
export const manifestOf = (folder: string): Manifest =>
  v.parse(manifestSchema, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

const NODE_MODULES = `${sep}node_modules${sep}`

/** The folder of the package that a bundled module comes from; undefined for the till's own modules. */
export function packageFolderOf(moduleId: string): string | undefined {
  // A bundler's own modules begin with a zero byte, and a query may follow the path.
  const path = moduleId.replace(/^\0/, '').replace(/\?.*$/, '')
  const at = path.lastIndexOf(NODE_MODULES)
  if (at === -1) return undefined
  const inside = path.slice(at + NODE_MODULES.length).split(sep)
  const name = inside.slice(0, inside[0]?.startsWith('@') ? 2 : 1)
  const folder = path.slice(0, at) + NODE_MODULES + name.join(sep)
  return existsSync(join(folder, 'package.json')) ? folder : undefined
}

const installed = (from: string, name: string): string | undefined => {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(from)
  return above === from ? undefined : installed(above, name)
}

/** The folders of a project's `dependencies` and of all that these depend on. @throws when one is not installed */
export function dependencyFolders(project: string): Set<string> {
  const found = new Set<string>()
  const visit = (folder: string): void => {
    const { dependencies, optionalDependencies } = manifestOf(folder)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const dependency = installed(folder, name)
      if (dependency === undefined) {
        if (name in optionalDependencies) continue
        throw new Error(`${name}, a dependency of ${folder}, is not installed`)
      }
      if (found.has(dependency)) continue
      found.add(dependency)
      visit(dependency)
    }
  }
  visit(project)
  return found
}
