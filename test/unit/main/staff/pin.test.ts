import { beforeEach, describe, expect, it } from 'vitest'
import {
  createPinAttempts,
  matchesPin,
  hashPin,
  type PinAttempts,
  type WrongPins
} from '../../../../electron/main/staff/pin.ts'

describe('a kept PIN', () => {
  it('is known again, and no other one is', async () => {
    const kept = await hashPin('4711')
    expect([
      await matchesPin('4711', kept),
      await matchesPin('4712', kept),
      await matchesPin('', kept)
    ]).toEqual([true, false, false])
  })

  it('has a salt of its own, and says how it was made', async () => {
    const [one, other] = [await hashPin('4711'), await hashPin('4711')]
    expect(one.key).not.toBe(other.key)
    expect(one).toMatchObject({ cost: 32_768, blockSize: 8, parallelization: 1 })
  })

  it('of an older till is known by the parameters that it was kept with', async () => {
    // scrypt of RFC 7914, 12: P="", S="", N=16, r=1, p=1, the first 64 octets.
    const key =
      '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906'
    const kept = { salt: '', key: Buffer.from(key, 'hex').toString('base64') }
    expect(await matchesPin('', { ...kept, cost: 16, blockSize: 1, parallelization: 1 })).toBe(true)
  })
})

let wrongPins: WrongPins
let time: number

const start = (): PinAttempts =>
  createPinAttempts({
    wrongPins: () => wrongPins,
    remember: (next) => {
      wrongPins = next
    },
    clock: () => time
  })

/** Types a wrong PIN, as soon as that may be done. */
const wrong = (tries: PinAttempts, whose = 'manager'): number => {
  time += tries.wait(whose) * 1000
  tries.begin(whose)
  return tries.wait(whose)
}

beforeEach(() => {
  wrongPins = {}
  time = 5000
})

describe('the wait after a wrong PIN', () => {
  it('grows, and stays at a quarter of an hour', () => {
    const tries = start()
    expect(Array.from({ length: 8 }, () => wrong(tries))).toEqual([0, 0, 30, 60, 300, 900, 900, 900])
  })

  it('is over when so much time has passed, and not a second before', () => {
    const tries = start()
    for (let n = 0; n < 3; n++) wrong(tries)
    time += 29_001
    expect(tries.wait('manager')).toBe(1)
    time += 999
    expect(tries.wait('manager')).toBe(0)
  })

  it('begins anew at a restart, however long the till was closed', () => {
    const tries = start()
    for (let n = 0; n < 4; n++) wrong(tries)
    time = 3
    expect(start().wait('manager')).toBe(60)
  })

  it('holds the tries of one against nobody else', () => {
    const tries = start()
    for (let n = 0; n < 4; n++) wrong(tries, 'anna')
    tries.right('manager')
    expect([tries.wait('manager'), tries.wait('anna')]).toEqual([0, 60])
  })

  it('is forgotten with a right PIN', () => {
    const tries = start()
    for (let n = 0; n < 4; n++) wrong(tries)
    tries.right('manager')
    expect([wrong(tries), wrongPins]).toEqual([0, { manager: 1 }])
  })
})
