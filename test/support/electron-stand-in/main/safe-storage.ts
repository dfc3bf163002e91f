import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runtime } from '../runtime.ts'
import { strict } from '../strict.ts'
import { getPath } from './app-paths.ts'

/** The key where no keyring is, derived as Chromium does: from a fixed password in one round, so no secret at all. */
const PLAIN_TEXT_KEY = pbkdf2Sync('peanuts', 'saltysalt', 1, 32, 'sha1')

let usePlainText = false
let keyringKey: Buffer | undefined

/**
 * The keyring of this machine, set by TILLPOINTS_STAND_IN_KEYRING: gnome_libsecret, kwallet5, basic_text, none, or
 * unreachable: one that the desktop names and that does not answer, so that Chromium falls back to its fixed key; or
 * locked: one whose prompt is open until a test answers it.
 */
function keyring(): string {
  return process.env['TILLPOINTS_STAND_IN_KEYRING'] ?? 'gnome_libsecret'
}

const usesFixedKey = (): boolean => keyring() === 'basic_text' || keyring() === 'unreachable'

const unlocked = Promise.withResolvers<undefined>()
if (keyring() !== 'locked') unlocked.resolve(undefined)

/** For tests: answers the prompt of a locked keyring. */
export const unlockKeyring = (): void => unlocked.resolve(undefined)

/** The keyring's key for this app: a file of the user's own, so that it survives a restart. */
function key(): Buffer {
  if (usesFixedKey()) return PLAIN_TEXT_KEY
  const file = join(getPath('userData'), 'stand-in-keyring')
  try {
    keyringKey ??= readFileSync(file)
  } catch {
    keyringKey = randomBytes(32)
    mkdirSync(getPath('userData'), { recursive: true })
    writeFileSync(file, keyringKey, { mode: 0o600, flag: 'wx' })
  }
  return keyringKey
}

function encrypt(text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key(), nonce)
  const prefix = Buffer.from(usesFixedKey() ? 'v10' : 'v11')
  return Buffer.concat([prefix, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function decrypt(data: Buffer): string {
  const prefix = data.toString('latin1', 0, 3)
  const own = prefix === 'v10' ? PLAIN_TEXT_KEY : key()
  const decipher = createDecipheriv('aes-256-gcm', own, data.subarray(3, 15))
  decipher.setAuthTag(data.subarray(-16))
  return decipher.update(data.subarray(15, -16), undefined, 'utf8') + decipher.final('utf8')
}

/** Throws before the app is ready; resolves when the keyring is unlocked. */
async function usable(): Promise<void> {
  if (!runtime.ready) throw new Error('safeStorage cannot be used before app is ready')
  await unlocked.promise
}

/** Electron's `safeStorage`, with promises. */
export const safeStorage = strict('safeStorage', {
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (!runtime.ready) return false
    await unlocked.promise
    return keyring() !== 'basic_text' || usePlainText
  },

  async encryptStringAsync(text: string): Promise<Buffer> {
    await usable()
    return encrypt(text)
  },

  async decryptStringAsync(data: unknown): Promise<{ shouldReEncrypt: boolean; result: string }> {
    if (!(data instanceof Uint8Array))
      throw new Error('Expected the first argument of decryptStringAsync() to be a buffer')
    await usable()
    if (data.length === 0) return { shouldReEncrypt: false, result: '' }
    try {
      return { shouldReEncrypt: false, result: decrypt(Buffer.from(data)) }
    } catch {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.')
    }
  },

  setUsePlainTextEncryption: (use: boolean) => void (usePlainText = use),

  // Only Linux has a choice of keyrings.
  ...(process.platform === 'linux' && {
    getSelectedStorageBackend: () => {
      if (!runtime.ready || keyring() === 'none') return 'unknown'
      return ['unreachable', 'locked'].includes(keyring()) ? 'gnome_libsecret' : keyring()
    }
  })
})
