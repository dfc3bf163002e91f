import { describe, expect, it } from 'vitest'
import type { SafeStorage } from 'electron'
import { TokenStore, type Encryption } from '../../../../electron/main/settings/index.ts'

/** An operating system's encryption, as far as the keeper asks it; "encrypts" by turning the text round. */
const encryption = (
  backend: ReturnType<SafeStorage['getSelectedStorageBackend']>,
  available: boolean
): Encryption => {
  let plainText = false
  const turn = (text: string): string => Array.from(text).reverse().join('')
  const use = <Value>(value: Value): Promise<Value> =>
    available || plainText ? Promise.resolve(value) : Promise.reject(new Error('no key'))
  return {
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: () => Promise.resolve(available),
    setUsePlainTextEncryption: (on) => {
      plainText = on
    },
    encryptStringAsync: (text) => use(Buffer.from(turn(text))),
    decryptStringAsync: (bytes) => use({ result: turn(bytes.toString()), shouldReEncrypt: false })
  }
}

describe('the token', () => {
  it('comes back from the system’s encryption', async () => {
    const keeper = new TokenStore(encryption('gnome_libsecret', true), 'linux')
    const sealing = await keeper.seal('secret', false)
    if (sealing.kind !== 'sealed') throw new Error('not sealed')
    expect(Buffer.from(sealing.sealed.ciphertext, 'base64').toString()).toBe('terces')
    expect([sealing.sealed.weak, await keeper.open(sealing.sealed)]).toEqual([false, 'secret'])
  })

  it.each([
    ['Linux has no keyring', encryption('basic_text', true), 'linux'],
    ['the system offers nothing', encryption('unknown', false), 'win32']
  ] as const)('is refused where %s', async (_why, system, platform) => {
    expect(await new TokenStore(system, platform).seal('secret', false)).toEqual({ kind: 'no-encryption' })
  })

  it('is kept without a real key once that is accepted, and opened by the next start', async () => {
    const sealing = await new TokenStore(encryption('basic_text', false), 'linux').seal('secret', true)
    if (sealing.kind !== 'sealed') throw new Error('not sealed')
    expect(sealing.sealed.weak).toBe(true)
    const nextStart = new TokenStore(encryption('basic_text', false), 'linux')
    expect(await nextStart.open(sealing.sealed)).toBe('secret')
  })

  it('is null where it cannot be decrypted', async () => {
    const keeper = new TokenStore(encryption('gnome_libsecret', false), 'linux')
    expect(await keeper.open({ ciphertext: 'AAAA', weak: false })).toBeNull()
  })
})
