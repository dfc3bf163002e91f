/**
 * Encrypts the token of the business with the operating system (Electron's safeStorage). On Linux without a keyring
 * Chromium encrypts with a fixed key that is in its source: that is refused unless the manager accepts it.
 */
import type { SafeStorage } from 'electron'
import type { SealedToken } from './settings-schema.ts'

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
