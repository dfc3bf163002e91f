/**
 * Sealing the business's token with the operating system's encryption (safeStorage), and opening it again.
 * On Linux without a keyring Electron falls back to `basic_text`, a fixed key: that is refused unless the manager
 * accepts it.
 */
import type { SafeStorage } from 'electron'
import type { SealedToken } from './settings-schema.ts'

/** What sealing came to: a sealed token, or `no-encryption`. */
export type Sealing =
  { readonly kind: 'sealed'; readonly sealed: SealedToken } | { readonly kind: 'no-encryption' }

/** Seals and opens the token. */
export interface TokenKeeper {
  /** Seals `token`; with `acceptWeak` also where the system has no real key. */
  readonly seal: (token: string, acceptWeak: boolean) => Promise<Sealing>
  /** The token, or null when this system cannot decrypt it. */
  readonly open: (sealed: SealedToken) => Promise<string | null>
}

/** The part of Electron's safeStorage that is asked. */
export type Encryption = Pick<
  SafeStorage,
  | 'getSelectedStorageBackend'
  | 'isAsyncEncryptionAvailable'
  | 'setUsePlainTextEncryption'
  | 'encryptStringAsync'
  | 'decryptStringAsync'
>

/** Builds the keeper on Electron's safeStorage. */
export function createTokenKeeper(safeStorage: Encryption, platform: NodeJS.Platform): TokenKeeper {
  const isStrong = async (): Promise<boolean> => {
    if (platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return false
    return safeStorage.isAsyncEncryptionAvailable().catch(() => false)
  }
  return {
    async seal(token, acceptWeak) {
      const strong = await isStrong()
      if (!strong && !acceptWeak) return { kind: 'no-encryption' }
      if (!strong) safeStorage.setUsePlainTextEncryption(true)
      try {
        const ciphertext = await safeStorage.encryptStringAsync(token)
        return { kind: 'sealed', sealed: { ciphertext: ciphertext.toString('base64'), weak: !strong } }
      } catch {
        return { kind: 'no-encryption' }
      }
    },
    async open(sealed) {
      if (sealed.weak) safeStorage.setUsePlainTextEncryption(true)
      try {
        const opened = await safeStorage.decryptStringAsync(Buffer.from(sealed.ciphertext, 'base64'))
        return opened.result
      } catch {
        return null
      }
    }
  }
}
