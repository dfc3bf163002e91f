/**
 * Which npm packages the installed app contains, and how. Everything in `dependencies` of package.json is in the app: most
 * packages are bundled into `out/`, the ones below are packed as folders.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'

/** Packages that read data files, WebAssembly or native code beside their code, or run a program: they cannot be bundled. */
export const EXTERNAL_PACKAGES: readonly string[] = [
  '@hyzyla/pdfium',
  '@serialport/bindings-cpp',
  'fflate',
  'fontkit',
  'harfbuzzjs',
  'pdf-to-printer',
  'pdfkit'
]

const manifestSchema = v.object({
  name: v.string(),
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
  optionalDependencies: v.optional(v.record(v.string(), v.string()), {})
})

const manifestOf = (folder: string): v.InferOutput<typeof manifestSchema> =>
  v.parse(manifestSchema, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

/** Returns the folder that Node resolves a package to from `from`; undefined when it is not installed. */
export function resolvePackage(from: string, name: string): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(from)
  return parent === from ? undefined : resolvePackage(parent, name)
}

/**
 * Returns the folders of the named packages and of everything that they depend on.
 * @param project the project's folder
 * @throws when one is not installed, optional dependencies apart
 */
export function packageFolders(project: string, names: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  const add = (from: string, name: string, optional: boolean): void => {
    const folder = resolvePackage(from, name)
    if (folder === undefined) {
      if (optional) return
      throw new Error(`${name}, a dependency of ${from}, is not installed`)
    }
    if (folders.has(folder)) return
    folders.add(folder)
    const { dependencies, optionalDependencies } = manifestOf(folder)
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      add(folder, dependency, dependency in optionalDependencies)
    }
  }
  for (const name of names) add(project, name, false)
  return folders
}

/** Returns the `dependencies` that are bundled. */
export const bundledPackages = (project: string): readonly string[] =>
  Object.keys(manifestOf(project).dependencies).filter((name) => !EXTERNAL_PACKAGES.includes(name))

/** A package's name by its folder. */
export const packageName = (folder: string): string =>
  folder.replaceAll('\\', '/').split('/node_modules/').at(-1) ?? folder

/**
 * Returns the names of the packages that are bundled, or only needed by bundled ones: electron-builder would pack them a
 * second time, as folders.
 */
export function unpackedPackages(project: string): readonly string[] {
  const external = new Set([...packageFolders(project, EXTERNAL_PACKAGES)].map(packageName))
  const bundled = new Set([...packageFolders(project, bundledPackages(project))].map(packageName))
  return [...bundled].filter((name) => !external.has(name))
}
