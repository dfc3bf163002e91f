import { describe, expect, it } from 'vitest'
import { isKeptPin, keepPin } from '../../../../electron/main/staff/pin.ts'

describe('a kept PIN', () => {
  it('is known again, and no other one is', async () => {
    const kept = await keepPin('4711')
    expect([await isKeptPin('4711', kept), await isKeptPin('4712', kept), await isKeptPin('', kept)]).toEqual(
      [true, false, false]
    )
  })

  it('has a salt of its own, and says how it was made', async () => {
    const [one, other] = [await keepPin('4711'), await keepPin('4711')]
    expect(one.key).not.toBe(other.key)
    expect(one).toMatchObject({ cost: 32_768, blockSize: 8, parallelization: 1 })
  })

  it('of an older till is known by the parameters that it was kept with', async () => {
    // scrypt of RFC 7914, 12: P="", S="", N=16, r=1, p=1, the first 64 octets.
    const key =
      '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906'
    const kept = { salt: '', key: Buffer.from(key, 'hex').toString('base64') }
    expect(await isKeptPin('', { ...kept, cost: 16, blockSize: 1, parallelization: 1 })).toBe(true)
  })
})
