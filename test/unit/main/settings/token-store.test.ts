import { describe, expect, it } from 'vitest'
import type { SafeStorage } from 'electron'
import { TokenStore, type Encryption } from '../../../../electron/main/settings/index.ts'

/** An operating system's encryption: reverses the text, behind the prefix that Chromium writes for the key it used. */
const createEncryption = (
  backend: ReturnType<SafeStorage['getSelectedStorageBackend']>,
  isAvailable: boolean,
  prefix = 'v11'
): Encryption => {
  let plainText = false
  const reverse = (text: string): string => Array.from(text).reverse().join('')
  const withKey = <Value>(value: Value): Promise<Value> =>
    isAvailable || plainText ? Promise.resolve(value) : Promise.reject(new Error('no key'))
  return {
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: () => Promise.resolve(isAvailable),
    setUsePlainTextEncryption: (on) => {
      plainText = on
    },
    encryptStringAsync: (text) => withKey(Buffer.from(prefix + reverse(text))),
    decryptStringAsync: (bytes) =>
      withKey({ result: reverse(bytes.toString().slice(3)), shouldReEncrypt: false })
  }
}

describe('TokenStore', () => {
  it('seals a token with the system’s key and opens it', async () => {
    const store = new TokenStore(createEncryption('gnome_libsecret', true), 'linux')
    const sealing = await store.seal('secret', false)
    if (sealing.kind !== 'sealed') throw new Error('not sealed')
    expect(Buffer.from(sealing.sealed.ciphertext, 'base64').toString()).toBe('v11terces')
    expect(sealing.sealed.weak).toBe(false)
    expect(await store.open(sealing.sealed)).toBe('secret')
  })

  it.each([
    ['Linux has no keyring', createEncryption('basic_text', true, 'v10'), 'linux'],
    ['a keyring on Linux does not answer', createEncryption('gnome_libsecret', true, 'v10'), 'linux'],
    ['the system has no encryption', createEncryption('unknown', false), 'win32']
  ] as const)('refuses to seal when %s', async (_condition, encryption, platform) => {
    expect(await new TokenStore(encryption, platform).seal('secret', false)).toEqual({
      kind: 'no-encryption'
    })
  })

  it('treats v10 as the system’s key outside Linux', async () => {
    const sealing = await new TokenStore(createEncryption('unknown', true, 'v10'), 'darwin').seal(
      'secret',
      false
    )
    expect(sealing).toMatchObject({ kind: 'sealed', sealed: { weak: false } })
  })

  it.each([
    ['without a keyring', createEncryption('basic_text', false, 'v10')],
    ['with a keyring that does not answer', createEncryption('gnome_libsecret', true, 'v10')]
  ])(
    'seals with the fixed key %s once that is accepted, and opens it after a restart',
    async (_condition, encryption) => {
      const sealing = await new TokenStore(encryption, 'linux').seal('secret', true)
      if (sealing.kind !== 'sealed') throw new Error('not sealed')
      expect(sealing.sealed.weak).toBe(true)
      const nextStart = new TokenStore(createEncryption('basic_text', false, 'v10'), 'linux')
      expect(await nextStart.open(sealing.sealed)).toBe('secret')
    }
  )

  it('returns null for a token that the system cannot decrypt', async () => {
    const store = new TokenStore(createEncryption('gnome_libsecret', false), 'linux')
    expect(await store.open({ ciphertext: 'AAAA', weak: false })).toBeNull()
  })
})
