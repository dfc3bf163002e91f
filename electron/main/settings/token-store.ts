/**
 * Encrypts the token of the business with the operating system (Electron's safeStorage). On Linux without a keyring
 * Electron falls back to `basic_text`, a fixed key: that is refused unless the manager accepts it.
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

export class TokenStore {
  readonly #encryption: Encryption
  readonly #platform: NodeJS.Platform

  constructor(encryption: Encryption, platform: NodeJS.Platform) {
    this.#encryption = encryption
    this.#platform = platform
  }

  /** Encrypts `token`; with `acceptWeak` also where the system has no real key. */
  async seal(token: string, acceptWeak: boolean): Promise<SealResult> {
    const isStrong = await this.#isStrong()
    if (!isStrong && !acceptWeak) return { kind: 'no-encryption' }
    if (!isStrong) this.#encryption.setUsePlainTextEncryption(true)
    try {
      const ciphertext = await this.#encryption.encryptStringAsync(token)
      return { kind: 'sealed', sealed: { ciphertext: ciphertext.toString('base64'), weak: !isStrong } }
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

  async #isStrong(): Promise<boolean> {
    if (this.#platform === 'linux' && this.#encryption.getSelectedStorageBackend() === 'basic_text')
      return false
    return this.#encryption.isAsyncEncryptionAvailable().catch(() => false)
  }
}
