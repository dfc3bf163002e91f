import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashPin, matchesPin, PinAttempts } from '../../../../electron/main/staff/pin.ts'
import { StaffStore } from '../../../../electron/main/settings/index.ts'
import { MemorySettings } from '../../../support/session.ts'

describe('a PIN hash', () => {
  it('matches the same PIN only', async () => {
    const hash = await hashPin('4711')
    expect(await matchesPin('4711', hash)).toBe(true)
    expect(await matchesPin('4712', hash)).toBe(false)
    expect(await matchesPin('', hash)).toBe(false)
  })

  it('has its own salt and its parameters', async () => {
    const [one, other] = [await hashPin('4711'), await hashPin('4711')]
    expect(one.key).not.toBe(other.key)
    expect(one).toMatchObject({ cost: 32_768, blockSize: 8, parallelization: 1 })
  })

  it('is verified with its stored parameters', async () => {
    expect(await matchesPin('', CHEAP_HASH)).toBe(true)
  })

  // Electron's crypto library derives a key on the thread that calls `scrypt`, the asynchronous one too.
  it('is derived outside the calling thread', async () => {
    const scrypt = vi.spyOn(crypto, 'scrypt')
    const scryptSync = vi.spyOn(crypto, 'scryptSync')
    syncBuiltinESMExports()
    try {
      expect(await matchesPin('4711', await hashPin('4711'))).toBe(true)
      expect(scrypt).not.toHaveBeenCalled()
      expect(scryptSync).not.toHaveBeenCalled()
    } finally {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    }
  })
})

/** scrypt of RFC 7914, 12: P="", S="", N=16, r=1, p=1, the first 64 octets. */
const CHEAP_HASH = {
  salt: '',
  key: Buffer.from(
    '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
    'hex'
  ).toString('base64'),
  cost: 16,
  blockSize: 1,
  parallelization: 1
}

let store: StaffStore

const createAttempts = (): PinAttempts => new PinAttempts(store)

/** Enters a wrong PIN as soon as that is allowed. Resolves with the seconds to wait afterwards. */
const enterWrongPin = async (attempts: PinAttempts, owner = 'manager'): Promise<number> => {
  vi.advanceTimersByTime(attempts.waitSeconds(owner) * 1000)
  const result = await attempts.verifyPin(owner, 'wrong', CHEAP_HASH)
  expect(result).toMatchObject({ ok: false, failure: { kind: 'wrong-pin' } })
  return attempts.waitSeconds(owner)
}

const enterWrongPins = async (attempts: PinAttempts, count: number, owner?: string): Promise<number[]> => {
  const waits = []
  for (let n = 0; n < count; n++) waits.push(await enterWrongPin(attempts, owner))
  return waits
}

beforeEach(() => {
  // scrypt runs on threads, which do not use this clock.
  vi.useFakeTimers({ toFake: ['performance'] })
  store = new StaffStore(new MemorySettings())
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the wait after wrong PINs', () => {
  it('grows up to 15 minutes', async () => {
    expect(await enterWrongPins(createAttempts(), 8)).toEqual([0, 0, 30, 60, 300, 900, 900, 900])
  })

  it('ends after exactly that time', async () => {
    const attempts = createAttempts()
    await enterWrongPins(attempts, 3)
    vi.advanceTimersByTime(29_001)
    expect(attempts.waitSeconds('manager')).toBe(1)
    vi.advanceTimersByTime(999)
    expect(attempts.waitSeconds('manager')).toBe(0)
  })

  it('refuses the right PIN while it lasts', async () => {
    const attempts = createAttempts()
    await enterWrongPins(attempts, 3)
    const result = await attempts.verifyPin('manager', '', CHEAP_HASH)
    expect(result).toMatchObject({ ok: false, failure: { kind: 'too-many-tries', waitSeconds: 30 } })
  })

  it('begins again after a restart', async () => {
    await enterWrongPins(createAttempts(), 4)
    expect(createAttempts().waitSeconds('manager')).toBe(60)
  })

  it('is counted for each owner', async () => {
    const attempts = createAttempts()
    await enterWrongPins(attempts, 4, 'anna')
    expect((await attempts.verifyPin('manager', '', CHEAP_HASH)).ok).toBe(true)
    expect(attempts.waitSeconds('manager')).toBe(0)
    expect(attempts.waitSeconds('anna')).toBe(60)
  })

  it('is reset by the right PIN', async () => {
    const attempts = createAttempts()
    await enterWrongPins(attempts, 4)
    vi.advanceTimersByTime(attempts.waitSeconds('manager') * 1000)
    expect((await attempts.verifyPin('manager', '', CHEAP_HASH)).ok).toBe(true)
    expect(await enterWrongPin(attempts)).toBe(0)
    expect(store.values.wrongPins).toEqual({ manager: 1 })
  })
})
