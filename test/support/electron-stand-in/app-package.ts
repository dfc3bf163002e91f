import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { unpackAsar } from './asar.ts'

/** The app to run: its folder, its main script, and what its package.json says of it. */
export interface AppPackage {
  readonly directory: string
  readonly main: string
  readonly name: string | undefined
  readonly version: string | undefined
  /** true when the app lies in `resources/` beside the executable, as a packaged app does */
  readonly packaged: boolean
}

/**
 * Finds the app as Electron does: what lies in `resources/` beside the executable wins over the command line's path.
 * @param onlyAsar the fuse of that name: the archive, or no app at all
 * @throws when there is no app
 */
export function findApp(executable: string, path: string | undefined, onlyAsar: boolean): AppPackage {
  const resources = join(dirname(executable), 'resources')
  const archive = join(resources, 'app.asar')
  if (existsSync(archive)) {
    const folder = unpackAsar(archive)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return readApp(folder, true)
  }
  if (onlyAsar) throw new Error(`electron stand-in: there is no app at ${archive}`)
  const folder = join(resources, 'app')
  if (existsSync(join(folder, 'package.json'))) return readApp(folder, true)
  return readApp(resolve(path ?? '.'), false)
}

function readApp(path: string, packaged: boolean): AppPackage {
  if (!existsSync(path)) throw new Error(`electron stand-in: there is no app at ${path}`)
  const isFolder = statSync(path).isDirectory()
  const directory = isFolder ? path : dirname(path)
  const file = join(directory, 'package.json')
  const found: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const text = (key: string): string | undefined => {
    const value: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined
    return typeof value === 'string' ? value : undefined
  }
  return {
    directory,
    main: isFolder ? resolve(directory, text('main') ?? 'index.js') : path,
    name: (text('productName') ?? text('name'))?.trim(),
    version: text('version'),
    packaged
  }
}
