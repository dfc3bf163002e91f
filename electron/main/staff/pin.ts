/** PINs as they are kept: the result of scrypt (RFC 7914) with a salt of its own, never the digits. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { err, ok, type Result } from '../../contract/failure.ts'

/** A PIN as it lies on disk. The parameters are kept with it, so that later tills may raise theirs. */
export interface PinHash {
  /** base64 */
  readonly salt: string
  /** base64 */
  readonly key: string
  /** scrypt's N, a power of two */
  readonly cost: number
  /** scrypt's r */
  readonly blockSize: number
  /** scrypt's p */
  readonly parallelization: number
}

/** 32 MB and a tenth of a second on a slow till. */
const COST = { cost: 2 ** 15, blockSize: 8, parallelization: 1 } as const

const SALT_BYTES = 16
const KEY_BYTES = 32

/** Memory that scrypt needs for these parameters, in bytes, with room for what it keeps beside (RFC 7914, 2). */
const memory = ({ cost, blockSize }: Pick<PinHash, 'cost' | 'blockSize'>): number =>
  2 * 128 * cost * blockSize

/** On a thread of its own: main goes on meanwhile. */
const derive = (
  pin: string,
  salt: Buffer,
  length: number,
  { cost, blockSize, parallelization }: Pick<PinHash, 'cost' | 'blockSize' | 'parallelization'>
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { cost, blockSize, parallelization, maxmem: memory({ cost, blockSize }) }
    scrypt(pin, salt, length, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })

/** Makes what is kept of a PIN. The same PIN twice gives two different results. */
export async function hashPin(pin: string): Promise<PinHash> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(pin, salt, KEY_BYTES, COST)
  return { salt: salt.toString('base64'), key: key.toString('base64'), ...COST }
}

/** Whether `pin` is the one that was kept. Takes the same time for any wrong one. */
export async function matchesPin(pin: string, kept: PinHash): Promise<boolean> {
  const key = Buffer.from(kept.key, 'base64')
  const derived = await derive(pin, Buffer.from(kept.salt, 'base64'), key.length, kept)
  return timingSafeEqual(derived, key)
}

/**
 * Waits after wrong PINs, growing with each. They are measured by a clock that nobody can set, and only while the till
 * runs: of what passed while it was closed nothing counts, and a wait that was not over begins anew at the next start.
 */

/** Wrong PINs in a row, by whose PIN it is. What is kept on disk. */
export type WrongPins = Readonly<Record<string, number>>

interface TriesMemory {
  readonly wrongPins: () => WrongPins
  /** Writes to disk before it returns. */
  readonly remember: (wrongPins: WrongPins) => void
  /** milliseconds of a clock that only goes forward */
  readonly clock: () => number
}

export interface PinAttempts {
  /** Seconds until this PIN may be tried, rounded up; 0: now. */
  wait(whose: string): number
  /** Notes that a PIN is about to be tried, as a wrong one: whoever ends the till now has not won a try. */
  begin(whose: string): void
  /** The PIN was right: nothing is held against it any more. */
  right(whose: string): void
  /** Forgets what is known of a PIN that is no longer there. */
  forget(whose: string): void
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The wait after the third wrong PIN, the fourth, and so on; the last one stays. */
const WAITS = [30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE] as const
const FREE = 3

const waitAfter = (wrong: number): number =>
  wrong < FREE ? 0 : (WAITS[Math.min(wrong - FREE, WAITS.length - 1)] ?? 0)

/** Makes the tries; waits that were under way at the last close begin anew. */
export function createPinAttempts({ wrongPins, remember, clock }: TriesMemory): PinAttempts {
  const started = clock()
  /** when the last try began; one of an earlier start counts as made now */
  const last = new Map<string, number>()

  const without = (whose: string): WrongPins =>
    Object.fromEntries(Object.entries(wrongPins()).filter(([name]) => name !== whose))
  const drop = (whose: string): void => {
    if (wrongPins()[whose] !== undefined) remember(without(whose))
    last.delete(whose)
  }

  return {
    wait(whose) {
      const since = clock() - (last.get(whose) ?? started)
      return Math.max(0, Math.ceil((waitAfter(wrongPins()[whose] ?? 0) - since) / SECOND))
    },
    begin(whose) {
      last.set(whose, clock())
      remember({ ...wrongPins(), [whose]: (wrongPins()[whose] ?? 0) + 1 })
    },
    right: drop,
    forget: drop
  }
}

/* from checking.ts: Checking a PIN that somebody typed, with the waits after wrong ones. */

/** Checks a PIN against the kept one of `whose`: `too-many-tries` without looking at it, or `wrong-pin`. */
type CheckPin = (whose: string, pin: string, kept: PinHash) => Promise<Result<null>>

/** Makes the checking. */
export function createCheckPin(tries: PinAttempts): CheckPin {
  return async (whose, pin, kept) => {
    const waitSeconds = tries.wait(whose)
    if (waitSeconds > 0) return err({ kind: 'too-many-tries', waitSeconds })
    // Counted before it is checked: two tries at once are two, and one that is cut short counts.
    tries.begin(whose)
    if (!(await matchesPin(pin, kept))) return err({ kind: 'wrong-pin', waitSeconds: tries.wait(whose) })
    tries.right(whose)
    return ok(null)
  }
}
