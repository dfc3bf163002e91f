/** What the till remembers between starts: settings, the base address, the sealed token, the last profile. */
import Store from 'electron-store'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathExists, quarantineFile } from '../fs/quarantine.ts'
import { DEFAULT_SETTINGS, readStored, type ReadSettings, type StoredSettings } from './settings-schema.ts'

export { createTokenKeeper, type Encryption, type TokenKeeper } from './token-store.ts'
export { takeProvisioning } from './provisioning.ts'
export type { StoredSettings } from './settings-schema.ts'

/** The settings in memory, written through to disk. */
export interface Settings {
  readonly values: StoredSettings
  /** Name of the file that settings were kept under which could not all be read at this start; null: they were fine. */
  readonly setAsideAs: string | null
  /** Whether what could be read of those holds. */
  readonly isPartlyRead: boolean
  /** False once the disk has refused a write: changes last until the till closes. */
  readonly kept: boolean
  /** Changes some values and keeps the others. */
  update(change: Partial<StoredSettings>): void
}

/** Opens the settings in `folder`, which need not exist. Never throws. */
export function createSettings(folder: string, now: () => Date): Settings {
  const file = openSettingsFile(folder, now())
  let values = file.values
  // Written once at start, so that a folder that cannot be written is known before something is lost.
  let kept = file.write(values)
  return {
    get values() {
      return values
    },
    setAsideAs: file.setAsideAs,
    isPartlyRead: file.isPartlyRead,
    get kept() {
      return kept
    },
    update(change) {
      values = { ...values, ...change }
      kept = file.write(values)
    }
  }
}

/* from settings-file.ts: The settings on disk, through electron-store. Reading and writing never throw: what fails is told. */

/** What opening the settings file came to. */
interface OpenedSettings {
  readonly values: StoredSettings
  /** name of the file that settings were kept under which could not all be read; null when they were fine */
  readonly setAsideAs: string | null
  /** whether what could be read of those holds, and only the rest has its defaults */
  readonly isPartlyRead: boolean
  /** Writes all values; false when the disk refused. */
  readonly write: (values: StoredSettings) => boolean
}

const NAME = 'settings'

const read = (file: string): ReadSettings | undefined => {
  try {
    return readStored(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * Opens `<folder>/settings.json`. A file that cannot be understood is set aside, and the defaults hold for what could
 * not be read of it; a folder that cannot be written leaves the till running on what it could read.
 */
function openSettingsFile(folder: string, now: Date): OpenedSettings {
  const file = join(folder, `${NAME}.json`)
  let stored: ReadSettings | undefined
  let setAsideAs: string | null = null
  if (pathExists(file)) {
    stored = read(file)
    if (!stored?.isWhole) {
      try {
        setAsideAs = quarantineFile(file, now)
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
  return {
    values: stored?.values ?? DEFAULT_SETTINGS,
    setAsideAs,
    isPartlyRead: stored?.isWhole === false,
    write
  }
}
