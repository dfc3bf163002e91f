import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { readSwitch } from '../command-line.ts'
import { runtime } from '../runtime.ts'
import { appName } from './identity.ts'

function appData(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  const chosen = process.env['XDG_CONFIG_HOME']
  return chosen === undefined || chosen === '' ? join(homedir(), '.config') : chosen
}

function userData(): string {
  const given = readSwitch(runtime.argv, 'user-data-dir')
  return given === undefined || given === '' ? join(appData(), appName()) : resolve(given)
}

const PATHS: Readonly<Record<string, () => string>> = {
  userData,
  exe: () => runtime.executable,
  documents: () => join(homedir(), 'Documents')
}

/** @throws as Electron does for a name it does not know, and for those that the stand-in lacks */
export function getPath(name: string): string {
  const path = PATHS[name]?.()
  if (path === undefined) throw new Error(`Failed to get '${name}' path`)
  return path
}
