/**
 * The settings that the till stores between starts, in `settings.json` through electron-store; the languages that follow
 * from them; and the encryption of the token.
 */
import type { SafeStorage } from 'electron'
import Store from 'electron-store'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Language } from '../../contract/language.ts'
import { settingIn, type SettingName, SETTINGS, withSetting } from '../../contract/settings.ts'
import { errorCode, retryWhileInUse, UnreadableFileError } from '../fs/atomic-write.ts'
import { pathExists, quarantineFile } from '../fs/quarantine.ts'
import {
  DEFAULT_SETTINGS,
  type ParsedSettings,
  parseSettings,
  type SealedToken,
  type StoredPolicy,
  type StoredSettings,
  type StoredStaff
} from './settings-schema.ts'

export type {
  CashierErasure,
  PinHash,
  StoredCashier,
  StoredSettings,
  StoredStaff
} from './settings-schema.ts'

const NAME = 'settings'

/** The errors of what can never be read: a link to nowhere or to itself, a folder, a file that is longer than any text. */
const NO_TEXT = new Set(['ENOENT', 'ELOOP', 'EISDIR', 'ERR_STRING_TOO_LONG', 'ERR_FS_FILE_TOO_LARGE'])

/** Returns the text of a file; empty if it can never be read, null if it does not exist. */
function readText(file: string): string | null {
  try {
    return retryWhileInUse(() => (pathExists(file) ? readFileSync(file, 'utf8') : null))
  } catch (error) {
    if (NO_TEXT.has(errorCode(error))) return ''
    throw new UnreadableFileError(file, error)
  }
}

function parseText(text: string): ParsedSettings | undefined {
  try {
    return parseSettings(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the names of settings for which a policy has values. */
const namesIn = (values: StoredPolicy['locked'] = {}): SettingName[] =>
  [...SETTINGS.keys()].filter((name) => Object.hasOwn(values, name))

/** Returns the settings with what the policy locks. */
const withLocks = (own: StoredSettings): StoredSettings =>
  namesIn(own.policy?.locked).reduce(
    (settings, name) => withSetting(settings, name, own.policy?.locked[name]),
    own
  )

/**
 * The settings in memory, written to disk with each change. A file that cannot be parsed is quarantined, and the
 * defaults apply to what is missing; a folder that cannot be written leaves the till running. Only the constructor throws.
 *
 * What a policy locks counts instead of the till's own value, which is kept: it counts again without the lock.
 */
export class Settings {
  /** Name of the quarantined file if not all of it could be parsed at this start; otherwise null. */
  readonly quarantinedAs: string | null
  /** Whether a part of that file could be parsed. */
  readonly isPartlyRead: boolean
  readonly #folder: string
  #store: Store<StoredSettings> | undefined
  /** as in the file */
  #own: StoredSettings
  #values: StoredSettings
  #kept: boolean
  /** false while a damaged file has the name of the settings */
  #mayWrite = true

  /**
   * @param folder need not exist
   * @throws UnreadableFileError if there is a file whose settings are not known: with the defaults, everybody could do
   * what its managers may
   */
  constructor(folder: string) {
    this.#folder = folder
    const file = join(folder, `${NAME}.json`)
    const text = readText(file)
    const parsed = text === null ? undefined : parseText(text)
    this.quarantinedAs = text !== null && !parsed?.isWhole ? this.#quarantine(file) : null
    this.isPartlyRead = parsed?.isWhole === false
    this.#own = parsed?.values ?? DEFAULT_SETTINGS
    this.#values = withLocks(this.#own)
    // The first write detects a read-only folder before a change is lost.
    this.#kept = this.#write(this.#own)
  }

  get values(): StoredSettings {
    return this.#values
  }

  /** False if the last write failed: changes last until the till closes. */
  get kept(): boolean {
    return this.#kept
  }

  /** Changes the given values and keeps the others. What the policy locks is not changed. */
  update(change: Partial<StoredSettings>): void {
    const before = this.#own
    const changed = { ...before, ...change }
    this.#replace(
      namesIn(before.policy?.locked).reduce(
        (settings, name) => withSetting(settings, name, settingIn(before, name)),
        changed
      )
    )
  }

  /**
   * Puts a policy in force, or none. Where a setting still has the default of before, it gets the new one. A policy that
   * says the same keeps its time.
   */
  applyPolicy(policy: StoredPolicy | null): void {
    const { policy: before } = this.#own
    if (before && policy && isDeepStrictEqual({ ...before, since: '' }, { ...policy, since: '' })) return
    if (before === policy) return
    const defaultIn = (from: StoredPolicy | null, name: SettingName): unknown =>
      from && Object.hasOwn(from.defaults, name) ? from.defaults[name] : SETTINGS.get(name)?.standard
    const untouched = [...SETTINGS.keys()].filter((name) =>
      isDeepStrictEqual(settingIn(this.#own, name), defaultIn(before, name))
    )
    this.#replace(
      untouched.reduce((settings, name) => withSetting(settings, name, defaultIn(policy, name)), {
        ...this.#own,
        policy
      })
    )
  }

  #replace(own: StoredSettings): void {
    this.#own = own
    this.#values = withLocks(own)
    this.#kept = this.#write(own)
  }

  #quarantine(file: string): string {
    try {
      return quarantineFile(file, new Date())
    } catch {
      // In a read-only folder, and while another program has it open, the damaged file keeps its name.
      this.#mayWrite = false
      return `${NAME}.json`
    }
  }

  #write(values: StoredSettings): boolean {
    if (!this.#mayWrite) return false
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

/** The languages of the till: that of its screen, and that of its slips. */
export class Languages {
  readonly #settings: Pick<Settings, 'values'>
  readonly #system: Language

  /** @param system used until a language is chosen */
  constructor(settings: Pick<Settings, 'values'>, system: Language) {
    this.#settings = settings
    this.#system = system
  }

  /** of the screen, the dialogs, exports, and the requests to the service */
  get screen(): Language {
    return this.#settings.values.language ?? this.#system
  }

  /** of the slips: the screen's unless another one is chosen */
  get slip(): Language {
    return this.#settings.values.slipLanguage ?? this.screen
  }
}

/** How the till connects without questions. */
export interface ProvisionedConnection {
  readonly baseUrl: string
  /** empty if there is none, or if its file cannot be read */
  readonly token: string
  /** whether each start can read the token again, so that it need not be stored */
  readonly isTokenInFile?: boolean
  /** trades for a token where there is none */
  readonly pairingCode?: string
  /** whether the till has to leave any other service */
  readonly isLocked?: boolean
}

export type SealResult =
  { readonly kind: 'sealed'; readonly sealed: SealedToken } | { readonly kind: 'no-encryption' }

/** The part of Electron's safeStorage that is used. */
export type Encryption = Pick<
  SafeStorage,
  | 'getSelectedStorageBackend'
  | 'isAsyncEncryptionAvailable'
  | 'setUsePlainTextEncryption'
  | 'encryptStringAsync'
  | 'decryptStringAsync'
>

/**
 * The prefix of what Chromium encrypted with its fixed key on Linux; `v11` is the keyring's key
 * (components/os_crypt/async/browser/posix_key_provider.cc).
 */
const FIXED_KEY_PREFIX = 'v10'

/**
 * Encrypts the token of the business with the operating system (Electron's safeStorage). On Linux without a keyring
 * Chromium encrypts with a fixed key that is in its source: that is refused unless the manager accepts it.
 */
export class TokenStore {
  readonly #encryption: Encryption
  readonly #platform: NodeJS.Platform

  constructor(encryption: Encryption, platform: NodeJS.Platform) {
    this.#encryption = encryption
    this.#platform = platform
  }

  /**
   * Encrypts `token`; with `acceptWeak` also where the system has no key of its own. Whether it has one shows only in
   * the ciphertext: Electron reports a keyring also when the desktop has one that does not answer.
   */
  async seal(token: string, acceptWeak: boolean): Promise<SealResult> {
    const isAvailable = await this.#isAvailable()
    if (!isAvailable && !acceptWeak) return { kind: 'no-encryption' }
    if (!isAvailable) this.#encryption.setUsePlainTextEncryption(true)
    try {
      const ciphertext = await this.#encryption.encryptStringAsync(token)
      const weak = !isAvailable || this.#hasFixedKey(ciphertext)
      if (weak && !acceptWeak) return { kind: 'no-encryption' }
      return { kind: 'sealed', sealed: { ciphertext: ciphertext.toString('base64'), weak } }
    } catch {
      return { kind: 'no-encryption' }
    }
  }

  /** Returns the token, or null if this system cannot decrypt it. */
  async open(sealed: SealedToken): Promise<string | null> {
    if (sealed.weak) this.#encryption.setUsePlainTextEncryption(true)
    try {
      const opened = await this.#encryption.decryptStringAsync(Buffer.from(sealed.ciphertext, 'base64'))
      return opened.result
    } catch {
      return null
    }
  }

  #hasFixedKey(ciphertext: Buffer): boolean {
    return this.#platform === 'linux' && ciphertext.toString('latin1', 0, 3) === FIXED_KEY_PREFIX
  }

  async #isAvailable(): Promise<boolean> {
    if (this.#platform === 'linux' && this.#encryption.getSelectedStorageBackend() === 'basic_text')
      return false
    return this.#encryption.isAsyncEncryptionAvailable().catch(() => false)
  }
}

/** The part of the settings that is about the staff. */
export class StaffStore {
  readonly #settings: Pick<Settings, 'values' | 'update'>

  constructor(settings: Pick<Settings, 'values' | 'update'>) {
    this.#settings = settings
  }

  get values(): StoredStaff {
    return this.#settings.values.staff
  }

  /** Stores a change; returns when it is on disk, as far as the disk takes it. */
  update(change: Partial<StoredStaff>): void {
    this.#settings.update({ staff: { ...this.values, ...change } })
  }
}
