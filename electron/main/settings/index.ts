/** The settings that the till stores between starts, in `settings.json` through electron-store. */
import Store from 'electron-store'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathExists, quarantineFile } from '../fs/quarantine.ts'
import {
  DEFAULT_SETTINGS,
  parseSettings,
  type ParsedSettings,
  type StoredSettings
} from './settings-schema.ts'

export { TokenStore, type Encryption } from './token-store.ts'
export type { StoredSettings } from './settings-schema.ts'

const NAME = 'settings'

const readSettingsFile = (file: string): ParsedSettings | undefined => {
  try {
    return parseSettings(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * The settings in memory, written to disk with each change. A file that cannot be parsed is quarantined, and the
 * defaults apply to what is missing; a folder that cannot be written leaves the till running. Nothing here throws.
 */
export class Settings {
  /** Name of the quarantined file if not all of it could be parsed at this start; otherwise null. */
  readonly quarantinedAs: string | null
  /** Whether a part of that file could be parsed. */
  readonly isPartlyRead: boolean
  readonly #folder: string
  #store: Store<StoredSettings> | undefined
  #values: StoredSettings
  #kept: boolean

  /** @param folder need not exist */
  constructor(folder: string, now: () => Date) {
    this.#folder = folder
    const file = join(folder, `${NAME}.json`)
    const exists = pathExists(file)
    const parsed = exists ? readSettingsFile(file) : undefined
    this.quarantinedAs = exists && !parsed?.isWhole ? this.#quarantine(file, now()) : null
    this.isPartlyRead = parsed?.isWhole === false
    this.#values = parsed?.values ?? DEFAULT_SETTINGS
    // The first write detects a read-only folder before a change is lost.
    this.#kept = this.#write(this.#values)
  }

  get values(): StoredSettings {
    return this.#values
  }

  /** False if the last write failed: changes last until the till closes. */
  get kept(): boolean {
    return this.#kept
  }

  /** Changes the given values and keeps the others. */
  update(change: Partial<StoredSettings>): void {
    this.#values = { ...this.#values, ...change }
    this.#kept = this.#write(this.#values)
  }

  #quarantine(file: string, now: Date): string {
    try {
      return quarantineFile(file, now)
    } catch {
      // In a read-only folder the damaged file keeps its name, and every write fails.
      return `${NAME}.json`
    }
  }

  #write(values: StoredSettings): boolean {
    try {
      this.#store ??= new Store<StoredSettings>({
        name: NAME,
        cwd: this.#folder,
        // Only the account that runs the till may read the encrypted token.
        configFileMode: 0o600,
        clearInvalidConfig: false
      })
      this.#store.store = values
      return true
    } catch {
      return false
    }
  }
}
