/** What the till remembers between starts: settings, the base address, the sealed token, the last profile. */
import { openSettingsFile } from './settings-file.ts'
import type { StoredSettings } from './stored.ts'

export { createTokenKeeper, type Encryption, type TokenKeeper } from './token-keeper.ts'
export { takeProvisioning } from './provisioning.ts'
export type { StoredSettings } from './stored.ts'

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
