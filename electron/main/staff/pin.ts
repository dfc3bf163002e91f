/** PINs: stored as scrypt hashes (RFC 7914) with their own salts, and verified with growing waits after wrong ones. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import { runInWorker } from '../worker-thread.ts'
import type { PinHash, StaffStore } from '../settings/index.ts'
import { pinHashSchema } from '../settings/settings-schema.ts'
import type { Derivation } from './pin-worker.ts'

/** The failure for a text that cannot be a PIN. */
export const MALFORMED_PIN: Failure = { kind: 'invalid-input', field: 'pin', fault: 'malformed' }

type PinCost = Pick<PinHash, 'cost' | 'blockSize' | 'parallelization'>

/** 32 MB of memory and a tenth of a second on a slow machine. */
const PARAMETERS: PinCost = { cost: 2 ** 15, blockSize: 8, parallelization: 1 }

const SALT_BYTES = 16
const KEY_BYTES = 32

/**
 * Derives a key with scrypt in a worker thread. Node's asynchronous `scrypt` would block main in Electron: with BoringSSL
 * it checks the parameters by deriving a key on the calling thread (ScryptConfig in src/crypto/crypto_scrypt.cc).
 */
async function deriveKey(
  pin: string,
  salt: Uint8Array,
  keyBytes: number,
  { cost, blockSize, parallelization }: PinCost
): Promise<Buffer> {
  // Twice the memory that scrypt needs for its main buffer (RFC 7914, 2).
  const options = { cost, blockSize, parallelization, maxmem: 2 * 128 * cost * blockSize }
  const derivation: Derivation = { pin, salt, keyBytes, options }
  return Buffer.from(
    await runInWorker(new URL('./pin-worker.ts', import.meta.url), derivation, v.string()),
    'base64'
  )
}

/** Hashes a PIN with a random salt: the same PIN gives a different hash each time. */
export async function hashPin(pin: string, parameters = PARAMETERS): Promise<PinHash> {
  const salt = randomBytes(SALT_BYTES)
  const key = await deriveKey(pin, salt, KEY_BYTES, parameters)
  return { salt: salt.toString('base64'), key: key.toString('base64'), ...parameters }
}

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z\d+/]{22,})\$([A-Za-z\d+/]{43})$/u

/** Returns a hash as a policy writes it: the PHC string format of scrypt. */
export function formatPinHash({ salt, key, cost, blockSize, parallelization }: PinHash): string {
  const [shortSalt, shortKey] = [salt, key].map((text) => text.replaceAll('=', ''))
  return `$scrypt$ln=${Math.log2(cost)},r=${blockSize},p=${parallelization}$${shortSalt}$${shortKey}`
}

/** Returns the hash that `formatPinHash` wrote; null for any other text, and for one that would take too much memory. */
export function parsePinHash(text: string): PinHash | null {
  const [, log2 = '', blockSize = '', parallelization = '', salt = '', key = ''] = PHC.exec(text.trim()) ?? []
  const parsed = v.safeParse(pinHashSchema, {
    salt,
    key,
    cost: 2 ** Number(log2),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization)
  })
  return parsed.success ? parsed.output : null
}

/** Returns whether `pin` matches the hash, in constant time. */
export async function matchesPin(pin: string, hash: PinHash): Promise<boolean> {
  const key = Buffer.from(hash.key, 'base64')
  const derived = await deriveKey(pin, Buffer.from(hash.salt, 'base64'), key.length, hash)
  return timingSafeEqual(derived, key)
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Number of wrong PINs without a wait. */
const FREE_ATTEMPTS = 3
/** The waits after the third wrong PIN, the fourth and so on; the last one repeats. */
const WAITS_MS = [30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const

const waitAfter = (wrong: number): number =>
  wrong < FREE_ATTEMPTS ? 0 : (WAITS_MS[Math.min(wrong - FREE_ATTEMPTS, WAITS_MS.length - 1)] ?? 0)

/**
 * Verifies PINs and limits the attempts. Waits are measured with a monotonic clock and only while the app runs: a wait
 * that was not over when the app quit begins again at the next start.
 */
export class PinAttempts {
  readonly #store: StaffStore
  readonly #startedAt = performance.now()
  /** time of the last attempt by owner; attempts before the start count from the start */
  readonly #lastAttempts = new Map<string, number>()

  constructor(store: StaffStore) {
    this.#store = store
  }

  /** Verifies `pin`. Fails with `too-many-tries` without checking it, or with `wrong-pin`. */
  async verifyPin(owner: string, pin: string, hash: PinHash): Promise<Result<null>> {
    const waitSeconds = this.waitSeconds(owner)
    if (waitSeconds > 0) return err({ kind: 'too-many-tries', waitSeconds })
    this.#countAttempt(owner)
    if (!(await matchesPin(pin, hash)))
      return err({ kind: 'wrong-pin', waitSeconds: this.waitSeconds(owner) })
    this.clear(owner)
    return ok(null)
  }

  /** Seconds until the next attempt is allowed, rounded up; 0 if it is allowed now. */
  waitSeconds(owner: string): number {
    const elapsed = performance.now() - (this.#lastAttempts.get(owner) ?? this.#startedAt)
    return Math.max(0, Math.ceil((waitAfter(this.#wrongPins(owner)) - elapsed) / SECOND_MS))
  }

  /** Resets the count of an owner whose PIN was right, changed or removed. */
  clear(owner: string): void {
    const { [owner]: cleared, ...wrongPins } = this.#store.values.wrongPins
    if (cleared !== undefined) this.#store.update({ wrongPins })
    this.#lastAttempts.delete(owner)
  }

  /** Counts before the PIN is checked: two attempts at once are two, and quitting the app does not save an attempt. */
  #countAttempt(owner: string): void {
    this.#lastAttempts.set(owner, performance.now())
    const { wrongPins } = this.#store.values
    this.#store.update({ wrongPins: { ...wrongPins, [owner]: this.#wrongPins(owner) + 1 } })
  }

  #wrongPins(owner: string): number {
    return this.#store.values.wrongPins[owner] ?? 0
  }
}
