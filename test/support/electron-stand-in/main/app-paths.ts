import { mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { readSwitch } from '../command-line.ts'
import { runtime } from '../runtime.ts'
import { identity } from './identity.ts'

const chosen = new Map<string, string>()

function appData(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  return nonEmpty(process.env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config')
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

function userData(): string {
  const given = nonEmpty(readSwitch(runtime.argv, 'user-data-dir'))
  return given === undefined ? join(getPath('appData'), identity.name) : resolve(given)
}

const PATHS: Readonly<Record<string, () => string>> = {
  home: () => homedir(),
  appData,
  assets: () => process.resourcesPath,
  userData,
  sessionData: () => getPath('userData'),
  temp: () => tmpdir(),
  exe: () => runtime.executable,
  module: () => runtime.executable,
  desktop: () => join(homedir(), 'Desktop'),
  documents: () => join(homedir(), 'Documents'),
  downloads: () => join(homedir(), 'Downloads'),
  music: () => join(homedir(), 'Music'),
  pictures: () => join(homedir(), 'Pictures'),
  videos: () => join(homedir(), 'Videos'),
  logs: () =>
    process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Logs', identity.name)
      : join(getPath('userData'), 'logs'),
  crashDumps: () => join(getPath('userData'), 'Crashpad')
}

/** @throws as Electron does for a name it does not know */
export function getPath(name: string): string {
  const path = chosen.get(name) ?? PATHS[name]?.()
  if (path === undefined) throw new Error(`Failed to get '${name}' path`)
  if (name === 'logs') mkdirSync(path, { recursive: true })
  return path
}

export function setPath(name: string, path: string): void {
  if (!isAbsolute(path)) throw new Error('Path must be absolute')
  if (!(name in PATHS)) throw new Error('Failed to set path')
  chosen.set(name, path)
}
