/** The settings on disk, through electron-store. Reading and writing never throw: what fails is told. */
import Store from 'electron-store'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { isThere, setAside } from '../files/set-aside.ts'
import { DEFAULT_SETTINGS, storedSettingsSchema, type StoredSettings } from './stored.ts'

/** What opening the settings file came to. */
export interface OpenedSettings {
  readonly values: StoredSettings
  /** name of the file that the unreadable settings were kept under; null when they were fine */
  readonly setAsideAs: string | null
  /** Writes all values; false when the disk refused. */
  readonly write: (values: StoredSettings) => boolean
}

const NAME = 'settings'

const read = (file: string): StoredSettings | undefined => {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const parsed = v.safeParse(storedSettingsSchema, stored)
    // To a schema of optional fields an array is an empty object.
    return parsed.success && !Array.isArray(stored) ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/**
 * Opens `<folder>/settings.json`. A file that cannot be understood is set aside and the defaults hold; a folder
 * that cannot be written leaves the till running on what it could read.
 */
export function openSettingsFile(folder: string, now: Date): OpenedSettings {
  const file = join(folder, `${NAME}.json`)
  let values = DEFAULT_SETTINGS
  let setAsideAs: string | null = null
  if (isThere(file)) {
    const stored = read(file)
    if (stored) values = stored
    else {
      try {
        setAsideAs = setAside(file, now)
      } catch {
        // Read-only folder: the damaged file stays where it is, and every write below tells.
        setAsideAs = `${NAME}.json`
      }
    }
  }

  let store: Store<StoredSettings> | undefined
  const write = (next: StoredSettings): boolean => {
    try {
      store ??= new Store<StoredSettings>({
        name: NAME,
        cwd: folder,
        // Only the account that runs the till may read the token's ciphertext.
        configFileMode: 0o600,
        clearInvalidConfig: false
      })
      store.store = next
      return true
    } catch {
      return false
    }
  }
  return { values, setAsideAs, write }
}
