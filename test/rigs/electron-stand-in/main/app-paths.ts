import { mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { readSwitch } from '../command-line.ts'
import { runtime } from '../runtime.ts'

const chosen = new Map<string, string>()

function appData(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
}

function userData(appName: string): string {
  const given = readSwitch(runtime.argv, 'user-data-dir')
  return given ? resolve(given) : join(getPath('appData', appName), appName)
}

const PATHS: Readonly<Record<string, (appName: string) => string>> = {
  home: () => homedir(),
  appData,
  assets: () => process.resourcesPath,
  userData,
  sessionData: (name) => getPath('userData', name),
  temp: () => tmpdir(),
  exe: () => runtime.executable,
  module: () => runtime.executable,
  desktop: () => join(homedir(), 'Desktop'),
  documents: () => join(homedir(), 'Documents'),
  downloads: () => join(homedir(), 'Downloads'),
  music: () => join(homedir(), 'Music'),
  pictures: () => join(homedir(), 'Pictures'),
  videos: () => join(homedir(), 'Videos'),
  logs: (name) =>
    process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Logs', name)
      : join(getPath('userData', name), 'logs'),
  crashDumps: (name) => join(getPath('userData', name), 'Crashpad')
}

/** @throws as Electron does for a name it does not know */
export function getPath(name: string, appName: string): string {
  const path = chosen.get(name) ?? PATHS[name]?.(appName)
  if (path === undefined) throw new Error(`Failed to get '${name}' path`)
  if (name === 'logs') mkdirSync(path, { recursive: true })
  return path
}

export function setPath(name: string, path: string): void {
  if (!isAbsolute(path)) throw new Error('Path must be absolute')
  if (!(name in PATHS)) throw new Error('Failed to set path')
  chosen.set(name, path)
}
